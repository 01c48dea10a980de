// Integer ranges: `for (auto i : irange(lower, upper, step))`.
//
// [integer range]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/lower.hpp>

#include <limits>

namespace cuda::tiles::inline __1 {
namespace detail {

/// The step, which must be positive; another is reported, and the range then ends after one value.
template <class T>
TILESIM_API constexpr T positive_step(T step) noexcept {
  if (step > T{}) {
    return step;
  }
  if (!::std::is_constant_evaluated()) {
    const ::std::int64_t params[] = {1, 0, 1, 0};
    machine::assume(
        {machine::assumption::kind::bounded, params, 4, "irange's promise of a positive step"},
        source(step));
  }
  return ::std::numeric_limits<T>::max();
}

} // namespace detail

/// Steps through a range; compares with the upper bound itself.
template <integral T>
struct irange_iterator {
  using value_type = T;
  using difference_type = ::std::ptrdiff_t;

  constexpr T operator*() const noexcept { return __value; }
  constexpr irange_iterator& operator++() noexcept {
    // Stops at the bound where one more step would leave the type.
    __value = static_cast<unsigned long long>(__upper) - static_cast<unsigned long long>(__value) >
                      static_cast<unsigned long long>(__step)
                  ? static_cast<T>(__value + __step)
                  : __upper;
    return *this;
  }
  constexpr irange_iterator operator++(int) noexcept {
    const irange_iterator before = *this;
    ++*this;
    return before;
  }
  friend constexpr bool operator==(const irange_iterator& i, const T& upper) noexcept {
    return !(i.__value < upper);
  }
  friend constexpr bool operator==(const irange_iterator& a, const irange_iterator& b) noexcept {
    return a.__value == b.__value;
  }

  T __value;
  T __upper;
  T __step;
};

/// lower, lower + step, … below upper. A step that is not positive is undefined.
template <integral T>
struct irange {
  static_assert(::std::is_same_v<T, ::std::remove_cv_t<T>>, "the type of a range has no cv");

  using iterator = irange_iterator<T>;
  using const_iterator = iterator;

  constexpr irange(T lower, T upper) noexcept
      : __lower(lower)
      , __upper(upper)
      , __step(1) {}
  TILESIM_API constexpr irange(T lower, T upper, T step) noexcept
      : __lower(lower)
      , __upper(upper)
      , __step(detail::positive_step(step)) {}

  constexpr iterator begin() const noexcept { return {__lower, __upper, __step}; }
  constexpr T end() const noexcept { return __upper; }
  constexpr bool empty() const noexcept { return !(__lower < __upper); }
  /// How many values there are.
  constexpr T size() const noexcept {
    if (empty()) {
      return T{};
    }
    const auto distance =
        static_cast<unsigned long long>(__upper) - static_cast<unsigned long long>(__lower);
    const auto step = static_cast<unsigned long long>(__step);
    return static_cast<T>(distance / step + (distance % step != 0 ? 1 : 0));
  }

private:
  T __lower;
  T __upper;
  T __step;
};

namespace detail {
template <class U, class L>
concept bounds_with = integral<L> && integral<U> && arithmetic_tile_convertible<L, U>;
template <class L, bounds_with<L> U>
using range_type = arithmetic_tile_conversion_t<L, U>;
} // namespace detail

/// The type of a range is the arithmetic tile conversion of its bounds and step.
template <class L, class U>
irange(L, U) -> irange<detail::range_type<L, U>>;
template <class L, class U, class S>
irange(L, U, S) -> irange<detail::range_type<detail::range_type<L, U>, S>>;

} // namespace cuda::tiles::inline __1
