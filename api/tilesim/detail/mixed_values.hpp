// Numbers of which some are static and some given at run time: what extents, strides and offsets
// hold.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/constants.hpp>

#include <cstddef>
#include <type_traits>

namespace cuda::tiles::inline __1::detail {

template <class T, class I>
concept index_argument = ::std::is_convertible_v<T, I>;

/// An index type: integral, neither bool nor cv.
template <class T>
concept index_number = integral<T> && !::std::is_same_v<::std::remove_cv_t<T>, bool> &&
                       ::std::is_same_v<T, ::std::remove_cv_t<T>>;

/// The static value that an argument of a deduction gives: a constant's own (converted, so that -1
/// is dynamic_extent), for anything else the one that stands for a dynamic value.
template <class T, class Static, Static Dynamic>
inline constexpr Static static_value = Dynamic;
template <auto V, class Static, Static Dynamic>
inline constexpr Static
    static_value<integral_constant<V>, Static, Dynamic> = static_cast<Static>(V);

// The storage of run-time values; empty when there are none.
template <class I, ::std::size_t N>
struct dynamic_values {
  I values[N]{};
  constexpr I get(::std::size_t i) const noexcept { return values[i]; }
  constexpr void set(::std::size_t i, I v) noexcept { values[i] = v; }
};
template <class I>
struct dynamic_values<I, 0> {
  constexpr I get(::std::size_t) const noexcept { return I{}; }
  constexpr void set(::std::size_t, I) noexcept {}
};

/// Selects the constructor that takes values.
struct given_values {};

/// Values of type I, of which Values says the static ones; where it says Dynamic, one is stored.
template <class I, class Static, Static Dynamic, Static... Values>
struct mixed_values {
  static constexpr ::std::size_t rank = sizeof...(Values);
  static constexpr ::std::size_t rank_dynamic = (::std::size_t{0} + ... + (Values == Dynamic ? 1 : 0));
  static constexpr Static static_values[rank + 1] = {Values..., 0};

  constexpr mixed_values() noexcept = default;

  /// From one value per dynamic position, or one per position.
  template <class... T>
  constexpr explicit mixed_values(given_values, T... values) noexcept
      : stored{} {
    const I given[] = {values...};
    ::std::size_t next = 0;
    for (::std::size_t i = 0; i < rank; ++i) {
      if (static_values[i] == Dynamic) {
        stored.set(next, given[sizeof...(T) == rank_dynamic ? next : i]);
        ++next;
      }
    }
  }

  constexpr I get(::std::size_t i) const noexcept {
    if (static_values[i] != Dynamic) {
      return static_cast<I>(static_values[i]);
    }
    ::std::size_t position = 0;
    for (::std::size_t k = 0; k < i; ++k) {
      position += static_values[k] == Dynamic ? 1 : 0;
    }
    return stored.get(position);
  }

  [[no_unique_address]] dynamic_values<I, rank_dynamic> stored;
};

} // namespace cuda::tiles::inline __1::detail
