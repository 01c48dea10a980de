// The table of approximate operations.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/accuracy.hpp"

#include "sim/ops/number_format.hpp"
#include "sim/ops/tensor_core.hpp"

#include <algorithm>
#include <cmath>

namespace tilesim::sim::ops {
namespace {

using machine::opcode;
using machine::rounding;

// Computed as a * (1 / b): 2 ulp for 2^-126 <= |b| <= 2^126. Beyond, 1 / b would be subnormal and
// counts as 0. Of a subnormal b, whose reciprocal is near or beyond the largest float, nothing is
// said.
error_bound bound_of_approximate_division(const double* operands) noexcept {
  const double b = std::fabs(operands[1]);
  return b != 0 && b < 0x1p-126 ? error_bound::none() : error_bound{.ulps = 2};
}
long double approximate_division(long double exact, const double* operands) noexcept {
  const double b = std::fabs(operands[1]);
  return b > 0x1p126 && b < 0x1p128 ? operands[0] * std::copysign(0.0, operands[1]) : exact;
}

// "The maximum ulp error is 2 + floor(abs(1.173 * x))", beyond the rounding; no exponential of more
// than 120 is a float.
error_bound bound_of_approximate_exp(const double* operands) noexcept {
  const double x = std::min(std::fabs(operands[0]), 120.0);
  return {.ulps = 2.5 + std::floor(1.173 * x)};
}

struct row {
  opcode op{};
  rounding round{};
  element kind{};
  accuracy how;
};

// PTX is what the tile operations become; where it is silent, the CUDA C++ Programming Guide's
// table of maximum errors.
constexpr row rows[]{
    {opcode::divf,
     rounding::approx,
     element::f32,
     {.bound = {.ulps = 2},
      .source = "PTX ISA, div.approx.f32; Tile IR, divf",
      .bound_at = &bound_of_approximate_division,
      .instead_of = &approximate_division}},
    {opcode::divf,
     rounding::full,
     element::f32,
     {.bound = {.ulps = 2}, .source = "PTX ISA, div.full.f32; Tile IR, divf"}},
    {opcode::sqrt,
     rounding::approx,
     element::f32,
     {.bound = {.relative = 0x1p-23}, .source = "PTX ISA, sqrt.approx.f32"}},
    {opcode::tanh,
     rounding::approx,
     element::f32,
     {.bound = {.relative = 0x1p-11}, .source = "PTX ISA, tanh.approx.f32"}},
    {opcode::exp,
     rounding::approx,
     element::f32,
     {.bound = {.ulps = 2.5},
      .source = "CUDA C++ Programming Guide, __expf",
      .bound_at = &bound_of_approximate_exp}},
};

/// The math functions in their ordinary mode: the guide's maximum errors of the CUDA functions of
/// float and double, which count from the correctly rounded result.  [math operations: "error
/// bounds … may be absent"]
struct math_row {
  opcode op;
  rounding round;
  double of_float, of_double;
};
constexpr math_row math_rows[]{
    {opcode::rsqrt, rounding::nearest_even, 2, 1},
    {opcode::exp, rounding::full, 2, 1},
    {opcode::exp2, rounding::nearest_even, 2, 1},
    {opcode::log, rounding::nearest_even, 1, 1},
    {opcode::log2, rounding::nearest_even, 1, 1},
    {opcode::fpowf, rounding::nearest_even, 4, 2},
    {opcode::sin, rounding::nearest_even, 2, 1},
    {opcode::cos, rounding::nearest_even, 2, 1},
    {opcode::tan, rounding::nearest_even, 4, 2},
    {opcode::atan2, rounding::nearest_even, 3, 2},
    {opcode::sinh, rounding::nearest_even, 3, 1},
    {opcode::cosh, rounding::nearest_even, 2, 1},
    {opcode::tanh, rounding::full, 2, 1},
};

accuracy of_math(const math_row& r, element kind) noexcept {
  constexpr double rounding_of_result = 0.5;
  switch (kind) {
  case element::f64:
    return {.bound = {.ulps = r.of_double + rounding_of_result},
            .source = "CUDA C++ Programming Guide, Mathematical Functions"};
  case element::f32:
    return {.bound = {.ulps = r.of_float + rounding_of_result},
            .source = "CUDA C++ Programming Guide, Mathematical Functions"};
  case element::f16:
  case element::bf16: // computed in float, whose units are 2^-13 or less of theirs
    return {.bound = {.ulps = (r.of_float + rounding_of_result) * 0x1p-13 + rounding_of_result},
            .source =
                "Tile IR: computed in f32; CUDA C++ Programming Guide, Mathematical Functions"};
  default:
    return {};
  }
}

bool is_near(const accuracy& how,
             const error_bound& bound,
             const number_format& f,
             long double wanted,
             double result) noexcept {
  if (std::isnan(wanted) || std::isnan(result)) {
    return std::isnan(wanted) && std::isnan(result);
  }
  if (std::isinf(wanted)) {
    return wanted == result;
  }
  const long double size = std::fabs(wanted);
  const long double error =
      bound.ulps * unit_at(f, wanted) + bound.relative * size + bound.absolute;
  if (std::isinf(result)) { // it stands for the numbers that the format lacks
    return size + error >= std::ldexp(1.0L, f.end) && std::signbit(wanted) == std::signbit(result);
  }
  if (how.flushes_subnormals && result == 0) {
    return size - error < std::ldexp(1.0L, f.least);
  }
  return std::fabs(result - wanted) <= error;
}

/// n roundings, each off by at most `unit`, relatively: gamma_n of Higham, 3.1.
double accumulated(double unit, std::size_t n) noexcept {
  const double errors = static_cast<double>(n) * unit;
  return errors < 1 ? errors / (1 - errors) : std::numeric_limits<double>::infinity();
}

/// Half a unit in the last place of 1.
double unit_of(element kind) noexcept {
  return std::ldexp(1.0, -format_of(kind).precision);
}

} // namespace

bool depends_on_order(const machine::combination& how) noexcept {
  return how.body == opcode::addf || how.body == opcode::mulf;
}

double error_of_order(element kind, const machine::attributes& modes, std::size_t n) noexcept {
  const bool to_nearest = modes.round == rounding::nearest_even;
  return accumulated(unit_of(kind) * (to_nearest ? 1 : 2), n - 1);
}

// Of each group, every product and the accumulator are cut off below 2^-fraction_bits of the
// largest of them, and the sum is rounded or cut off once more. All of that is relative to the sum
// of the magnitudes, which is not less than the largest.
double error_of_groups(const tensor_core& how, std::size_t depth) noexcept {
  const double cut = std::ldexp(1.0, -how.fraction_bits);
  const double kept = how.keeps == tensor_core::sum::float_cut      ? 2 * unit_of(element::f32)
                      : how.keeps == tensor_core::sum::half_nearest ? unit_of(element::f16)
                                                                    : cut;
  const double errors = (static_cast<double>(how.group + 1) * cut) + kept;
  const std::size_t groups = (depth + how.group - 1) / how.group;
  return accumulated(errors, groups) + unit_of(element::f32); // an accumulator that comes last
}

double error_of_mma(element operands, element result, std::size_t depth) noexcept {
  const bool wide = operands == element::f64 || operands == element::f32;
  // One after the other: the product, and no more than `depth` sums, are rounded.
  const double chain = accumulated(unit_of(wide ? operands : element::f32), depth + 1);
  const double rounded = result == element::f16 ? chain + ((1 + chain) * unit_of(result)) : chain;
  const std::size_t large = 64; // rows and columns that use a tensor core if any do
  const auto core = find_tensor_core(operands, result, 1, large, depth, large);
  return core ? std::max(rounded, error_of_groups(*core, depth)) : rounded;
}

accuracy accuracy_of(opcode op, const machine::attributes& modes, element kind) noexcept {
  for (const row& r : rows) {
    if (r.op == op && r.round == modes.round && r.kind == kind) {
      accuracy found = r.how;
      found.flushes_subnormals = modes.flush_to_zero;
      return found;
    }
  }
  for (const math_row& r : math_rows) {
    if (r.op == op && r.round == modes.round) {
      accuracy found = of_math(r, kind);
      found.flushes_subnormals = modes.flush_to_zero;
      return found;
    }
  }
  return {};
}

bool within(const accuracy& how,
            element kind,
            long double exact,
            const double* operands,
            double result) noexcept {
  const error_bound bound = how.bound_at != nullptr ? how.bound_at(operands) : how.bound;
  const number_format f = format_of(kind);
  return std::isinf(bound.absolute) || is_near(how, bound, f, exact, result) ||
         (how.instead_of != nullptr &&
          is_near(how, bound, f, how.instead_of(exact, operands), result));
}

} // namespace tilesim::sim::ops
