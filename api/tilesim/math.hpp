// Math operations: elementwise mathematical functions of basic floating-point tiles.
//
// Each approximates the exact result; how closely, the page leaves open, and special values too.
// tilesim gives C's special values and rounds correctly in every format but double, where the error
// is below one unit in the last place. isnan and isinf are on the page of tile operations.  [math
// operations]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/arithmetic_rules.hpp>
#include <tilesim/detail/lower.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/tile.hpp>

namespace cuda::tiles::inline __1 {

namespace detail {

template <class A>
concept math_operand = basic_floating_point_tile<plain<A>>;

/// Which modes each function takes: what only float has is approximation and flushing.
template <class A, subnormals_rounding_mode S>
concept flushed_operand = math_operand<A> && takes<plain<A>>(S);
template <class A, rounding_mode M>
concept full_operand = math_operand<A> && is_approximate(M) &&
    (is_full(M) || ::std::is_same_v<element_of<plain<A>>, float>);
template <class A, rounding_mode M, subnormals_rounding_mode S>
concept root_operand = math_operand<A> && takes<plain<A>>(S) && !is_full(M) &&
                       (is_precise(M) || ::std::is_same_v<element_of<plain<A>>, float>);

template <class E, class B>
concept exponent_of = math_operand<B> && math_operand<E> && arithmetic_with<E, B>;
template <class Abscissa, class Ordinate>
concept abscissa_of = arithmetic_with<Abscissa, Ordinate> &&
    basic_floating_point_tile<arithmetic_result<Ordinate, Abscissa>>;

constexpr machine::attributes flushed(subnormals_rounding_mode s) noexcept {
  machine::attributes a;
  a.flush_to_zero = is_flushing(s);
  return a;
}

} // namespace detail

// ------------------------------------------------------------------------------------ to integers

/// The least integer that is not less than x.  [math operations: ceil]
template <detail::math_operand A>
TILESIM_API detail::plain<A> ceil(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::ceil, detail::no_modes, x);
}
/// The largest integer that is not greater than x.  [math operations: floor]
template <detail::math_operand A>
TILESIM_API detail::plain<A> floor(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::floor, detail::no_modes, x);
}

// ------------------------------------------------------------------------- powers and logarithms

/// base to the power of exponent, after arithmetic tile conversion of two floating-point operands.
/// [math operations: pow]
template <class B, detail::exponent_of<B> E>
TILESIM_API detail::arithmetic_result<B, E> pow(const B& base, const E& exponent) noexcept {
  return detail::modal(detail::opcode::fpowf, detail::no_modes, base, exponent);
}

/// e to the power of x; round_full, or, for float, round_approximate.  [math operations: exp]
template <rounding_mode Mode = rounding_mode::round_full, detail::full_operand<Mode> A>
TILESIM_API detail::plain<A> exp(const A& x, rounding_mode_constant<Mode> = {}) noexcept {
  return detail::unary<detail::plain<A>>(
      detail::opcode::exp,
      detail::fixed<detail::rounded(Mode, default_subnormals_rounding_mode())>,
      x);
}

/// 2 to the power of x; for float with a subnormals mode.  [math operations: exp2]
template <subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::flushed_operand<SubMode> A>
TILESIM_API detail::plain<A> exp2(const A& x,
                                  subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::unary<detail::plain<A>>(
      detail::opcode::exp2, detail::fixed<detail::flushed(SubMode)>, x);
}

/// The natural logarithm.  [math operations: log]
template <detail::math_operand A>
TILESIM_API detail::plain<A> log(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::log, detail::no_modes, x);
}
/// The logarithm to base 2.  [math operations: log2]
template <detail::math_operand A>
TILESIM_API detail::plain<A> log2(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::log2, detail::no_modes, x);
}

/// The square root: in a precise rounding mode or, for float, approximate, and for float with a
/// subnormals mode.  [math operations: sqrt]
template <rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::root_operand<Mode, SubMode> A>
TILESIM_API detail::plain<A> sqrt(const A& x,
                                  rounding_mode_constant<Mode> = {},
                                  subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::unary<detail::plain<A>>(
      detail::opcode::sqrt, detail::fixed<detail::rounded(Mode, SubMode)>, x);
}

/// The reciprocal of the square root; for float with a subnormals mode.  [math operations: rsqrt]
template <subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::flushed_operand<SubMode> A>
TILESIM_API detail::plain<A> rsqrt(const A& x,
                                   subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::unary<detail::plain<A>>(
      detail::opcode::rsqrt, detail::fixed<detail::flushed(SubMode)>, x);
}

// ------------------------------------------------------------------------------- angles, in
// radians

/// [math operations: sin]
template <detail::math_operand A>
TILESIM_API detail::plain<A> sin(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::sin, detail::no_modes, x);
}
/// [math operations: cos]
template <detail::math_operand A>
TILESIM_API detail::plain<A> cos(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::cos, detail::no_modes, x);
}
/// [math operations: tan]
template <detail::math_operand A>
TILESIM_API detail::plain<A> tan(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::tan, detail::no_modes, x);
}

/// The angle of the point (x, y), from -pi to pi. The arithmetic tile conversion of the operands
/// must be floating point: one of them may be an integer.  [math operations: atan2]
template <class Ordinate, detail::abscissa_of<Ordinate> Abscissa>
TILESIM_API detail::arithmetic_result<Ordinate, Abscissa> atan2(const Ordinate& y,
                                                                const Abscissa& x) noexcept {
  return detail::modal(detail::opcode::atan2, detail::no_modes, y, x);
}

// ------------------------------------------------------------------------------------- hyperbolic

/// [math operations: sinh]
template <detail::math_operand A>
TILESIM_API detail::plain<A> sinh(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::sinh, detail::no_modes, x);
}
/// [math operations: cosh]
template <detail::math_operand A>
TILESIM_API detail::plain<A> cosh(const A& x) noexcept {
  return detail::unary<detail::plain<A>>(detail::opcode::cosh, detail::no_modes, x);
}
/// round_full, or, for float, round_approximate.  [math operations: tanh]
template <rounding_mode Mode = rounding_mode::round_full, detail::full_operand<Mode> A>
TILESIM_API detail::plain<A> tanh(const A& x, rounding_mode_constant<Mode> = {}) noexcept {
  return detail::unary<detail::plain<A>>(
      detail::opcode::tanh,
      detail::fixed<detail::rounded(Mode, default_subnormals_rounding_mode())>,
      x);
}

} // namespace cuda::tiles::inline __1
