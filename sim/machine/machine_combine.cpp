// The machine's reductions, scans and products of matrices.
//
// The order in which they combine is fixed, or drawn anew for each operation (--order random).
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/machine/machine_checks.hpp"
#include "sim/machine/origins.hpp"
#include "sim/machine/perform.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/combine.hpp"
#include "sim/ops/element_text.hpp"
#include "sim/ops/matrix.hpp"
#include "sim/ops/opcode_name.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace tilesim::machine::perform {

namespace {

using namespace tilesim::sim;

ops::combining_order draw_order(sim_thread& t) {
  if (!t.owner->opts.random_order) {
    return {};
  }
  t.spin.drew();
  return {.random = true, .seed = t.owner->exec->desk().unspecified.order(t)};
}

/// Tells who follows values, if anybody does. `how` lacks what performs it again.
template <class Again>
void follow(sim_thread& t,
            computation how,
            const out& result,
            const in* operands,
            unsigned count,
            const Again& again) {
  if (value_follower* const values = t.owner->exec->desk().values) {
    how.again = again;
    values->computed(t, how, result, operands, count);
  }
}

void tell(sim_thread& t, const operation_event& e) {
  const watcher_list& watchers = t.owner->exec->desk().watchers;
  if (watchers.wanted().operations) {
    watchers.tell([&e](watcher& w) { w.operation(e); });
  }
}

/// "(0,*)": all elements along a dimension, by the first of them.
std::string lane_text(const tile_type* type, std::size_t first, unsigned dim) {
  std::string text = ")";
  for (unsigned d = type->rank; d-- > 0;) {
    const std::size_t index = first % type->extents[d];
    first /= type->extents[d];
    text.insert(0, d == dim ? "*" : std::to_string(index)).insert(0, d == 0 ? "(" : ",");
  }
  return text;
}

std::string values_text(const in& operand, const ops::partial_overflow& found) {
  constexpr std::uint32_t shown = 8;
  const auto* cells = static_cast<const std::byte*>(operand.data);
  std::string text;
  for (std::uint32_t k = 0; k < std::min(found.length, shown); ++k) {
    const std::size_t at = found.first_element + (k * found.stride);
    text += (k == 0 ? "" : ", ") + ops::element_text(operand.type->elem,
                                                     operand.type->is_unsigned,
                                                     cells + (at * size_of(operand.type->elem)));
  }
  return text + (found.length > shown ? fmt::format(", … ({} elements)", found.length) : "");
}

/// "the positive elements of sum along dimension 1 add up to more than 127"
std::string overflow_text(const in& operand,
                          const combination& how,
                          bool is_scan,
                          unsigned dim,
                          const ops::partial_overflow& found) {
  const element kind = operand.type->elem;
  const auto largest = static_cast<std::int64_t>(~std::uint64_t{0} >> (65 - 8 * size_of(kind)));
  const bool product = how.body == opcode::muli;
  const char* spelling = how.modes.written.spelling;
  return fmt::format("{} of {} along dimension {} {}",
                     is_scan       ? fmt::format("elements {} to {}", found.from, found.to)
                     : product     ? "elements"
                     : found.above ? "the positive elements"
                                   : "the negative elements",
                     spelling != nullptr ? spelling
                                         : opcode_name(is_scan ? opcode::scan : opcode::reduce),
                     dim,
                     product       ? fmt::format("have a product that does not fit {}", name(kind))
                     : found.above ? fmt::format("add up to more than {}", largest)
                                   : fmt::format("add up to less than {}", -largest - 1));
}

/// Undefined where any order would overflow. The run goes on with the result that wraps.
/// [reductions and scans]
void check_overflow(
    sim_thread& t, bool is_scan, const combination& how, const in& operand, unsigned dim) {
  constexpr finding_kind kind = finding_kind::reduction_overflow;
  if (how.modes.wrap != overflow::no_signed_wrap || !t.owner->opts.reports(kind)) {
    return;
  }
  const auto found = ops::find_partial_overflow(how.body, is_scan, operand, dim);
  if (!found || t.owner->found.repeated(t.site, kind)) {
    return;
  }
  finding_text text{
      .kind = kind,
      .message =
          fmt::format("reduction overflow: {}", overflow_text(operand, how, is_scan, dim, *found)),
      .details = {fmt::format("elements {} of {}: {}",
                              lane_text(operand.type, found->first_element, dim),
                              type_text(*operand.type),
                              values_text(operand, *found)),
                  fmt::format("by {} of {}", t.name(), t.launch->kernel.name)},
      .remedy = "convert to a wider type first, or to an unsigned one where wrapping is meant: "
                "every order counts, so every partial result must fit"};
  const dependence d = dependence_of(t, operand);
  std::size_t dependent = 0;
  for (std::size_t n = 0; n < found->length; ++n) {
    dependent += d.of(found->first_element + (n * found->stride)) ? std::size_t{1} : std::size_t{0};
  }
  if (dependent != 0) {
    const std::string own = std::move(text.remedy);
    tell_origin(
        text,
        fmt::format("{} of these elements {}", dependent, dependent == 1 ? "depends" : "depend"),
        d);
    text.remedy = fmt::format("{}; where it overflows all the same, {}", text.remedy, own);
  }
  t.owner->found.add(t.site, std::move(text));
}

} // namespace

void reduce(const combination& how, out result, in operand, unsigned dim, caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::reduce));
  const ops::combining_order order = draw_order(t);
  if (!ops::reduce(how, result, operand, dim, order, t.owner->opts.arithmetic)) {
    refuse_operation(t, how.body, operand.type->elem, result.type->elem);
  }
  const computation what{.op = opcode::reduce, .combined = &how, .dim = dim};
  follow(t, what, result, &operand, 1, [&](const out& other, const in* others) {
    ops::reduce(how, other, others[0], dim, order, t.owner->opts.arithmetic);
  });
  check_overflow(t, false, how, operand, dim);
  tell(t, {&t, t.site, opcode::reduce, &how.modes, nullptr, &result, &operand, 1, &how});
}

void reduce_index(const combination& how, out index, in values, unsigned dim, caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::reduce));
  const ops::combining_order order = draw_order(t);
  if (!ops::reduce_index(how, index, values, dim, order)) {
    refuse_operation(t, how.body, values.type->elem, index.type->elem);
  }
  const computation what{.op = opcode::reduce, .combined = &how, .dim = dim, .of_index = true};
  follow(t, what, index, &values, 1, [&](const out& other, const in* others) {
    ops::reduce_index(how, other, others[0], dim, order);
  });
  tell(t, {&t, t.site, opcode::reduce, &how.modes, nullptr, &index, &values, 1, &how});
}

void scan(const combination& how,
          bool reverse,
          out result,
          in operand,
          unsigned dim,
          caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::scan));
  const ops::combining_order order = draw_order(t);
  if (!ops::scan(how, reverse, result, operand, dim, order, t.owner->opts.arithmetic)) {
    refuse_operation(t, how.body, operand.type->elem, result.type->elem);
  }
  const computation what{.op = opcode::scan, .combined = &how, .dim = dim, .reverse = reverse};
  follow(t, what, result, &operand, 1, [&](const out& other, const in* others) {
    ops::scan(how, reverse, other, others[0], dim, order, t.owner->opts.arithmetic);
  });
  check_overflow(t, true, how, operand, dim);
  tell(t, {&t, t.site, opcode::scan, &how.modes, nullptr, &result, &operand, 1, &how});
}

namespace {

/// What comes after the body of an operation, which has performed others.
void end_body(sim_thread& t,
              opcode op,
              const out* results,
              const in* operands,
              unsigned values,
              const caller& by) {
  t.site = by.site;
  if (value_follower* const follower = t.owner->exec->desk().values) {
    for (unsigned v = 0; v < values; ++v) {
      follower->computed(t, {.op = op}, results[v], operands, values);
    }
  }
  tell(t, {&t, t.site, op, nullptr, nullptr, results, operands, values});
}

/// The body as the door's code, which it is.
ops::combining_body outside(const ops::combining_body& body) {
  TILESIM_ASSERT(body.apply != nullptr);
  return {[](const void* self, const out* results, const in* a, const in* b, unsigned values) {
            const program_section there;
            const auto& inner = *static_cast<const ops::combining_body*>(self);
            inner.apply(inner.self, results, a, b, values);
          },
          &body};
}

} // namespace

void reduce(const ops::combining_body& body,
            const out* results,
            const in* operands,
            unsigned values,
            unsigned dim,
            caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::reduce));
  ops::reduce(outside(body), results, operands, values, dim, draw_order(t));
  end_body(t, opcode::reduce, results, operands, values, by);
}

void scan(const ops::combining_body& body,
          bool reverse,
          const out* results,
          const in* operands,
          unsigned values,
          unsigned dim,
          caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(opcode::scan));
  ops::scan(outside(body), reverse, results, operands, values, dim, draw_order(t));
  end_body(t, opcode::scan, results, operands, values, by);
}

void mma(opcode op,
         signedness lhs_sign,
         signedness rhs_sign,
         out result,
         in lhs,
         in rhs,
         in acc,
         caller by) noexcept {
  const library_section inside;
  sim_thread& t = begin_operation(inside, by, opcode_name(op));
  const ops::combining_order order = draw_order(t);
  const ops::arithmetic kind = t.owner->opts.arithmetic;
  if (!ops::mma(op, lhs_sign, rhs_sign, result, lhs, rhs, acc, order, kind)) {
    refuse_operation(t, op, lhs.type->elem, result.type->elem);
  }
  const in operands[] = {lhs, rhs, acc};
  follow(t, {.op = op}, result, operands, 3, [&](const out& other, const in* o) {
    ops::mma(op, lhs_sign, rhs_sign, other, o[0], o[1], o[2], order, kind);
  });
  tell(t, {&t, t.site, op, nullptr, nullptr, &result, operands, 3});
}

} // namespace tilesim::machine::perform
