// Following unspecified values by twins.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/spread.hpp"

#include "sim/contract/standard_error.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/mask.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/memory/word_of.hpp"
#include "sim/ops/preconditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

namespace tilesim::sim {

namespace {

using machine::in;
using machine::out;
using ops::bytes_of;

/// Whether a number has so many different bits that it is hardly met by chance.
bool is_rich(std::uint64_t word) {
  constexpr int few = 6;
  const auto low = static_cast<std::uint32_t>(word | (word >> 32U));
  return std::popcount(low) >= few && std::popcount(~low) >= few;
}

std::size_t tile_hash(const void* data, std::size_t bytes) {
  return std::hash<std::string_view>{}({static_cast<const char*>(data), bytes});
}

/// With the operation that the value comes from.
dependence dependence_from(const sim_thread& t, std::vector<bool> elements, const void* origin) {
  const auto& sites = t.owner->exec->desk().unspecified.sites();
  const auto drawn = std::ranges::find(sites, origin, &drawing_site::site);
  const bool known = drawn != sites.end();
  return {.elements = std::move(elements),
          .origin = place(origin) + (known ? ": " + explain(*drawn) : ""),
          .remedy = known ? remedy(drawn->why) : ""};
}

std::uintptr_t address_of(const in& pointers, std::size_t i) {
  return static_cast<const std::uintptr_t*>(pointers.data)[i];
}

} // namespace

bool spread::twin::differs(std::size_t byte, std::size_t bytes) const noexcept {
  return std::ranges::any_of(other, [&](const std::vector<std::byte>& o) {
    return std::memcmp(now.data() + byte, o.data() + byte, bytes) != 0;
  });
}

// At its own address a tile is found by that. Elsewhere it is a copy if its bits are found nowhere
// else, or no other tile is known to have them. A scalar that C++ has taken out of its tile is used
// before the next operation, or not followed.
const spread::twin* spread::find(const sim_thread& t, const in& operand) const {
  const auto known = tiles_.find(&t);
  if (known == tiles_.end()) {
    return nullptr;
  }
  const thread_values& values = known->second;
  const std::size_t bytes = bytes_of(*operand.type);
  const auto may_be_copy = [&](const twin& k) {
    return k.rich ||
           (operand.type->count == 1 ? values.results - k.number <= 1 : bytes <= most_bytes);
  };
  const twin* copy = nullptr;
  for (auto it = values.twins.rbegin(); it != values.twins.rend(); ++it) {
    if (it->now.size() == bytes &&
        (it->at == operand.data || (copy == nullptr && may_be_copy(*it))) &&
        std::memcmp(it->now.data(), operand.data, bytes) == 0) {
      if (it->at == operand.data) {
        return &*it;
      }
      copy = &*it;
    }
  }
  if (copy == nullptr || copy->rich || operand.type->count == 1) {
    return copy;
  }
  const std::size_t hash = tile_hash(operand.data, bytes);
  return std::ranges::find(values.plain, hash) == values.plain.end() ? copy : nullptr;
}

void spread::note_plain(const sim_thread& t, const in& tile) {
  const std::size_t bytes = bytes_of(*tile.type);
  const auto known = tiles_.find(&t);
  if (known == tiles_.end() || tile.type->count == 1 || bytes > most_bytes) {
    return;
  }
  std::deque<std::size_t>& plain = known->second.plain;
  const std::size_t hash = tile_hash(tile.data, bytes);
  if (std::ranges::find(plain, hash) == plain.end()) {
    plain.push_back(hash);
    if (plain.size() > most_plain) {
      plain.pop_front();
    }
  }
}

// Copies of what stood there may live on: in registers, while the compiler has given the place to
// another tile.
void spread::overwritten(thread_values& values, const void* at) {
  for (twin& k : values.twins) {
    k.at = k.at == at ? nullptr : k.at;
  }
}

void spread::forget(const sim_thread& t, const out& result) {
  if (const auto mine = tiles_.find(&t); mine != tiles_.end()) {
    ++mine->second.results;
    overwritten(mine->second, result.data);
    note_plain(t, {result.type, result.data});
  }
}

void spread::keep(const sim_thread& t, const out& result, other_bytes other, const void* origin) {
  const std::size_t bytes = bytes_of(*result.type);
  const auto* now = static_cast<const std::byte*>(result.data);
  twin k{result.data, {now, now + bytes}, std::move(other), origin, false, 0};
  if (origin == nullptr || !k.differs(0, bytes)) {
    forget(t, result);
    return;
  }
  thread_values& mine = tiles_[&t];
  overwritten(mine, result.data);
  const unsigned size = size_of(result.type->elem);
  for (std::size_t i = 0; size >= 4 && i < bytes && !k.rich; i += size) {
    k.rich = k.differs(i, size) && is_rich(word_of(now + i, size));
  }
  if (result.type->count == 1 && k.rich) {
    scalars_.push_back({word_of(now, size),
                        {word_of(k.other[0].data(), size), word_of(k.other[1].data(), size)},
                        size,
                        origin});
    if (scalars_.size() > most_scalars) {
      scalars_.pop_front();
    }
  }
  k.number = ++mine.results;
  mine.twins.push_back(std::move(k));
  if (mine.twins.size() > most_tiles) { // one that is a copy at most goes first
    const auto gone = std::ranges::find(mine.twins, static_cast<const void*>(nullptr), &twin::at);
    mine.twins.erase(gone == mine.twins.end() ? mine.twins.begin() : gone);
  }
}

// All bits set are a NaN of every format.
const void* spread::vary(const sim_thread& t, const out& result, other_bytes& other) {
  const element kind = result.type->elem;
  const std::size_t size = size_of(kind);
  const auto* now = static_cast<const std::byte*>(result.data);
  const std::byte all = kind == element::i1 ? std::byte{1} : std::byte{0xff};
  const std::byte special = is_floating(kind) ? all : std::byte{0};
  const bool some = !drawn_.empty();
  for (const std::size_t e : drawn_) {
    for (std::size_t i = e * size; i < (e + 1) * size; ++i) {
      other[0][i] = now[i] ^ all;
      other[1][i] = special;
    }
  }
  drawn_.clear();
  return some ? t.site : nullptr;
}

void spread::computed(const sim_thread& t,
                      const computation& how,
                      const out& result,
                      const in* operands,
                      unsigned count) {
  if (drawn_.empty() && !tiles_.contains(&t)) {
    return;
  }
  std::vector<const twin*> known(count);
  const void* origin = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    known[i] = find(t, operands[i]);
    if (known[i] != nullptr) {
      origin = known[i]->origin;
    } else {
      note_plain(t, operands[i]);
    }
  }
  if (origin == nullptr && drawn_.empty()) {
    forget(t, result);
    return;
  }
  const auto* now = static_cast<const std::byte*>(result.data);
  other_bytes other;
  std::vector<in> others(operands, operands + count);
  for (std::size_t v = 0; v < variants; ++v) {
    other[v].assign(now, now + bytes_of(*result.type));
    for (unsigned i = 0; i < count; ++i) {
      others[i].data = known[i] != nullptr ? known[i]->other[v].data() : operands[i].data;
    }
    if (origin != nullptr && how.again) {
      how.again({result.type, other[v].data()}, others.data());
    }
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

void spread::put(std::uintptr_t at,
                 const void* now,
                 const other_words& other,
                 unsigned bytes,
                 const void* origin) {
  const std::uint64_t word = word_of(now, bytes);
  if (std::ranges::all_of(other, [&](std::uint64_t o) { return o == word; })) {
    memory_.erase(at);
  } else if (memory_.size() < most_cells) {
    memory_.insert_or_assign(at, stored_twin{word, other, bytes, origin});
  }
}

void spread::loaded(const sim_thread& t,
                    const tile_access& a,
                    const out& result,
                    const in* /*padding*/) {
  if (memory_.empty() && drawn_.empty()) {
    forget(t, result);
    return;
  }
  const auto* now = static_cast<const std::byte*>(result.data);
  other_bytes other;
  other.fill({now, now + bytes_of(*result.type)});
  const void* origin = vary(t, result, other);
  for (std::size_t i = 0; a.addresses != nullptr && !memory_.empty() && i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      if (const auto* const cell = in_memory(a.addresses[i], now + (i * a.bytes), a.bytes)) {
        for (std::size_t v = 0; v < variants; ++v) {
          std::memcpy(other[v].data() + (i * a.bytes), &cell->other[v], a.bytes);
        }
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
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      store(a.addresses[i], value, k, i);
    }
  }
}

void spread::store(std::uintptr_t at, const in& value, const twin* k, std::size_t i) {
  const unsigned size = size_of(value.type->elem);
  const std::byte* const cell = static_cast<const std::byte*>(value.data) + (i * size);
  other_words other{};
  for (std::size_t v = 0; v < variants; ++v) {
    other[v] = word_of(k == nullptr ? cell : k->other[v].data() + (i * size), size);
  }
  put(at, cell, other, size, k == nullptr ? nullptr : k->origin);
}

void spread::updated(const sim_thread& t,
                     const tile_access& a,
                     const update_operation& how,
                     const in& argument,
                     const out& old) {
  if (how.gives_old) {
    loaded(t, a, old, nullptr);
  }
  const twin* const k = find(t, argument);
  for (std::size_t i = 0; a.addresses != nullptr && i < a.count; ++i) {
    if ((a.mask != nullptr && a.mask[i] == 0) || (k == nullptr && memory_.empty())) {
      continue;
    }
    const std::byte* const before = static_cast<const std::byte*>(old.data) + (i * a.bytes);
    const stored_twin* const cell = in_memory(a.addresses[i], before, a.bytes);
    if (k == nullptr && cell == nullptr) {
      continue;
    }
    const void* const origin = k != nullptr ? k->origin : cell->origin;
    other_words other{};
    for (std::size_t v = 0; v < variants; ++v) {
      const auto* const added =
          k != nullptr ? k->other[v].data() : static_cast<const std::byte*>(argument.data);
      other[v] = cell != nullptr ? cell->other[v] : word_of(before, a.bytes);
      how.function(reinterpret_cast<std::byte*>(&other[v]), added + (i * a.bytes));
    }
    put(a.addresses[i], reinterpret_cast<const void*>(a.addresses[i]), other, a.bytes, origin);
  }
}

void spread::exchanged(const sim_thread& t,
                       const out& old,
                       const in& pointers,
                       const in& comparand,
                       const in& value,
                       const in* mask) {
  const twin* const k = find(t, comparand);
  const twin* const new_value = find(t, value);
  if (k == nullptr && new_value == nullptr && memory_.empty()) {
    forget(t, old);
    return;
  }
  const unsigned size = size_of(old.type->elem);
  const auto* const now = static_cast<const std::byte*>(old.data);
  const auto* const wanted = static_cast<const std::byte*>(comparand.data);
  other_bytes other;
  other.fill({now, now + bytes_of(*old.type)});
  const void* origin = nullptr;
  for (std::size_t i = 0; i < old.type->count; ++i) {
    const std::size_t at = i * size;
    const std::uintptr_t address = address_of(pointers, i);
    const bool active = is_active(mask, i);
    const stored_twin* const cell = active ? in_memory(address, now + at, size) : nullptr;
    const bool exchanges = active && std::memcmp(now + at, wanted + at, size) == 0;
    bool decides = false;
    for (std::size_t v = 0; v < variants; ++v) {
      const auto* const other_wanted = k != nullptr ? k->other[v].data() + at : wanted + at;
      const std::uint64_t was = cell != nullptr ? cell->other[v] : word_of(now + at, size);
      // What a mask leaves out is the comparand.
      std::memcpy(
          other[v].data() + at, active ? static_cast<const void*>(&was) : other_wanted, size);
      decides |= active && !(exchanges && was == word_of(other_wanted, size));
    }
    const bool depends = cell != nullptr || (k != nullptr && k->differs(at, size));
    if (depends) {
      origin = cell != nullptr ? cell->origin : k->origin;
    }
    if (depends && decides) {
      tell(t.site, "a comparand decides", origin);
    }
    if (exchanges) {
      store(address, value, new_value, i);
    }
  }
  keep(t, old, std::move(other), origin);
}

dependence spread::depends(const sim_thread& t, const in& operand) const {
  const twin* const k = find(t, operand);
  if (k == nullptr) {
    return {};
  }
  const unsigned size = size_of(operand.type->elem);
  std::vector<bool> elements(operand.type->count);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = k->differs(i * size, size);
  }
  return dependence_from(t, std::move(elements), k->origin);
}

dependence spread::memory_depends(const sim_thread& t,
                                  std::uintptr_t address,
                                  const void* value,
                                  unsigned bytes) const {
  const stored_twin* const cell = in_memory(address, value, bytes);
  return cell == nullptr ? dependence{} : dependence_from(t, {true}, cell->origin);
}

void spread::accessed(const sim_thread& t,
                      const tile_access& a,
                      const in& pointers,
                      const in* mask,
                      const out* /*result*/) {
  if (mask != nullptr) {
    decides(t, mask, 1, "a mask decides");
    if (find(t, *mask) == nullptr) {
      note_plain(t, *mask);
    }
  }
  const twin* const k = find(t, pointers);
  if (k == nullptr) {
    return;
  }
  constexpr std::size_t size = sizeof(std::uintptr_t);
  for (std::size_t i = 0; i < a.count; ++i) {
    if ((a.mask == nullptr || a.mask[i] != 0) && k->differs(i * size, size)) {
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
  std::fflush(stdout);
  print_error("tilesim: what {} at {} depends on an unspecified value, from {}: the same "
              "command with 'check' for 'run' has more\n",
              what,
              place(site),
              place(origin));
}

} // namespace tilesim::sim
