// Layout mappings: where the elements of a tensor span stand in memory.
//
// A mapping holds the extents of an array and gives the distance, in elements, between neighbours
// along each dimension. Usable on the host as well as in tile code; a class of the program's own
// that has the members will do.  [layout mappings]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>
#include <tilesim/extents.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace cuda::tiles::inline __1 {

// ------------------------------------------------------------------------------- the concept

/// The stride of dimension i where M's type says it, else dynamic_stride. May be specialised for a
/// mapping of the program's own that has no member static_stride.
/// [general principles: layout mapping]
template <class M>
struct layout_mapping_static_stride {
  constexpr ::std::size_t operator()(typename M::rank_type i) const noexcept requires requires {
    { M::static_stride(i) } -> ::std::same_as<::std::size_t>;
  }
  { return M::static_stride(i); }
};

namespace detail {

template <class M>
concept has_mapping_types = requires {
  typename M::extents_type;
  typename M::layout_type;
  typename M::index_type;
  typename M::rank_type;
}
&&extents_like<typename M::extents_type>&&
    ::std::same_as<typename M::index_type, typename M::extents_type::index_type>&&
        ::std::same_as<typename M::rank_type, typename M::extents_type::rank_type>&&
            ::std::same_as<typename M::layout_type::template mapping<typename M::extents_type>, M>;

template <class M>
concept has_mapping_members = requires(const M& m, typename M::rank_type i) {
  { m.extents() } -> ::std::same_as<const typename M::extents_type&>;
  { m.stride(i) } -> ::std::same_as<typename M::index_type>;
  { M::is_always_strided() } -> ::std::same_as<bool>;
  typename ::std::bool_constant<M::is_always_strided()>;
  { layout_mapping_static_stride<M>{}(i) } -> ::std::same_as<::std::size_t>;
};

template <class M>
inline constexpr bool is_layout_mapping = false;
template <has_mapping_types M>
inline constexpr bool is_layout_mapping<M> = has_mapping_members<M>&& ::std::copyable<M>;

} // namespace detail

/// A class with the members of a layout mapping; its meaning must be theirs.
/// [general principles: layout mapping]
template <class T>
concept layout_mapping = detail::is_layout_mapping<::std::remove_cv_t<T>>;

/// True if two mappings have equal extents and strides, whatever their types.  [layout mappings]
template <layout_mapping L, layout_mapping R>
TILESIM_API bool layout_mapping_equal(const L& lhs, const R& rhs) noexcept {
  if (!extents_equal(lhs.extents(), rhs.extents())) {
    return false;
  }
  for (::std::size_t i = 0; i < static_cast<::std::size_t>(L::extents_type::rank()); ++i) {
    if (!detail::same_number(lhs.stride(static_cast<typename L::rank_type>(i)),
                             rhs.stride(static_cast<typename R::rank_type>(i)))) {
      return false;
    }
  }
  return true;
}

namespace detail {

/// a * b modulo the index type.
template <class I>
constexpr I wrapping_product(I a, I b) noexcept {
  return static_cast<I>(static_cast<unsigned long long>(a) * static_cast<unsigned long long>(b));
}

/// Products of extents, of the dimensions from first on, below last.
template <class E>
constexpr typename E::index_type
product_of(const E& e, ::std::size_t first, ::std::size_t last) noexcept {
  auto product = static_cast<typename E::index_type>(1);
  for (::std::size_t i = first; i < last; ++i) {
    product = wrapping_product(product, e.extent(static_cast<typename E::rank_type>(i)));
  }
  return product;
}
template <class E>
constexpr ::std::size_t static_product_of(::std::size_t first, ::std::size_t last) noexcept {
  ::std::size_t product = 1;
  for (::std::size_t i = first; i < last; ++i) {
    const ::std::size_t extent = E::static_extent(static_cast<typename E::rank_type>(i));
    if (extent == dynamic_extent) {
      return dynamic_stride;
    }
    product *= extent;
  }
  return product;
}

/// The least multiple of `unit` that is not below `extent`; no unit (0): the extent.
template <class I>
constexpr I padded(I extent, I unit) noexcept {
  const auto e = static_cast<unsigned long long>(extent);
  const auto u = static_cast<unsigned long long>(unit);
  return u == 0 ? extent : static_cast<I>((e + (u - 1)) / u * u);
}
constexpr ::std::size_t static_padded(::std::size_t extent, ::std::size_t unit) noexcept {
  return extent == dynamic_extent || unit == dynamic_extent ? dynamic_stride : padded(extent, unit);
}
constexpr ::std::size_t static_times(::std::size_t a, ::std::size_t b) noexcept {
  return a == dynamic_stride || b == dynamic_stride ? dynamic_stride : a * b;
}

} // namespace detail

// -------------------------------------------------------------------------------- right, left

template <extents_like E>
struct layout_right_mapping;
template <extents_like E>
struct layout_left_mapping;

/// Row-major: the last dimension is contiguous.  [layout mappings: layout_right]
struct layout_right {
  template <extents_like E>
  using mapping = layout_right_mapping<E>;
};

/// Column-major: the first dimension is contiguous.  [layout mappings: layout_left]
struct layout_left {
  template <extents_like E>
  using mapping = layout_left_mapping<E>;
};

// What all mappings of the library have. Strides that leave the index type wrap.
// clang-format off
#define TILESIM_MAPPING_MEMBERS(name, layout)                                                      \
  using extents_type = E;                                                                          \
  using layout_type = layout;                                                                      \
  using index_type = typename E::index_type;                                                       \
  using rank_type = typename E::rank_type;                                                         \
  const extents_type& extents() const noexcept { return __extents; }                               \
  static constexpr bool is_always_strided() noexcept { return true; }                              \
  template <layout_mapping R>                                                                      \
  friend bool operator==(const name& lhs, const R& rhs) noexcept {                                 \
    return layout_mapping_equal(lhs, rhs);                                                         \
  }
// clang-format on

/// The mapping of layout_right.
template <extents_like E>
struct layout_right_mapping {
  TILESIM_MAPPING_MEMBERS(layout_right_mapping, layout_right)

  explicit layout_right_mapping(const E& e) noexcept
      : __extents(e) {}

  index_type stride(rank_type i) const noexcept {
    return detail::product_of(__extents, static_cast<::std::size_t>(i) + 1, E::rank());
  }
  static constexpr ::std::size_t static_stride(rank_type i) noexcept {
    return detail::static_product_of<E>(static_cast<::std::size_t>(i) + 1, E::rank());
  }

  [[no_unique_address]] ::std::remove_cv_t<E> __extents;
};

/// The mapping of layout_left.
template <extents_like E>
struct layout_left_mapping {
  TILESIM_MAPPING_MEMBERS(layout_left_mapping, layout_left)

  explicit layout_left_mapping(const E& e) noexcept
      : __extents(e) {}

  index_type stride(rank_type i) const noexcept {
    return detail::product_of(__extents, 0, static_cast<::std::size_t>(i));
  }
  static constexpr ::std::size_t static_stride(rank_type i) noexcept {
    return detail::static_product_of<E>(0, static_cast<::std::size_t>(i));
  }

  [[no_unique_address]] ::std::remove_cv_t<E> __extents;
};

// ------------------------------------------------------------------------------------ strided

namespace detail {

/// What may give the strides of a layout: strides (13.4) or extents (13.3).
template <class S>
concept stride_source = strides_like<S> || extents_like<S>;

template <class S>
struct stride_source_of {
  using index_type = typename S::index_type;
  static constexpr index_type value(const S& s, ::std::size_t i) noexcept {
    return s.extent(static_cast<typename S::rank_type>(i));
  }
  static constexpr ::std::size_t static_value(::std::size_t i) noexcept {
    return S::static_extent(static_cast<typename S::rank_type>(i));
  }
  struct members {};
};
template <strides_like S>
struct stride_source_of<S> {
  using index_type = typename S::stride_type;
  static constexpr index_type value(const S& s, ::std::size_t i) noexcept {
    return s.stride(static_cast<typename S::rank_type>(i));
  }
  static constexpr ::std::size_t static_value(::std::size_t i) noexcept {
    return S::static_stride(static_cast<typename S::rank_type>(i));
  }
  struct members {
    using stride_type = typename S::stride_type;
  };
};

template <class S, class E>
concept strides_for = extents_like<E> && stride_source<S> &&(E::rank() == S::rank()) &&
                      ::std::same_as<typename stride_source_of<::std::remove_cv_t<S>>::index_type,
                                   typename E::index_type>;

} // namespace detail

template <extents_like E, detail::strides_for<E> S>
struct layout_strided_mapping;

/// Any strides, of type S.  [layout mappings: layout_strided]
template <detail::stride_source S>
struct layout_strided {
  template <extents_like E>
  requires detail::strides_for<S, E>
  using mapping = layout_strided_mapping<E, S>;
};

/// The mapping of layout_strided: extents and strides of one rank and index type.
template <extents_like E, detail::strides_for<E> S>
struct layout_strided_mapping : detail::stride_source_of<::std::remove_cv_t<S>>::members {
  TILESIM_MAPPING_MEMBERS(layout_strided_mapping, layout_strided<S>)

  explicit layout_strided_mapping(const E& e, const S& s) noexcept
      : __extents(e)
      , __strides(s) {}

  index_type stride(rank_type i) const noexcept {
    return source::value(__strides, static_cast<::std::size_t>(i));
  }
  static constexpr ::std::size_t static_stride(rank_type i) noexcept {
    return source::static_value(static_cast<::std::size_t>(i));
  }

private:
  using source = detail::stride_source_of<::std::remove_cv_t<S>>;

public: // a structural type
  [[no_unique_address]] ::std::remove_cv_t<E> __extents;
  [[no_unique_address]] ::std::remove_cv_t<S> __strides;
};

// ------------------------------------------------------------------------------------- padded

namespace detail {

/// The number of elements that rows are padded to a multiple of; stored when it is dynamic.
template <class I, ::std::size_t Unit>
struct padding_unit {
  constexpr explicit padding_unit(I) noexcept {}
  constexpr I get() const noexcept { return static_cast<I>(Unit); }
};
template <class I>
struct padding_unit<I, dynamic_extent> {
  constexpr explicit padding_unit(I n) noexcept
      : value(n) {}
  constexpr I get() const noexcept { return value; }
  I value;
};

} // namespace detail

template <extents_like E, ::std::size_t Padding>
struct layout_right_padded_mapping;
template <extents_like E, ::std::size_t Padding>
struct layout_left_padded_mapping;

/// Row-major, rows padded to a multiple of Padding elements; dynamic_extent: given at run time. Not
/// on the reference's pages.
template <::std::size_t Padding>
struct layout_right_padded {
  template <extents_like E>
  using mapping = layout_right_padded_mapping<E, Padding>;
};

/// Column-major, columns padded to a multiple of Padding elements. Not on the reference's pages.
template <::std::size_t Padding>
struct layout_left_padded {
  template <extents_like E>
  using mapping = layout_left_padded_mapping<E, Padding>;
};

/// The mapping of layout_right_padded.
template <extents_like E, ::std::size_t Padding>
struct layout_right_padded_mapping {
  TILESIM_MAPPING_MEMBERS(layout_right_padded_mapping, layout_right_padded<Padding>)

  /// The padding given is that of a dynamic one; a static one ignores it.
  template <detail::index_argument<index_type> T>
  explicit layout_right_padded_mapping(const E& e, T padding) noexcept
      : __extents(e)
      , __padding(static_cast<index_type>(static_cast<T&&>(padding))) {}

  index_type stride(rank_type i) const noexcept {
    const auto d = static_cast<::std::size_t>(i);
    if (d + 1 >= rank) {
      return 1;
    }
    return detail::wrapping_product(
        detail::product_of(__extents, d + 1, rank - 1),
        detail::padded(__extents.extent(static_cast<rank_type>(rank - 1)), __padding.get()));
  }
  static constexpr ::std::size_t static_stride(rank_type i) noexcept {
    const auto d = static_cast<::std::size_t>(i);
    if (d + 1 >= rank) {
      return 1;
    }
    return detail::static_times(
        detail::static_product_of<E>(d + 1, rank - 1),
        detail::static_padded(E::static_extent(static_cast<rank_type>(rank - 1)), Padding));
  }

private:
  static constexpr ::std::size_t rank = E::rank();

public: // a structural type
  [[no_unique_address]] ::std::remove_cv_t<E> __extents;
  [[no_unique_address]] detail::padding_unit<index_type, Padding> __padding;
};

/// The mapping of layout_left_padded.
template <extents_like E, ::std::size_t Padding>
struct layout_left_padded_mapping {
  TILESIM_MAPPING_MEMBERS(layout_left_padded_mapping, layout_left_padded<Padding>)

  /// The padding given is that of a dynamic one; a static one ignores it.
  template <detail::index_argument<index_type> T>
  explicit layout_left_padded_mapping(const E& e, T padding) noexcept
      : __extents(e)
      , __padding(static_cast<index_type>(static_cast<T&&>(padding))) {}

  index_type stride(rank_type i) const noexcept {
    const auto d = static_cast<::std::size_t>(i);
    if (d == 0) {
      return 1;
    }
    return detail::wrapping_product(
        detail::product_of(__extents, 1, d),
        detail::padded(__extents.extent(static_cast<rank_type>(0)), __padding.get()));
  }
  static constexpr ::std::size_t static_stride(rank_type i) noexcept {
    const auto d = static_cast<::std::size_t>(i);
    if (d == 0) {
      return 1;
    }
    return detail::static_times(
        detail::static_product_of<E>(1, d),
        detail::static_padded(E::static_extent(static_cast<rank_type>(0)), Padding));
  }

  [[no_unique_address]] ::std::remove_cv_t<E> __extents;
  [[no_unique_address]] detail::padding_unit<index_type, Padding> __padding;
};

template <extents_like E, detail::index_argument<typename E::index_type> T>
layout_right_padded_mapping(E, T)
    -> layout_right_padded_mapping<E, detail::static_value<T, ::std::size_t, dynamic_extent>>;
template <extents_like E, detail::index_argument<typename E::index_type> T>
layout_left_padded_mapping(E, T)
    -> layout_left_padded_mapping<E, detail::static_value<T, ::std::size_t, dynamic_extent>>;

#undef TILESIM_MAPPING_MEMBERS

} // namespace cuda::tiles::inline __1
