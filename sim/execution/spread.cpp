// Following unspecified values by twins.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/spread.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <utility>

namespace tilesim::sim {

namespace {

using machine::in;
using machine::out;

std::size_t bytes_of(const machine::tile_type& type) {
  return std::size_t{size_of(type.elem)} * type.count;
}

std::uint64_t word_of(const void* from, unsigned bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, bytes);
  return word;
}

/// Whether a number has so many different bits that it is hardly met by chance.
bool is_rich(std::uint64_t word) {
  constexpr int few = 6;
  const auto low = static_cast<std::uint32_t>(word | (word >> 32U));
  return std::popcount(low) >= few && std::popcount(~low) >= few;
}

} // namespace

const spread::twin* spread::find(const sim_thread& t, const in& operand) const {
  const auto known = tiles_.find(&t);
  if (known == tiles_.end()) {
    return nullptr;
  }
  const std::size_t bytes = bytes_of(*operand.type);
  const twin* copy = nullptr;
  for (auto it = known->second.rbegin(); it != known->second.rend(); ++it) {
    if (it->now.size() == bytes && (it->at == operand.data || (it->rich && copy == nullptr)) &&
        std::memcmp(it->now.data(), operand.data, bytes) == 0) {
      if (it->at == operand.data) {
        return &*it;
      }
      copy = &*it; // the compiler copies tiles
    }
  }
  return copy;
}

void spread::keep(const sim_thread& t,
                  const out& result,
                  std::vector<std::byte> other,
                  const void* origin) {
  const std::size_t bytes = bytes_of(*result.type);
  const auto* now = static_cast<const std::byte*>(result.data);
  auto& tiles = tiles_[&t];
  std::erase_if(tiles, [&](const twin& k) { return k.at == result.data; });
  if (origin == nullptr || std::memcmp(now, other.data(), bytes) == 0) {
    return;
  }
  const unsigned size = size_of(result.type->elem);
  bool rich = false;
  for (std::size_t i = 0; size >= 4 && i < bytes && !rich; i += size) {
    rich = std::memcmp(now + i, other.data() + i, size) != 0 && is_rich(word_of(now + i, size));
  }
  if (result.type->count == 1 && rich) {
    scalars_.push_back({word_of(now, size), word_of(other.data(), size), size, origin});
    if (scalars_.size() > most_scalars) {
      scalars_.pop_front();
    }
  }
  tiles.push_back({result.data, {now, now + bytes}, std::move(other), origin, rich});
  if (tiles.size() > most_tiles) {
    tiles.pop_front();
  }
}

const void* spread::vary(const sim_thread& t, const out& result, std::vector<std::byte>& other) {
  const std::size_t size = size_of(result.type->elem);
  const auto* now = static_cast<const std::byte*>(result.data);
  const std::byte all = result.type->elem == element::i1 ? std::byte{1} : std::byte{0xff};
  const bool some = !drawn_.empty();
  for (const std::size_t e : drawn_) {
    for (std::size_t i = e * size; i < (e + 1) * size; ++i) {
      other[i] = now[i] ^ all;
    }
  }
  drawn_.clear();
  return some ? t.site : nullptr;
}

void spread::computed(const sim_thread& t,
                      const out& result,
                      const in* operands,
                      unsigned count,
                      const computation& again) {
  const auto mine = tiles_.find(&t);
  if (mine == tiles_.end() && drawn_.empty()) {
    return;
  }
  std::vector<in> others(operands, operands + count);
  const void* origin = nullptr;
  for (in& operand : others) {
    if (const twin* const k = find(t, operand)) {
      operand.data = k->other.data();
      origin = k->origin;
    }
  }
  if (origin == nullptr && drawn_.empty()) {
    std::erase_if(mine->second, [&](const twin& k) { return k.at == result.data; });
    return;
  }
  const auto* now = static_cast<const std::byte*>(result.data);
  std::vector<std::byte> other(now, now + bytes_of(*result.type));
  if (origin != nullptr) {
    again({result.type, other.data()}, others.data());
  }
  const void* const here = vary(t, result, other);
  keep(t, result, std::move(other), here != nullptr ? here : origin);
}

const spread::stored_twin*
spread::in_memory(std::uintptr_t at, const void* now, unsigned bytes) const {
  const auto it = memory_.find(at);
  return it != memory_.end() && it->second.bytes == bytes && it->second.now == word_of(now, bytes)
             ? &it->second
             : nullptr;
}

void spread::put(
    std::uintptr_t at, const void* now, const void* other, unsigned bytes, const void* origin) {
  if (std::memcmp(now, other, bytes) == 0) {
    memory_.erase(at);
  } else if (memory_.size() < most_cells) {
    memory_.insert_or_assign(
        at, stored_twin{word_of(now, bytes), word_of(other, bytes), bytes, origin});
  }
}

void spread::loaded(const sim_thread& t, const tile_access& a, const out& result) {
  if (memory_.empty() && drawn_.empty()) {
    if (const auto mine = tiles_.find(&t); mine != tiles_.end()) {
      std::erase_if(mine->second, [&](const twin& k) { return k.at == result.data; });
    }
    return;
  }
  const auto* now = static_cast<const std::byte*>(result.data);
  std::vector<std::byte> other(now, now + bytes_of(*result.type));
  const void* origin = vary(t, result, other);
  for (std::size_t i = 0; a.addresses != nullptr && !memory_.empty() && i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      if (const auto* const cell = in_memory(a.addresses[i], now + (i * a.bytes), a.bytes)) {
        std::memcpy(other.data() + (i * a.bytes), &cell->other, a.bytes);
        origin = cell->origin;
      }
    }
  }
  keep(t, result, std::move(other), origin);
}

void spread::stored(const sim_thread& t, const tile_access& a, const in& value) {
  const twin* const k = find(t, value);
  if (a.addresses == nullptr || (k == nullptr && memory_.empty())) {
    return;
  }
  const auto* now = static_cast<const std::byte*>(value.data);
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      const std::byte* const cell = now + (i * a.bytes);
      put(a.addresses[i],
          cell,
          k == nullptr ? cell : k->other.data() + (i * a.bytes),
          a.bytes,
          k == nullptr ? nullptr : k->origin);
    }
  }
}

void spread::updated(const sim_thread& t,
                     const tile_access& a,
                     ops::rmw_function f,
                     const in& argument,
                     const out& old) {
  const twin* const k = find(t, argument);
  for (std::size_t i = 0; a.addresses != nullptr && i < a.count; ++i) {
    if ((a.mask != nullptr && a.mask[i] == 0) || (k == nullptr && memory_.empty())) {
      continue;
    }
    const std::byte* const before = static_cast<const std::byte*>(old.data) + (i * a.bytes);
    const std::byte* const added =
        (k != nullptr ? k->other.data() : static_cast<const std::byte*>(argument.data)) +
        (i * a.bytes);
    const stored_twin* const cell = in_memory(a.addresses[i], before, a.bytes);
    if (k == nullptr && cell == nullptr) {
      continue;
    }
    std::uint64_t other = cell != nullptr ? cell->other : word_of(before, a.bytes);
    const void* const origin = k != nullptr ? k->origin : cell->origin;
    f(reinterpret_cast<std::byte*>(&other), added);
    put(a.addresses[i], reinterpret_cast<const void*>(a.addresses[i]), &other, a.bytes, origin);
  }
}

void spread::accessed(const sim_thread& t,
                      const tile_access& a,
                      const in& pointers,
                      const in* mask) {
  if (mask != nullptr) {
    decides(t, mask, 1, "a mask decides");
  }
  const twin* const k = find(t, pointers);
  if (k == nullptr) {
    return;
  }
  constexpr std::size_t size = sizeof(std::uintptr_t);
  for (std::size_t i = 0; i < a.count; ++i) {
    if ((a.mask == nullptr || a.mask[i] != 0) &&
        std::memcmp(k->now.data() + (i * size), k->other.data() + (i * size), size) != 0) {
      tell(t.site, "an address decides", k->origin);
      return;
    }
  }
}

void spread::decides(const sim_thread& t, const in* operands, unsigned count, const char* what) {
  for (unsigned i = 0; i < count; ++i) {
    if (const twin* const k = find(t, operands[i])) {
      tell(t.site, what, k->origin);
      return;
    }
  }
}

void spread::copied(const copy_event& e) {
  if (!e.to_host) {
    return;
  }
  e.each_row([&](const unsigned char* to, const unsigned char* from) {
    row_copied(e.by, e.site, reinterpret_cast<std::uintptr_t>(from), {to, e.width});
  });
}

void spread::row_copied(const char* function,
                        const void* site,
                        std::uintptr_t from,
                        std::span<const unsigned char> bytes) {
  constexpr std::size_t most_searched = std::size_t{1} << 20U;
  const std::string what = fmt::format("{} copies to the host", function);
  for (auto it = memory_.lower_bound(from); it != memory_.end() && it->first - from < bytes.size();
       ++it) {
    const std::size_t at = it->first - from;
    if (at + it->second.bytes <= bytes.size() &&
        word_of(bytes.data() + at, it->second.bytes) == it->second.now) {
      tell(site, what.c_str(), it->second.origin);
      return;
    }
  }
  for (const stored_twin& s : scalars_) {
    for (std::size_t at = 0; at + s.bytes <= std::min(bytes.size(), most_searched); at += s.bytes) {
      if (word_of(bytes.data() + at, s.bytes) == s.now) {
        tell(site, what.c_str(), s.origin);
        return;
      }
    }
  }
}

void spread::tell(const void* site, const char* what, const void* origin) {
  if (std::exchange(told_, true)) {
    return;
  }
  const auto frames = resolve(origin);
  std::fflush(stdout);
  fmt::print(stderr,
             "tilesim: what {} at {} depends on an unspecified value, from {}: 'tilesim check{}' "
             "has more\n",
             what,
             place(site),
             place(origin),
             frames.empty() ? "" : " " + frames.back().file);
}

} // namespace tilesim::sim
