// Extents and strides: the sizes and steps of an index space, static, dynamic or mixed.
//
// `shape<4, 8>` is the extents of a tile; tensor spans use extents with dynamic entries, and
// strides. Usable on the host as well as in tile code.  [extents and strides]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/mixed_values.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda::tiles::inline __1 {

/// The static value that stands for an extent known only at run time.
enum : ::std::size_t { dynamic_extent = static_cast<::std::size_t>(-1) };

/// The same for a stride.
enum : ::std::size_t { dynamic_stride = static_cast<::std::size_t>(-1) };

namespace detail {

/// The largest tile, in elements: Tile IR's limit.
inline constexpr ::std::size_t max_tile_size = ::std::size_t{1} << 24;

} // namespace detail

/// The sizes of the dimensions of an index space. `Extents` holds each size, or dynamic_extent for
/// a size given to the constructor.
template <integral I, ::std::size_t... Extents>
struct extents {
  static_assert(::std::is_same_v<I, ::std::remove_cv_t<I>>, "the index type of extents has no cv");

  using index_type = I;
  using rank_type = ::std::size_t;

  static constexpr rank_type rank() noexcept { return values::rank; }
  static constexpr rank_type rank_dynamic() noexcept { return values::rank_dynamic; }
  static constexpr ::std::size_t static_extent(rank_type i) noexcept {
    return values::static_values[i];
  }
  constexpr index_type extent(rank_type i) const noexcept { return __values.get(i); }

  constexpr extents() noexcept = default;

  /// One value per extent, some of them static: theirs are ignored.
  // clang-format off
  template <detail::index_argument<I>... T>
    requires(sizeof...(T) != rank_dynamic() && sizeof...(T) == rank())
  constexpr explicit extents(T... given) noexcept // clang-format on
      : __values(detail::given_values{}, static_cast<I>(static_cast<T&&>(given))...) {}

  /// One value per dynamic extent; no constant expression, in NVIDIA's header as here.
  // clang-format off
  template <detail::index_argument<I>... T>
    requires(sizeof...(T) != 0 && sizeof...(T) == rank_dynamic())
  explicit extents(T... given) noexcept // clang-format on
      : __values(detail::given_values{}, static_cast<I>(static_cast<T&&>(given))...) {}

private:
  using values = detail::mixed_values<I, ::std::size_t, dynamic_extent, Extents...>;

public: // a structural type
  [[no_unique_address]] values __values;
};

/// Constants give static extents, everything else dynamic ones; the index type is always uint32_t.
template <class... T>
extents(T...) -> extents<::std::uint32_t, detail::static_value<T, ::std::size_t, dynamic_extent>...>;

/// Extents of a tile: all static, counted in 32 bits.
template <::std::size_t... Extents>
using shape = extents<::std::uint32_t, Extents...>;

/// Distances, in elements, between neighbours along each dimension.
template <integral I, ::std::size_t... Strides>
struct strides {
  static_assert(::std::is_same_v<I, ::std::remove_cv_t<I>>, "the stride type of strides has no cv");

  using stride_type = I;
  using rank_type = ::std::size_t;

  static constexpr rank_type rank() noexcept { return values::rank; }
  static constexpr rank_type rank_dynamic() noexcept { return values::rank_dynamic; }
  static constexpr ::std::size_t static_stride(rank_type i) noexcept {
    return values::static_values[i];
  }
  constexpr stride_type stride(rank_type i) const noexcept { return __values.get(i); }

  constexpr strides() noexcept = default;

  /// One value per stride, some of them static: theirs are ignored.
  // clang-format off
  template <detail::index_argument<I>... T>
    requires(sizeof...(T) != rank_dynamic() && sizeof...(T) == rank())
  constexpr explicit strides(T... given) noexcept // clang-format on
      : __values(detail::given_values{}, static_cast<I>(static_cast<T&&>(given))...) {}

  /// One value per dynamic stride; no constant expression, in NVIDIA's header as here.
  // clang-format off
  template <detail::index_argument<I>... T>
    requires(sizeof...(T) != 0 && sizeof...(T) == rank_dynamic())
  explicit strides(T... given) noexcept // clang-format on
      : __values(detail::given_values{}, static_cast<I>(static_cast<T&&>(given))...) {}

private:
  using values = detail::mixed_values<I, ::std::size_t, dynamic_stride, Strides...>;

public: // a structural type
  [[no_unique_address]] values __values;
};

template <class... T>
strides(T...) -> strides<::std::uint32_t, detail::static_value<T, ::std::size_t, dynamic_stride>...>;

namespace detail {

// Any copyable class with the members of extents will do; ours are recognised at once.
template <class T>
inline constexpr bool is_extents_like = requires(const ::std::remove_reference_t<T>* e,
                                                 ::std::size_t i) {
  typename T::rank_type;
  typename T::index_type;
  static_cast<::std::size_t>(T::rank());
  static_cast<::std::size_t>(T::rank_dynamic());
  static_cast<::std::size_t>(T::static_extent(i));
  static_cast<typename T::index_type>(e->extent(i));
  requires index_number<typename T::index_type>;
  requires ::std::is_copy_constructible_v<T>;
};
template <class I, ::std::size_t... E>
inline constexpr bool is_extents_like<extents<I, E...>> = index_number<I>;

template <class T>
inline constexpr bool is_strides_like = requires(const ::std::remove_reference_t<T>* s,
                                                 ::std::size_t i) {
  typename T::rank_type;
  typename T::stride_type;
  static_cast<::std::size_t>(T::rank());
  static_cast<::std::size_t>(T::rank_dynamic());
  static_cast<::std::size_t>(T::static_stride(i));
  static_cast<typename T::stride_type>(s->stride(i));
  requires index_number<typename T::stride_type>;
  requires ::std::is_copy_constructible_v<T>;
};
template <class I, ::std::size_t... S>
inline constexpr bool is_strides_like<strides<I, S...>> = index_number<I>;

template <class T>
inline constexpr bool is_static = T::rank_dynamic() == 0;

} // namespace detail

/// A class with the members of `extents`; its meaning must be theirs.
/// [general principles: extents like]
template <class T>
concept extents_like = detail::is_extents_like<::std::remove_cv_t<T>>;

/// Extents that are all static.  [general principles: shape like]
template <class T>
concept shape_like = extents_like<T> && detail::is_static<::std::remove_cv_t<T>>;

/// A class with the members of `strides`.  [general principles: strides like]
template <class T>
concept strides_like = detail::is_strides_like<::std::remove_cv_t<T>>;

namespace detail {

/// Static extents as an array, for constant evaluation.
template <::std::size_t N>
struct dimensions {
  static constexpr ::std::size_t rank = N;
  ::std::size_t value[N + 1];
};

template <class S>
constexpr auto read_dimensions() noexcept {
  dimensions<static_cast<::std::size_t>(S::rank())> d{};
  for (::std::size_t i = 0; i < d.rank; ++i) {
    d.value[i] = static_cast<::std::size_t>(S::static_extent(static_cast<typename S::rank_type>(i)));
  }
  return d;
}

template <class S>
inline constexpr auto dimensions_of = read_dimensions<S>();
template <class I, ::std::size_t... E>
inline constexpr dimensions<sizeof...(E)> dimensions_of<extents<I, E...>>{{E..., 0}};

template <::std::size_t N>
constexpr ::std::size_t product(const dimensions<N>& d) noexcept {
  ::std::size_t size = 1;
  for (::std::size_t i = 0; i < N; ++i) {
    size *= d.value[i];
  }
  return size;
}

template <class S>
inline constexpr ::std::size_t size_of_shape = product(dimensions_of<::std::remove_cv_t<S>>);

template <::std::size_t N>
constexpr bool is_tile_compatible(const dimensions<N>& d) noexcept {
  ::std::size_t size = 1;
  for (::std::size_t i = 0; i < N; ++i) {
    const ::std::size_t e = d.value[i];
    if (e == 0 || e > max_tile_size || (e & (e - 1)) != 0 || size * e > max_tile_size) {
      return false;
    }
    size *= e;
  }
  return true;
}

template <class S>
inline constexpr bool is_tile_shape = false;
template <::std::size_t... E>
inline constexpr bool is_tile_shape<extents<::std::uint32_t, E...>> =
    is_tile_compatible(dimensions<sizeof...(E)>{{E..., 0}});

} // namespace detail

/// Extents that a tile may have: `shape` of powers of two, of at most 2^24 elements.
/// [general principles: tile compatible]
template <class T>
concept tile_shape = detail::is_tile_shape<::std::remove_cv_t<T>>;

/// The number of elements of a shape.
template <shape_like S>
inline constexpr ::std::size_t shape_size_v = detail::size_of_shape<S>;

/// True if two extents have the same rank and sizes, whatever their types.  [extents and strides]
template <extents_like L, extents_like R>
constexpr bool extents_equal(const L& lhs, const R& rhs) noexcept {
  if (static_cast<::std::size_t>(L::rank()) != static_cast<::std::size_t>(R::rank())) {
    return false;
  }
  for (::std::size_t i = 0; i < static_cast<::std::size_t>(L::rank()); ++i) {
    if (!detail::same_number(lhs.extent(static_cast<typename L::rank_type>(i)),
                             rhs.extent(static_cast<typename R::rank_type>(i)))) {
      return false;
    }
  }
  return true;
}

/// True if two strides have the same rank and values, whatever their types.  [extents and strides]
template <strides_like L, strides_like R>
constexpr bool strides_equal(const L& lhs, const R& rhs) noexcept {
  if (static_cast<::std::size_t>(L::rank()) != static_cast<::std::size_t>(R::rank())) {
    return false;
  }
  for (::std::size_t i = 0; i < static_cast<::std::size_t>(L::rank()); ++i) {
    if (!detail::same_number(lhs.stride(static_cast<typename L::rank_type>(i)),
                             rhs.stride(static_cast<typename R::rank_type>(i)))) {
      return false;
    }
  }
  return true;
}

template <class I, ::std::size_t... L, extents_like R>
constexpr bool operator==(const extents<I, L...>& lhs, const R& rhs) noexcept {
  return extents_equal(lhs, rhs);
}
template <class I, ::std::size_t... L, strides_like R>
constexpr bool operator==(const strides<I, L...>& lhs, const R& rhs) noexcept {
  return strides_equal(lhs, rhs);
}

} // namespace cuda::tiles::inline __1
