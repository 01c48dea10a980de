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
// Where the machine converts eight halves at once, these loops do (half_blocks.hpp).
// All other modes, and fma (for which 2p + 2 bits do not suffice), go through double rounded to
// odd: products of narrow numbers are exact there, sums keep a sticky bit (fp::add_to_odd). A
// quotient or square root is rounded to nearest in double: it differs from every narrow number, or
// equals it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/float_meanings.hpp"
#include "sim/ops/half_blocks.hpp"
#include "sim/ops/tables.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace tilesim::sim::ops {
namespace {

using fp::bf16;
using fp::direction;
using fp::f16;
using machine::opcode;
using machine::rounding;

// op(a, b) through float: see above, and for the remainder, which is exact, no question.
template <class Op, class Cell>
struct through_float {
  template <class... C>
  static Cell apply(C... x) noexcept {
    return fp::narrow<Cell>(Op::apply(fp::widen(x)...));
  }
};

// Maximum and minimum by comparing cells: with the magnitude of negative ones turned over they are
// ordered as integers, -0 below +0. NaNs, beyond the infinities, take the end where they lose or
// win.
template <class Cell, bool Max, bool PropagateNan>
struct extremum {
  static constexpr std::int16_t loses = Max ? -0x8000 : 0x7fff;
  static constexpr std::int16_t wins = Max ? 0x7fff : -0x8000;
  static constexpr std::int16_t nan = PropagateNan ? wins : loses;

  static Cell apply(Cell a, Cell b) noexcept {
    const std::int16_t x = key(a);
    const std::int16_t y = key(b);
    const std::int16_t chosen = Max ? (x > y ? x : y) : (x < y ? x : y);
    const auto bits = static_cast<std::uint16_t>(turned(chosen));
    return {chosen == nan ? std::uint16_t{0x7fff} : bits};
  }

private:
  static std::int16_t turned(std::int16_t bits) noexcept {
    return static_cast<std::int16_t>(bits ^ ((bits >> 15) & 0x7fff));
  }
  static std::int16_t key(Cell a) noexcept {
    const bool is_nan = (a.bits & 0x7fff) > Cell::format::infinity;
    return is_nan ? nan : turned(static_cast<std::int16_t>(a.bits));
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

// Of halves as floats: the exact product and sum, rounded to odd in float, whose 24 bits are two
// more than half's 11 everywhere. The product fits; nothing overflows or becomes subnormal.
struct half_fma_to_odd {
  static float apply(float a, float b, float c) noexcept {
    const float product = a * b;
    const float sum = product + c;
    const float part = sum - product;
    const float error =
        (product - (sum - part)) + (c - part); // exact (Knuth); NaN beside infinities
    const std::uint32_t bits = fp::bits_of(sum);
    const bool farther = (error > 0) == (sum > 0);
    const std::uint32_t odd = farther ? bits | 1U : bits - (~bits & 1U);
    const std::uint32_t inexact = error < 0 ? odd : bits;
    return fp::as_float(error > 0 ? odd : inexact);
  }
};

#if TILESIM_OPS_HAS_FAST
// Of bfloat16, whose products float may not hold: the float fma rounded again. Where that lies half
// way between two bfloat16 (which are floats, so that rounding to float crosses none) the first
// rounding may have mattered, and the element is done the long way.
[[gnu::always_inline]] inline bool is_half_way(float x) noexcept {
  return (fp::bits_of(x) & 0xffffU) == 0x8000U;
}
TILESIM_OPS_FAST bool
bfloat16_fma(void* r, const void* a, const void* b, const void* c, std::size_t count) noexcept {
  constexpr std::size_t block = 64;
  auto* __restrict result = static_cast<bf16*>(r);
  const auto* x = static_cast<const bf16*>(a);
  const auto* y = static_cast<const bf16*>(b);
  const auto* z = static_cast<const bf16*>(c);
  for (std::size_t from = 0; from < count; from += block) {
    const std::size_t end = std::min(from + block, count);
    float values[block];
    std::uint32_t some_half_way = 0;
    for (std::size_t i = from; i < end; ++i) {
      const float value = std::fma(fp::widen(x[i]), fp::widen(y[i]), fp::widen(z[i]));
      some_half_way |= is_half_way(value) ? 1U : 0U;
      values[i - from] = value;
      result[i] = fp::narrow<bf16>(value);
    }
    for (std::size_t i = from; some_half_way != 0 && i < end; ++i) {
      if (is_half_way(values[i - from])) {
        result[i] = through_double<exact_fma, bf16>::apply(x[i], y[i], z[i]);
      }
    }
  }
  return false;
}
bool run_bfloat16_fma(const elementwise_args& args) noexcept {
  return run_in_pieces(args, &bfloat16_fma, {2, {2, 2, 2}});
}
#endif

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
template <direction Mode, class Op, class... V>
double zero_rule(Op, double result, V...) noexcept {
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
  if (mode != rounding::nearest_even) {
    return directed_entry<Exact, Cell, Cell, Cell>(mode);
  }
  return half_entry<through_float<Nearest, Cell>, Nearest, Cell, Cell, Cell>();
}

template <class Cell, bool Max>
table_entry extremum_entry(bool propagate_nan) noexcept {
  return propagate_nan ? entry<extremum<Cell, Max, true>, Cell, Cell, Cell>()
                       : entry<extremum<Cell, Max, false>, Cell, Cell, Cell>();
}

template <class Cell>
table_entry fma_entry(rounding mode) noexcept {
  if (mode != rounding::nearest_even) {
    return directed_entry<exact_fma, Cell, Cell, Cell, Cell>(mode);
  }
  using meaning = through_double<exact_fma, Cell>;
  table_entry found = half_entry<meaning, half_fma_to_odd, Cell, Cell, Cell, Cell>();
#if TILESIM_OPS_HAS_FAST
  if constexpr (!is_half<Cell>) {
    found.fast = &run_bfloat16_fma;
  }
#endif
  return found;
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
    return fma_entry<Cell>(modes.round);
  case opcode::sqrt:
    return modes.round == rounding::nearest_even
               ? entry<through_double<square_root, Cell>, Cell, Cell>()
               : directed_entry<square_root, Cell, Cell>(modes.round);
  case opcode::ceil:
    return entry<through_float<ceiling, Cell>, Cell, Cell>();
  case opcode::floor:
    return entry<through_float<flooring, Cell>, Cell, Cell>();
  case opcode::remf:
    return plain_entry<through_float<float_remainder, Cell>, Cell, Cell, Cell>();
  case opcode::negf:
    return entry<negate_half<Cell>, Cell, Cell>();
  case opcode::absf:
    return entry<absolute_half<Cell>, Cell, Cell>();
  case opcode::maxf:
    return extremum_entry<Cell, true>(modes.propagate_nan);
  case opcode::minf:
    return extremum_entry<Cell, false>(modes.propagate_nan);
  default:
    return {};
  }
}

} // namespace

table_entry find_half(opcode op, const machine::attributes& modes, element kind) noexcept {
  return kind == element::f16 ? find_narrow<f16>(op, modes) : find_narrow<bf16>(op, modes);
}

} // namespace tilesim::sim::ops
