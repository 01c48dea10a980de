// The rules of conversion: between scalars, between tiles, by broadcast, and for two operands of
// arithmetic or of a comparison. Types only; lower.hpp performs what is decided here.
//
// The sections follow the reference page.  [general principles: conversions]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/extents.hpp>
#include <tilesim/scalar.hpp>
#include <tilesim/tile_like.hpp>

#include <utility>

namespace cuda::tiles::inline __1 {

namespace detail {

// ---------------------------------------------------------------------- scalar conversion

/// Ranks of floating-point types are ordered when they differ; two types that share one (e4m3 and
/// e5m2, half and bfloat16) are unordered.  [general principles: floating point ranks]
constexpr bool ranks_at_least(const scalar_facts& a, const scalar_facts& b) noexcept {
  return a.id == b.id || a.rank > b.rank;
}

/// True if every value of the integral type `from` is one of `to`.
constexpr bool represents(const scalar_facts& to, const scalar_facts& from) noexcept {
  if (from.is_signed) {
    return to.is_signed && bitwidth(to) >= bitwidth(from);
  }
  return bitwidth(to) - (to.is_signed ? 1 : 0) >= bitwidth(from);
}

/// True if the conversion between two numeric scalars is narrowing, as list-initialisation calls
/// it.
constexpr bool narrows(const scalar_facts& from, const scalar_facts& to) noexcept {
  if (tilesim::is_floating(from.kind)) {
    return !tilesim::is_floating(to.kind) || !ranks_at_least(to, from);
  }
  return tilesim::is_floating(to.kind) || !represents(to, from);
}

template <class From, class To>
constexpr bool converts() noexcept {
  constexpr scalar_class from = scalar_of<From>.kind;
  constexpr scalar_class to = scalar_of<To>.kind;
  if constexpr (tilesim::is_numeric(from)) {
    return tilesim::is_numeric(to);
  } else if constexpr (tilesim::is_pointer(from)) {
    if constexpr (tilesim::is_pointer(to)) {
      return ::std::is_convertible_v<From, To>;
    } else {
      return ::std::is_same_v<To, bool>;
    }
  } else {
    return false;
  }
}

template <class From, class To>
constexpr bool converts_without_narrowing() noexcept {
  if constexpr (::std::is_same_v<From, To>) {
    return tilesim::is_scalar(scalar_of<From>.kind);
  } else if constexpr (!converts<From, To>()) {
    return false;
  } else if constexpr (tilesim::is_numeric(scalar_of<From>.kind)) {
    return !narrows(scalar_of<From>, scalar_of<To>);
  } else {
    return tilesim::is_pointer(scalar_of<To>.kind);
  }
}

} // namespace detail

/// A scalar conversion exists: between all numeric scalars, from a pointer to bool, and along C++'s
/// implicit pointer conversions.  [general principles: scalar conversion]
template <class From, class To>
concept scalar_convertible_to = scalar<From> && scalar<To> &&
    detail::converts<::std::remove_cv_t<From>, ::std::remove_cv_t<To>>();

/// …and it loses no value, judged by the types alone.  [general principles: scalar conversion]
template <class From, class To>
concept non_narrowing_scalar_convertible_to = scalar<From> && scalar<To> &&
    detail::converts_without_narrowing<::std::remove_cv_t<From>, ::std::remove_cv_t<To>>();

// ---------------------------------------------------------------------------- tile conversion

namespace detail {

template <::std::size_t N, ::std::size_t M>
constexpr bool equal_dimensions(const dimensions<N>& a, const dimensions<M>& b) noexcept {
  if constexpr (N != M) {
    return false;
  } else {
    for (::std::size_t i = 0; i < N; ++i) {
      if (a.value[i] != b.value[i]) {
        return false;
      }
    }
    return true;
  }
}

/// Right-aligned: each dimension of S is 1 or the one of B that it meets.
template <::std::size_t N, ::std::size_t M>
constexpr bool broadcasts(const dimensions<N>& s, const dimensions<M>& b) noexcept {
  if constexpr (N > M) {
    return false;
  } else {
    for (::std::size_t i = 0; i < N; ++i) {
      if (s.value[i] != 1 && s.value[i] != b.value[i + M - N]) {
        return false;
      }
    }
    return true;
  }
}

template <::std::size_t N, ::std::size_t M>
constexpr bool broadcast_together(const dimensions<N>& a, const dimensions<M>& b) noexcept {
  for (::std::size_t i = 1; i <= N && i <= M; ++i) {
    if (a.value[N - i] != b.value[M - i] && a.value[N - i] != 1 && b.value[M - i] != 1) {
      return false;
    }
  }
  return true;
}

/// The shape that two shapes broadcast to: the longer one's leading dimensions, then the larger.
template <::std::size_t N, ::std::size_t M>
constexpr auto mutual_dimensions(const dimensions<N>& a, const dimensions<M>& b) noexcept {
  constexpr ::std::size_t rank = N > M ? N : M;
  dimensions<rank> d{};
  for (::std::size_t i = 1; i <= rank; ++i) {
    const ::std::size_t from_a = i <= N ? a.value[N - i] : 1;
    const ::std::size_t from_b = i <= M ? b.value[M - i] : 1;
    d.value[rank - i] = from_a == 1 ? from_b : from_a;
  }
  return d;
}

template <class L, class R>
struct mutual_shape {
  static constexpr bool compatible = broadcast_together(dimensions_of<L>, dimensions_of<R>);
  static constexpr auto d = mutual_dimensions(dimensions_of<L>, dimensions_of<R>);
  static constexpr bool fits = compatible && is_tile_compatible(d);
  template <::std::size_t... Nth>
  static shape<d.value[Nth]...> make(::std::index_sequence<Nth...>);
  using type = decltype(make(::std::make_index_sequence<d.rank>{}));
};
template <class S>
struct mutual_shape<S, S> {
  static constexpr bool fits = is_tile_shape<S>;
  using type = S;
};
template <class S>
struct mutual_shape<S, shape<>> {
  static constexpr bool fits = is_tile_shape<S>;
  using type = S;
};
template <class S>
struct mutual_shape<shape<>, S> : mutual_shape<S, shape<>> {};
template <>
struct mutual_shape<shape<>, shape<>> {
  static constexpr bool fits = true;
  using type = shape<>;
};

} // namespace detail

/// Two shapes of equal rank and sizes, whatever their types.  [general principles: shape
/// equivalent]
template <class L, class R>
concept same_shape = shape_like<L> && shape_like<R> &&
    detail::equal_dimensions(detail::dimensions_of<::std::remove_cv_t<L>>,
                             detail::dimensions_of<::std::remove_cv_t<R>>);

/// A tile conversion exists: one of the element types between equal shapes.
/// [general principles: tile conversion]
template <class From, class To>
concept tile_convertible_to = tile_like<From> && tile_like<To> &&
    ::std::is_same_v<detail::shape_of<From>, detail::shape_of<To>> &&
    detail::converts<detail::element_of<From>, detail::element_of<To>>();

/// …and it is not narrowing.  [general principles: tile conversion]
template <class From, class To>
concept non_narrowing_tile_convertible_to = tile_convertible_to<From, To> &&
    detail::converts_without_narrowing<detail::element_of<From>, detail::element_of<To>>();

/// A bool tile conversion exists: of every tile like, since every scalar converts to bool.
/// [general principles: bool tile conversion]
template <class T>
concept bool_tile_convertible = tile_like<T>;

// ----------------------------------------------------------------------- broadcast conversion

/// Each dimension of S, aligned at the right, is 1 or the one of B that it meets.
/// [general principles: broadcastable]
template <class S, class B>
concept shape_broadcastable_to = shape_like<S> && shape_like<B> &&
    detail::broadcasts(detail::dimensions_of<::std::remove_cv_t<S>>,
                       detail::dimensions_of<::std::remove_cv_t<B>>);

/// The shape of the tile like T is broadcastable to the tile shape B.
template <class T, class B>
concept broadcastable_to = tile_like<T> && tile_shape<B> &&
    (::std::is_same_v<detail::shape_of<T>, ::std::remove_cv_t<B>> ||
     detail::broadcasts(detail::dimensions_of<detail::shape_of<T>>,
                        detail::dimensions_of<::std::remove_cv_t<B>>));

/// Two shapes of which every pair of dimensions, aligned at the right, is equal or has a 1.
/// [general principles: mutual broadcast]
template <class L, class R>
concept shape_broadcast_compatible = shape_like<L> && shape_like<R> &&
    detail::broadcast_together(detail::dimensions_of<::std::remove_cv_t<L>>,
                               detail::dimensions_of<::std::remove_cv_t<R>>);

/// The operands' shapes are compatible, and a tile may have the shape that they broadcast to.
/// [general principles: mutual broadcast]
template <class L, class R>
concept broadcast_compatible = tile_like<L> && tile_like<R> &&
    detail::mutual_shape<detail::shape_of<L>, detail::shape_of<R>>::fits;

/// What two operands broadcast to, with the element type E: a scalar for two scalars, else a tile.
template <class L, class R, scalar E>
requires broadcast_compatible<L, R>
using mutual_broadcast_t = typename detail::make_tile_like<
    detail::is_scalar<L> && detail::is_scalar<R>,
    ::std::remove_cv_t<E>,
    typename detail::mutual_shape<detail::shape_of<L>, detail::shape_of<R>>::type>::type;

// -------------------------------------------------------------------- arithmetic conversion

namespace detail {

inline constexpr int no_common_type = 0;

constexpr int make_unsigned(const scalar_facts& s) noexcept {
  switch (s.elem) {
  case element::i8:
    return scalar_of<unsigned char>.id;
  case element::i16:
    return scalar_of<unsigned short>.id;
  case element::i32:
    return scalar_of<unsigned>.id;
  default:
    return s.rank == scalar_of<long>.rank ? scalar_of<unsigned long>.id
                                          : scalar_of<unsigned long long>.id;
  }
}

/// The common type of two arithmetic scalars, as a row of the table of scalars: no promotion, and
/// none for half with bfloat16.  [general principles: arithmetic common type]
constexpr int common_type(const scalar_facts& a, const scalar_facts& b) noexcept {
  if (a.id == b.id) {
    return a.id;
  }
  if (tilesim::is_floating(a.kind) || tilesim::is_floating(b.kind)) {
    if (!tilesim::is_floating(a.kind)) {
      return b.id;
    }
    if (!tilesim::is_floating(b.kind)) {
      return a.id;
    }
    return a.rank > b.rank ? a.id : b.rank > a.rank ? b.id : no_common_type;
  }
  if (a.is_signed == b.is_signed) {
    if (a.rank != b.rank) {
      return a.rank > b.rank ? a.id : b.id;
    }
    return a.subrank > b.subrank ? a.id : b.id;
  }
  const scalar_facts& s = a.is_signed ? a : b;
  const scalar_facts& u = a.is_signed ? b : a;
  if (u.rank > s.rank) {
    return u.id;
  }
  return represents(s, u) ? int{s.id} : make_unsigned(s);
}

/// True if an operand may be converted to the common type: without narrowing, or to floating point.
constexpr bool may_become(const scalar_facts& from, const scalar_facts& to) noexcept {
  return !narrows(from, to) || (tilesim::is_integral(from.kind) && tilesim::is_basic(to.kind));
}

template <class T>
constexpr const scalar_facts& facts_at() noexcept {
  return scalar_of<T>;
}

/// The facts of row `id`.
constexpr scalar_facts row(int id) noexcept {
  switch (id) {
#define TILESIM_ROW(n)                                                                             \
  case n:                                                                                          \
    return scalar_of<scalar_at_t<n>>;
    TILESIM_ROW(1)
    TILESIM_ROW(2)
    TILESIM_ROW(3)
    TILESIM_ROW(4)
    TILESIM_ROW(5)
    TILESIM_ROW(6)
    TILESIM_ROW(7)
    TILESIM_ROW(8)
    TILESIM_ROW(9)
    TILESIM_ROW(10)
    TILESIM_ROW(11)
    TILESIM_ROW(12)
    TILESIM_ROW(13)
    TILESIM_ROW(14)
    TILESIM_ROW(15)
    TILESIM_ROW(16)
    TILESIM_ROW(17)
    TILESIM_ROW(18)
    TILESIM_ROW(19)
    TILESIM_ROW(20)
    TILESIM_ROW(21)
    TILESIM_ROW(22)
    TILESIM_ROW(23)
#undef TILESIM_ROW
  }
  return {};
}

/// The element type that two operands of a comparison are converted to, or no_common_type.
constexpr int comparison_element(const scalar_facts& l, const scalar_facts& r) noexcept {
  if (!tilesim::is_arithmetic(l.kind) || !tilesim::is_arithmetic(r.kind)) {
    return no_common_type;
  }
  if (l.id == r.id) {
    return l.id;
  }
  const int id = common_type(l, r);
  return id != no_common_type && may_become(l, row(id)) && may_become(r, row(id)) ? id
                                                                                  : no_common_type;
}

/// The same for arithmetic, where a scalar takes the element type of a tile.
constexpr int arithmetic_element(const scalar_facts& l,
                                 bool l_is_scalar,
                                 const scalar_facts& r,
                                 bool r_is_scalar) noexcept {
  if (l_is_scalar == r_is_scalar) {
    return comparison_element(l, r);
  }
  if (!tilesim::is_arithmetic(l.kind) || !tilesim::is_arithmetic(r.kind)) {
    return no_common_type;
  }
  const scalar_facts& to = l_is_scalar ? r : l;
  return may_become(l_is_scalar ? l : r, to) ? int{to.id} : no_common_type;
}

template <class L, class R>
inline constexpr int
    arithmetic_id = arithmetic_element(facts_of<L>, is_scalar<L>, facts_of<R>, is_scalar<R>);
template <class L, class R>
inline constexpr int comparison_id = comparison_element(facts_of<L>, facts_of<R>);

/// Integral promotion of one element type.
constexpr int promoted(const scalar_facts& s) noexcept {
  if (!tilesim::is_integral(s.kind) || s.rank > scalar_of<int>.rank) {
    return s.id;
  }
  if (s.rank < scalar_of<int>.rank || s.is_signed) {
    return scalar_of<int>.id;
  }
  return scalar_of<unsigned>.id;
}

} // namespace detail

/// The operands of arithmetic have a common element type that neither narrows to, integers to
/// floating point excepted, and broadcast together. A scalar takes the element type of a tile.
/// [general principles: arithmetic tile conversion]
template <class L, class R>
concept arithmetic_tile_convertible = detail::arithmetic_id<L, R>
!= detail::no_common_type&& broadcast_compatible<L, R>;

/// What both operands are converted to.
template <class L, class R>
requires arithmetic_tile_convertible<L, R>
using arithmetic_tile_conversion_t =
    mutual_broadcast_t<L, R, detail::scalar_at_t<detail::arithmetic_id<L, R>>>;

/// The operands of a comparison have a common element type that neither narrows to, integers to
/// floating point excepted, and broadcast together.
/// [general principles: arithmetic comparison conversion]
template <class L, class R>
concept arithmetic_tile_comparable = detail::comparison_id<L, R>
!= detail::no_common_type&& broadcast_compatible<L, R>;

/// What both operands are converted to.
template <class L, class R>
requires arithmetic_tile_comparable<L, R>
using arithmetic_tile_comparison_t =
    mutual_broadcast_t<L, R, detail::scalar_at_t<detail::comparison_id<L, R>>>;

/// T with its element type promoted as C++ promotes it.
/// [general principles: arithmetic tile promotion]
template <arithmetic_tile T>
using arithmetic_tile_promotion_t =
    tile_with_element_t<T, detail::scalar_at_t<detail::promoted(detail::facts_of<T>)>>;

} // namespace cuda::tiles::inline __1
