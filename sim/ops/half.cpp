// Operations on half and bfloat16, each rounded once.
//
// To nearest, + - * / go through float: with p bits in the narrow format, a result of the four that
// is first rounded to 2p + 2 bits or more and then to p is the correctly rounded one (Figueroa);
// float has 24 bits, half needs 2 * 11 + 2 = 24 and bfloat16 2 * 8 + 2 = 18. Subnormal results do
// not spoil it:
//   sums     that small are multiples of the format's least unit, hence exact;
//   products of half are exact in float; one of bfloat16 that float cannot hold exactly is below
//   half the
//            least bfloat16 (2^-134), and stays below it or comes to the tie that goes to 0;
//   quotients a / b that are no multiple of half the least unit differ from every such multiple by
//   more than
//            a float's spacing there, because b has at most 11 (8) bits.
// All other modes, and fma (for which 2p + 2 bits do not suffice), go through double rounded to
// odd: products of narrow numbers are exact there, sums keep a sticky bit (fp::add_to_odd). A
// quotient is rounded to nearest in double: it differs from every narrow number, or equals it.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/float_meanings.hpp"
#include "sim/ops/tables.hpp"

#include <type_traits>

namespace tilesim::sim::ops {
namespace {

using fp::bf16;
using fp::direction;
using fp::f16;
using machine::opcode;
using machine::rounding;

// op(a, b) through float: see above, and for the exact ones (max, min, remainder) no question.
template <class Op, class Cell>
struct through_float {
  static Cell apply(Cell a, Cell b) noexcept {
    return fp::narrow<Cell>(Op::apply(fp::widen(a), fp::widen(b)));
  }
};

// The exact results in double, rounded to odd where they do not fit.
struct exact_addition {
  static double apply(double a, double b) noexcept { return fp::add_to_odd(a, b); }
};
struct exact_subtraction {
  static double apply(double a, double b) noexcept { return fp::add_to_odd(a, -b); }
};
struct exact_fma {
  static double apply(double a, double b, double c) noexcept { return fp::add_to_odd(a * b, c); }
};

template <class Op, class Cell>
struct through_double {
  template <class... C>
  static Cell apply(C... x) noexcept {
    return fp::narrow<Cell>(Op::apply(static_cast<double>(fp::widen(x))...));
  }
};

// -0 + +0 and x - x are -0 when rounding downward, and only then.  [IEEE 754-2019, 6.3]
template <direction Mode, class... V>
double signed_zero(double result, V... summands) noexcept {
  if (Mode != direction::negative_inf || result != 0) {
    return result;
  }
  const bool all_positive = (!std::signbit(summands) && ...);
  return all_positive ? 0.0 : -0.0;
}
template <direction Mode>
double zero_rule(exact_addition, double result, double a, double b) noexcept {
  return signed_zero<Mode>(result, a, b);
}
template <direction Mode>
double zero_rule(exact_subtraction, double result, double a, double b) noexcept {
  return signed_zero<Mode>(result, a, -b);
}
template <direction Mode>
double zero_rule(exact_fma, double result, double a, double b, double c) noexcept {
  return signed_zero<Mode>(result, a * b, c);
}
template <direction Mode, class Op>
double zero_rule(Op, double result, double, double) noexcept {
  return result;
}

template <class Op, class Cell, direction Mode>
struct directed {
  template <class... C>
  static Cell apply(C... x) noexcept {
    return rounded(static_cast<double>(fp::widen(x))...);
  }
  template <class... V>
  static Cell rounded(V... x) noexcept {
    return fp::narrow<Cell>(zero_rule<Mode>(Op{}, Op::apply(x...), x...), Mode);
  }
};

// Sign bit operations; the hardware makes every NaN 7fff.
[[gnu::always_inline]] inline std::uint16_t canonical_bits(unsigned bits,
                                                           unsigned infinity) noexcept {
  return static_cast<std::uint16_t>((bits & 0x7fffU) > infinity ? 0x7fffU : bits);
}
template <class Cell>
struct negate_half {
  static Cell apply(Cell a) noexcept {
    return {canonical_bits(a.bits ^ 0x8000U, Cell::format::infinity)};
  }
};
template <class Cell>
struct absolute_half {
  static Cell apply(Cell a) noexcept {
    return {canonical_bits(a.bits & 0x7fffU, Cell::format::infinity)};
  }
};

template <class Op, class Cell, class... Operands>
table_entry directed_entry(rounding mode) noexcept {
  switch (mode) {
  case rounding::zero:
    return plain_entry<directed<Op, Cell, direction::zero>, Cell, Operands...>();
  case rounding::negative_inf:
    return plain_entry<directed<Op, Cell, direction::negative_inf>, Cell, Operands...>();
  case rounding::positive_inf:
    return plain_entry<directed<Op, Cell, direction::positive_inf>, Cell, Operands...>();
  case rounding::nearest_even:
  case rounding::approx:
  case rounding::full:
  case rounding::nearest_int_to_zero:
  case rounding::nearest_away:
    break;
  }
  return {};
}

template <class Nearest, class Exact, class Cell>
table_entry rounded_entry(rounding mode) noexcept {
  return mode == rounding::nearest_even ? entry<through_float<Nearest, Cell>, Cell, Cell, Cell>()
                                        : directed_entry<Exact, Cell, Cell, Cell>(mode);
}

template <class Op, class Cell>
constexpr table_entry exact_entry() noexcept {
  return entry<through_float<Op, Cell>, Cell, Cell, Cell>();
}

template <class Cell>
table_entry find_narrow(opcode op, const machine::attributes& modes) noexcept {
  if (modes.flush_to_zero) {
    return {}; // float only
  }
  switch (op) {
  case opcode::addf:
    return rounded_entry<addition, exact_addition, Cell>(modes.round);
  case opcode::subf:
    return rounded_entry<subtraction, exact_subtraction, Cell>(modes.round);
  case opcode::mulf:
    return rounded_entry<multiplication, multiplication, Cell>(modes.round);
  case opcode::divf:
    return rounded_entry<division, division, Cell>(modes.round);
  case opcode::fma:
    return modes.round == rounding::nearest_even
               ? entry<through_double<exact_fma, Cell>, Cell, Cell, Cell, Cell>()
               : directed_entry<exact_fma, Cell, Cell, Cell, Cell>(modes.round);
  case opcode::remf:
    return plain_entry<through_float<float_remainder, Cell>, Cell, Cell, Cell>();
  case opcode::negf:
    return entry<negate_half<Cell>, Cell, Cell>();
  case opcode::absf:
    return entry<absolute_half<Cell>, Cell, Cell>();
  case opcode::maxf:
    return modes.propagate_nan ? exact_entry<float_maximum<true>, Cell>()
                               : exact_entry<float_maximum<false>, Cell>();
  case opcode::minf:
    return modes.propagate_nan ? exact_entry<float_minimum<true>, Cell>()
                               : exact_entry<float_minimum<false>, Cell>();
  default:
    return {};
  }
}

} // namespace

table_entry find_half(opcode op, const machine::attributes& modes, element kind) noexcept {
  return kind == element::f16 ? find_narrow<f16>(op, modes) : find_narrow<bf16>(op, modes);
}

} // namespace tilesim::sim::ops
