// Which bytes of device memory have been written since they were allocated.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/memory/written.hpp"

#include "memmodel/assertion.hpp"
#include "sim/memory/hash.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace tilesim::sim {

namespace {

constexpr std::size_t word_bits = 64;

/// The bits of word `w` that stand for bytes from `from` up to `to`.
constexpr std::uint64_t within(std::size_t w, std::size_t from, std::size_t to) noexcept {
  const std::size_t begin = w * word_bits;
  std::uint64_t bits = ~std::uint64_t{0};
  if (from > begin) {
    bits &= ~std::uint64_t{0} << (from - begin);
  }
  if (to < begin + word_bits) {
    bits &= ~(~std::uint64_t{0} << (to - begin));
  }
  return bits;
}

} // namespace

void written_memory::bitmap::set(std::size_t from, std::size_t to) {
  for (std::size_t w = from / word_bits; w * word_bits < to; ++w) {
    const std::uint64_t newly = within(w, from, to) & ~bits[w];
    bits[w] |= newly;
    unwritten -= static_cast<std::size_t>(std::popcount(newly));
  }
}

void written_memory::bitmap::clear(std::size_t byte) {
  unwritten += has(byte) ? 1U : 0U;
  bits[byte / word_bits] &= ~(std::uint64_t{1} << (byte % word_bits));
}

written_memory::bitmap* written_memory::find(std::uintptr_t address) {
  if (last_ != nullptr && address >= last_->begin && address < last_->end) {
    return last_;
  }
  return find_before_last(address);
}

written_memory::bitmap* written_memory::find_before_last(std::uintptr_t address) {
  if (before_last_ != nullptr && address >= before_last_->begin && address < before_last_->end) {
    std::swap(last_, before_last_);
    return last_;
  }
  return find_allocation(address);
}

written_memory::bitmap* written_memory::find_allocation(std::uintptr_t address) {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  std::byte fresh{};
  if (memory_.in_arena(address)) {
    const allocation* const a = memory_.find(reinterpret_cast<const void*>(address));
    if (a == nullptr || a->kind != memory_kind::device) {
      return nullptr;
    }
    begin = a->begin;
    size = a->size;
  } else if (const shared_object* const o = shared_.find(address)) {
    begin = o->begin;
    size = o->size;
    fresh = block_memories::fresh;
  } else {
    return nullptr;
  }
  const auto [at, is_new] = maps_.try_emplace(begin);
  if (is_new) {
    at->second = {begin,
                  begin + size,
                  size,
                  std::vector<std::uint64_t>((size + word_bits - 1) / word_bits),
                  fresh};
  }
  before_last_ = last_;
  return last_ = &at->second;
}

void written_memory::write(std::uintptr_t address, std::size_t bytes) {
  bitmap* const m = find(address);
  if (m != nullptr && m->unwritten != 0) {
    m->set(address - m->begin, std::min(address + bytes, m->end) - m->begin);
  }
}

void written_memory::copy(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  if (find(to) == nullptr) {
    return;
  }
  const bitmap* const source = find(from);
  if (source == nullptr || source->unwritten == 0) {
    write(to, bytes);
    return;
  }
  bitmap& target = *find(to);
  TILESIM_ASSERT(to - target.begin + bytes <= target.end - target.begin, bytes);
  TILESIM_ASSERT(from - source->begin + bytes <= source->end - source->begin, bytes);
  const std::vector<std::uint64_t> before = source->bits; // they may be one
  for (std::size_t i = 0; i < bytes; ++i) {
    const std::size_t at = from - source->begin + i;
    if ((before[at / word_bits] >> (at % word_bits) & 1U) != 0) {
      target.set(to - target.begin + i, to - target.begin + i + 1);
    } else {
      target.clear(to - target.begin + i);
    }
  }
}

void written_memory::forget(std::uintptr_t begin) {
  last_ = before_last_ = nullptr;
  maps_.erase(begin);
}

std::optional<std::uintptr_t> written_memory::first_unwritten(std::uintptr_t address,
                                                              std::size_t bytes) {
  const bitmap* const m = find(address);
  if (m == nullptr || m->unwritten == 0) {
    return std::nullopt;
  }
  const std::size_t from = address - m->begin;
  const std::size_t to = std::min(address + bytes, m->end) - m->begin;
  for (std::size_t w = from / word_bits; w * word_bits < to; ++w) {
    if (const std::uint64_t missing = within(w, from, to) & ~m->bits[w]; missing != 0) {
      return m->begin + (w * word_bits) + static_cast<std::size_t>(std::countr_zero(missing));
    }
  }
  return std::nullopt;
}

// A thread of the host may write there meanwhile.
TILESIM_READS_ANY_BYTES bool
written_memory::written_unseen(std::uintptr_t address, std::uintptr_t own, std::size_t own_bytes) {
  bitmap* const m = find(address);
  if (m == nullptr || m->unwritten == 0) {
    return false;
  }
  const auto* const content = reinterpret_cast<const std::byte*>(m->begin);
  for (std::size_t i = 0; i < m->end - m->begin; ++i) {
    if (!m->has(i) && content[i] != m->fresh && m->begin + i - own >= own_bytes) {
      m->set(0, m->end - m->begin);
      return true;
    }
  }
  return false;
}

std::size_t written_memory::unwritten_from(std::uintptr_t address, std::size_t most) {
  const bitmap* const m = find(address);
  std::size_t count = 0;
  while (m != nullptr && count < most && address + count < m->end &&
         !m->has(address + count - m->begin)) {
    ++count;
  }
  return count;
}

bool written_memory::all_unwritten(std::uintptr_t address, std::size_t bytes) {
  const bitmap* const m = find(address);
  if (m == nullptr) {
    return false;
  }
  const std::size_t from = address - m->begin;
  const std::size_t to = std::min(address + bytes, m->end) - m->begin;
  for (std::size_t w = from / word_bits; w * word_bits < to; ++w) {
    if ((within(w, from, to) & m->bits[w]) != 0) {
      return false;
    }
  }
  return true;
}

} // namespace tilesim::sim
