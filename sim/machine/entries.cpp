// What libtilesim.so exports of the machine: who calls is the thread that runs, and the place is
// the return address.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/machine/passed_view.hpp"
#include "sim/machine/perform.hpp"
#include "sim/process/call_site.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstdarg>

// Of the entry itself.
#define TILESIM_CALLER                                                                             \
  caller {                                                                                         \
    nullptr, TILESIM_SITE                                                                          \
  }

namespace tilesim::machine {

void elementwise(
    opcode op, const attributes& modes, out result, const in* operands, unsigned count) noexcept {
  perform::elementwise(op, modes, result, operands, count, TILESIM_CALLER);
}

void elementwise(opcode op, const attributes& modes, out result, in a) noexcept {
  perform::elementwise(op, modes, result, &a, 1, TILESIM_CALLER);
}

void elementwise(opcode op, const attributes& modes, out result, in a, in b) noexcept {
  const in operands[] = {a, b};
  perform::elementwise(op, modes, result, operands, 2, TILESIM_CALLER);
}

void elementwise(opcode op, const attributes& modes, out result, in a, in b, in c) noexcept {
  const in operands[] = {a, b, c};
  perform::elementwise(op, modes, result, operands, 3, TILESIM_CALLER);
}

void elementwise_of_written(opcode op,
                            const attributes& modes,
                            out result,
                            in a,
                            in b,
                            in written_a,
                            in written_b) noexcept {
  const in operands[] = {a, b};
  const in written[] = {written_a, written_b};
  attributes as_written = modes;
  as_written.written.operands = written;
  perform::elementwise(op, as_written, result, operands, 2, TILESIM_CALLER);
}

void rearrange(opcode op,
               out result,
               const in* operands,
               unsigned count,
               const std::int64_t* params,
               unsigned param_count) noexcept {
  perform::rearrange(op, result, operands, count, params, param_count, TILESIM_CALLER);
}

void reduce(const combination& how, out result, in operand, unsigned dim) noexcept {
  perform::reduce(how, result, operand, dim, TILESIM_CALLER);
}

void reduce_index(const combination& how, out index, in values, unsigned dim) noexcept {
  perform::reduce_index(how, index, values, dim, TILESIM_CALLER);
}

void scan(const combination& how, bool reverse, out result, in operand, unsigned dim) noexcept {
  perform::scan(how, reverse, result, operand, dim, TILESIM_CALLER);
}

void mma(opcode op,
         signedness lhs_sign,
         signedness rhs_sign,
         out result,
         in lhs,
         in rhs,
         in acc) noexcept {
  perform::mma(op, lhs_sign, rhs_sign, result, lhs, rhs, acc, TILESIM_CALLER);
}

void load_ptr_tko(
    const access& how, out result, in ptrs, const in* mask, const in* padding) noexcept {
  perform::load_ptr_tko(how, result, ptrs, mask, padding, TILESIM_CALLER);
}

void store_ptr_tko(const access& how, in ptrs, in value, const in* mask) noexcept {
  perform::store_ptr_tko(how, ptrs, value, mask, TILESIM_CALLER);
}

void atomic_rmw_tko(const access& how,
                    rmw_mode mode,
                    signedness sign,
                    out old,
                    in ptrs,
                    in arg,
                    const in* mask) noexcept {
  perform::atomic_rmw_tko(how, mode, sign, old, ptrs, arg, mask, TILESIM_CALLER);
}

void atomic_cas_tko(const access& how, out old, in ptrs, in cmp, in val, const in* mask) noexcept {
  perform::atomic_cas_tko(how, old, ptrs, cmp, val, mask, TILESIM_CALLER);
}

void load_view_tko(const access& how,
                   const view_form& form,
                   out result,
                   const void* base,
                   const void* list,
                   ...) noexcept {
  std::va_list numbers;
  va_start(numbers, list);
  const passed_view from(form, base, list, numbers);
  va_end(numbers);
  perform::load_view_tko(how, from.view(), from.indices(), result, TILESIM_CALLER);
}

void store_view_tko(const access& how,
                    const view_form& form,
                    in value,
                    const void* base,
                    const void* list,
                    ...) noexcept {
  std::va_list numbers;
  va_start(numbers, list);
  const passed_view to(form, base, list, numbers);
  va_end(numbers);
  perform::store_view_tko(how, to.view(), to.indices(), value, TILESIM_CALLER);
}

void atomic_red_view_tko(const access& how,
                         rmw_mode mode,
                         signedness sign,
                         const view_form& form,
                         in arg,
                         const void* base,
                         const void* list,
                         ...) noexcept {
  std::va_list numbers;
  va_start(numbers, list);
  const passed_view in_it(form, base, list, numbers);
  va_end(numbers);
  perform::atomic_red_view_tko(how, mode, sign, in_it.view(), in_it.indices(), arg, TILESIM_CALLER);
}

index3 get_tile_block_id() noexcept {
  return perform::get_tile_block_id(TILESIM_CALLER);
}

index3 get_num_tile_blocks() noexcept {
  return perform::get_num_tile_blocks(TILESIM_CALLER);
}

int print_tko(const char* format, const in* operands, unsigned count) noexcept {
  return perform::print_tko(format, operands, count, TILESIM_CALLER);
}

bool in_tile_kernel() noexcept {
  const sim::sim_thread* t = sim::execution::current();
  return t != nullptr && t->launch != nullptr && t->launch->kind != kernel_kind::simt;
}

void assume(const assumption& promise, in value) noexcept {
  perform::assume(promise, value, TILESIM_CALLER);
}

} // namespace tilesim::machine
