// Reductions and scans: the elements along one dimension, combined.
//
// A reduction keeps the dimension with length 1, a scan keeps the shape. The reference leaves open
// in which order and grouping elements are combined; docs/order.md says what tilesim does. Where
// any order would overflow a signed type, the whole operation is undefined.  [reductions and scans]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/constants.hpp>
#include <tilesim/detail/arithmetic_rules.hpp>
#include <tilesim/detail/lower.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/tile.hpp>

#include <utility>

namespace cuda::tiles::inline __1 {

namespace detail {

/// True for a number of a dimension of T; no scalar and no tile of rank 0 has one.
template <class T, auto D>
constexpr bool has_dimension() noexcept {
  if constexpr (!is_tile<::std::remove_cv_t<T>>) {
    return false;
  } else {
    return D >= decltype(D){0} && static_cast<::std::size_t>(D) < shape_of<T>::rank();
  }
}

template <class S, ::std::size_t D, class = ::std::make_index_sequence<S::rank()>>
struct flattened;
template <class S, ::std::size_t D, ::std::size_t... Nth>
struct flattened<S, D, ::std::index_sequence<Nth...>> {
  using type = ::cuda::tiles::shape<(Nth == D ? 1 : S::static_extent(Nth))...>;
};

} // namespace detail

/// T with length 1 along dimension D.  [reductions and scans]
template <class T, integral auto D>
requires(detail::has_dimension<T, D>()) using reduction_result_t =
    tile<detail::element_of<T>,
         typename detail::flattened<detail::shape_of<T>, ::std::size_t(D)>::type>;

namespace detail {

template <class A, auto D>
concept reducible = has_dimension<plain<A>, D>();
template <class A, auto D>
concept arithmetic_along = reducible<A, D> && arithmetic_tile<plain<A>>;
template <class A, auto D>
concept integral_along = reducible<A, D> && integral_tile<plain<A>>;
template <class A, auto D, rounding_mode M, subnormals_rounding_mode S>
concept rounded_along = reducible<A, D> && takes<plain<A>>(M, S);
template <class A, auto D, subnormals_rounding_mode S>
concept ranked_along = reducible<A, D> && takes_nan<plain<A>>(S);

/// One of two bodies, by the class of the element type. `spelling`: the C++ function.
template <class T>
constexpr machine::combination
combination_of(opcode integer, opcode floating, const char* spelling) noexcept {
  if constexpr (integral_tile<T>) {
    machine::combination c{integer, integer_modes(facts_of<T>)};
    c.modes.written.spelling = spelling;
    return c;
  } else {
    return {floating, {}};
  }
}

template <auto D, class T>
TILESIM_API reduction_result_t<T, D> reduced(const machine::combination& how, const T& x) noexcept {
  reduction_result_t<T, D> result;
  machine::reduce(how, target(result), source(x), static_cast<unsigned>(D));
  return result;
}

template <auto D, class T>
TILESIM_API tile_with_element_t<reduction_result_t<T, D>, ::std::uint32_t>
index_of(const machine::combination& how, const T& x) noexcept {
  tile_with_element_t<reduction_result_t<T, D>, ::std::uint32_t> result;
  machine::reduce_index(how, target(result), source(x), static_cast<unsigned>(D));
  return result;
}

template <auto D, scan_direction Direction, class T>
TILESIM_API T scanned(const machine::combination& how, const T& x) noexcept {
  T result;
  machine::scan(how, is_backward(Direction), target(result), source(x), static_cast<unsigned>(D));
  return result;
}

} // namespace detail

// ---------------------------------------------------------------------------------- reductions

/// The sum of the elements along dimension D. Unsigned sums wrap; a signed one of which some
/// partial sum is not representable is undefined.  [reductions and scans: sum]
template <integral auto D, detail::arithmetic_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D> sum(const A& x,
                                                        integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::addi, detail::opcode::addf, "sum");
  return detail::reduced<D, T>(how, x);
}
/// With a precise rounding mode and, for float, a subnormals mode, for each addition.
template <integral auto D,
          rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::rounded_along<D, Mode, SubMode> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
sum(const A& x,
    integral_constant<D>,
    rounding_mode_constant<Mode>,
    subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::reduced<D, detail::plain<A>>(
      detail::fixed<detail::machine::combination{
          detail::opcode::addf, detail::rounded(Mode, SubMode)}>,
      x);
}

/// The product of the elements along dimension D. Unsigned products wrap; a signed one of which
/// some partial product is not representable is undefined.  [reductions and scans: prod]
template <integral auto D, detail::arithmetic_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D> prod(const A& x,
                                                         integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::muli, detail::opcode::mulf, "prod");
  return detail::reduced<D, T>(how, x);
}
/// With a precise rounding mode and, for float, a subnormals mode, for each multiplication.
template <integral auto D,
          rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::rounded_along<D, Mode, SubMode> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
prod(const A& x,
     integral_constant<D>,
     rounding_mode_constant<Mode>,
     subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::reduced<D, detail::plain<A>>(
      detail::fixed<detail::machine::combination{
          detail::opcode::mulf, detail::rounded(Mode, SubMode)}>,
      x);
}

/// The largest element along dimension D, of floating-point elements as max() has it: NaN loses.
/// [reductions and scans: reduce_max]
template <integral auto D, detail::arithmetic_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D> reduce_max(const A& x,
                                                               integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::maxi, detail::opcode::maxf, "reduce_max");
  return detail::reduced<D, T>(how, x);
}
/// With a choice whether NaN wins and, for float, a subnormals mode.
template <integral auto D,
          nan_propagation_mode NanMode = default_nan_propagation_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::ranked_along<D, SubMode> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
reduce_max(const A& x,
           integral_constant<D>,
           nan_propagation_mode_constant<NanMode>,
           subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::reduced<D, detail::plain<A>>(
      detail::fixed<detail::machine::combination{
          detail::opcode::maxf, detail::ranked(NanMode, SubMode)}>,
      x);
}

/// The smallest element along dimension D, of floating-point elements as min() has it: NaN loses.
/// [reductions and scans: reduce_min]
template <integral auto D, detail::arithmetic_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D> reduce_min(const A& x,
                                                               integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::mini, detail::opcode::minf, "reduce_min");
  return detail::reduced<D, T>(how, x);
}
/// With a choice whether NaN wins and, for float, a subnormals mode.
template <integral auto D,
          nan_propagation_mode NanMode = default_nan_propagation_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          detail::ranked_along<D, SubMode> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
reduce_min(const A& x,
           integral_constant<D>,
           nan_propagation_mode_constant<NanMode>,
           subnormals_rounding_mode_constant<SubMode> = {}) noexcept {
  return detail::reduced<D, detail::plain<A>>(
      detail::fixed<detail::machine::combination{
          detail::opcode::minf, detail::ranked(NanMode, SubMode)}>,
      x);
}

/// Bitwise and, or, exclusive or of the elements along dimension D.
/// [reductions and scans: reduce_bitand, reduce_bitor, reduce_bitxor]
template <integral auto D, detail::integral_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
reduce_bitand(const A& x, integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  return detail::reduced<D, T>(
      detail::fixed<detail::machine::combination{
          detail::opcode::andi, detail::signed_as(detail::facts_of<T>)}>,
      x);
}
template <integral auto D, detail::integral_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
reduce_bitor(const A& x, integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  return detail::reduced<D, T>(
      detail::fixed<detail::machine::combination{
          detail::opcode::ori, detail::signed_as(detail::facts_of<T>)}>,
      x);
}
template <integral auto D, detail::integral_along<D> A>
TILESIM_API reduction_result_t<detail::plain<A>, D>
reduce_bitxor(const A& x, integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  return detail::reduced<D, T>(
      detail::fixed<detail::machine::combination{
          detail::opcode::xori, detail::signed_as(detail::facts_of<T>)}>,
      x);
}

/// Whether all, or any, of the elements along dimension D are true. x undergoes bool tile
/// conversion.  [reductions and scans: all_of, any_of]
template <integral auto D, detail::reducible<D> A>
TILESIM_API tile_with_element_t<reduction_result_t<detail::plain<A>, D>, bool>
all_of(const A& x, integral_constant<D> = {}) noexcept {
  using B = tile_with_element_t<detail::plain<A>, bool>;
  const auto& bits = detail::converted<bool>(x);
  return detail::reduced<D, B>(
      detail::fixed<detail::machine::combination{
          detail::opcode::andi, detail::signed_as(detail::facts_of<B>)}>,
                               bits);
}
template <integral auto D, detail::reducible<D> A>
TILESIM_API tile_with_element_t<reduction_result_t<detail::plain<A>, D>, bool>
any_of(const A& x, integral_constant<D> = {}) noexcept {
  using B = tile_with_element_t<detail::plain<A>, bool>;
  const auto& bits = detail::converted<bool>(x);
  return detail::reduced<D, B>(
      detail::fixed<detail::machine::combination{
          detail::opcode::ori, detail::signed_as(detail::facts_of<B>)}>,
      bits);
}

/// The index along dimension D of the largest, or the smallest, element: the first of equal ones.
/// [reductions and scans: max_element, min_element]
template <integral auto D, detail::arithmetic_along<D> A>
TILESIM_API tile_with_element_t<reduction_result_t<detail::plain<A>, D>, ::std::uint32_t>
max_element(const A& x, integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::maxi, detail::opcode::maxf, "max_element");
  return detail::index_of<D, T>(how, x);
}
template <integral auto D, detail::arithmetic_along<D> A>
TILESIM_API tile_with_element_t<reduction_result_t<detail::plain<A>, D>, ::std::uint32_t>
min_element(const A& x, integral_constant<D> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::mini, detail::opcode::minf, "min_element");
  return detail::index_of<D, T>(how, x);
}

// --------------------------------------------------------------------------------------- scans

/// Element k along dimension D is the sum of elements 0 to k; backward, of the last down to k.
/// Overflow is as in sum().  [reductions and scans: partial_sum]
template <integral auto D,
          scan_direction Direction = scan_direction::forward,
          detail::arithmetic_along<D> A>
TILESIM_API detail::plain<A> partial_sum(const A& x,
                                         integral_constant<D> = {},
                                         scan_direction_constant<Direction> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::addi, detail::opcode::addf, "partial_sum");
  return detail::scanned<D, Direction, T>(how, x);
}
/// With a precise rounding mode and, for float, a subnormals mode, for each addition.
template <integral auto D,
          rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          scan_direction Direction = scan_direction::forward,
          detail::rounded_along<D, Mode, SubMode> A>
TILESIM_API detail::plain<A> partial_sum(const A& x,
                                         integral_constant<D>,
                                         rounding_mode_constant<Mode>,
                                         subnormals_rounding_mode_constant<SubMode> = {},
                                         scan_direction_constant<Direction> = {}) noexcept {
  return detail::scanned<D, Direction, detail::plain<A>>(
      detail::fixed<detail::machine::combination{
          detail::opcode::addf, detail::rounded(Mode, SubMode)}>,
      x);
}

/// Element k along dimension D is the product of elements 0 to k; backward, of the last down to k.
/// Overflow is as in prod().  [reductions and scans: partial_prod]
template <integral auto D,
          scan_direction Direction = scan_direction::forward,
          detail::arithmetic_along<D> A>
TILESIM_API detail::plain<A> partial_prod(const A& x,
                                          integral_constant<D> = {},
                                          scan_direction_constant<Direction> = {}) noexcept {
  using T = detail::plain<A>;
  static constexpr auto how =
      detail::combination_of<T>(detail::opcode::muli, detail::opcode::mulf, "partial_prod");
  return detail::scanned<D, Direction, T>(how, x);
}
/// With a precise rounding mode and, for float, a subnormals mode, for each multiplication.
template <integral auto D,
          rounding_mode Mode = default_rounding_mode(),
          subnormals_rounding_mode SubMode = default_subnormals_rounding_mode(),
          scan_direction Direction = scan_direction::forward,
          detail::rounded_along<D, Mode, SubMode> A>
TILESIM_API detail::plain<A> partial_prod(const A& x,
                                          integral_constant<D>,
                                          rounding_mode_constant<Mode>,
                                          subnormals_rounding_mode_constant<SubMode> = {},
                                          scan_direction_constant<Direction> = {}) noexcept {
  return detail::scanned<D, Direction, detail::plain<A>>(
      detail::fixed<detail::machine::combination{
          detail::opcode::mulf, detail::rounded(Mode, SubMode)}>,
      x);
}

} // namespace cuda::tiles::inline __1
