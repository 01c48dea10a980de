// The machine: loads, stores and atomics, through a tile of pointers or a view.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/memory_operation.hpp"
#include "sim/machine/perform.hpp"
#include "sim/machine/selectors.hpp"
#include "sim/memory/engine.hpp"
#include "sim/memory/orders.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/ops/preconditions.hpp"
#include "sim/ops/rmw.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tilesim::machine::perform {

namespace {

using namespace tilesim::sim;

/// An operation without an active element does nothing, and what waits for it waits for what it has
/// waited for.
void begin_order(sim_thread& t, const memory_operation& m) {
  const ordered_after* const after = m.access().how.after;
  if (after != nullptr && !m.some_active()) [[unlikely]] {
    t.token = t.owner->exec->memory().join(*after);
  }
}

template <class Selector>
[[gnu::always_inline]] inline void
load(sim_thread& t, const access& how, const Selector& from, const out& result, const in* padding) {
  from.fits(*result.type);
  const memory_operation m = from.operation(t, how, access_kind::read);
  begin_order(t, m);
  if (m.some_masked()) {
    from.fill(t, result, m.access(), padding);
  }
  if (m.some_active()) {
    t.owner->exec->memory().load(t, m.access(), result.data);
    m.has_read(result.data);
  }
  if (value_follower* const values = t.owner->exec->desk().values) {
    values->loaded(t, m.access(), result, padding);
    from.tell_selection(*values, t, m.access(), &result);
  }
  m.tell(true, false);
  from.tell(t, Selector::load, how, &result, padding, padding != nullptr ? 1 : 0);
  if (m.some_active()) {
    m.polled(result.data);
  }
}

template <class Selector>
[[gnu::always_inline]] inline void
store(sim_thread& t, const access& how, const Selector& to, const in& value) {
  to.fits(*value.type);
  const memory_operation m = to.operation(t, how, access_kind::write);
  begin_order(t, m);
  if (m.some_active()) {
    const bool changes = m.would_change(value.data);
    t.owner->exec->memory().store(t, m.access(), value.data);
    if (changes) {
      progressed(t);
    }
  }
  if (value_follower* const values = t.owner->exec->desk().values) {
    values->stored(t, m.access(), value);
    to.tell_selection(*values, t, m.access(), nullptr);
  }
  m.tell(false, true);
  to.tell(t, Selector::store, how, nullptr, &value, 1);
}

/// What an operation is about to read.
template <class Selector>
class coming_tile final : public coming_read {
public:
  coming_tile(const access& how, unsigned element_bytes, const Selector& from, bool writes = false)
      : from_(from) {
    order = model_order(how.order);
    scope = model_scope(how.scope);
    bytes = element_bytes;
    updates = writes;
    after = how.after;
  }

  void elements(std::vector<std::uintptr_t>& addresses,
                std::vector<std::uint8_t>& active) const override {
    from_.elements(addresses, active);
  }

  /// For begin_operation(): nullptr if it is weak.
  [[nodiscard]] const coming_read* if_strong() const noexcept {
    return order == memmodel::memory_order::weak ? nullptr : this;
  }

private:
  const Selector& from_;
};

/// `given`: what the operation gives back of the elements as they were; nullptr: it gives nothing.
template <class Selector>
[[gnu::always_inline]] inline void update(sim_thread& t,
                                          const access& how,
                                          rmw_mode mode,
                                          signedness sign,
                                          const Selector& at,
                                          const in& arg,
                                          const out* given) {
  at.fits(*arg.type);
  const memory_operation m = at.operation(t, how, access_kind::read_write);
  begin_order(t, m);
  const element e = arg.type->elem;
  const ops::rmw_function f = ops::find_rmw(mode, e, sign, t.owner->opts.arithmetic);
  if (f == nullptr) {
    refuse_operation(t, Selector::update, e, e);
  }
  if (given != nullptr && m.some_masked()) {
    at.fill(t, *given, m.access(), nullptr);
  }
  std::vector<std::byte> before;
  if (given == nullptr) {
    before.resize(std::size_t{size_of(e)} * arg.type->count);
  }
  const out old = given != nullptr ? *given : out{arg.type, before.data()};
  bool changed = false;
  if (m.some_active()) {
    changed = t.owner->exec->memory().update(t, m.access(), f, arg.data, old.data);
    if (given != nullptr) {
      m.has_read(old.data);
    }
    if (changed) {
      progressed(t);
    }
    if (mode == rmw_mode::add && sign == signedness::signed_ &&
        t.owner->opts.reports(finding_kind::atomic_overflow)) {
      check_atomic_add(t, m.access(), old, arg);
    }
  }
  if (value_follower* const values = t.owner->exec->desk().values) {
    values->updated(t, m.access(), {mode, sign, f, given != nullptr}, arg, old);
    at.tell_selection(*values, t, m.access(), given);
  }
  m.tell(true, true);
  at.tell(t, Selector::update, how, given, &arg, 1);
  if (given != nullptr && m.some_active() && !changed) {
    m.polled(old.data);
  }
}

} // namespace

std::uint64_t load_ptr_tko(
    const access& how, out result, in ptrs, const in* mask, const in* padding, caller by) noexcept {
  const library_section inside;
  const pointer_tile from(ptrs, mask);
  const coming_tile read(how, ptrs.type->pointee_size, from);
  sim_thread& t = begin_operation(
      inside, by, opcode_name(opcode::load_ptr_tko), step_kind::memory, read.if_strong());
  load(t, how, from, result, padding);
  return t.token;
}

std::uint64_t
store_ptr_tko(const access& how, in ptrs, in value, const in* mask, caller by) noexcept {
  const library_section inside;
  sim_thread& t =
      begin_operation(inside, by, opcode_name(opcode::store_ptr_tko), step_kind::memory);
  store(t, how, pointer_tile(ptrs, mask), value);
  return t.token;
}

std::uint64_t atomic_rmw_tko(const access& how,
                             rmw_mode mode,
                             signedness sign,
                             out old,
                             in ptrs,
                             in arg,
                             const in* mask,
                             caller by) noexcept {
  const library_section inside;
  const pointer_tile at(ptrs, mask);
  const coming_tile read(how, ptrs.type->pointee_size, at, true);
  sim_thread& t = begin_operation(inside, by, call_name(mode), step_kind::memory, read.if_strong());
  TILESIM_ASSERT(old.type->count == ptrs.type->count, old.type->count, ptrs.type->count);
  update(t, how, mode, sign, at, arg, &old);
  return t.token;
}

std::uint64_t atomic_cas_tko(
    const access& how, out old, in ptrs, in cmp, in val, const in* mask, caller by) noexcept {
  const library_section inside;
  const pointer_tile at(ptrs, mask);
  const coming_tile read(how, ptrs.type->pointee_size, at, true);
  sim_thread& t = begin_operation(
      inside, by, opcode_name(opcode::atomic_cas_tko), step_kind::memory, read.if_strong());
  at.fits(*cmp.type);
  at.fits(*val.type);
  const memory_operation m = at.operation(t, how, access_kind::read_write);
  begin_order(t, m);
  if (m.some_masked()) {
    fill_masked(t, old, m.access(), &cmp);
  }
  bool changed = false;
  if (m.some_active()) {
    changed = t.owner->exec->memory().compare_exchange(t, m.access(), cmp.data, val.data, old.data);
    m.has_read(old.data);
    if (changed) {
      progressed(t);
    }
  }
  follow_exchange(t, old, ptrs, cmp, val, mask);
  m.tell(true, true);
  const in values[] = {cmp, val};
  at.tell(t, opcode::atomic_cas_tko, how, &old, values, 2);
  if (m.some_active() && !changed) {
    m.polled(old.data);
  }
  return t.token;
}

std::uint64_t load_view_tko(
    const access& how, const tile_view& view, const in* indices, out result, caller by) noexcept {
  const library_section inside;
  const indexed_view from(view, indices);
  const coming_tile read(how, size_of(view.tile->elem), from);
  sim_thread& t = begin_operation(
      inside, by, opcode_name(opcode::load_view_tko), step_kind::memory, read.if_strong());
  load(t, how, from, result, nullptr);
  return t.token;
}

std::uint64_t store_view_tko(
    const access& how, const tile_view& view, const in* indices, in value, caller by) noexcept {
  const library_section inside;
  sim_thread& t =
      begin_operation(inside, by, opcode_name(opcode::store_view_tko), step_kind::memory);
  store(t, how, indexed_view(view, indices), value);
  return t.token;
}

std::uint64_t atomic_red_view_tko(const access& how,
                                  rmw_mode mode,
                                  signedness sign,
                                  const tile_view& view,
                                  const in* indices,
                                  in arg,
                                  caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, call_name(mode), step_kind::memory);
  update(t, how, mode, sign, indexed_view(view, indices), arg, nullptr);
  return t.token;
}

} // namespace tilesim::machine::perform
