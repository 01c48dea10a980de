// A file of pieces of memory, in the order in which they were kept.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/left_memory.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace tilesim::sim::compare {

namespace {

/// Stands before each piece: launch, allocation, offset, bytes.
using piece_head = std::array<std::uint64_t, 4>;

template <class T>
std::streamsize size_in_file(std::span<T> s) {
  return static_cast<std::streamsize>(s.size_bytes());
}

} // namespace

left_memory::left_memory(const std::string& path, bool takes)
    : takes_(takes) {
  if (!takes) {
    file_.open(path, std::ios::binary | std::ios::trunc);
    return;
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw std::runtime_error(path + ": it cannot be read");
  }
  read(file);
}

void left_memory::read(std::istream& file) {
  piece_head head{};
  while (file.read(reinterpret_cast<char*>(head.data()), sizeof head)) {
    piece p{.offset = head[2], .bytes = std::vector<std::byte>(head[3])};
    if (!file.read(reinterpret_cast<char*>(p.bytes.data()), size_in_file(std::span(p.bytes)))) {
      return; // the other run was ended while it wrote
    }
    pieces_[{head[0], static_cast<unsigned>(head[1])}].push_back(std::move(p));
  }
}

void left_memory::keep(std::uint64_t launch,
                       unsigned allocation,
                       std::uint64_t offset,
                       std::span<const std::byte> bytes) {
  const piece_head head{launch, allocation, offset, bytes.size()};
  file_.write(reinterpret_cast<const char*>(head.data()), sizeof head);
  file_.write(reinterpret_cast<const char*>(bytes.data()), size_in_file(bytes));
  file_.flush();
}

std::vector<std::byte> left_memory::left(std::uint64_t launch,
                                         unsigned allocation,
                                         std::span<const std::byte> expected) const {
  std::vector<std::byte> all(expected.begin(), expected.end());
  const auto it = pieces_.find({launch, allocation});
  if (it == pieces_.end()) {
    return all;
  }
  for (const piece& p : it->second) {
    if (p.offset <= all.size() && p.bytes.size() <= all.size() - p.offset) {
      std::ranges::copy(p.bytes, all.begin() + static_cast<std::ptrdiff_t>(p.offset));
    }
  }
  return all;
}

} // namespace tilesim::sim::compare
