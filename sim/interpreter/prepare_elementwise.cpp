// Elementwise operations: what the machine calls them, and what their operands have to be.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/preparer.hpp"
#include "sim/ops/elementwise.hpp"
#include "sim/tileir/constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::interpreter {

using tileir::opcode;

namespace {

struct named {
  opcode what;
  machine::opcode op;
};

#define SAME(name)                                                                                 \
  named {                                                                                          \
    opcode::name, machine::opcode::name                                                            \
  }
constexpr std::array names{
    SAME(absf),  SAME(addf),   SAME(addi),   SAME(andi),       SAME(atan2),      SAME(bitcast),
    SAME(ceil),  SAME(cmpf),   SAME(cmpi),   SAME(cos),        SAME(cosh),       SAME(divf),
    SAME(divi),  SAME(exp),    SAME(exp2),   SAME(exti),       SAME(floor),      SAME(fma),
    SAME(fpowf), SAME(ftof),   SAME(ftoi),   SAME(itof),       SAME(int_to_ptr), SAME(log),
    SAME(log2),  SAME(maxf),   SAME(maxi),   SAME(minf),       SAME(mini),       SAME(mulf),
    SAME(muli),  SAME(mulhii), SAME(negf),   SAME(negi),       SAME(offset),     SAME(ori),
    SAME(remf),  SAME(remi),   SAME(rsqrt),  SAME(shli),       SAME(shri),       SAME(sin),
    SAME(sinh),  SAME(sqrt),   SAME(select), SAME(subf),       SAME(subi),       SAME(tan),
    SAME(tanh),  SAME(trunci), SAME(xori),   SAME(ptr_to_int), SAME(ptr_to_ptr),
};
#undef SAME

bool is_conversion(opcode what) {
  switch (what) {
  case opcode::bitcast:
  case opcode::exti:
  case opcode::trunci:
  case opcode::ftof:
  case opcode::ftoi:
  case opcode::itof:
  case opcode::int_to_ptr:
  case opcode::ptr_to_int:
  case opcode::ptr_to_ptr:
    return true;
  default:
    return false;
  }
}

} // namespace

std::optional<elementwise_form> elementwise_form_of(const tileir::operation& o) {
  const auto* found =
      std::find_if(names.begin(), names.end(), [&](const named& n) { return n.what == o.what; });
  if (found == names.end()) {
    return {};
  }
  machine::attributes modes;
  modes.sign = static_cast<machine::signedness>(o.sign);
  modes.wrap = static_cast<machine::overflow>(o.wrap);
  modes.round = static_cast<machine::rounding>(o.round);
  modes.pred = static_cast<machine::predicate>(o.comparison);
  modes.order = static_cast<machine::ordering>(o.ordering);
  modes.flush_to_zero = o.flush_to_zero;
  modes.propagate_nan = o.propagate_nan;
  if (o.what == opcode::mulhii) {
    modes.sign = machine::signedness::unsigned_;
  }
  // cuTile writes unsigned floor divisions so, which no verifier takes: nothing is below zero.
  if (o.what == opcode::divi && modes.sign == machine::signedness::unsigned_ &&
      modes.round == machine::rounding::negative_inf) {
    modes.round = machine::rounding::zero;
  }
  return elementwise_form{found->op, modes};
}

std::string missing_elementwise(const elementwise_form& f, element result, element operand) {
  if (f.op == machine::opcode::offset) {
    return operand == element::ptr ? "" : "its first operand is no pointer";
  }
  if (sim::ops::find_elementwise(f.op, f.modes, result, operand).run != nullptr) {
    return {};
  }
  return operand == result
             ? fmt::format("on {} in these modes it does not exist in this release", name(result))
             : fmt::format(
                   "from {} to {} it does not exist in this release", name(operand), name(result));
}

/// Those that are no single operation of the machine. False: it is one.
bool preparer::elementwise_by_others(const operation& o, sequence& to) {
  switch (o.what) {
  case opcode::fpowi:
    power(o, to);
    return true;
  case opcode::absi:
    absolute(o, to);
    return true;
  case opcode::ftof:
    if (takes_small_numbers(o)) {
      small_conversion(o, to);
      return true;
    }
    return false;
  default:
    need(o,
         o.what == opcode::select || o.what == opcode::bitcast || !takes_small_numbers(o),
         fmt::format("on {} it does not exist in this release", type_of(o.operands[0]).text));
    return false;
  }
}

void preparer::elementwise(const operation& o, sequence& to) {
  if (elementwise_by_others(o, to)) {
    return;
  }
  need(o, !o.saturating, "saturating conversions do not exist in this release");
  const auto form = elementwise_form_of(o);
  need(o, form.has_value(), "it does not exist in this release");
  const tileir::type& result = tile(o, o.results[0]);
  instruction i = start(step::elementwise, o);
  i.op = form->op;
  i.modes = form->modes;
  i.results.push_back(whole(o, o.results[0]));
  for (const value_id v : o.operands) {
    need(o,
         tile(o, v).shape == result.shape,
         fmt::format("{} and {} differ in shape", type_of(v).text, result.text));
    i.operands.push_back(whole_or_one(o, v));
  }
  const element first = i.operands[0].type->elem;
  const element last = i.operands.back().type->elem;
  const element made = i.results[0].type->elem;
  switch (o.what) {
  case opcode::select:
    need(o, first == element::i1, "its condition is no i1");
    need_same_type(o, o.operands[1], o.results[0]);
    need_same_type(o, o.operands[2], o.results[0]);
    break;
  case opcode::cmpi:
  case opcode::cmpf:
    need_same_type(o, o.operands[0], o.operands[1]);
    need(o, made == element::i1, "its result is no i1");
    break;
  case opcode::offset:
    need(o, is_integer(last), "its second operand is no integer");
    need_same_type(o, o.operands[0], o.results[0]);
    break;
  default:
    if (!is_conversion(o.what)) {
      for (const value_id v : o.operands) {
        need_same_type(o, v, o.results[0]);
      }
    }
  }
  if (o.what == opcode::int_to_ptr || o.what == opcode::ptr_to_int) {
    need(o, size_of(first) == 8 && size_of(made) == 8, "it converts between i64 and pointers");
  }
  const std::string missing = missing_elementwise(*form, made, first);
  need(o, missing.empty(), missing);
  to.push_back(std::move(i));
}

/// The magnitude is unsigned: that of the smallest number has its own bits. [integer arithmetic]
void preparer::absolute(const operation& o, sequence& to) {
  need_same_type(o, o.operands[0], o.results[0]);
  const slot from = whole(o, o.operands[0]);
  const slot result = whole(o, o.results[0]);
  instruction negated = start(step::elementwise, o);
  negated.op = machine::opcode::negi;
  negated.results = {
      {.type = result.type,
       .offset = slots_.take(std::size_t{result.type->count} * size_of(result.type->elem))}};
  negated.operands = {from};
  const std::string missing =
      missing_elementwise({negated.op, {}}, result.type->elem, from.type->elem);
  need(o, missing.empty(), missing);
  instruction larger = start(step::elementwise, o);
  larger.op = machine::opcode::maxi;
  larger.results = {result};
  larger.operands = {from, negated.results[0]};
  slots_.give_back(negated.results[0].offset);
  to.push_back(std::move(negated));
  to.push_back(std::move(larger));
}

/// The integer that all elements of a constant are.
std::optional<std::int64_t> preparer::constant_integer(value_id v) const {
  const operation* const maker = uses_.of(uses_.one(v).value_or(uses_.root(v))).maker;
  if (maker == nullptr || maker->what != opcode::constant) {
    return {};
  }
  const tileir::type& t = type_of(maker->results[0]);
  const tileir::elements all(
      module_.module().constants[maker->constant], t.element->num, t.count());
  const unsigned unused = 64 - tileir::bits(t.element->num);
  return all.splat() && tileir::is_integer(t.element->num)
             ? std::optional(static_cast<std::int64_t>(all[0] << unused) >> unused)
             : std::nullopt;
}

/// A power that few products make, of which in double no more than the last one is rounded: what
/// the function of powers gives. False: it is another.
bool preparer::power_by_products(
    const operation& o, const slot& base, const slot& result, std::int64_t exponent, sequence& to) {
  const auto multiply = [&](const slot& made, const slot& a, const slot& b) {
    instruction i = start(step::elementwise, o);
    i.op = machine::opcode::mulf;
    i.results = {made};
    i.operands = {a, b};
    to.push_back(std::move(i));
  };
  const element e = base.type->elem;
  if (exponent == 2 && (e == element::f32 || e == element::f64)) {
    multiply(result, base, base);
    return true;
  }
  if (exponent < 2 || exponent > 4 || e == element::f64) {
    return false;
  }
  const slot wide = doubles(*base.type);
  const slot square = doubles(*base.type);
  const slot last = doubles(*base.type);
  convert(o, base, wide, to);
  multiply(square, wide, wide);
  if (exponent > 2) {
    multiply(last, square, exponent == 3 ? wide : square);
  }
  convert(o, exponent > 2 ? last : square, result, to);
  for (const slot& s : {wide, square, last}) {
    slots_.give_back(s.offset);
  }
  return true;
}

/// base to an integer: in double precision, rounded once more. [floating-point arithmetic]
void preparer::power(const operation& o, sequence& to) {
  need_same_type(o, o.operands[0], o.results[0]);
  const slot base = whole(o, o.operands[0]);
  const slot exponent = whole(o, o.operands[1]);
  const slot result = whole(o, o.results[0]);
  need(o,
       is_floating(base.type->elem) && is_integer(exponent.type->elem) &&
           exponent.type->count == result.type->count,
       "it takes floating-point numbers and integers");
  if (const auto n = constant_integer(o.operands[1]);
      n && power_by_products(o, base, result, *n, to)) {
    return;
  }
  machine::tile_type wide = *result.type;
  wide.elem = element::f64;
  const machine::tile_type* const type = &code_->types.emplace_back(wide);
  const std::size_t bytes = std::size_t{wide.count} * sizeof(double);
  const slot a{.type = type, .offset = slots_.take(bytes)};
  const slot b{.type = type, .offset = slots_.take(bytes)};
  const slot c{.type = type, .offset = slots_.take(bytes)};
  const auto add = [&](machine::opcode op, const slot& made, std::vector<slot> from) {
    instruction i = start(step::elementwise, o);
    i.op = op;
    i.results = {made};
    i.operands = std::move(from);
    to.push_back(std::move(i));
  };
  const bool is_wide = base.type->elem == element::f64;
  if (!is_wide) {
    add(machine::opcode::ftof, a, {base});
  }
  add(machine::opcode::itof, b, {exponent});
  add(machine::opcode::fpowf, is_wide ? result : c, {is_wide ? base : a, b});
  if (!is_wide) {
    add(machine::opcode::ftof, result, {c});
  }
  for (const slot& s : {a, b, c}) {
    slots_.give_back(s.offset);
  }
}

} // namespace tilesim::interpreter
