// The machine: performs what api/tilesim/detail/machine.hpp declares.
//
// Each entry point finds the running thread, computes with the pure functions of sim/ops or goes to
// memory through the engine, reports what the reference leaves undefined, and tells the observers.
// SPDX-License-Identifier: Apache-2.0
#include "sim/context.hpp"
#include "sim/execution_impl.hpp"
#include "sim/faults.hpp"
#include "sim/machine_checks.hpp"
#include "sim/opcode_name.hpp"
#include "sim/ops/element_text.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/ops/rearrange.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#define TILESIM_SITE __builtin_return_address(0)

namespace tilesim::machine {

namespace {

using namespace tilesim::sim;

const std::byte* element_at(const in& tile, std::size_t i) {
  const std::size_t at = tile.type->count == 1 ? 0 : i;
  return static_cast<const std::byte*>(tile.data) + (at * size_of(tile.type->elem));
}

std::string text_at(const in& tile, std::size_t i) {
  return ops::element_text(tile.type->elem, tile.type->is_unsigned, element_at(tile, i));
}

void tell(sim_thread& t,
          opcode op,
          const attributes* modes,
          const access* how,
          const out* result,
          const in* operands,
          unsigned count) {
  for (const auto& o : t.owner->exec->state().observers) {
    o->operation({&t, t.site, op, modes, how, result, operands, count});
  }
}

/// Names the first element that the reference leaves undefined. The run goes on with what the
/// hardware gives.
void report_undefined(sim_thread& t,
                      opcode op,
                      ops::undefined_reason why,
                      const out& result,
                      const in* operands,
                      unsigned count) {
  const char* reason = nullptr;
  std::size_t i = 0;
  for (; i < result.type->count && reason == nullptr; ++i) {
    reason = why(element_at(operands[0], i),
                 count > 1 ? element_at(operands[1], i) : nullptr,
                 count > 2 ? element_at(operands[2], i) : nullptr);
  }
  if (reason == nullptr) {
    return;
  }
  --i;
  std::string values = text_at(operands[0], i);
  for (unsigned k = 1; k < count; ++k) {
    values += ", " + text_at(operands[k], i);
  }
  t.owner->found.add(
      t.site,
      {.kind = finding_kind::undefined_operation,
       .message = fmt::format(
           "{} in {}({}): {}", reason, opcode_name(op), values, "the result is undefined"),
       .details = {fmt::format("element {} of {}, by {} of {}",
                               element_index(result.type, i),
                               type_text(*result.type),
                               t.name(),
                               t.launch->kernel.name)}});
}

} // namespace

void elementwise(
    opcode op, const attributes& modes, out result, const in* operands, unsigned count) noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(op));
  ops::elementwise_args args{};
  args.result = result.data;
  args.count = result.type->count;
  for (unsigned i = 0; i < count; ++i) {
    args.operand[i] = operands[i].data;
    args.splat[i] = operands[i].type->count == 1 && result.type->count != 1;
  }
  bool undefined = false;
  ops::undefined_reason why = nullptr;
  if (op == opcode::offset) {
    ops::offset_pointers(args, operands[1].type->elem, operands[0].type->pointee_size);
  } else {
    const ops::elementwise_operation f = ops::find_elementwise(
        op, modes, result.type->elem, operands[0].type->elem, t.owner->opts.arithmetic);
    if (f.run == nullptr) {
      refuse_operation(t, op, operands[0].type->elem, result.type->elem);
    }
    undefined = f.run(args);
    why = f.why;
  }
  if (undefined && why != nullptr) {
    report_undefined(t, op, why, result, operands, count);
  }
  tell(t, op, &modes, nullptr, &result, operands, count);
}

void rearrange(opcode op,
               out result,
               const in* operands,
               unsigned count,
               const std::int64_t* params,
               unsigned param_count) noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(op));
  if (op == opcode::extract) {
    check_extract(t, result, operands[0], params, param_count);
  }
  ops::rearrange(op, result, operands, params); // what it may find undefined has been checked
  tell(t, op, nullptr, nullptr, &result, operands, count);
}

void load_ptr_tko(
    const access& how, out result, in ptrs, const in* mask, const in* padding) noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::load_ptr_tko));
  const memory_operation m(t, how, ptrs, mask, access_kind::read);
  if (m.some_masked()) {
    fill_masked(t, result, m.access(), padding);
  }
  if (m.some_active()) {
    t.owner->exec->state().engine->read(t, m.access(), result.data);
    m.polled(result.data);
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
}

void store_ptr_tko(const access& how, in ptrs, in value, const in* mask) noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::store_ptr_tko));
  const memory_operation m(t, how, ptrs, mask, access_kind::write);
  if (m.some_active()) {
    t.owner->exec->state().engine->write(t, m.access(), value.data);
    t.spin.progressed();
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
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::atomic_rmw_tko));
  const memory_operation m(t, how, ptrs, mask, access_kind::read_write);
  const ops::rmw_function f = ops::find_rmw(mode, old.type->elem, sign, t.owner->opts.arithmetic);
  if (f == nullptr) {
    refuse_operation(t, opcode::atomic_rmw_tko, old.type->elem, old.type->elem);
  }
  if (m.some_masked()) {
    fill_masked(t, old, m.access(), nullptr);
  }
  if (m.some_active()) {
    if (t.owner->exec->state().engine->update(t, m.access(), f, arg.data, old.data)) {
      t.spin.progressed();
    } else {
      m.polled(old.data);
    }
    if (mode == rmw_mode::add && sign == signedness::signed_) {
      check_atomic_add(t, m.access(), old, arg);
    }
  }
  m.tell(true, true);
  const in operands[] = {ptrs, arg, mask != nullptr ? *mask : ptrs};
  tell(t, opcode::atomic_rmw_tko, nullptr, &how, &old, operands, mask != nullptr ? 3 : 2);
}

void atomic_cas_tko(const access& how, out old, in ptrs, in cmp, in val, const in* mask) noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::atomic_cas_tko));
  const memory_operation m(t, how, ptrs, mask, access_kind::read_write);
  if (m.some_masked()) {
    fill_masked(t, old, m.access(), &cmp);
  }
  if (m.some_active()) {
    if (t.owner->exec->state().engine->compare_exchange(
            t, m.access(), cmp.data, val.data, old.data)) {
      t.spin.progressed();
    } else {
      m.polled(old.data);
    }
  }
  m.tell(true, true);
  const in operands[] = {ptrs, cmp, val, mask != nullptr ? *mask : ptrs};
  tell(t, opcode::atomic_cas_tko, nullptr, &how, &old, operands, mask != nullptr ? 4 : 3);
}

index3 get_tile_block_id() noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::get_tile_block_id));
  tell(t, opcode::get_tile_block_id, nullptr, nullptr, nullptr, nullptr, 0);
  return t.block;
}

index3 get_num_tile_blocks() noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::get_num_tile_blocks));
  tell(t, opcode::get_num_tile_blocks, nullptr, nullptr, nullptr, nullptr, 0);
  const dim3& grid = t.launch->config.grid;
  return {grid.x, grid.y, grid.z};
}

void assume(const assumption& promise, in value) noexcept {
  sim_thread& t = enter(TILESIM_SITE, opcode_name(opcode::assume));
  check_assumption(t, promise, value);
  tell(t, opcode::assume, nullptr, nullptr, nullptr, &value, 1);
}

} // namespace tilesim::machine
