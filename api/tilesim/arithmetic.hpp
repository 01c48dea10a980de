// Arithmetic operations: operators and named functions, elementwise.
//
// Two operands undergo arithmetic tile conversion (convert.hpp) and are broadcast to one shape; two
// scalars give a scalar. Overloads with modes exist for basic floating-point elements only;
// pointers have their own page, pointer_arithmetic.hpp.  [arithmetic operations]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/arithmetic_rules.hpp>
#include <tilesim/detail/lower.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/tile.hpp>
#include <tilesim/tile_ops.hpp>

namespace cuda::tiles::inline __1 {

// ------------------------------------------------------------------ addition and the like

/// lhs + rhs. Unsigned sums wrap; a signed sum that is not representable is undefined.
/// [arithmetic operations: addition]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator+(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic(detail::opcode::addi, detail::opcode::addf, lhs, rhs);
}
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> add(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic<detail::add_word>(detail::opcode::addi, detail::opcode::addf, lhs, rhs);
}
/// With a precise rounding mode and, for float, a subnormals mode.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          detail::rounded_with<L, Mode, SubMode> R>
TILESIM_API detail::arithmetic_result<L, R>
add(const L& lhs,
    const R& rhs,
    rounding_mode_constant<Mode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::modal(
      detail::opcode::addf, detail::fixed<detail::rounded(Mode, SubMode)>, lhs, rhs);
}

/// x with its elements promoted as C++ promotes them; the only operation that promotes.
/// [arithmetic operations: arithmetic promotion]
template <detail::arithmetic_operand A>
TILESIM_API arithmetic_tile_promotion_t<detail::plain<A>> operator+(const A& x) noexcept {
  return detail::converted_to<arithmetic_tile_promotion_t<detail::plain<A>>>(x);
}

/// lhs - rhs. Unsigned differences wrap; a signed one that is not representable is undefined.
/// [arithmetic operations: subtraction]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator-(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic(detail::opcode::subi, detail::opcode::subf, lhs, rhs);
}
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> sub(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic<detail::sub_word>(detail::opcode::subi, detail::opcode::subf, lhs, rhs);
}
/// With a precise rounding mode and, for float, a subnormals mode.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          detail::rounded_with<L, Mode, SubMode> R>
TILESIM_API detail::arithmetic_result<L, R>
sub(const L& lhs,
    const R& rhs,
    rounding_mode_constant<Mode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::modal(
      detail::opcode::subf, detail::fixed<detail::rounded(Mode, SubMode)>, lhs, rhs);
}

/// -x, without promotion. Unsigned values wrap; the most negative signed one is undefined.
/// Not with NVIDIA's compiler, so not here.  [arithmetic operations: negation]
template <detail::arithmetic_operand A>
TILESIM_API detail::plain<A> operator-(const A& x) {
  using T = detail::plain<A>;
  if constexpr (integral_tile<T>) {
    return detail::unary<T>(
        detail::opcode::negi, detail::fixed<detail::integer_modes(detail::facts_of<T>)>, x);
  } else {
    return detail::unary<T>(detail::opcode::negf, detail::no_modes, x);
  }
}

/// lhs · rhs. Unsigned products wrap; a signed one that is not representable is undefined.
/// [arithmetic operations: multiplication]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator*(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic(detail::opcode::muli, detail::opcode::mulf, lhs, rhs);
}
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> mul(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic<detail::mul_word>(detail::opcode::muli, detail::opcode::mulf, lhs, rhs);
}
/// With a precise rounding mode and, for float, a subnormals mode.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          detail::rounded_with<L, Mode, SubMode> R>
TILESIM_API detail::arithmetic_result<L, R>
mul(const L& lhs,
    const R& rhs,
    rounding_mode_constant<Mode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::modal(
      detail::opcode::mulf, detail::fixed<detail::rounded(Mode, SubMode)>, lhs, rhs);
}

// ------------------------------------------------------------------------------------ division

namespace detail {
template <const char* Spelling = nullptr, class L, class R>
TILESIM_API arithmetic_result<L, R> quotient(const L& lhs, const R& rhs) noexcept {
  if constexpr (integral_tile<arithmetic_result<L, R>>) {
    return integer<Spelling>(opcode::divi, lhs, rhs);
  } else {
    return modal(opcode::divf, no_modes, lhs, rhs);
  }
}
template <const char* Spelling = nullptr, class L, class R>
TILESIM_API arithmetic_result<L, R> rest(const L& lhs, const R& rhs) noexcept {
  if constexpr (integral_tile<arithmetic_result<L, R>>) {
    return integer<Spelling>(opcode::remi, lhs, rhs);
  } else {
    return modal(opcode::remf, no_modes, lhs, rhs);
  }
}
} // namespace detail

/// dividend / divisor; integers truncate. A zero divisor or a quotient that is not representable is
/// undefined for integers.  [arithmetic operations: division]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator/(const L& dividend,
                                                      const R& divisor) noexcept {
  return detail::quotient(dividend, divisor);
}
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> div(const L& dividend, const R& divisor) noexcept {
  return detail::quotient<detail::div_word>(dividend, divisor);
}
/// With a precise rounding mode or, for float, an approximate one and a subnormals mode.
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          detail::divisor_of<L, Mode, SubMode> R>
TILESIM_API detail::arithmetic_result<L, R>
div(const L& dividend,
    const R& divisor,
    rounding_mode_constant<Mode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::modal(
      detail::opcode::divf, detail::fixed<detail::rounded(Mode, SubMode)>, dividend, divisor);
}

/// The quotient rounded up. A zero divisor or a result that is not representable is undefined.
/// [arithmetic operations: ceiling integer division]
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> ceildiv(const L& dividend, const R& divisor) noexcept {
  return detail::integer<detail::ceildiv_word, detail::machine::rounding::positive_inf>(
      detail::opcode::divi, dividend, divisor);
}

/// The quotient rounded down. A zero divisor or a result that is not representable is undefined.
/// [arithmetic operations: floor integer division]
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> floordiv(const L& dividend, const R& divisor) noexcept {
  constexpr bool has_sign = detail::facts_of<detail::arithmetic_result<L, R>>.is_signed;
  constexpr auto down = has_sign ? detail::machine::rounding::negative_inf
                                 : detail::machine::rounding::zero;
  return detail::integer<detail::floordiv_word, down>(detail::opcode::divi, dividend, divisor);
}

/// lhs - trunc(lhs / rhs) · rhs, on integers. A zero divisor or a quotient that is not
/// representable is undefined.  [arithmetic operations: remainder]
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator%(const L& lhs, const R& rhs) noexcept {
  return detail::rest(lhs, rhs);
}
/// The same for integers and floating point; there a zero divisor gives NaN and a zero result has
/// the sign of lhs.  [arithmetic operations: remainder]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> remainder(const L& lhs, const R& rhs) noexcept {
  return detail::rest<detail::remainder_word>(lhs, rhs);
}

// --------------------------------------------------------------------------------- comparisons

/// Elementwise comparison of the converted operands; false for a NaN, != excepted.
/// [arithmetic operations: comparison operators]
template <class L, detail::comparable_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator==(const L& lhs, const R& rhs) noexcept {
  return detail::compare<detail::machine::predicate::equal>(lhs, rhs);
}
template <class L, detail::comparable_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator!=(const L& lhs, const R& rhs) noexcept {
  return detail::compare<detail::machine::predicate::not_equal>(lhs, rhs);
}
template <class L, detail::comparable_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator<(const L& lhs, const R& rhs) noexcept {
  return detail::compare<detail::machine::predicate::less_than>(lhs, rhs);
}
template <class L, detail::comparable_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator<=(const L& lhs, const R& rhs) noexcept {
  return detail::compare<detail::machine::predicate::less_than_or_equal>(lhs, rhs);
}
template <class L, detail::comparable_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator>(const L& lhs, const R& rhs) noexcept {
  return detail::compare<detail::machine::predicate::greater_than>(lhs, rhs);
}
template <class L, detail::comparable_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator>=(const L& lhs, const R& rhs) noexcept {
  return detail::compare<detail::machine::predicate::greater_than_or_equal>(lhs, rhs);
}

// ---------------------------------------------------------------------------------------- bits

/// Bitwise and, or, exclusive or of the converted operands.
/// [arithmetic operations: bitwise and, or, xor]
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator&(const L& lhs, const R& rhs) noexcept {
  return detail::integer(detail::opcode::andi, lhs, rhs);
}
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator|(const L& lhs, const R& rhs) noexcept {
  return detail::integer(detail::opcode::ori, lhs, rhs);
}
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> operator^(const L& lhs, const R& rhs) noexcept {
  return detail::integer(detail::opcode::xori, lhs, rhs);
}

/// Every bit inverted; of bool, its only bit.  [arithmetic operations: bitwise complement]
template <detail::integral_operand A>
TILESIM_API detail::plain<A> operator~(const A& x) noexcept {
  using T = detail::plain<A>;
  constexpr ::std::uint64_t ones =
      tilesim::same(detail::facts_of<T>.elem, detail::element::i1) ? 1 : ~::std::uint64_t{0};
  const auto& v = detail::held(x);
  return detail::perform<T>(
      detail::opcode::xori,
      detail::no_modes,
      detail::source(v),
      detail::constant<tile_element_t<T>, ones>());
}

/// lhs · 2^rhs modulo 2^N; the result keeps the element type of lhs. A count that is negative or
/// not less than the width is undefined.  [arithmetic operations: left bitshift]
template <class L, detail::shift_count_for<L> R>
TILESIM_API auto operator<<(const L& lhs, const R& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, tile_element_t<detail::plain<L>>> {
  return detail::shift(detail::opcode::shli, lhs, rhs);
}
/// floor(lhs / 2^rhs); the result keeps the element type of lhs. A count that is negative or not
/// less than the width is undefined.  [arithmetic operations: right bitshift]
template <class L, detail::shift_count_for<L> R>
TILESIM_API auto operator>>(const L& lhs, const R& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, tile_element_t<detail::plain<L>>> {
  return detail::shift(detail::opcode::shri, lhs, rhs);
}

// --------------------------------------------------------------------------------------- logic

/// Both operands are bool tile converted and evaluated: there is no short circuit.
/// [arithmetic operations: logical conjunction]
template <class L, detail::logical_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator&&(L&& lhs, R&& rhs) noexcept {
  return detail::binary<detail::comparison_result<L, R>, bool>(
      detail::opcode::andi, detail::no_modes, detail::held(lhs), detail::held(rhs));
}
/// [arithmetic operations: logical disjunction]
template <class L, detail::logical_with<L> R>
TILESIM_API detail::comparison_result<L, R> operator||(L&& lhs, R&& rhs) noexcept {
  return detail::binary<detail::comparison_result<L, R>, bool>(
      detail::opcode::ori, detail::no_modes, detail::held(lhs), detail::held(rhs));
}
/// [arithmetic operations: logical negation]
template <detail::tile_operand A>
TILESIM_API tile_with_element_t<detail::plain<A>, bool> operator!(A&& x) noexcept {
  const auto& held = detail::held(x);
  const auto& v = detail::converted<bool>(held);
  return detail::perform<tile_with_element_t<detail::plain<A>, bool>>(
      detail::opcode::xori, detail::no_modes, detail::source(v), detail::constant<bool, 1>());
}

// --------------------------------------------------------------------------- extremes and more

/// The larger operand. Of floating-point operands, NaN loses, and +0 is larger than -0.
/// [arithmetic operations: maximum]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> max(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic(detail::opcode::maxi, detail::opcode::maxf, lhs, rhs);
}
/// With a choice whether NaN wins and, for float, a subnormals mode.
template <nan_propagation_mode NanMode = default_nan_propagation_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          detail::ranked_with<L, SubMode> R>
TILESIM_API detail::arithmetic_result<L, R>
max(const L& lhs,
    const R& rhs,
    nan_propagation_mode_constant<NanMode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::modal(
      detail::opcode::maxf, detail::fixed<detail::ranked(NanMode, SubMode)>, lhs, rhs);
}

/// The smaller operand. Of floating-point operands, NaN loses, and -0 is smaller than +0.
/// [arithmetic operations: minimum]
template <class L, detail::arithmetic_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> min(const L& lhs, const R& rhs) noexcept {
  return detail::arithmetic(detail::opcode::mini, detail::opcode::minf, lhs, rhs);
}
/// With a choice whether NaN wins and, for float, a subnormals mode.
template <nan_propagation_mode NanMode = default_nan_propagation_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          detail::ranked_with<L, SubMode> R>
TILESIM_API detail::arithmetic_result<L, R>
min(const L& lhs,
    const R& rhs,
    nan_propagation_mode_constant<NanMode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::modal(
      detail::opcode::minf, detail::fixed<detail::ranked(NanMode, SubMode)>, lhs, rhs);
}

/// The absolute value. Undefined for the most negative signed value.
/// [arithmetic operations: absolute value]
template <detail::arithmetic_operand A>
TILESIM_API detail::plain<A> abs(const A& x) noexcept {
  using T = detail::plain<A>;
  if constexpr (!integral_tile<T>) {
    return detail::unary<T>(detail::opcode::absf, detail::no_modes, x);
  } else if constexpr (detail::facts_of<T>.is_signed) {
    return detail::unary<T>(
        detail::opcode::absi, detail::fixed<detail::integer_modes(detail::facts_of<T>)>, x);
  } else {
    return detail::held(x);
  }
}

namespace detail {
template <class A, class Acc>
concept widens_to = arithmetic_operand<A> && broadcastable_to<plain<A>, shape_of<plain<Acc>>> &&
    converts_without_narrowing<element_of<plain<A>>, element_of<plain<Acc>>>();
template <class Acc, class L, class R, rounding_mode M, subnormals_rounding_mode S>
concept accumulates = basic_floating_point_tile<plain<Acc>> && widens_to<L, Acc> &&
    widens_to<R, Acc> && takes<plain<Acc>>(M, S);
} // namespace detail

/// lhs · rhs + acc, rounded once, in the type and shape of acc, to which the others widen.
/// [arithmetic operations: fused multiply add]
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          class L,
          class R,
          detail::accumulates<L, R, Mode, SubMode> Acc>
TILESIM_API detail::plain<Acc> fma(const L& lhs,
                                   const R& rhs,
                                   const Acc& acc,
                                   rounding_mode_constant<Mode> = {},
                                   subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  using T = detail::plain<Acc>;
  using C = tile_element_t<T>;
  using S = tile_shape_t<T>;
  const auto& l = detail::converted<C>(lhs);
  const auto& r = detail::converted<C>(rhs);
  const auto& wide_l = detail::grown<S>(l);
  const auto& wide_r = detail::grown<S>(r);
  const auto& a = detail::held(acc);
  return detail::perform<T>(detail::opcode::fma,
                            detail::fixed<detail::rounded(Mode, SubMode)>,
                            detail::source_as<S>(wide_l),
                            detail::source_as<S>(wide_r),
                            detail::source(a));
}

/// The high half of the double-width product of the operands, read as unsigned.
/// [arithmetic operations: multiply high bits]
template <class L, detail::integral_with<L> R>
TILESIM_API detail::arithmetic_result<L, R> mulhi(const L& lhs, const R& rhs) noexcept {
  return detail::integer(detail::opcode::mulhii, lhs, rhs);
}

} // namespace cuda::tiles::inline __1
