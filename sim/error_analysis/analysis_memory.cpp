// The shadow error analysis where values go to memory and come from it: tile operations, atomic
// ones, raw accesses.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/error_analysis/analysis.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

namespace tilesim::sim::errors {

namespace {

using machine::in;
using machine::out;

const std::byte* cell_at(const in& tile, std::size_t i) {
  return static_cast<const std::byte*>(tile.data) +
         ((tile.type->count == 1 ? 0 : i) * size_of(tile.type->elem));
}

bool accesses(const tile_access& a, std::size_t i) {
  return a.mask == nullptr || a.mask[i] != 0;
}

} // namespace

// --- Memory

void error_analysis::loaded(const sim_thread& t,
                            const tile_access& a,
                            const out& result,
                            const in* padding) {
  orders_ = orders_ || a.how.order != machine::memory_order::weak;
  settle();
  writes_ = false;
  const enclosed_tile* const pad = padding == nullptr ? nullptr : find(t, *padding);
  if ((memory_.empty() && pad == nullptr) || a.addresses == nullptr) {
    keep(t, result, {});
    passing_.clear();
    return;
  }
  enclosed_tile tile = points_of({result.type, result.data});
  const because why = why_at(t);
  for (std::size_t i = 0; i < a.count; ++i) {
    if (!accesses(a, i)) {
      tile.cells[i] = pad != nullptr ? pad->cells[pad->cells.size() == 1 ? 0 : i] : tile.cells[i];
    } else if (const auto e = memory_.find(a.addresses[i], tile.kind, why)) {
      tile.cells[i] = *e;
    }
  }
  move(result, tile);
  keep(t, result, tile.is_exact() ? enclosed_tile{} : std::move(tile));
  passing_.clear();
}

void error_analysis::stored(const sim_thread& t, const tile_access& a, const in& value) {
  settle();
  writes_ = true;
  const known_operand known{&value, find(t, value)};
  const element kind = value.type->elem;
  for (std::size_t i = 0; a.addresses != nullptr && i < a.count; ++i) {
    if (!accesses(a, i)) {
      continue;
    }
    std::uint64_t bits = 0;
    std::memcpy(&bits, cell_at(value, i), size_of(kind));
    note_written(a.addresses[i],
                 {.block = t.number,
                  .operation = t.operations,
                  .bits = bits,
                  .kind = kind,
                  .value = known.at(i),
                  .weak = a.how.order == machine::memory_order::weak,
                  .site = t.site});
    if (known.known == nullptr) {
      memory_.forget(a.addresses[i], size_of(kind));
    } else if (std::memcmp(reinterpret_cast<const void*>(a.addresses[i]),
                           cell_at(value, i),
                           size_of(kind)) == 0) { // or another element of the tile stands there
      memory_.put(a.addresses[i], kind, known.at(i));
    }
  }
  passing_.clear();
}

// Of one thread the last store counts, all of its elements; what other threads wrote may come last.
void error_analysis::note_written(std::uintptr_t at, const written_value& w) {
  std::vector<written_value>& values = written_[at];
  std::erase_if(values, [&](const written_value& other) {
    return other.block == w.block && other.operation != w.operation;
  });
  if (values.size() < most_written) {
    values.push_back(w);
  }
}

// Their type is not known: an element may be of four bytes or of eight.
void error_analysis::note_written(const pending_write& w) {
  constexpr std::array kinds{element::i8, element::i16, element::i32, element::i64};
  const auto note = [&](std::uintptr_t at, element kind) {
    const auto it = written_.find(at);
    if (it == written_.end() && written_.size() >= most_raw) {
      raw_lost_ = true;
      return;
    }
    written_value value{.block = w.thread->number,
                        .operation = raw_writes_,
                        .bits = 0,
                        .kind = kind,
                        .value = {},
                        .weak = w.weak,
                        .site = w.site};
    std::memcpy(&value.bits, reinterpret_cast<const void*>(at), size_of(kind));
    for (const memory_errors::cell& c : memory_.overlapping(at, size_of(kind))) {
      if (c.at == at && size_of(c.kind) == size_of(kind)) {
        value.kind = c.kind;
        value.value = c.value;
      }
    }
    note_written(at, value);
  };
  ++raw_writes_;
  for (const element kind : kinds) {
    const std::size_t size = size_of(kind);
    const bool whole = size == w.bytes;
    const bool part = size >= size_of(element::i32) && size < w.bytes && w.bytes % size == 0;
    for (std::size_t i = 0; (whole || part) && i < w.bytes; i += size) {
      note(w.at + i, kind);
    }
  }
}

bool error_analysis::has_race() const {
  return std::ranges::any_of(context_.found.all().findings, [](const finding& f) {
    return f.kind == finding_kind::data_race || f.kind == finding_kind::duplicate_store;
  });
}

bool error_analysis::reads_racing(std::uintptr_t at, std::size_t bytes) const {
  if (written_.empty() || !has_race()) {
    return false;
  }
  for (std::uintptr_t byte = at; byte < at + bytes; ++byte) {
    const auto it = written_.find(byte);
    if (it == written_.end()) {
      continue;
    }
    const std::vector<written_value>& all = it->second;
    for (const written_value& w : all) {
      if (w.block != all.front().block && size_of(w.kind) == size_of(all.front().kind) &&
          w.bits != all.front().bits) {
        return true;
      }
    }
  }
  return false;
}

reason
error_analysis::written_there(std::uintptr_t at, std::size_t bytes, const contents_there& there) {
  // Where a read races, what is written may depend on it.
  const auto reads = [](const finding& f) {
    return f.kind == finding_kind::data_race && (f.message.find("load") != std::string::npos ||
                                                 f.message.find("update") != std::string::npos);
  };
  if (std::ranges::any_of(context_.found.all().findings, reads)) {
    return reason_at(nullptr, "a race decides what is read, and so what is written");
  }
  if (raw_lost_ && has_race()) {
    return reason_at(nullptr, "something races, and more is written than is followed");
  }
  // What is written at once may have been more than what the buffer is thought to be of.
  for (std::uintptr_t from = at + 1; from-- > at - std::min(at, sizeof(std::uint64_t) - 1);) {
    const auto it = written_.find(from);
    for (std::size_t size = 1; it != written_.end() && size <= sizeof(std::uint64_t); size *= 2) {
      std::vector<written_value> values;
      std::ranges::copy_if(it->second, std::back_inserter(values), [&](const written_value& w) {
        return size_of(w.kind) == size && at + bytes <= from + size;
      });
      if (const reason one = values.size() < 2 ? 0 : one_of(values, there(from))) {
        return one;
      }
    }
  }
  return written_in_parts(at, bytes, there);
}

/// Where stores of several sizes, or of other places, cover an element, each of its bytes is one
/// that some of them writes there.
reason error_analysis::written_in_parts(std::uintptr_t at,
                                        std::size_t bytes,
                                        const contents_there& there) {
  if (!has_race()) {
    return 0;
  }
  bool whole = true; // each store is of just this element
  bool several = false;
  const void* site = nullptr;
  for (std::uintptr_t byte = at; byte < at + bytes; ++byte) {
    const std::byte wanted = *there(byte);
    bool some = wanted == *reinterpret_cast<const std::byte*>(byte);
    for (std::uintptr_t from = byte + 1;
         from-- > byte - std::min(byte, sizeof(std::uint64_t) - 1);) {
      const auto it = written_.find(from);
      if (it == written_.end()) {
        continue;
      }
      for (const written_value& w : it->second) {
        if (from + size_of(w.kind) <= byte) {
          continue;
        }
        whole = whole && from == at && size_of(w.kind) == bytes;
        several = several || w.block != it->second.front().block || from != at;
        site = w.site;
        some = some || static_cast<std::byte>(w.bits >> (8 * (byte - from))) == wanted;
      }
    }
    if (!some) {
      return 0;
    }
  }
  return whole || !several
             ? 0
             : reason_at(site, "stores of several sizes write there, and nothing orders them");
}

/// Of several values of one size that were written at one place.
reason error_analysis::one_of(std::span<const written_value> values, const std::byte* there) {
  // Weak stores of several threads have one order, unless they race: then that is a finding.
  const bool ordered = !has_race() && std::ranges::all_of(values, &written_value::weak);
  if (ordered) {
    return 0;
  }
  if (values.size() >= most_written) {
    return reason_at(values.back().site, "more stores write there than are followed");
  }
  for (const written_value& w : values) {
    const double x = number_at(w.kind, there);
    const bool inside =
        is_floating(w.kind) && w.value.open == 0 && w.value.lo <= x && x <= w.value.hi;
    if (std::memcmp(&w.bits, there, size_of(w.kind)) == 0 || inside || w.value.open != 0) {
      return reason_at(
          w.site,
          "several stores write there, nothing orders them, and this is what one of them writes");
    }
  }
  return 0;
}

void error_analysis::updated(const sim_thread& t,
                             const tile_access& a,
                             const update_operation& how,
                             const in& argument,
                             const out& old) {
  settle();
  writes_ = true;
  const known_operand known{&argument, find(t, argument)};
  const element kind = argument.type->elem;
  const bool adds = how.mode == machine::rmw_mode::addf;
  const bool flushes = kind == element::f32;
  enclosed_tile before = points_of({old.type, old.data});
  const because why = why_at(t);
  bool some = false;
  for (std::size_t i = 0; a.addresses != nullptr && i < a.count; ++i) {
    if (!accesses(a, i)) {
      continue;
    }
    const std::uintptr_t at = a.addresses[i];
    written_.erase(at); // from here on the values that are written depend on each other
    note_update(at, how.mode, size_of(kind));
    // What lay there is known by its bits before; it has been overwritten by now.
    const auto was = memory_.before_update(at, kind, cell_at({old.type, old.data}, i));
    before.cells[i] = was ? *was : before.cells[i];
    some |= was.has_value();
    if (adds) {
      memory_.add(at, kind, before.cells[i], known.at(i), flushes, why);
      before.cells[i] = opened(why("the old value of an atomic addition, whose order is open"));
      some = true;
    } else if (how.mode == machine::rmw_mode::xchg) {
      memory_.put(at, kind, known.at(i));
    } else if (const reason open =
                   before.cells[i].open != 0 ? before.cells[i].open : known.at(i).open) {
      memory_.put(at, kind, opened(open));
    } else {
      memory_.forget(at, size_of(kind));
    }
  }
  // Whole numbers come to the same in every order; what was there before tells of the order.
  orders_ = orders_ || how.mode == machine::rmw_mode::xchg ||
            (how.gives_old && !adds && old.type->count == 1);
  if (how.gives_old && !adds) {
    threads_[holder_of(t)].olds.insert(known_values::hash_of(bytes_of(*old.type, old.data)));
  }
  if (how.gives_old) {
    for (std::size_t i = 0; adds && i < before.cells.size(); ++i) {
      if (before.cells[i].open != 0) {
        move_open(kind, static_cast<std::byte*>(old.data) + (i * size_of(kind)));
      }
    }
    keep(t, old, some ? std::move(before) : enclosed_tile{});
  }
  passing_.clear();
}

void error_analysis::exchanged(const sim_thread& t,
                               const out& old,
                               const in& pointers,
                               const in& comparand,
                               const in& value,
                               const in* mask) {
  orders_ = true;
  settle();
  writes_ = true;
  const known_operand wanted{&comparand, find(t, comparand)};
  const known_operand given{&value, find(t, value)};
  const element kind = value.type->elem;
  for (std::size_t i = 0; i < old.type->count; ++i) {
    if (mask != nullptr && *reinterpret_cast<const std::uint8_t*>(cell_at(*mask, i)) == 0) {
      continue;
    }
    const auto at = static_cast<const std::uintptr_t*>(pointers.data)[i];
    const auto was = memory_.before_update(at, kind, cell_at({old.type, old.data}, i));
    if (was || !wanted.at(i).is_point()) {
      divert(t.site, "a compare-exchange of numbers that may be off");
    }
    if (std::memcmp(cell_at({old.type, old.data}, i), cell_at(comparand, i), size_of(kind)) == 0) {
      memory_.put(at, kind, given.at(i));
    }
  }
  passing_.clear();
}

void error_analysis::accessed(const sim_thread& t,
                              const tile_access& a,
                              const in& pointers,
                              const in* mask,
                              const out* result) {
  const known_operand at{&pointers, find(t, pointers)};
  const in none{};
  const known_operand active{mask != nullptr ? mask : &none,
                             mask != nullptr ? find(t, *mask) : nullptr};
  if (at.known == nullptr && active.known == nullptr) {
    passing_.clear();
    return;
  }
  enclosed_tile given =
      result != nullptr ? points_of({result->type, result->data}) : enclosed_tile{};
  for (std::size_t i = 0; i < a.count; ++i) {
    const reason where = at.known != nullptr ? at.at(i).open : 0;
    const reason whether = active.known != nullptr ? active.at(i).open : 0;
    if (where != 0 && writes_ && (accesses(a, i) || whether != 0)) {
      divert(reason_of(where).site, reason_of(where).why);
    }
    if (whether != 0 && writes_ && result == nullptr) {
      const element kind = pointers.type->pointee;
      const allocation* const memory =
          context_.mem.find(reinterpret_cast<const void*>(a.addresses[i]));
      if (memory != nullptr && memory->contains(a.addresses[i], size_of(kind))) {
        memory_.put(a.addresses[i], kind, opened(whether));
      }
    } else if (whether != 0 && writes_) {
      divert(reason_of(whether).site, reason_of(whether).why);
    }
    if (result != nullptr && (where != 0 || whether != 0)) {
      given.cells[i] = opened(where != 0 ? where : whether);
    }
  }
  if (result != nullptr && !given.is_exact()) {
    keep(t, *result, std::move(given));
  }
  passing_.clear();
}

// --- Raw accesses

void error_analysis::updated_object(const sim_thread& t,
                                    const void* site,
                                    std::uintptr_t at,
                                    const object_update& what) {
  settle();
  place_updates& place = note_update(at, what.mode, what.bytes);
  orders_ = orders_ || what.mode == machine::rmw_mode::xchg;
  const bool gives_old = what.gives_old && !is_dropped_(site);
  if (!what.sums_floats()) {
    if (what.commutes() && gives_old) {
      olds_ = true;
      if (alters_olds()) {
        alter_old(place, what);
      }
    }
    return;
  }
  written_.erase(at); // from here on the values that are written depend on each other
  const because why = [&](const char* text) { return reason_at(site, text); };
  const element kind = what.bytes == size_of(element::f32) ? element::f32 : element::f64;
  std::uint64_t bits = 0;
  std::memcpy(&bits, what.operand, size_of(kind));
  const auto was = memory_.before_update(at, kind, static_cast<const std::byte*>(what.old));
  const double old = number_at(kind, what.old);
  const bool flushes = kind == element::f32;
  memory_.add(at, kind, was.value_or(point(old)), scalar_value(t, kind, bits), flushes, why);
  if (gives_old) { // who came before is open
    move_open(kind, what.old);
    const reason open = why("the old value of an atomic addition, whose order is open");
    keep_scalar(t, kind, number_at(kind, what.old), opened(open));
  }
  passing_.clear();
}

error_analysis::place_updates&
error_analysis::note_update(std::uintptr_t at, machine::rmw_mode mode, std::size_t bytes) {
  place_updates* same = nullptr;
  bool mixed = false;
  std::vector<place_updates>& all = updates_[at / sizeof(std::uint64_t)];
  for (place_updates& p : all) {
    const bool is_it = p.at == at && p.bytes == bytes && p.mode == mode;
    same = is_it ? &p : same;
    if (!is_it && p.at < at + bytes && at < p.at + p.bytes) {
      p.mixed = true;
      mixed = true;
    }
  }
  orders_ = orders_ || mixed;
  return same != nullptr ? *same : all.emplace_back(place_updates{at, bytes, mode, 0, mixed});
}

reason error_analysis::mixed_at(std::uintptr_t at) {
  const auto known = updates_.find(at / sizeof(std::uint64_t));
  const bool mixed =
      known != updates_.end() && std::ranges::any_of(known->second, [at](const place_updates& p) {
        return p.mixed && p.at <= at && at < p.at + p.bytes;
      });
  return mixed ? reason_at(nullptr, "atomic operations of several kinds change this place") : 0;
}

bool error_analysis::is_sum(std::uintptr_t at) const {
  const auto known = updates_.find(at / sizeof(std::uint64_t));
  return known != updates_.end() &&
         std::ranges::any_of(known->second, [at](const place_updates& p) {
           return p.at <= at && at < p.at + p.bytes && p.mode != machine::rmw_mode::addf &&
                  p.mode != machine::rmw_mode::xchg;
         });
}

void error_analysis::asked_the_time(const sim_thread& /*t*/) {
  clocks_ = true;
  movable_ = true; // each run has a time of its own
}

// Half of them values that another update of the place has been given, or the one that is there
// now: what looks at them mostly goes on as in another order. The others are anything.
void error_analysis::alter_old(place_updates& place, const object_update& what) {
  if (what.bytes > sizeof(std::uint64_t)) {
    return;
  }
  std::uint64_t old = 0;
  std::memcpy(&old, what.old, what.bytes);
  std::uint64_t other = place.given;
  if (alters_ == altered_values::no_olds) {
    other = 0;
  } else if (alters_ == altered_values::many_olds) {
    other = ~std::uint64_t{0} >> (65 - (8 * what.bytes));
  } else {
    if (other == old) {
      std::memcpy(&other, reinterpret_cast<const void*>(place.at), what.bytes);
    }
    if (other == old || (moved_() & 1U) != 0) {
      other = old ^ (moved_() | 1U);
    }
    if ((moved_() & 1U) != 0) {
      place.given = old;
    }
  }
  std::memcpy(what.old, &other, what.bytes);
}

bool error_analysis::alters_olds() const noexcept {
  return alters_ == altered_values::olds || alters_ == altered_values::no_olds ||
         alters_ == altered_values::many_olds;
}

void error_analysis::memory(const memory_event& e) {
  if (!active_ || !e.raw || e.sums_floats) {
    return;
  }
  settle();
  const std::uintptr_t at = e.addresses[0];
  orders_ = orders_ || (e.reads && !e.commutes && e.how.order != machine::memory_order::weak);
  if (e.reads && !e.writes && reads_racing(at, e.bytes)) {
    divert(e.site, "a read of what several threads have written, where something races");
  }
  if (e.reads) {
    for (const memory_errors::cell& c : memory_.overlapping(at, e.bytes)) {
      if (!is_floating(c.kind)) {
        divert(reason_of(c.value.open).site, reason_of(c.value.open).why);
      } else {
        keep_scalar(
            *e.thread, c.kind, number_at(c.kind, reinterpret_cast<const void*>(c.at)), c.value);
      }
    }
  }
  if (e.writes && !e.reads && e.how.order != machine::memory_order::weak) {
    note_update(at, machine::rmw_mode::xchg, e.bytes);
  }
  if (e.writes) {
    pending_ = {e.thread, e.site, at, e.bytes, e.reads, e.how.order == machine::memory_order::weak};
  }
}

void error_analysis::settle() {
  const pending_write w = std::exchange(pending_, {});
  if (w.thread == nullptr) {
    return;
  }
  memory_.forget(w.at, w.bytes);
  settle_values(w);
  if (w.updates) { // from here on the values that are written depend on each other
    for (std::uintptr_t byte = w.at; byte < w.at + w.bytes; ++byte) {
      written_.erase(byte);
    }
  } else {
    note_written(w);
  }
}

void error_analysis::settle_values(const pending_write& w) {
  const auto mine = threads_.find(holder_of(*w.thread));
  if (mine == threads_.end()) {
    return;
  }
  if (w.updates && w.bytes <= sizeof(std::uint64_t) && mine->second.scalars) {
    constexpr std::array kinds{element::i8,
                               element::i8,
                               element::i16,
                               element::i16,
                               element::i32,
                               element::i32,
                               element::i32,
                               element::i32,
                               element::i64};
    memory_.put(w.at,
                kinds[w.bytes],
                opened(reason_at(w.site, "an atomic update of an object, with what may be off")));
    return;
  }
  settle_piece(mine->second.known, w.at, w.bytes);
}

void error_analysis::settle_piece(const known_values& known, std::uintptr_t at, std::size_t bytes) {
  constexpr std::size_t least = 2;
  if (bytes < least || known.empty()) {
    return;
  }
  const std::span piece(reinterpret_cast<const std::byte*>(at), bytes);
  constexpr std::array kinds{element::f64, element::f32, element::f16, element::bf16};
  for (const element kind : kinds) {
    const enclosed_tile* const tile =
        bytes % size_of(kind) == 0 ? known.find(kind, piece) : nullptr;
    if (tile != nullptr) {
      for (std::size_t i = 0; i < tile->cells.size(); ++i) {
        memory_.put(at + (i * size_of(tile->kind)), tile->kind, tile->cells[i]);
      }
      return;
    }
  }
  if (bytes > least) {
    const std::size_t half = std::bit_ceil(bytes) / 2;
    settle_piece(known, at, half);
    settle_piece(known, at + half, bytes - half);
  }
}

} // namespace tilesim::sim::errors
