// Operations on numbers that the machine has no element for: by way of doubles, which hold each of
// them, and each product of two with their scales, exactly.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/interpreter/preparer.hpp"
#include "sim/interpreter/small_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilesim::interpreter {

using tileir::number;

namespace {

bool is_small_type(const tileir::type& t) {
  return t.element->is(tileir::type::kind::number) && is_small(t.element->num);
}

} // namespace

/// Place for a tile of doubles, of that shape. The caller gives it back.
slot preparer::doubles(const machine::tile_type& shape) {
  machine::tile_type wide = shape;
  wide.elem = element::f64;
  return {.type = &code_->types.emplace_back(wide),
          .offset = slots_.take(std::size_t{wide.count} * sizeof(double))};
}

void preparer::convert(const operation& o, const slot& from, const slot& made, sequence& to) {
  instruction i = start(step::elementwise, o);
  i.op = machine::opcode::ftof;
  const std::string missing = missing_elementwise({i.op, {}}, made.type->elem, from.type->elem);
  need(o, missing.empty(), missing);
  i.results = {made};
  i.operands = {from};
  to.push_back(std::move(i));
}

bool preparer::takes_small_numbers(const operation& o) const {
  const auto small = [&](const std::vector<value_id>& values) {
    return std::ranges::any_of(
        values, [&](value_id v) { return is_tile(type_of(v)) && is_small_type(type_of(v)); });
  };
  return small(o.operands) || small(o.results);
}

/// ftof from or to one. [Tile IR, conversions]
void preparer::small_conversion(const operation& o, sequence& to) {
  const tileir::type& source = tile(o, o.operands[0]);
  const tileir::type& target = tile(o, o.results[0]);
  const slot result = whole(o, o.results[0]);
  slot from = whole_or_one(o, o.operands[0]);
  need(o, source.shape == target.shape, "its operand and its result differ in shape");
  need(o,
       (is_floating(result.type->elem) || is_small_type(target)) &&
           (is_floating(from.type->elem) || is_small_type(source)),
       "it converts between floating-point numbers");
  const slot between = doubles(*result.type);
  if (is_small_type(source)) {
    const bool is_it = result.type->elem == element::f64;
    instruction i = start(step::widen, o);
    i.operands = {from};
    i.results = {is_it ? result : between};
    i.params.resize(widening_params);
    i.params[of_kind] = static_cast<std::int64_t>(source.element->num);
    to.push_back(std::move(i));
    if (!is_it && !is_small_type(target)) {
      convert(o, between, result, to);
    }
    from = between;
  } else if (from.type->elem != element::f64) {
    slot wide = between;
    wide.type = from.type->count == 1 ? one_of(between.type) : between.type;
    convert(o, from, wide, to);
    from = wide;
  }
  if (is_small_type(target)) {
    instruction i = start(step::narrow, o);
    i.operands = {from};
    i.results = {result};
    i.modes.round = static_cast<machine::rounding>(o.round);
    i.params.resize(widening_params);
    i.params[of_kind] = static_cast<std::int64_t>(target.element->num);
    to.push_back(std::move(i));
  }
  slots_.give_back(between.offset);
}

/// What scales an operand: one for so many elements of the dimension that is summed.
instruction
preparer::scaled(const operation& o, value_id operand, value_id scale, std::size_t summed) {
  const tileir::type& t = tile(o, operand);
  const tileir::type& s = tile(o, scale);
  need(o, s.shape.size() == t.shape.size(), "its scales have another rank");
  for (std::size_t d = 0; d < t.shape.size(); ++d) {
    need(o, d == summed || s.shape[d] == t.shape[d], "its scales do not fit its operands");
  }
  const bool is_f4 = t.element->num == number::f4e2m1fn;
  const bool is_f8 = t.element->num == number::f8e4m3fn || t.element->num == number::f8e5m2;
  const std::int64_t each = t.shape[summed] / s.shape[summed];
  constexpr std::int64_t for_f8 = 32;
  need(o,
       (is_f8 && s.element->num == number::f8e8m0fnu && each == for_f8) ||
           (is_f4 &&
            (s.element->num == number::f8e8m0fnu || s.element->num == number::f8e4m3fn ||
             s.element->num == number::fnv8e5m3fnu) &&
            (each == for_f8 || each * 2 == for_f8)),
       fmt::format("{} scaled by {} does not exist", t.text, s.text));
  instruction i = start(step::widen, o);
  i.operands = {whole(o, operand), whole(o, scale)};
  i.results = {doubles(*i.operands[0].type)};
  i.params.resize(widening_params);
  i.params[of_kind] = static_cast<std::int64_t>(t.element->num);
  i.params[scale_kind] = static_cast<std::int64_t>(s.element->num);
  i.params[elements_a_scale] = each;
  i.params[along] = summed + 1 == t.shape.size() ? 1 : t.shape.back();
  return i;
}

/// The products are exact, their sums are doubles' and rounded once.
void preparer::scaled_matrix(const operation& o, sequence& to) {
  need_count(o, 5, 1);
  check_matrices(o);
  need(o, tile(o, o.operands[2]).element->num == number::f32, "its sums are f32");
  need(o,
       tile(o, o.operands[0]).element == tile(o, o.operands[1]).element &&
           tile(o, o.operands[3]).element == tile(o, o.operands[4]).element,
       "its operands differ in their elements");
  const std::size_t rank = tile(o, o.operands[0]).shape.size();
  instruction a = scaled(o, o.operands[0], o.operands[3], rank - 1);
  instruction b = scaled(o, o.operands[1], o.operands[4], rank - 2);
  const slot before = whole(o, o.operands[2]);
  const slot result = whole(o, o.results[0]);
  const slot sum = doubles(*before.type);
  instruction product = start(step::mma, o);
  product.op = machine::opcode::mmaf;
  product.operands = {a.results[0], b.results[0], sum};
  product.results = {doubles(*before.type)};
  const std::array temporary{a.results[0], b.results[0], sum, product.results[0]};
  to.push_back(std::move(a));
  to.push_back(std::move(b));
  convert(o, before, sum, to);
  to.push_back(std::move(product));
  convert(o, temporary.back(), result, to);
  for (const slot& s : temporary) {
    slots_.give_back(s.offset);
  }
}

} // namespace tilesim::interpreter
