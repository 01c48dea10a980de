// What arithmetic.hpp asks of its operands, and how each kind of operation reaches the machine.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/lower.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/tile.hpp>
#include <tilesim/tile_ops.hpp>

namespace cuda::tiles::inline __1::detail {

// Operands as a function by value would see them.
template <class R, class L>
concept arithmetic_with = arithmetic_tile_convertible<plain<L>, plain<R>>;
template <class R, class L>
concept integral_with = integral_tile<plain<L>> && integral_tile<plain<R>> &&
    arithmetic_tile_convertible<plain<L>, plain<R>>;
template <class R, class L>
concept comparable_with = arithmetic_tile_comparable<plain<L>, plain<R>>;
template <class R, class L>
concept shift_count_for =
    integral_tile<plain<L>> && integral_tile<plain<R>> && broadcast_compatible<plain<L>, plain<R>>;
template <class R, class L>
concept logical_with = broadcast_compatible<plain<L>, plain<R>>;

template <class L, class R>
using arithmetic_result = arithmetic_tile_conversion_t<plain<L>, plain<R>>;
template <class L, class R>
using comparison_result = mutual_broadcast_t<plain<L>, plain<R>, bool>;

// Modes that are no enumerators never come here: their constants do not exist.

/// Only float flushes subnormals.
template <class T>
constexpr bool takes(subnormals_rounding_mode s) noexcept {
  return !is_flushing(s) || ::std::is_same_v<element_of<T>, float>;
}
/// Rounding is precise.
template <class T>
constexpr bool takes(rounding_mode m, subnormals_rounding_mode s) noexcept {
  return basic_floating_point_tile<T> && is_precise(m) && takes<T>(s);
}
/// Division of float has two approximate forms besides.
template <class T>
constexpr bool divides_by(rounding_mode m, subnormals_rounding_mode s) noexcept {
  return basic_floating_point_tile<T> && takes<T>(s) &&
         (is_precise(m) || ::std::is_same_v<element_of<T>, float>);
}
template <class T>
constexpr bool takes_nan(subnormals_rounding_mode s) noexcept {
  return basic_floating_point_tile<T> && takes<T>(s);
}

template <class R, class L, rounding_mode M, subnormals_rounding_mode S>
concept rounded_with = arithmetic_with<R, L> && takes<arithmetic_result<L, R>>(M, S);
template <class R, class L, rounding_mode M, subnormals_rounding_mode S>
concept divisor_of = arithmetic_with<R, L> && divides_by<arithmetic_result<L, R>>(M, S);
template <class R, class L, subnormals_rounding_mode S>
concept ranked_with = arithmetic_with<R, L> && takes_nan<arithmetic_result<L, R>>(S);

constexpr machine::attributes rounded(rounding_mode m, subnormals_rounding_mode s) noexcept {
  machine::attributes a;
  a.round = static_cast<machine::rounding>(m); // the enumerations agree, value by value
  a.flush_to_zero = is_flushing(s);
  return a;
}
constexpr machine::attributes ranked(nan_propagation_mode n, subnormals_rounding_mode s) noexcept {
  machine::attributes a;
  a.propagate_nan = is_propagating(n);
  a.flush_to_zero = is_flushing(s);
  return a;
}
static_assert(static_cast<int>(machine::rounding::approx) ==
                  static_cast<int>(rounding_mode::round_approximate) &&
              static_cast<int>(machine::rounding::positive_inf) ==
                  static_cast<int>(rounding_mode::round_toward_positive) &&
              static_cast<int>(machine::rounding::negative_inf) ==
                  static_cast<int>(rounding_mode::round_toward_negative) &&
              static_cast<int>(machine::rounding::full) ==
                  static_cast<int>(rounding_mode::round_full));

// Functions that are no operators, as messages name them.
inline constexpr char add_word[] = "add";
inline constexpr char sub_word[] = "sub";
inline constexpr char mul_word[] = "mul";
inline constexpr char div_word[] = "div";
inline constexpr char ceildiv_word[] = "ceildiv";
inline constexpr char floordiv_word[] = "floordiv";
inline constexpr char remainder_word[] = "remainder";

/// One of two opcodes, by the class of the common element type. `Spelling`: the C++ function, where
/// it was no operator.
template <const char* Spelling = nullptr, class L, class R>
TILESIM_API arithmetic_result<L, R>
arithmetic(opcode integer, opcode floating, const L& lhs, const R& rhs) noexcept {
  using T = arithmetic_result<L, R>;
  using C = element_of<T>;
  if constexpr (integral_tile<T>) {
    static constexpr machine::attributes modes = [] {
      machine::attributes m = integer_modes(scalar_of<C>);
      m.written.spelling = Spelling;
      return m;
    }();
    return binary<T, C>(integer, modes, lhs, rhs);
  } else {
    return binary<T, C>(floating, no_modes, lhs, rhs);
  }
}

/// An integer operation without a condition on overflow, read by the signedness of the common type.
template <const char* Spelling = nullptr,
          machine::rounding Round = machine::rounding::zero,
          class L,
          class R>
TILESIM_API arithmetic_result<L, R> integer(opcode op, const L& lhs, const R& rhs) noexcept {
  using T = arithmetic_result<L, R>;
  using C = element_of<T>;
  static constexpr machine::attributes modes = [] {
    machine::attributes m = signed_as(scalar_of<C>);
    m.round = Round;
    m.written.spelling = Spelling;
    return m;
  }();
  return binary<T, C>(op, modes, lhs, rhs);
}

/// A floating-point operation with modes.
template <class L, class R>
TILESIM_API arithmetic_result<L, R>
modal(opcode op, const machine::attributes& modes, const L& lhs, const R& rhs) noexcept {
  using T = arithmetic_result<L, R>;
  return binary<T, element_of<T>>(op, modes, lhs, rhs);
}

/// Only != holds for a NaN.
constexpr machine::ordering ordering_of(machine::predicate p) noexcept {
  switch (p) {
  case machine::predicate::not_equal:
    return machine::ordering::unordered;
  default:
    return machine::ordering::ordered;
  }
}

/// A NaN compares unequal to everything and is in no other relation.
template <machine::predicate Predicate, class L, class R>
TILESIM_API comparison_result<L, R> compare(const L& lhs, const R& rhs) noexcept {
  using C = scalar_at_t<comparison_id<plain<L>, plain<R>>>;
  constexpr bool floating = tilesim::is_floating(scalar_of<C>.kind);
  static constexpr machine::attributes modes =
      compared(Predicate, ordering_of(Predicate), scalar_of<C>);
  return binary<comparison_result<L, R>, C>(floating ? opcode::cmpf : opcode::cmpi, modes, lhs, rhs);
}

/// A shift count as an element of the shifted type. Counts of a wider type are first cut to what
/// that type can hold, so that a count out of range stays out of range.
template <class C, class R>
TILESIM_API decltype(auto) shift_count(const R& count) noexcept {
  constexpr const scalar_facts& from = facts_of<plain<R>>;
  constexpr const scalar_facts& to = scalar_of<C>;
  if constexpr (bitwidth(from) <= bitwidth(to)) {
    return converted<C>(count);
  } else {
    constexpr ::std::uint64_t largest = (::std::uint64_t{1} << bitwidth(to)) - 1;
    using Wide = plain<R>;
    const auto& c = held(count);
    const Wide cut = perform<Wide>(
        opcode::mini,
        fixed<signed_as(scalar_facts{})>,
        source(c),
        constant<element_of<Wide>, largest>());
    using N = with_element<Wide, C>;
    return perform<N>(opcode::trunci, no_modes, source(cut));
  }
}

template <class L, class R>
TILESIM_API mutual_broadcast_t<plain<L>, plain<R>, tile_element_t<plain<L>>>
shift(opcode op, const L& lhs, const R& rhs) noexcept {
  using C = tile_element_t<plain<L>>;
  using T = mutual_broadcast_t<plain<L>, plain<R>, C>;
  const auto& value = held(lhs);
  const auto& places = held(rhs);
  const auto& count = shift_count<C>(places);
  return binary_of_written<T, C>(
      op, fixed<signed_as(scalar_of<C>)>, value, count, source(value), source(places));
}

} // namespace cuda::tiles::inline __1::detail
