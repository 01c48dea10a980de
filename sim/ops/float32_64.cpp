// Operations on float and double: the machine's own arithmetic, which rounds once in all four
// modes.
//
// A directed mode sets the hardware's rounding around the very kernel of the nearest one, which is
// called through a pointer: no arithmetic can move out of it. Compiled with -ffp-contract=off. NaN
// results of float become 7fffffff, as measured on hardware; those of double keep the payload of
// the first NaN operand, quietened, or under arithmetic::hardware of the one that it takes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/float_meanings.hpp"
#include "sim/ops/tables.hpp"

#include <algorithm>

namespace tilesim::sim::ops {
namespace {

using fp::direction;
using machine::opcode;
using machine::rounding;

// ------------------------------------------------------------------------------------------- float

// op(a, b)
template <class Op>
struct on_float {
  template <class... V>
  static float apply(V... x) noexcept {
    return canonical(Op::apply(x...));
  }
};

// subround(op(subround(a), subround(b)))
template <class Op>
struct on_float_flushed {
  template <class... V>
  static float apply(V... x) noexcept {
    return subround(canonical(Op::apply(subround(x)...)));
  }
};

// subround(max(a, b)): the page flushes only the result of maximum and minimum.
template <class Op>
struct on_float_result_flushed {
  static float apply(float a, float b) noexcept { return subround(canonical(Op::apply(a, b))); }
};

// Is the result below the smallest normal float if it is rounded to a float's 24 bits, in whatever
// direction the hardware rounds, as though there were no least exponent? Of operands that are not
// subnormal.
struct below_normal {
  // Sums that small are exact: they are flushed as they come out.
  static bool holds(addition, float, float) noexcept { return false; }
  static bool holds(subtraction, float, float) noexcept { return false; }
  static bool holds(multiplication, float a, float b) noexcept {
    return in_24_bits(double{a} * double{b}); // exact
  }
  // A quotient of floats is no halfway value of 25 bits, and not as near to one as double's
  // rounding could hide.
  static bool holds(division, float a, float b) noexcept {
    return in_24_bits(double{a} / double{b});
  }
  static bool holds(approximate_division, float a, float b) noexcept {
    return in_24_bits(double{a} / double{b});
  }
  static bool holds(square_root, float) noexcept { return false; } // at least 2^-75, or 0
  // Near the least normal number, the fma of operands scaled by 2^64 in all. A larger c leaves no
  // sum that small but 0, nor does a larger product; of a much smaller one only the sign matters.
  static bool holds(fused_multiply_add, float a, float b, float c) noexcept {
    if (!(std::fabs(c) < 0x1p-60F && std::fabs(double{a} * double{b}) < 0x1p-59)) {
      return false; // so also for a NaN
    }
    int exponent_a = 0;
    int exponent_b = 0;
    const float x = std::frexp(a, &exponent_a);
    const float y = std::frexp(b, &exponent_b);
    const int exponent = std::max(exponent_a + exponent_b, -180) + 64;
    const float scaled =
        std::fma(std::ldexp(x, exponent / 2), std::ldexp(y, exponent - exponent / 2), c * 0x1p64F);
    return std::fabs(scaled) < scaled_least;
  }

private:
  static constexpr float scaled_least = 0x1p-62F; // 2^-126 * 2^64: float has 24 bits about there
  static bool in_24_bits(double x) noexcept {
    return std::fabs(static_cast<float>(x * 0x1p64)) < scaled_least;
  }
};

// What the hardware was measured to do instead: it decides before the result takes the form of a
// subnormal, so that 3f7fffff * 00800000 is 0 although it would round to the smallest normal
// number.
template <class Op>
struct on_float_flushed_early {
  template <class... V>
  static float apply(V... x) noexcept {
    const float rounded = on_float_flushed<Op>::apply(x...);
    const bool tiny = below_normal::holds(Op{}, subround(x)...);
    return tiny && rounded == rounded ? std::copysign(0.0F, rounded) : rounded;
  }
};

// ------------------------------------------------------------------------------------------ double

template <class Op>
struct on_double {
  template <class... V>
  static double apply(V... x) noexcept {
    const double result = Op::apply(x...);
    return result == result ? result : nan_of(x...);
  }
};

// max(a, b), min(a, b): a NaN result is the first NaN operand already.
template <class Op>
struct on_double_extremum {
  static double apply(double a, double b) noexcept {
    const double result = Op::apply(a, b);
    return result == result ? result : fp::as_double(fp::bits_of(result) | quiet_bit);
  }
};

// Which NaN the hardware was measured to give: of two operands the second, of a division the first,
// of an fma's three the second, then the third.
template <class Op>
struct on_double_measured {
  template <class... V>
  static double apply(V... x) noexcept {
    const double result = Op::apply(x...);
    return result == result ? result : measured_nan(Op{}, x...);
  }

private:
  template <class Any>
  static double measured_nan(Any, double a) noexcept {
    return nan_of(a);
  }
  template <class Any>
  static double measured_nan(Any, double a, double b) noexcept {
    return nan_of(b, a);
  }
  static double measured_nan(division, double a, double b) noexcept { return nan_of(a, b); }
  static double measured_nan(fused_multiply_add, double a, double b, double c) noexcept {
    return nan_of(b, c, a);
  }
  static double measured_nan(float_maximum<true>, double, double) noexcept {
    return fp::as_double(0x7ff8000000000000U);
  }
  static double measured_nan(float_minimum<true>, double, double) noexcept {
    return fp::as_double(0x7ff8000000000000U);
  }
};

// ------------------------------------------------------------------------------------- sign bit

// IEEE 754 negate and abs; the hardware makes every NaN the canonical one, in double no.
// [arithmetic operations: negation, absolute value]
struct negate_float {
  static float apply(float a) noexcept {
    return canonical(fp::as_float(fp::bits_of(a) ^ 0x80000000U));
  }
};
struct absolute_float {
  static float apply(float a) noexcept {
    return canonical(fp::as_float(fp::bits_of(a) & 0x7fffffffU));
  }
};
struct negate_double {
  static double apply(double a) noexcept {
    return fp::as_double(fp::bits_of(a) ^ (std::uint64_t{1} << 63));
  }
};
struct absolute_double {
  static double apply(double a) noexcept {
    return fp::as_double(fp::bits_of(a) & ~(std::uint64_t{1} << 63));
  }
};
// The hardware leaves a NaN its sign, and makes it quiet.
template <class Op>
struct sign_measured {
  static double apply(double a) noexcept { return a == a ? Op::apply(a) : nan_of(a); }
};

// ------------------------------------------------------------------------------- rounding modes

/// The nearest-even kernel, run while the hardware rounds otherwise.
template <elementwise_kernel Kernel, direction Mode>
bool run_directed(const elementwise_args& args) noexcept {
  const fp::rounding_scope scope(Mode);
  return Kernel(args);
}

template <class Meaning, class V, class... Operands>
table_entry rounded(rounding mode) noexcept {
  using kernel = kernel_of<Meaning, V, Operands...>;
  constexpr elementwise_kernel plain = &run_baseline<kernel>;
  constexpr elementwise_kernel fast =
      TILESIM_OPS_HAS_FAST ? &run_fast<kernel> : &run_baseline<kernel>;
  switch (mode) {
  case rounding::nearest_even:
  case rounding::full: // of division: the correctly rounded quotient lies within its bound
    return {plain, fast};
  case rounding::zero:
    return {&run_directed<plain, direction::zero>, &run_directed<fast, direction::zero>};
  case rounding::negative_inf:
    return {&run_directed<plain, direction::negative_inf>,
            &run_directed<fast, direction::negative_inf>};
  case rounding::positive_inf:
    return {&run_directed<plain, direction::positive_inf>,
            &run_directed<fast, direction::positive_inf>};
  case rounding::approx:
  case rounding::nearest_int_to_zero:
  case rounding::nearest_away:
    break;
  }
  return {};
}

template <class Op, class... V>
table_entry
arithmetic_entry(const machine::attributes& modes, element kind, arithmetic how) noexcept {
  if (kind == element::f64) {
    if (modes.flush_to_zero) {
      return {};
    }
    return how == arithmetic::page
               ? rounded<on_double<Op>, double, std::conditional_t<true, double, V>...>(modes.round)
               : rounded<on_double_measured<Op>, double, std::conditional_t<true, double, V>...>(
                     modes.round);
  }
  if (!modes.flush_to_zero) {
    return rounded<on_float<Op>, float, V...>(modes.round);
  }
  return how == arithmetic::page ? rounded<on_float_flushed<Op>, float, V...>(modes.round)
                                 : rounded<on_float_flushed_early<Op>, float, V...>(modes.round);
}

table_entry approximate_division_entry(const machine::attributes& modes, arithmetic how) noexcept {
  using op = approximate_division;
  if (!modes.flush_to_zero) {
    return entry<on_float<op>, float, float, float>();
  }
  return how == arithmetic::page ? entry<on_float_flushed<op>, float, float, float>()
                                 : entry<on_float_flushed_early<op>, float, float, float>();
}

table_entry square_root_entry(machine::attributes modes, element kind, arithmetic how) noexcept {
  if (modes.round == rounding::approx) { // the correctly rounded root lies within its bound
    modes.round = rounding::nearest_even;
  }
  return arithmetic_entry<square_root, float>(modes, kind, how);
}

template <class Op>
table_entry
extremum_entry(const machine::attributes& modes, element kind, arithmetic how) noexcept {
  if (kind == element::f64) {
    return modes.flush_to_zero ? table_entry{}
           : how == arithmetic::page
               ? entry<on_double_extremum<Op>, double, double, double>()
               : plain_entry<on_double_measured<Op>, double, double, double>();
  }
  return modes.flush_to_zero ? entry<on_float_result_flushed<Op>, float, float, float>()
                             : entry<on_float<Op>, float, float, float>();
}

} // namespace

table_entry
find_float(opcode op, const machine::attributes& modes, element kind, arithmetic how) noexcept {
  const bool is_double = kind == element::f64;
  const bool measured = is_double && how == arithmetic::hardware;
  const bool imprecise = modes.round == rounding::approx || modes.round == rounding::full;
  const bool approximable =
      op == opcode::divf || (op == opcode::sqrt && modes.round == rounding::approx);
  if (imprecise && (!approximable || is_double)) {
    return {};
  }
  switch (op) {
  case opcode::addf:
    return arithmetic_entry<addition, float, float>(modes, kind, how);
  case opcode::subf:
    return arithmetic_entry<subtraction, float, float>(modes, kind, how);
  case opcode::mulf:
    return arithmetic_entry<multiplication, float, float>(modes, kind, how);
  case opcode::divf:
    if (modes.round == rounding::approx) {
      return approximate_division_entry(modes, how);
    }
    return arithmetic_entry<division, float, float>(modes, kind, how);
  case opcode::fma:
    return arithmetic_entry<fused_multiply_add, float, float, float>(modes, kind, how);
  case opcode::sqrt:
    return square_root_entry(modes, kind, how);
  case opcode::ceil:
    return is_double ? entry<on_double<ceiling>, double, double>()
                     : entry<on_float<ceiling>, float, float>();
  case opcode::floor:
    return is_double ? entry<on_double<flooring>, double, double>()
                     : entry<on_float<flooring>, float, float>();
  case opcode::remf: // exact, so no mode matters
    return measured    ? plain_entry<on_double_measured<float_remainder>, double, double, double>()
           : is_double ? plain_entry<on_double<float_remainder>, double, double, double>()
                       : plain_entry<on_float<float_remainder>, float, float, float>();
  case opcode::negf:
    if (measured) {
      return plain_entry<sign_measured<negate_double>, double, double>();
    }
    return is_double ? entry<negate_double, double, double>() : entry<negate_float, float, float>();
  case opcode::absf:
    if (measured) {
      return plain_entry<sign_measured<absolute_double>, double, double>();
    }
    return is_double ? entry<absolute_double, double, double>()
                     : entry<absolute_float, float, float>();
  case opcode::maxf:
    return modes.propagate_nan ? extremum_entry<float_maximum<true>>(modes, kind, how)
                               : extremum_entry<float_maximum<false>>(modes, kind, how);
  case opcode::minf:
    return modes.propagate_nan ? extremum_entry<float_minimum<true>>(modes, kind, how)
                               : extremum_entry<float_minimum<false>>(modes, kind, how);
  default:
    return {};
  }
}

} // namespace tilesim::sim::ops
