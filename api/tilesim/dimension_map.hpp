// Dimension maps: how permute and transpose reorder the dimensions of a tile.
//
// [tile operations: permute, transpose]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/constants.hpp>
#include <tilesim/tile_like.hpp>

#include <utility>

namespace cuda::tiles::inline __1 {
namespace detail {

template <::std::size_t... Dims>
constexpr bool is_permutation() noexcept {
  constexpr ::std::size_t n = sizeof...(Dims);
  bool seen[n + 1] = {};
  const ::std::size_t map[n + 1] = {Dims..., 0};
  for (::std::size_t i = 0; i < n; ++i) {
    if (map[i] >= n || seen[map[i]]) {
      return false;
    }
    seen[map[i]] = true;
  }
  return true;
}

} // namespace detail

/// Which source dimension each dimension of a permuted tile is.  [tile operations: permute]
// clang-format off
template <::std::size_t... Dims>
  requires(detail::is_permutation<Dims...>())
struct dimension_map {
  constexpr dimension_map() noexcept = default;
  template <class... T>
    requires(sizeof...(T) != 0)
  constexpr explicit dimension_map(T...) noexcept {}
};

/// From constants that are a permutation; from anything else the empty map, which permute rejects.
template <auto... Dims>
  requires(sizeof...(Dims) != 0 && ((Dims >= 0) && ...) &&
           detail::is_permutation<static_cast<::std::size_t>(Dims)...>())
dimension_map(integral_constant<Dims>...) -> dimension_map<static_cast<::std::size_t>(Dims)...>;
template <class... T>
dimension_map(T...) -> dimension_map<>;
// clang-format on

namespace detail {

template <class T, class Map>
struct permuted;
template <class T, ::std::size_t... Dims>
struct permuted<T, dimension_map<Dims...>> {
  using type = tile<element_of<T>, ::cuda::tiles::shape<shape_of<T>::static_extent(Dims)...>>;
  static constexpr ::std::int64_t params[] = {static_cast<::std::int64_t>(Dims)...};
};
template <class T>
struct permuted<T, dimension_map<>> {
  using type = T;
};

template <class T>
inline constexpr ::std::size_t map_rank = static_cast<::std::size_t>(-1);
template <::std::size_t... Dims>
inline constexpr ::std::size_t map_rank<dimension_map<Dims...>> = sizeof...(Dims);

template <class Map, class T>
concept map_for = tile_like<T> &&(map_rank<::std::remove_cv_t<Map>> == shape_of<T>::rank());

/// The map that swaps the first two of N dimensions.
template <::std::size_t... Nth>
dimension_map<(Nth < 2 ? 1 - Nth : Nth)...> swap_first_two(::std::index_sequence<Nth...>);
template <::std::size_t N>
struct transposition {
  using type = decltype(swap_first_two(::std::make_index_sequence<N>{}));
};

template <class T, bool Swaps = (shape_of<T>::rank() >= 2)>
struct transposed {
  using type = typename permuted<T, typename transposition<shape_of<T>::rank()>::type>::type;
};
template <class T>
struct transposed<T, false> {
  using type = T;
};

} // namespace detail

/// T with its dimensions reordered by Map.
template <tile_like T, detail::map_for<T> Map>
using tile_permutation_t =
    typename detail::permuted<::std::remove_cv_t<T>, ::std::remove_cv_t<Map>>::type;

/// T with its first two dimensions swapped; T itself when it has fewer than two.
template <tile_like T>
using tile_transpose_t = typename detail::transposed<::std::remove_cv_t<T>>::type;

} // namespace cuda::tiles::inline __1
