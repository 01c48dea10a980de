// Assumptions: what a program promises of a value. Each returns its argument unchanged; a promise
// that is broken is undefined, and here a finding.  [assumptions]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/constants.hpp>
#include <tilesim/detail/lower.hpp>
#include <tilesim/tile.hpp>

#include <utility>

namespace cuda::tiles::inline __1 {
namespace detail {

template <auto N>
inline constexpr bool is_power_of_two = N > decltype(N){0} && (N & (N - 1)) == 0;

/// True if V is a value of the integral type with facts s and of its signed sibling: bounds are
/// signed numbers.
template <auto V>
constexpr bool fits(const scalar_facts& s) noexcept {
  constexpr bool negative = V < decltype(V){0};
  const unsigned long long largest = ~0ULL >> (65 - bitwidth(s));
  if constexpr (negative) {
    return s.is_signed && static_cast<long long>(V) >= -1 - static_cast<long long>(largest);
  } else {
    return static_cast<unsigned long long>(V) <= largest;
  }
}

template <auto L, auto U>
constexpr bool is_ordered() noexcept {
  if constexpr ((L < decltype(L){0}) != (U < decltype(U){0})) {
    return L < decltype(L){0};
  } else if constexpr (L < decltype(L){0}) {
    return static_cast<long long>(L) <= static_cast<long long>(U);
  } else {
    return static_cast<unsigned long long>(L) <= static_cast<unsigned long long>(U);
  }
}

/// Dimension of T and a positive group length.
template <class T, auto Stride, auto Dim>
inline constexpr bool is_group = Stride > decltype(Stride){0} && Dim >= decltype(Dim){0} &&
                                 static_cast<::std::size_t>(Dim) < shape_of<T>::rank();

template <class S, class T>
constexpr bool is_grouping() noexcept {
  if constexpr (!shape_like<S> || !(integral_tile<T> || pointer_tile<T>)) {
    return false;
  } else {
    constexpr const auto& d = dimensions_of<::std::remove_cv_t<S>>;
    if (d.rank != shape_of<T>::rank()) {
      return false;
    }
    for (::std::size_t i = 0; i < d.rank; ++i) {
      if (d.value[i] == 0) {
        return false;
      }
    }
    return true;
  }
}

template <class A, auto N>
concept alignable_by = pointer_operand<A> && is_power_of_two<N>;
template <class A, auto N, auto Stride, auto Dim>
concept alignable_along = alignable_by<A, N> && is_group<plain<A>, Stride, Dim>;

/// Integral, but not bool.
template <class A>
concept integer_operand = integral_operand<A> && !::std::is_same_v<element_of<plain<A>>, bool>;

template <class A, auto N>
concept divisible_by = integral_operand<A> && is_power_of_two<N>;
template <class A, auto N, auto Stride, auto Dim>
concept divisible_along = integer_operand<A> && facts_of<plain<A>>.is_signed &&
    is_power_of_two<N> && is_group<plain<A>, Stride, Dim>;

template <class A, auto Upper>
concept boundable_by = integer_operand<A> && fits<Upper>(facts_of<plain<A>>);
template <class A, auto Lower>
concept boundable_below_by = boundable_by<A, Lower> && facts_of<plain<A>>
.is_signed;
template <class A, auto Lower, auto Upper>
concept boundable_between = boundable_by<A, Lower> && boundable_by<A, Upper> &&
    is_ordered<Lower, Upper>();

template <class A, class Shape>
concept groupable_by = is_grouping<Shape, plain<A>>();

template <class A>
TILESIM_API plain<A> assumed(machine::assumption::kind what,
                             const char* spelling,
                             const ::std::int64_t* params,
                             unsigned count,
                             const A& x) noexcept {
  const plain<A> value = held(x);
  machine::assume({what, params, count, spelling}, source(value));
  return value;
}

/// x, promised to be divisible by N: each element, or the first of every `Every` along `Along`.
template <auto N, auto Every, auto Along, class A>
TILESIM_API plain<A> assumed_divisible(const char* spelling, const A& x) noexcept {
  const ::std::int64_t params[] = {static_cast<::std::int64_t>(N),
                                 static_cast<::std::int64_t>(Every),
                                 static_cast<::std::int64_t>(Along)};
  return assumed(machine::assumption::kind::div_by, spelling, params, 3, x);
}

template <class A>
TILESIM_API plain<A> assumed_bounded(const char* spelling,
                                     ::std::int64_t lower,
                                     ::std::int64_t upper,
                                     bool has_lower,
                                     bool has_upper,
                                     const A& x) noexcept {
  const ::std::int64_t params[] = {lower, upper, has_lower, has_upper};
  return assumed(machine::assumption::kind::bounded, spelling, params, 4, x);
}

} // namespace detail

/// Promises that every pointer is a multiple of N bytes; N is a power of two.
/// [assumptions: assume_aligned]
template <integral auto N, detail::alignable_by<N> A>
[[nodiscard]] TILESIM_API detail::plain<A> assume_aligned(A&& x,
                                                          integral_constant<N> = {}) noexcept {
  return detail::assumed_divisible<N, 0, 0>("assume_aligned", detail::held(x));
}

/// Promises it of the first of every Stride pointers along Dim, and that the others follow it.
/// [assumptions: assume_aligned_strided]
template <integral auto N,
          integral auto Stride,
          integral auto Dim,
          detail::alignable_along<N, Stride, Dim> A>
[[nodiscard]] TILESIM_API detail::plain<A>
assume_aligned_strided(A&& x,
                       integral_constant<N> = {},
                       integral_constant<Stride> = {},
                       integral_constant<Dim> = {}) noexcept {
  return detail::assumed_divisible<N, Stride, Dim>("assume_aligned_strided", detail::held(x));
}

/// Promises that every integer is a multiple of N; N is a power of two.
/// [assumptions: assume_divisible]
template <integral auto N, detail::divisible_by<N> A>
[[nodiscard]] TILESIM_API detail::plain<A> assume_divisible(const A& x,
                                                            integral_constant<N> = {}) noexcept {
  return detail::assumed_divisible<N, 0, 0>("assume_divisible", x);
}

/// Promises it of the first of every Stride integers along Dim, and that the others count up from
/// it. Signed elements.  [assumptions: assume_divisible_strided]
template <integral auto N,
          integral auto Stride,
          integral auto Dim,
          detail::divisible_along<N, Stride, Dim> A>
[[nodiscard]] TILESIM_API detail::plain<A>
assume_divisible_strided(const A& x,
                         integral_constant<N> = {},
                         integral_constant<Stride> = {},
                         integral_constant<Dim> = {}) noexcept {
  return detail::assumed_divisible<N, Stride, Dim>("assume_divisible_strided", x);
}

/// Promises that every element is at least Lower. Signed elements.
/// [assumptions: assume_bounded_below]
template <integral auto Lower, detail::boundable_below_by<Lower> A>
[[nodiscard]] TILESIM_API detail::plain<A>
assume_bounded_below(const A& x, integral_constant<Lower> = {}) noexcept {
  return detail::assumed_bounded(
      "assume_bounded_below", static_cast<::std::int64_t>(Lower), 0, true, false, x);
}

/// Promises that every element is at most Upper.  [assumptions: assume_bounded_above]
template <integral auto Upper, detail::boundable_by<Upper> A>
[[nodiscard]] TILESIM_API detail::plain<A>
assume_bounded_above(const A& x, integral_constant<Upper> = {}) noexcept {
  return detail::assumed_bounded(
      "assume_bounded_above", 0, static_cast<::std::int64_t>(Upper), false, true, x);
}

/// Promises that every element lies between the bounds, both included.
/// [assumptions: assume_bounded]
template <integral auto Lower, integral auto Upper, detail::boundable_between<Lower, Upper> A>
[[nodiscard]] TILESIM_API detail::plain<A>
assume_bounded(const A& x, integral_constant<Lower> = {}, integral_constant<Upper> = {}) noexcept {
  return detail::assumed_bounded("assume_bounded",
                                 static_cast<::std::int64_t>(Lower),
                                 static_cast<::std::int64_t>(Upper),
                                 true,
                                 true,
                                 x);
}

namespace detail {
template <class S, class = ::std::make_index_sequence<S::rank()>>
struct group_lengths;
template <class S, ::std::size_t... Nth>
struct group_lengths<S, ::std::index_sequence<Nth...>> {
  static constexpr ::std::int64_t values[sizeof...(Nth) + 1] = {
      static_cast<::std::int64_t>(dimensions_of<S>.value[Nth])..., 0};
};
} // namespace detail

/// Promises that the elements within each group of the given shape are equal.
/// [assumptions: assume_blocked]
template <shape_like Shape, detail::groupable_by<Shape> A>
[[nodiscard]] TILESIM_API detail::plain<A> assume_blocked(A&& x, Shape = {}) noexcept {
  using S = ::std::remove_cv_t<Shape>;
  return detail::assumed(detail::machine::assumption::kind::same_elements,
                         "assume_blocked",
                         detail::group_lengths<S>::values,
                         static_cast<unsigned>(S::rank()),
                         detail::held(x));
}

} // namespace cuda::tiles::inline __1
