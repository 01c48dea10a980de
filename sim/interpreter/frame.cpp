// A block's memory for its values.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/frame.hpp"

#include <map>
#include <new>

namespace tilesim::interpreter {
namespace {

constexpr std::align_val_t alignment{slot_alignment};

/// What blocks have left, by its size. All blocks run in one thread of the host at a time, but
/// another one may launch later.
std::map<std::size_t, std::vector<std::byte*>>& left_over() {
  static thread_local auto& all = *new std::map<std::size_t, std::vector<std::byte*>>;
  return all;
}

std::size_t bytes_of(const slot& s) {
  return std::size_t{s.type->count} * size_of(s.type->elem);
}

} // namespace

frame::frame(std::size_t bytes, std::size_t tokens)
    : values_((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t) * sizeof(std::uint64_t))
    , bytes_(values_ + (tokens * sizeof(std::uint64_t))) {
  auto& free = left_over()[bytes_];
  if (free.empty()) {
    memory_ = static_cast<std::byte*>(::operator new(bytes_, alignment));
    std::memset(memory_, 0, bytes_);
  } else {
    memory_ = free.back();
    free.pop_back();
    std::memset(memory_ + values_, 0, bytes_ - values_);
  }
}

frame::~frame() {
  left_over()[bytes_].push_back(memory_);
}

std::int64_t frame::number(const slot& s, bool is_unsigned) const noexcept {
  const unsigned bytes = size_of(s.type->elem);
  std::uint64_t bits = 0;
  std::memcpy(&bits, cells(s), bytes);
  const unsigned above = 64 - 8 * bytes;
  return is_unsigned ? static_cast<std::int64_t>(bits)
                     : static_cast<std::int64_t>(bits << above) >> above;
}

std::uint64_t frame::hash() const noexcept {
  std::uint64_t h = 0xCBF29CE484222325;
  for (std::size_t i = 0; i + sizeof h <= values_; i += sizeof h) {
    std::uint64_t word = 0;
    std::memcpy(&word, memory_ + i, sizeof word);
    constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
    h = (h ^ word) * odd;
    h ^= h >> 29U;
  }
  return h;
}

void frame::move_tokens(const carried& c) {
  std::vector<std::uint64_t> all;
  all.reserve(c.tokens.size());
  for (const auto& [from, to] : c.tokens) {
    all.push_back(token(from));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    token(c.tokens[i].second) = all[i];
  }
}

void frame::move(const carried& c) {
  if (!c.tokens.empty()) {
    move_tokens(c);
  }
  if (!c.overlap) {
    for (std::size_t i = 0; i < c.from.size(); ++i) {
      std::memcpy(cells(c.to[i]), cells(c.from[i]), bytes_of(c.to[i]));
    }
    return;
  }
  std::vector<std::vector<std::byte>> all;
  for (const slot& s : c.from) {
    all.emplace_back(cells(s), cells(s) + bytes_of(s));
  }
  for (std::size_t i = 0; i < c.to.size(); ++i) {
    std::memcpy(cells(c.to[i]), all[i].data(), all[i].size());
  }
}

} // namespace tilesim::interpreter
