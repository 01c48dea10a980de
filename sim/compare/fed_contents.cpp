// Contents of memory as another machine had it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/compare/fed_contents.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tilesim::sim::compare {

fed_contents::fed_contents(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC); // NOLINT: variadic by nature
  struct stat is {};
  if (file < 0 || fstat(file, &is) != 0) {
    throw std::system_error(errno, std::generic_category(), path);
  }
  const auto bytes = static_cast<std::size_t>(is.st_size);
  if (bytes != 0) {
    void* const at = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (at == MAP_FAILED) {
      throw std::system_error(errno, std::generic_category(), path);
    }
    bytes_ = {static_cast<const std::byte*>(at), bytes};
  }
  close(file);
}

fed_contents::~fed_contents() {
  if (!bytes_.empty()) {
    munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
  }
}

counterparts::counterparts(const std::vector<fed_memory>& memories,
                           const allocations& here,
                           const std::map<std::size_t, allocation>& variables,
                           std::map<std::size_t, const allocation*> arrays)
    : memories_(memories)
    , variables_(variables)
    , arrays_(std::move(arrays)) {
  for (const allocation* a : here.live()) {
    live_[a->id] = a;
  }
  for (std::size_t m = 0; m < memories.size(); ++m) {
    const allocation* const a = of(m) != nullptr ? of(m) : of_other_size(m);
    if (a != nullptr) { // also what has another size: places in it are the same
      by_address_[memories[m].address] = {memories[m].address, memories[m].bytes, a->begin};
    }
  }
}

const allocation* counterparts::of(std::size_t memory) const {
  const fed_memory& there = memories_[memory];
  if (!there.variable.empty()) {
    const auto it = variables_.find(memory);
    return it == variables_.end() ? nullptr : &it->second;
  }
  if (!there.array.empty()) {
    const auto it = arrays_.find(memory);
    return it == arrays_.end() ? nullptr : it->second;
  }
  const auto it = live_.find(there.allocation);
  return it == live_.end() || it->second->size != there.bytes ? nullptr : it->second;
}

const allocation* counterparts::of_other_size(std::size_t memory) const {
  const fed_memory& there = memories_[memory];
  if (!there.variable.empty() || !there.array.empty()) {
    return nullptr;
  }
  const auto it = live_.find(there.allocation);
  return it == live_.end() || it->second->size == there.bytes ? nullptr : it->second;
}

const counterparts::piece* counterparts::holding(std::uint64_t word) const noexcept {
  auto it = by_address_.upper_bound(word);
  if (it == by_address_.begin()) {
    return nullptr;
  }
  const piece& p = (--it)->second;
  return word - p.begin_there <= p.bytes ? &p : nullptr;
}

bool counterparts::knows(std::uint64_t word) const noexcept {
  return holding(word) != nullptr;
}

std::uint64_t counterparts::translated(std::uint64_t word) const noexcept {
  const piece* const p = holding(word);
  return p == nullptr ? word : word - p->begin_there + p->begin_here;
}

namespace {

/// Is byte `i` of the range meant?
bool is_meant(std::span<const std::byte> mask, std::size_t i) noexcept {
  return mask.empty() || (std::to_integer<unsigned>(mask[i / 8]) >> (i % 8) & 1U) != 0;
}

bool are_meant(std::span<const std::byte> mask, std::size_t from, std::size_t bytes) noexcept {
  for (std::size_t i = from; i < from + bytes; ++i) {
    if (!is_meant(mask, i)) {
      return false;
    }
  }
  return true;
}

} // namespace

void write_range(const fed_range& range,
                 const fed_contents& contents,
                 const counterparts& same,
                 std::span<std::byte> to) {
  constexpr std::size_t word_bytes = sizeof(std::uint64_t);
  const std::span<const std::byte> from = contents.at(range.at, range.bytes);
  const std::span<const std::byte> mask =
      range.mask ? contents.at(*range.mask, (range.bytes + 7) / 8) : std::span<const std::byte>{};
  for (std::size_t i = 0; i < range.bytes;) {
    const bool word = (range.offset + i) % word_bytes == 0 && range.bytes - i >= word_bytes &&
                      are_meant(mask, i, word_bytes);
    if (word) {
      std::uint64_t there = 0;
      std::memcpy(&there, from.data() + i, word_bytes);
      const std::uint64_t here = same.translated(there);
      std::memcpy(to.data() + i, &here, word_bytes);
      i += word_bytes;
    } else {
      if (is_meant(mask, i)) {
        to[i] = from[i];
      }
      ++i;
    }
  }
}

} // namespace tilesim::sim::compare
