// The machine: performs what api/tilesim/detail/machine.hpp declares.
//
// Each entry point finds the running thread, computes with the pure functions of sim/ops or goes to
// memory through the engine, reports what the reference leaves undefined, and tells the observers.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/spread.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/memory_operation.hpp"
#include "sim/machine/undefined.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/opcode_name.hpp"
#include "sim/ops/preconditions.hpp"
#include "sim/ops/rearrange.hpp"

#include <tilesim/detail/machine.hpp>

#define TILESIM_SITE __builtin_return_address(0)

namespace tilesim::machine {

namespace {

using namespace tilesim::sim;

} // namespace

void elementwise(
    opcode op, const attributes& modes, out result, const in* operands, unsigned count) noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, opcode_name(op));
  ops::elementwise_args args{};
  args.result = result.data;
  args.count = result.type->count;
  TILESIM_ASSERT(count >= 1 && count <= std::size(args.operand), count);
  for (unsigned i = 0; i < count; ++i) {
    TILESIM_ASSERT(operands[i].type->count == 1 || operands[i].type->count == result.type->count,
                   i,
                   operands[i].type->count,
                   result.type->count);
    TILESIM_ASSERT(ops::apart(result, operands[i]), i);
    args.operand[i] = operands[i].data;
    args.splat[i] = operands[i].type->count == 1 && result.type->count != 1;
  }
  bool undefined = false;
  ops::undefined_reason why = nullptr;
  ops::elementwise_operation f{};
  if (op == opcode::offset) {
    ops::offset_pointers(args, operands[1].type->elem, operands[0].type->pointee_size);
    if (t.owner->opts.reports(finding_kind::pointer_out_of_range)) {
      note_pointers_out_of_range(t, {op, modes, result, operands, count});
    }
  } else {
    f = ops::find_elementwise(
        op, modes, result.type->elem, operands[0].type->elem, t.owner->opts.arithmetic);
    if (f.run == nullptr) {
      refuse_operation(t, op, operands[0].type->elem, result.type->elem);
    }
    undefined = f.run(args);
    why = f.why;
  }
  if (undefined) {
    report_undefined(t, {op, modes, result, operands, count}, why);
  }
  if (modes.written.operands != nullptr) {
    check_written_pointers(t, {op, modes, result, operands, count});
  }
  if (op == opcode::remf && t.owner->opts.arithmetic == ops::arithmetic::page) {
    draw_remainders(t, result, operands);
  }
  if (spread* const values = t.owner->exec->desk().spreading) {
    values->computed(t, result, operands, count, [&](const out& other, const in* others) {
      for (unsigned i = 0; i < count; ++i) {
        args.operand[i] = others[i].data;
      }
      args.result = other.data;
      if (op == opcode::offset) {
        ops::offset_pointers(args, operands[1].type->elem, operands[0].type->pointee_size);
      } else {
        f.run(args);
      }
    });
  }
  tell(t, op, &modes, nullptr, &result, operands, count);
}

void rearrange(opcode op,
               out result,
               const in* operands,
               unsigned count,
               const std::int64_t* params,
               unsigned param_count) noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, opcode_name(op));
  const bool is_part =
      op != opcode::extract || check_extract(t, result, operands[0], params, param_count);
  if (is_part) {
    ops::rearrange(op, result, operands, params);
  } else {
    draw_unspecified(t, result);
  }
  if (spread* const values = t.owner->exec->desk().spreading) {
    values->computed(t, result, operands, count, [&](const out& other, const in* others) {
      if (is_part) {
        ops::rearrange(op, other, others, params);
      }
    });
  }
  tell(t, op, nullptr, nullptr, &result, operands, count);
}

void load_ptr_tko(
    const access& how, out result, in ptrs, const in* mask, const in* padding) noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, opcode_name(opcode::load_ptr_tko), step_kind::memory);
  TILESIM_ASSERT(result.type->count == ptrs.type->count, result.type->count, ptrs.type->count);
  TILESIM_ASSERT(size_of(result.type->elem) == ptrs.type->pointee_size, ptrs.type->pointee_size);
  const memory_operation m(t, how, ptrs, mask, access_kind::read);
  if (m.some_masked()) {
    fill_masked(t, result, m.access(), padding);
  }
  if (m.some_active()) {
    t.owner->exec->memory().load(t, m.access(), result.data);
    m.has_read(result.data);
  }
  if (spread* const values = t.owner->exec->desk().spreading) {
    values->loaded(t, m.access(), result);
    values->accessed(t, m.access(), ptrs, mask);
  }
  m.tell(true, false);
  const in operands[] = {
      ptrs, mask != nullptr ? *mask : ptrs, padding != nullptr ? *padding : ptrs};
  tell(t,
       opcode::load_ptr_tko,
       nullptr,
       &how,
       &result,
       operands,
       padding != nullptr ? 3
       : mask != nullptr  ? 2
                          : 1);
  if (m.some_active()) {
    m.polled(result.data);
  }
}

void store_ptr_tko(const access& how, in ptrs, in value, const in* mask) noexcept {
  const library_section inside;
  sim_thread& t =
      enter(inside, TILESIM_SITE, opcode_name(opcode::store_ptr_tko), step_kind::memory);
  TILESIM_ASSERT(value.type->count == ptrs.type->count, value.type->count, ptrs.type->count);
  TILESIM_ASSERT(size_of(value.type->elem) == ptrs.type->pointee_size, ptrs.type->pointee_size);
  const memory_operation m(t, how, ptrs, mask, access_kind::write);
  if (m.some_active()) {
    const bool changes = m.would_change(value.data);
    t.owner->exec->memory().store(t, m.access(), value.data);
    if (changes) {
      progressed(t);
    }
  }
  if (spread* const values = t.owner->exec->desk().spreading) {
    values->stored(t, m.access(), value);
    values->accessed(t, m.access(), ptrs, mask);
  }
  m.tell(false, true);
  const in operands[] = {ptrs, value, mask != nullptr ? *mask : ptrs};
  tell(t, opcode::store_ptr_tko, nullptr, &how, nullptr, operands, mask != nullptr ? 3 : 2);
}

void atomic_rmw_tko(const access& how,
                    rmw_mode mode,
                    signedness sign,
                    out old,
                    in ptrs,
                    in arg,
                    const in* mask) noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, call_name(mode), step_kind::memory);
  TILESIM_ASSERT(old.type->count == ptrs.type->count, old.type->count, ptrs.type->count);
  TILESIM_ASSERT(arg.type->count == ptrs.type->count, arg.type->count, ptrs.type->count);
  const memory_operation m(t, how, ptrs, mask, access_kind::read_write);
  const ops::rmw_function f = ops::find_rmw(mode, old.type->elem, sign, t.owner->opts.arithmetic);
  if (f == nullptr) {
    refuse_operation(t, opcode::atomic_rmw_tko, old.type->elem, old.type->elem);
  }
  if (m.some_masked()) {
    fill_masked(t, old, m.access(), nullptr, left_open::masked_update);
  }
  bool changed = false;
  if (m.some_active()) {
    changed = t.owner->exec->memory().update(t, m.access(), f, arg.data, old.data);
    m.has_read(old.data);
    if (changed) {
      progressed(t);
    }
    if (mode == rmw_mode::add && sign == signedness::signed_ &&
        t.owner->opts.reports(finding_kind::atomic_overflow)) {
      check_atomic_add(t, m.access(), old, arg);
    }
  }
  if (spread* const values = t.owner->exec->desk().spreading) {
    values->loaded(t, m.access(), old);
    values->updated(t, m.access(), f, arg, old);
    values->accessed(t, m.access(), ptrs, mask);
  }
  m.tell(true, true);
  const in operands[] = {ptrs, arg, mask != nullptr ? *mask : ptrs};
  tell(t, opcode::atomic_rmw_tko, nullptr, &how, &old, operands, mask != nullptr ? 3 : 2);
  if (m.some_active() && !changed) {
    m.polled(old.data);
  }
}

void atomic_cas_tko(const access& how, out old, in ptrs, in cmp, in val, const in* mask) noexcept {
  const library_section inside;
  sim_thread& t =
      enter(inside, TILESIM_SITE, opcode_name(opcode::atomic_cas_tko), step_kind::memory);
  TILESIM_ASSERT(cmp.type->count == ptrs.type->count, cmp.type->count, ptrs.type->count);
  TILESIM_ASSERT(val.type->count == ptrs.type->count, val.type->count, ptrs.type->count);
  const memory_operation m(t, how, ptrs, mask, access_kind::read_write);
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
  m.tell(true, true);
  const in operands[] = {ptrs, cmp, val, mask != nullptr ? *mask : ptrs};
  tell(t, opcode::atomic_cas_tko, nullptr, &how, &old, operands, mask != nullptr ? 4 : 3);
  if (m.some_active() && !changed) {
    m.polled(old.data);
  }
}

index3 get_tile_block_id() noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, opcode_name(opcode::get_tile_block_id));
  tell(t, opcode::get_tile_block_id, nullptr, nullptr, nullptr, nullptr, 0);
  return t.block;
}

index3 get_num_tile_blocks() noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, opcode_name(opcode::get_num_tile_blocks));
  tell(t, opcode::get_num_tile_blocks, nullptr, nullptr, nullptr, nullptr, 0);
  const dim3& grid = t.launch->config.grid;
  return {grid.x, grid.y, grid.z};
}

void assume(const assumption& promise, in value) noexcept {
  const library_section inside;
  sim_thread& t = enter(inside, TILESIM_SITE, opcode_name(opcode::assume));
  check_assumption(t, promise, value);
  tell(t, opcode::assume, nullptr, nullptr, nullptr, &value, 1);
}

} // namespace tilesim::machine
