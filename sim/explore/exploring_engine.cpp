// The engine of an exploration.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/exploring_engine.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/memory/orders.hpp"
#include "sim/memory/word_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace tilesim::sim::exploring {

namespace {

using memmodel::memory_order;
using memmodel::read_half;
using memmodel::write_half;

std::unique_ptr<step> new_step(memmodel::explore::step_kind kind,
                               memory_order order,
                               memmodel::scope scope,
                               const void* site) {
  auto s = std::make_unique<step>();
  auto what = std::make_shared<instruction>();
  what->kind = kind;
  what->order = kind == memmodel::explore::step_kind::update ? read_half(order) : order;
  what->write_order = write_half(order);
  what->scope = scope;
  s->what = std::move(what);
  s->site = site;
  return s;
}

instruction& of(step& s) {
  return const_cast<instruction&>(*s.what); // it is new, and nobody else's yet
}

void add_element(step& s, std::size_t number, std::uintptr_t address, std::size_t bytes) {
  memmodel::explore::element e;
  e.number = static_cast<std::uint32_t>(number);
  e.bytes = {address, static_cast<std::uint32_t>(bytes)};
  of(s).elements.push_back(e);
}

/// By its order and scope: it orders nothing, and races with no block's.
bool may_be_sum(memory_order order, memmodel::scope scope) {
  return order == memory_order::relaxed &&
         (scope == memmodel::scope::gpu || scope == memmodel::scope::sys);
}

/// The number of an instruction among those of its thread.
void set_number(step& s, const live_run& l) {
  of(s).number = static_cast<std::uint32_t>(l.at == nullptr ? 0 : l.at->number + 1);
}

} // namespace

// --- Tile operations.

void exploring_engine::split(sim_thread& t, const tile_access& a, bool writes, step& s, bool adds) {
  live_run& l = threads_->live(t.number);
  const bool strong = a.how.order != machine::memory_order::weak;
  const detect::token by = threads_->begin_operation(t, a.how.after);
  own_.clear();
  added_.clear();
  std::vector<std::uintptr_t> seen;
  for (std::size_t i = 0; writes && a.count > 1 && i < a.count; ++i) {
    if (a.mask == nullptr || a.mask[i] != 0) {
      seen.push_back(a.addresses[i]);
    }
  }
  std::ranges::sort(seen);
  for (auto twice = seen.begin(); (twice = std::adjacent_find(twice, seen.end())) != seen.end();
       ++twice) {
    threads_->shared().share(*twice);
  }
  for (std::size_t i = 0; i < a.count; ++i) {
    if (a.mask != nullptr && a.mask[i] == 0) {
      continue;
    }
    const std::uint64_t number = strong && s.what->kind == memmodel::explore::step_kind::load
                                     ? l.strong_reads++
                                     : not_strong;
    threads_->meets_own(t.number, by, a.addresses[i], a.bytes, writes);
    if (adds && threads_->shared().update(t.number, a.addresses[i], a.bytes)) {
      added_.push_back(i);
    } else if (threads_->shared().touch(t.number, a.addresses[i], a.bytes, writes, a.bytes)) {
      add_element(s, i, a.addresses[i], a.bytes);
      s.strong.push_back(number);
    } else {
      own_.push_back(i);
    }
  }
  set_number(s, l);
  threads_->order_step(t.number, by, of(s));
}

void exploring_engine::load(sim_thread& t, const tile_access& a, void* out) {
  if (threads_ == nullptr) {
    behind().load(t, a, out);
    return;
  }
  settle();
  auto s = new_step(memmodel::explore::step_kind::load,
                    model_order(a.how.order),
                    model_scope(a.how.scope),
                    a.site);
  split(t, a, false, *s);
  auto* const to = static_cast<std::byte*>(out);
  for (const std::size_t i : own_) {
    threads_->live(t.number).own.read(a.addresses[i], to + (i * a.bytes), a.bytes);
    if (a.how.order != machine::memory_order::weak) {
      threads_->read_alone(t, a.addresses[i], a.bytes);
    }
  }
  if (s->what->elements.empty()) {
    return;
  }
  const std::shared_ptr<const instruction> what = s->what;
  const auto values = threads_->perform(t, std::move(s), nullptr, a.site);
  for (std::size_t e = 0; e < values.size(); ++e) {
    std::memcpy(to + (std::size_t{what->elements[e].number} * a.bytes), &values[e], a.bytes);
  }
}

void exploring_engine::store(sim_thread& t, const tile_access& a, const void* values) {
  if (threads_ == nullptr) {
    behind().store(t, a, values);
    return;
  }
  settle();
  auto s = new_step(memmodel::explore::step_kind::store,
                    model_order(a.how.order),
                    model_scope(a.how.scope),
                    a.site);
  split(t, a, true, *s);
  live_run& l = threads_->live(t.number);
  const auto* const from = static_cast<const std::byte*>(values);
  for (const std::size_t i : own_) {
    l.own.write(a.addresses[i], from + (i * a.bytes), a.bytes);
    ++l.private_writes;
  }
  if (s->what->elements.empty()) {
    return;
  }
  for (auto& e : of(*s).elements) {
    e.store.value = word_of(from + (std::size_t{e.number} * a.bytes), a.bytes);
    l.own.write(e.bytes.address, from + (std::size_t{e.number} * a.bytes), a.bytes);
  }
  threads_->perform(t, std::move(s));
}

namespace {

/// Of elements of a tile, by their numbers in it.
class tile_rule : public update_rule {
public:
  explicit tile_rule(std::shared_ptr<const instruction> what)
      : what_(std::move(what)) {}
  bool apply(std::size_t element, void* value) const override {
    return at(what_->elements[element].number, value);
  }
  tile_rule(const tile_rule&) = delete;
  tile_rule& operator=(const tile_rule&) = delete;

  virtual bool at(std::size_t number, void* value) const = 0;

protected:
  ~tile_rule() = default;

private:
  std::shared_ptr<const instruction> what_;
};

class updates final : public tile_rule {
public:
  updates(std::shared_ptr<const instruction> what,
          ops::rmw_function f,
          const void* arguments,
          std::size_t bytes)
      : tile_rule(std::move(what))
      , f_(f)
      , arguments_(static_cast<const std::byte*>(arguments))
      , bytes_(bytes) {}
  bool at(std::size_t number, void* value) const override {
    f_(value, arguments_ + (number * bytes_));
    return true;
  }

private:
  ops::rmw_function f_;
  const std::byte* arguments_;
  std::size_t bytes_;
};

/// One that fails writes as well: what it read.  [memory operations: atomic_compare_exchange]
class exchanges final : public tile_rule {
public:
  exchanges(std::shared_ptr<const instruction> what,
            const void* expected,
            const void* desired,
            std::size_t bytes)
      : tile_rule(std::move(what))
      , expected_(static_cast<const std::byte*>(expected))
      , desired_(static_cast<const std::byte*>(desired))
      , bytes_(bytes) {}
  bool at(std::size_t number, void* value) const override {
    if (std::memcmp(value, expected_ + (number * bytes_), bytes_) == 0) {
      std::memcpy(value, desired_ + (number * bytes_), bytes_);
    }
    return true;
  }

private:
  const std::byte* expected_;
  const std::byte* desired_;
  std::size_t bytes_;
};

} // namespace

std::unique_ptr<step> exploring_engine::begin_update(sim_thread& t, const tile_access& a) {
  settle();
  auto s = new_step(memmodel::explore::step_kind::update,
                    model_order(a.how.order),
                    model_scope(a.how.scope),
                    a.site);
  split(t, a, true, *s, may_be_sum(model_order(a.how.order), model_scope(a.how.scope)));
  return s;
}

bool exploring_engine::change(sim_thread& t,
                              const tile_access& a,
                              std::unique_ptr<step> s,
                              const update_rule& rule,
                              void* old) {
  live_run& l = threads_->live(t.number);
  const auto& elements = static_cast<const tile_rule&>(rule);
  auto* const to = static_cast<std::byte*>(old);
  const auto apply = [&](std::size_t i) {
    const std::uint64_t before = word_of(to + (i * a.bytes), a.bytes);
    std::uint64_t cell = before;
    elements.at(i, &cell);
    l.own.write(a.addresses[i], &cell, a.bytes);
    return cell != before;
  };
  for (const std::size_t i : added_) {
    std::uint64_t found = 0;
    if (threads_->add(
            t, a.addresses[i], a.bytes, [&](void* cell) { return elements.at(i, cell); }, found)) {
      std::memcpy(to + (i * a.bytes), &found, a.bytes);
    } else { // all begins anew
      own_.push_back(i);
    }
  }
  for (const std::size_t i : own_) {
    l.own.read(a.addresses[i], to + (i * a.bytes), a.bytes);
    if (apply(i)) {
      ++l.private_writes;
    } else {
      threads_->read_alone(t, a.addresses[i], a.bytes);
    }
  }
  if (s->what->elements.empty()) {
    return true;
  }
  const std::shared_ptr<const instruction> what = s->what;
  const auto values = threads_->perform(t, std::move(s), &rule, a.site);
  for (std::size_t e = 0; e < values.size(); ++e) {
    const std::size_t i = what->elements[e].number;
    std::memcpy(to + (i * a.bytes), &values[e], a.bytes);
    apply(i);
  }
  return true; // whoever polls is told by the exploration
}

bool exploring_engine::update(
    sim_thread& t, const tile_access& a, ops::rmw_function f, const void* arguments, void* old) {
  if (threads_ == nullptr) {
    return behind().update(t, a, f, arguments, old);
  }
  auto s = begin_update(t, a);
  const updates rule(s->what, f, arguments, a.bytes);
  return change(t, a, std::move(s), rule, old);
}

bool exploring_engine::compare_exchange(
    sim_thread& t, const tile_access& a, const void* expected, const void* desired, void* old) {
  if (threads_ == nullptr) {
    return behind().compare_exchange(t, a, expected, desired, old);
  }
  auto s = begin_update(t, a);
  const exchanges rule(s->what, expected, desired, a.bytes);
  return change(t, a, std::move(s), rule, old);
}

// --- Objects, and raw accesses.

/// What a person's access of bytes is made of: as others access them, and in pieces that lie on
/// their own boundaries.
std::vector<plain_access>
exploring_engine::pieces(sim_thread& t, const plain_access& a, bool writes) {
  const bool whole = a.bytes <= 8 && std::has_single_bit(a.bytes) && a.address % a.bytes == 0;
  std::vector<plain_access> out;
  bool shared = threads_->touch(t, a, writes, whole ? a.bytes : 0);
  for (plain_access p = a; p.address < a.address + a.bytes; p.address += p.bytes) {
    if (whole) {
      p.bytes = a.bytes;
    } else {
      const std::size_t left = a.address + a.bytes - p.address;
      p.bytes = std::size_t{1} << std::min(std::countr_zero(p.address | 8U), 3);
      p.bytes = std::min(p.bytes, std::bit_floor(left));
      p.bytes = std::bit_floor(std::min(p.bytes, threads_->shared().piece(p.address, p.bytes)));
    }
    out.push_back(p);
  }
  if (!whole && shared && a.order != memory_order::weak && a.bytes > 8) {
    threads_->refuse(t, fmt::format("an atomic access of {} bytes to shared memory", a.bytes));
  }
  return out;
}

void exploring_engine::read_object(sim_thread& t,
                                   const plain_access& a,
                                   memory_order order,
                                   void* out) {
  live_run& l = threads_->live(t.number);
  auto s = new_step(memmodel::explore::step_kind::load, order, a.scope, a.site);
  l.own.read(a.address, out, a.bytes);
  std::size_t n = 0;
  for (const plain_access& p : pieces(t, a, false)) {
    const std::uint64_t number = order != memory_order::weak ? l.strong_reads++ : not_strong;
    if (threads_->shared().is_shared(p.address, p.bytes)) {
      add_element(*s, n, p.address, p.bytes);
      s->strong.push_back(number);
    }
    ++n;
  }
  if (s->what->elements.empty()) {
    if (order != memory_order::weak) {
      threads_->read_alone(t, a.address, a.bytes);
    }
    return;
  }
  set_number(*s, l);
  const std::shared_ptr<const instruction> what = s->what;
  const auto values = threads_->perform(t, std::move(s), nullptr, t.access);
  for (std::size_t e = 0; e < values.size(); ++e) {
    const memmodel::byte_range& bytes = what->elements[e].bytes;
    std::memcpy(static_cast<std::byte*>(out) + (bytes.address - a.address), &values[e], bytes.size);
  }
}

void exploring_engine::write_object(sim_thread& t,
                                    const plain_access& a,
                                    memory_order order,
                                    const void* value) {
  live_run& l = threads_->live(t.number);
  auto s = new_step(memmodel::explore::step_kind::store, order, a.scope, a.site);
  std::size_t n = 0;
  bool own = false;
  for (const plain_access& p : pieces(t, a, true)) {
    if (threads_->shared().is_shared(p.address, p.bytes)) {
      add_element(*s, n, p.address, p.bytes);
      of(*s).elements.back().store.value =
          word_of(static_cast<const std::byte*>(value) + (p.address - a.address), p.bytes);
      s->strong.push_back(not_strong);
    } else {
      own = true;
    }
    ++n;
  }
  l.own.write(a.address, value, a.bytes);
  l.private_writes += own ? 1 : 0;
  if (s->what->elements.empty()) {
    return;
  }
  set_number(*s, l);
  threads_->perform(t, std::move(s));
}

bool exploring_engine::change_object(sim_thread& t,
                                     const plain_access& a,
                                     const update_rule& rule,
                                     void* old) {
  live_run& l = threads_->live(t.number);
  if (a.order == memory_order::weak) {
    threads_->refuse(t, "an atomic update of thread_scope_thread");
  }
  if (may_be_sum(a.order, a.scope) && threads_->shared().update(t.number, a.address, a.bytes)) {
    std::uint64_t found = 0;
    if (threads_->add(
            t, a.address, a.bytes, [&](void* cell) { return rule.apply(0, cell); }, found)) {
      std::memcpy(old, &found, a.bytes);
      return true;
    }
  }
  // One that writes nothing is a read.  [PTX: atomic operations that result in a write]
  const memory_order order = a.order == memory_order::sc ? memory_order::acquire : a.order;
  bool shared = false;
  for (const plain_access& p : pieces(t, a, true)) {
    shared = shared || threads_->shared().is_shared(p.address, p.bytes);
  }
  std::vector<std::uint8_t> cell(std::max<std::size_t>(a.bytes, 8));
  l.own.read(a.address, cell.data(), a.bytes);
  if (shared) {
    auto s = new_step(memmodel::explore::step_kind::update, order, a.scope, a.site);
    of(*s).write_order = a.order == memory_order::sc ? memory_order::relaxed : write_half(order);
    add_element(*s, 0, a.address, a.bytes);
    s->strong.push_back(not_strong);
    set_number(*s, l);
    const auto values = threads_->perform(t, std::move(s), &rule, t.access);
    std::memcpy(cell.data(), values.data(), a.bytes);
  }
  std::memcpy(old, cell.data(), a.bytes);
  const bool writes = rule.apply(0, cell.data());
  if (writes) {
    l.own.write(a.address, cell.data(), a.bytes);
  }
  if (!shared && std::memcmp(old, cell.data(), a.bytes) != 0) {
    ++l.private_writes;
  } else if (!shared) {
    threads_->read_alone(t, a.address, a.bytes);
  }
  return writes;
}

void exploring_engine::fence_before(const accessor& who, const plain_access& a) {
  if (a.order == memory_order::sc) {
    fence(who, a.site, memory_order::sc, a.scope);
  }
}

void exploring_engine::fence(const accessor& who,
                             const void* site,
                             memory_order order,
                             memmodel::scope scope) {
  if (!serves(who)) {
    return;
  }
  settle();
  threads_->shared().fenced();
  auto s = new_step(memmodel::explore::step_kind::fence, order, scope, site);
  set_number(*s, threads_->live(who.thread->number));
  threads_->perform(*who.thread, std::move(s));
}

void exploring_engine::load(const accessor& who, const plain_access& a, void* out) {
  if (!serves(who)) {
    behind().load(who, a, out);
    return;
  }
  settle();
  fence_before(who, a);
  read_object(*who.thread, a, performed_order(a.order, true, false), out);
}

bool exploring_engine::store(const accessor& who, const plain_access& a, const void* value) {
  if (!serves(who)) {
    return behind().store(who, a, value);
  }
  settle();
  fence_before(who, a);
  write_object(*who.thread, a, performed_order(a.order, false, true), value);
  return true;
}

bool exploring_engine::update(const accessor& who,
                              const plain_access& a,
                              const object_change& f,
                              void* old) {
  if (!serves(who)) {
    return behind().update(who, a, f, old);
  }
  settle();
  fence_before(who, a);
  class object_rule final : public update_rule {
  public:
    explicit object_rule(const object_change& f)
        : f_(f) {}
    bool apply(std::size_t /*element*/, void* value) const override {
      f_(value);
      return true;
    }

  private:
    const object_change& f_;
  };
  change_object(*who.thread, a, object_rule(f), old);
  return true;
}

bool exploring_engine::compare_exchange(const accessor& who,
                                        const plain_access& a,
                                        void* expected,
                                        const void* desired) {
  if (!serves(who)) {
    return behind().compare_exchange(who, a, expected, desired);
  }
  settle();
  fence_before(who, a);
  class exchange_rule final : public update_rule {
  public:
    exchange_rule(const void* expected, const void* desired, std::size_t bytes)
        : expected_(expected)
        , desired_(desired)
        , bytes_(bytes) {}
    bool apply(std::size_t /*element*/, void* value) const override {
      if (std::memcmp(value, expected_, bytes_) != 0) {
        return false;
      }
      std::memcpy(value, desired_, bytes_);
      return true;
    }

  private:
    const void* expected_;
    const void* desired_;
    std::size_t bytes_;
  };
  std::vector<std::uint8_t> old(std::max<std::size_t>(a.bytes, 8));
  const bool done =
      change_object(*who.thread, a, exchange_rule(expected, desired, a.bytes), old.data());
  if (!done) {
    std::memcpy(expected, old.data(), a.bytes);
  }
  return done;
}

void exploring_engine::raw(const accessor& who,
                           const plain_access& a,
                           access_kind kind,
                           bool same_call) {
  if (!serves(who)) {
    return;
  }
  if (!same_call) {
    settle();
  }
  const auto* const here = reinterpret_cast<const std::uint8_t*>(a.address);
  if (kind != access_kind::write) {
    lent_bytes lent{a.address, std::vector<std::uint8_t>(a.bytes), {}};
    read_object(*who.thread, a, a.order, lent.chosen.data());
    lent.before.assign(here, here + a.bytes);
    lent_.push_back(std::move(lent));
  }
  if (kind != access_kind::read) {
    to_come_.push_back({who.thread,
                        a,
                        a.address,
                        {here, here + a.bytes},
                        threads_->live(who.thread->number).point});
  }
  lend_again();
  holds_ = true;
}

/// What the program is to read lies there, or again: it may have let others look at memory.
void exploring_engine::lend_again() {
  for (const lent_bytes& lent : lent_) {
    std::memcpy(reinterpret_cast<void*>(lent.address), lent.chosen.data(), lent.chosen.size());
  }
}

void exploring_engine::put_back() {
  holds_ = false;
  // First what the program has written, some of it perhaps where it has read.
  const std::vector<write_to_come> made = std::exchange(to_come_, {});
  std::vector<std::vector<std::uint8_t>> values;
  for (const write_to_come& w : made) {
    const auto* const here = reinterpret_cast<const std::uint8_t*>(w.how.address);
    values.emplace_back(here, here + w.how.bytes);
  }
  const auto restore = [](const auto& all) {
    for (auto it = all.rbegin(); it != all.rend(); ++it) {
      std::memcpy(reinterpret_cast<void*>(it->address), it->before.data(), it->before.size());
    }
  };
  restore(made);
  restore(std::exchange(lent_, {}));
  for (std::size_t i = 0; i < made.size(); ++i) {
    // The thread has gone on meanwhile, to where it asks for the next access.
    turn_point& point = threads_->live(made[i].thread->number).point;
    const turn_point next = std::exchange(point, made[i].point);
    write_object(*made[i].thread, made[i].how, made[i].how.order, values[i].data());
    point = next;
  }
}

} // namespace tilesim::sim::exploring
