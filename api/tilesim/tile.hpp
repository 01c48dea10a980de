// The class tile: an array of elements with a shape, immutable but as a whole.
//
// A plain object: element size times count, trivially copyable, elements in row-major order. [tile]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/convert.hpp>
#include <tilesim/detail/lower.hpp>

namespace cuda::tiles::inline __1 {

namespace detail {
// Not sizeof: a tile of __half can be named without cuda_fp16.h.
template <class E>
inline constexpr unsigned bytes_of = tilesim::size_of(scalar_of<E>.elem);
} // namespace detail

/// `E` is the element type, `S` the shape: `tile<float, shape<16, 8>>`.
template <scalar E, tile_shape S>
struct tile final {
  static_assert(::std::is_same_v<E, ::std::remove_cv_t<E>>, "the element type of a tile has no cv");
  static_assert(::std::is_same_v<S, ::std::remove_cv_t<S>>, "the shape of a tile has no cv");

  using element_type = E;
  using shape_type = S;

  /// Leaves the elements uninitialised.
  tile() noexcept = default;

  /// Tile conversion from a tile like of the same shape; explicit where it narrows.
  // clang-format off
  template <class From>
    requires(!::std::is_same_v<detail::plain<From>, tile> &&
             tile_convertible_to<detail::plain<From>, tile>)
  TILESIM_API explicit(!non_narrowing_tile_convertible_to<detail::plain<From>, tile>)
  tile(From&& from) noexcept { // clang-format on
    const auto& value = detail::held(from);
    const auto& x = detail::converted<E>(value);
    (__builtin_memcpy)(__data, detail::address(x), sizeof __data);
  }

  /// The only element, converted to any scalar to which it is scalar convertible. As a condition, a
  /// tile of one element is its conversion to bool. Not of a const tile: NVIDIA's compiler says so.
  // clang-format off
  template <scalar To>
    requires(detail::size_of_shape<S> == 1 && scalar_convertible_to<E, To>)
  TILESIM_API explicit operator To() noexcept { // clang-format on
    return detail::converted_to<::std::remove_cv_t<To>>(*this);
  }

  // Public and named as on the reference page, so that a tile is trivially copyable and of standard
  // layout; not for use.
  alignas(detail::bytes_of<E>) unsigned char __data[detail::bytes_of<E> * detail::size_of_shape<S>];
};

/// `tile{x}` of a scalar is a tile of rank 0.
template <scalar T>
tile(T) -> tile<T, shape<>>;

} // namespace cuda::tiles::inline __1
