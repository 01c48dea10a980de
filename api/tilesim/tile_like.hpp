// Tile likes: tiles and scalars, seen alike as an element type with a shape.
//
// [general principles: tile like]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/extents.hpp>
#include <tilesim/scalar.hpp>

namespace cuda::tiles::inline __1 {

template <scalar E, tile_shape S>
struct tile;

namespace detail {

template <class T>
inline constexpr bool is_tile = false;
template <class E, class S>
inline constexpr bool is_tile<tile<E, S>> = true;

// Element and shape of a tile like; a scalar has rank 0.
template <class T>
struct parts_of {
  using element = T;
  using shape = ::cuda::tiles::shape<>;
};
template <class E, class S>
struct parts_of<tile<E, S>> {
  using element = E;
  using shape = S;
};
template <class T>
struct parts_of<const T> : parts_of<T> {};
template <class T>
struct parts_of<volatile T> : parts_of<T> {};
template <class T>
struct parts_of<const volatile T> : parts_of<T> {};

template <class T>
using element_of = typename parts_of<T>::element;
template <class T>
using shape_of = typename parts_of<T>::shape;

/// The facts of the element type; of kind none for what is no tile like.
template <class T>
inline constexpr const scalar_facts& facts_of = scalar_of<element_of<T>>;

template <class T>
inline constexpr bool is_scalar = !is_tile<::std::remove_cv_t<T>>;

template <bool Scalar, class E, class S>
struct make_tile_like {
  using type = tile<E, S>;
};
template <class E, class S>
struct make_tile_like<true, E, S> {
  using type = E;
};

} // namespace detail

/// A scalar or a tile, possibly cv.  [general principles: tile like]
template <class T>
concept tile_like = tilesim::is_scalar(detail::facts_of<T>.kind);

// Tile likes by the class of their element.  [general principles: tile like]
template <class T>
concept integral_tile = tilesim::is_integral(detail::facts_of<T>.kind);
template <class T>
concept basic_floating_point_tile = tilesim::is_basic(detail::facts_of<T>.kind);
template <class T>
concept restricted_floating_point_tile = tilesim::is_restricted(detail::facts_of<T>.kind);
template <class T>
concept floating_point_tile = tilesim::is_floating(detail::facts_of<T>.kind);
template <class T>
concept arithmetic_tile = tilesim::is_arithmetic(detail::facts_of<T>.kind);
template <class T>
concept numeric_tile = tilesim::is_numeric(detail::facts_of<T>.kind);
template <class T>
concept pointer_tile = tilesim::is_pointer(detail::facts_of<T>.kind);

/// The element type of a tile like, without cv.
template <tile_like T>
using tile_element_t = detail::element_of<T>;

/// The shape of a tile like; `shape<>` for a scalar.
template <tile_like T>
using tile_shape_t = detail::shape_of<T>;

/// T with the element type E: a scalar stays a scalar, a tile keeps its shape.
template <tile_like T, scalar E>
using tile_with_element_t = typename detail::
    make_tile_like<detail::is_scalar<T>, ::std::remove_cv_t<E>, detail::shape_of<T>>::type;

/// The number of elements of a tile like.
template <tile_like T>
inline constexpr ::std::size_t tile_size_v = detail::size_of_shape<detail::shape_of<T>>;

/// The number of dimensions of a tile like.
template <tile_like T>
inline constexpr ::std::size_t tile_rank_v = detail::shape_of<T>::rank();

} // namespace cuda::tiles::inline __1
