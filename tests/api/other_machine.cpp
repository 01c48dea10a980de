// The machine's entry points for other_machine.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/machine/passed_view.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstdarg>
#include <cstring>
#include <tests/api/other_machine.hpp>
#include <utility>

namespace {

std::vector<std::string> log;

} // namespace

std::vector<std::string> recording::take() {
  return std::exchange(log, {});
}

namespace tilesim::machine {
namespace {

const char* name(opcode op) {
  switch (op) {
#define TILESIM_OPCODE(name, family)                                                               \
  case opcode::name:                                                                               \
    return #name;
#include <tilesim/detail/opcodes.def>
  }
  return "?";
}

std::string text(const tile_type& t) {
  std::string s = tilesim::name(t.elem);
  if (t.is_scalar) {
    return s;
  }
  s += '[';
  for (unsigned i = 0; i < t.rank; ++i) {
    s += (i == 0 ? "" : "x") + std::to_string(t.extents[i]);
  }
  return s + ']';
}

std::string text(const access& how) {
  static constexpr const char* orders[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
  static constexpr const char* scopes[] = {"tl_blk", "device", "sys"};
  std::string s = std::string(" ") + orders[static_cast<int>(how.order)];
  if (how.order != memory_order::weak) {
    s += std::string(" ") + scopes[static_cast<int>(how.scope)];
  }
  return s + (how.after != nullptr ? " after a token" : "");
}

std::string text(const attributes& m, bool compares) {
  static constexpr const char* predicates[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  static constexpr const char* roundings[] = {
      "", " zero", " negative_inf", " positive_inf", " approx", " full", " to_zero", " away"};
  std::string s;
  if (compares) {
    s += std::string(" ") + predicates[static_cast<int>(m.pred)];
    s += m.order == ordering::unordered ? " unordered" : "";
  }
  s += m.sign == signedness::unsigned_ ? " unsigned" : "";
  s += m.wrap == overflow::no_signed_wrap ? " nsw" : "";
  s += roundings[static_cast<int>(m.round)];
  s += m.flush_to_zero ? " ftz" : "";
  s += m.propagate_nan ? " propagate_nan" : "";
  return s;
}

void finish(std::string line, const out& result) {
  log.push_back(std::move(line) + " -> " + text(*result.type));
  std::memset(result.data, 0, result.type->count * size_of(result.type->elem));
}

} // namespace

void elementwise(
    opcode op, const attributes& modes, out result, const in* operands, unsigned count) noexcept {
  std::string line = name(op);
  line += text(modes, op == opcode::cmpi || op == opcode::cmpf);
  for (unsigned i = 0; i < count; ++i) {
    line += ' ' + text(*operands[i].type);
  }
  finish(std::move(line), result);
}

void elementwise(opcode op, const attributes& modes, out result, in a) noexcept {
  elementwise(op, modes, result, &a, 1);
}

void elementwise(opcode op, const attributes& modes, out result, in a, in b) noexcept {
  const in operands[] = {a, b};
  elementwise(op, modes, result, operands, 2);
}

void elementwise(opcode op, const attributes& modes, out result, in a, in b, in c) noexcept {
  const in operands[] = {a, b, c};
  elementwise(op, modes, result, operands, 3);
}

void elementwise_of_written(opcode op,
                            const attributes& modes,
                            out result,
                            in a,
                            in b,
                            in /*written_a*/,
                            in /*written_b*/) noexcept {
  elementwise(op, modes, result, a, b);
}

void rearrange(opcode op,
               out result,
               const in* operands,
               unsigned count,
               const std::int64_t* params,
               unsigned param_count) noexcept {
  std::string line = name(op);
  for (unsigned i = 0; i < param_count; ++i) {
    line += (i == 0 ? " <" : ",") + std::to_string(params[i]) + (i + 1 == param_count ? ">" : "");
  }
  for (unsigned i = 0; i < count; ++i) {
    line += ' ' + text(*operands[i].type);
  }
  finish(std::move(line), result);
}

void reduce(const combination& how, out result, in operand, unsigned dim) noexcept {
  std::string line = "reduce <" + std::to_string(dim) + "> " + name(how.body);
  finish(line + text(how.modes, false) + ' ' + text(*operand.type), result);
}

void reduce_index(const combination& how, out index, in values, unsigned dim) noexcept {
  std::string line = "reduce_index <" + std::to_string(dim) + "> " + name(how.body);
  finish(line + text(how.modes, false) + ' ' + text(*values.type), index);
}

void scan(const combination& how, bool reverse, out result, in operand, unsigned dim) noexcept {
  std::string line = std::string("scan") + (reverse ? " reverse" : "") + " <";
  line += std::to_string(dim) + "> " + name(how.body);
  finish(line + text(how.modes, false) + ' ' + text(*operand.type), result);
}

void mma(opcode op,
         signedness lhs_sign,
         signedness rhs_sign,
         out result,
         in lhs,
         in rhs,
         in acc) noexcept {
  const auto sign = [op](signedness s) {
    return op != opcode::mmai ? "" : s == signedness::signed_ ? " signed" : " unsigned";
  };
  std::string line = name(op) + std::string(sign(lhs_sign)) + sign(rhs_sign);
  line += ' ' + text(*lhs.type) + ' ' + text(*rhs.type) + ' ' + text(*acc.type);
  finish(std::move(line), result);
}

void load_ptr_tko(
    const access& how, out result, in ptrs, const in* mask, const in* padding) noexcept {
  std::string line = "load" + text(how) + ' ' + text(*ptrs.type);
  line += mask != nullptr ? " mask " + text(*mask->type) : "";
  line += padding != nullptr ? " padding " + text(*padding->type) : "";
  finish(std::move(line), result);
}

void store_ptr_tko(const access& how, in ptrs, in value, const in* mask) noexcept {
  std::string line = "store" + text(how) + ' ' + text(*ptrs.type) + ' ' + text(*value.type);
  log.push_back(line + (mask != nullptr ? " mask " + text(*mask->type) : ""));
}

void atomic_rmw_tko(const access& how,
                    rmw_mode mode,
                    signedness sign,
                    out old,
                    in ptrs,
                    in arg,
                    const in* mask) noexcept {
  static constexpr const char* modes[] = {
      "and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"};
  std::string line = std::string("rmw ") + modes[static_cast<int>(mode)];
  line += (sign == signedness::unsigned_ ? " unsigned" : "") + text(how);
  line += ' ' + text(*ptrs.type) + ' ' + text(*arg.type);
  finish(line + (mask != nullptr ? " mask " + text(*mask->type) : ""), old);
}

void atomic_cas_tko(const access& how, out old, in ptrs, in cmp, in val, const in* mask) noexcept {
  std::string line = "cas" + text(how) + ' ' + text(*ptrs.type);
  line += ' ' + text(*cmp.type) + ' ' + text(*val.type);
  finish(line + (mask != nullptr ? " mask " + text(*mask->type) : ""), old);
}

namespace {

template <class Sizes>
std::string joined(const Sizes* sizes, unsigned rank) {
  std::string s = "[";
  for (unsigned i = 0; i < rank; ++i) {
    s += (i == 0 ? "" : "x") + std::to_string(sizes[i]);
  }
  return s + ']';
}

// "partition f32[2x4] of [4x8] strides [8x1] at i32 i32", with what becomes of elements outside.
std::string text(const tile_view& v, const in* indices) {
  static constexpr const char* kinds[] = {"partition", "strided", "gather_scatter"};
  static constexpr const char* paddings[] = {"zero", "neg_zero", "nan", "pos_inf", "neg_inf"};
  std::string s = std::string(" ") + kinds[static_cast<int>(v.what)];
  s += v.what == tile_view::kind::strided ? joined(v.traversal, v.tensor->rank) : "";
  s += v.what == tile_view::kind::gather_scatter ? '<' + std::to_string(v.sparse_dim) + '>' : "";
  s += ' ' + text(*v.tile) + " of " + joined(v.tensor->extents, v.tensor->rank) + " strides " +
       joined(v.tensor->strides, v.tensor->rank) + " at";
  for (unsigned i = 0; i < v.tensor->rank; ++i) {
    s += ' ' + text(*indices[i].type);
  }
  return s + (v.masked ? std::string(" masked ") + paddings[static_cast<int>(v.pad)] : "");
}

} // namespace

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
  finish("load_view" + text(how) + text(from.view(), from.indices()), result);
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
  log.push_back("store_view" + text(how) + text(to.view(), to.indices()) + ' ' +
                text(*value.type));
}

void atomic_red_view_tko(const access& how,
                         rmw_mode mode,
                         signedness sign,
                         const view_form& form,
                         in arg,
                         const void* base,
                         const void* list,
                         ...) noexcept {
  static constexpr const char* modes[] = {
      "and", "or", "xor", "add", "addf", "max", "min", "umax", "umin", "xchg"};
  std::va_list numbers;
  va_start(numbers, list);
  const passed_view in_it(form, base, list, numbers);
  va_end(numbers);
  log.push_back(std::string("red_view ") + modes[static_cast<int>(mode)] +
                (sign == signedness::unsigned_ ? " unsigned" : "") + text(how) +
                text(in_it.view(), in_it.indices()) + ' ' + text(*arg.type));
}

index3 get_tile_block_id() noexcept {
  return {1, 2, 3};
}
index3 get_num_tile_blocks() noexcept {
  return {4, 5, 6};
}

void assume(const assumption& promise, in value) noexcept {
  std::string line = promise.spelling;
  for (unsigned i = 0; i < promise.param_count; ++i) {
    line += (i == 0 ? " <" : ",") + std::to_string(promise.params[i]) +
            (i + 1 == promise.param_count ? ">" : "");
  }
  log.push_back(line + ' ' + text(*value.type));
}

} // namespace tilesim::machine
