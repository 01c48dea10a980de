// Tile operations: making tiles, changing their shape, choosing, casting.
//
// [tile operations]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/constants.hpp>
#include <tilesim/detail/lower.hpp>
#include <tilesim/dimension_map.hpp>
#include <tilesim/tile.hpp>

#include <utility>

namespace cuda::tiles::inline __1 {

namespace detail {

// --------------------------------------------------------------------------- element constants

/// The bit patterns of 1 and of positive infinity (0 where the type has none), by element.
constexpr ::std::uint64_t one_bits(element e) noexcept {
  switch (e) {
  case element::f16:
    return 0x3c00;
  case element::bf16:
    return 0x3f80;
  case element::tf32:
  case element::f32:
    return 0x3f80'0000;
  case element::f64:
    return 0x3ff0'0000'0000'0000;
  case element::f8e4m3:
    return 0x38;
  case element::f8e5m2:
    return 0x3c;
  default:
    return 1;
  }
}
constexpr ::std::uint64_t infinity_bits(element e) noexcept {
  switch (e) {
  case element::f16:
    return 0x7c00;
  case element::bf16:
    return 0x7f80;
  case element::f32:
    return 0x7f80'0000;
  case element::f64:
    return 0x7ff0'0000'0000'0000;
  case element::f8e5m2:
    return 0x7c;
  default:
    return 0;
  }
}

/// A constant of up to eight bytes, laid out as memory holds it (little-endian).
template <::std::uint64_t Bits>
inline constexpr ::std::uint64_t constant_bits = Bits;

/// One constant of type E, as an operand.
template <class E, ::std::uint64_t Bits>
TILESIM_API machine::in constant() noexcept {
  return {&type_of<E>, &constant_bits<Bits>};
}

/// A tile like whose elements all have the given bits.
template <class T, ::std::uint64_t Bits>
TILESIM_API T filled() noexcept {
  T result;
  if constexpr (is_scalar<T>) {
    (__builtin_memcpy)(
        static_cast<void*>(__builtin_addressof(result)), &constant_bits<Bits>, sizeof(T));
  } else {
    const machine::in value = constant<element_of<T>, Bits>();
    machine::rearrange(opcode::constant, target(result), &value, 1);
  }
  return result;
}

/// An integral tile of which every number below its size is a value of the element type.
template <class T>
concept countable_tile = integral_tile<T> && count_of<T>
- 1 <= (~::std::uint64_t{0} >> (64 - (bitwidth(facts_of<T>) - (facts_of<T>.is_signed ? 1 : 0))));

} // namespace detail

// ------------------------------------------------------------------------------------ creation

/// A tile with every element x.  [tile operations: full]
template <tile_like T>
TILESIM_API T full(tile_element_t<T> x) noexcept {
  if constexpr (detail::is_scalar<T>) {
    return x;
  } else {
    return detail::rearranged<::std::remove_cv_t<T>>(detail::opcode::constant, x);
  }
}

/// 0, 1, 2, … in row-major order. The last must be a value of the element type.
/// [tile operations: iota]
template <detail::countable_tile T>
TILESIM_API T iota() noexcept {
  ::std::remove_cv_t<T> result;
  detail::machine::rearrange(detail::opcode::iota, detail::target(result), nullptr, 0);
  return result;
}

/// A tile of zeros (+0 or false).  [tile operations: zeros]
template <numeric_tile T>
TILESIM_API T zeros() noexcept {
  return detail::filled<::std::remove_cv_t<T>, 0>();
}

/// A tile of ones (or true).  [tile operations: ones]
template <numeric_tile T>
TILESIM_API T ones() noexcept {
  return detail::filled<::std::remove_cv_t<T>, detail::one_bits(detail::facts_of<T>.elem)>();
}

// ------------------------------------------------------------------------------------- queries

/// True where an element is NaN. Not noexcept with NVIDIA's compiler, so not here.
/// [tile operations: isnan]
template <detail::floating_point_operand A>
TILESIM_API tile_with_element_t<detail::plain<A>, bool> isnan(const A& x) {
  using T = detail::plain<A>;
  using C = ::std::conditional_t<restricted_floating_point_tile<T>, float, tile_element_t<T>>;
  const auto& v = detail::converted<C>(x);
  return detail::perform<tile_with_element_t<T, bool>>(
      detail::opcode::cmpf,
      detail::fixed<detail::compared(detail::machine::predicate::not_equal,
                                     detail::machine::ordering::unordered,
                                     detail::facts_of<C>)>,
      detail::source(v),
      detail::source(v));
}

namespace detail {
template <::std::size_t Size>
using unsigned_of =
    ::std::conditional_t<Size == 1,
                       unsigned char,
                       ::std::conditional_t<Size == 2,
                                          unsigned short,
                                          ::std::conditional_t<Size == 4, unsigned, unsigned long>>>;

/// True where the bits of x are those of an infinity of either sign.
template <class T, class U>
TILESIM_API tile_with_element_t<T, bool> infinite(const T& x) noexcept {
  using R = tile_with_element_t<T, bool>;
  constexpr ::std::uint64_t infinity = infinity_bits(facts_of<T>.elem);
  constexpr ::std::uint64_t sign = ::std::uint64_t{1} << (8 * sizeof(U) - 1);
  static constexpr machine::attributes equal =
      compared(machine::predicate::equal, machine::ordering::ordered, scalar_of<U>);
  const auto bits = perform<with_element<T, U>>(opcode::bitcast, no_modes, source(x));
  const R up = perform<R>(opcode::cmpi, equal, source(bits), constant<U, infinity>());
  const R down = perform<R>(opcode::cmpi, equal, source(bits), constant<U, infinity | sign>());
  return perform<R>(opcode::ori, no_modes, source(up), source(down));
}
} // namespace detail

/// True where an element is an infinity; e4m3 has none. Not noexcept with NVIDIA's compiler, so not
/// here.  [tile operations: isinf]
template <detail::floating_point_operand A>
TILESIM_API tile_with_element_t<detail::plain<A>, bool> isinf(const A& x) {
  using T = detail::plain<A>;
  constexpr tilesim::element kind = detail::facts_of<T>.elem;
  if constexpr (tilesim::same(kind, tilesim::element::f8e4m3)) {
    return zeros<tile_with_element_t<T, bool>>();
  } else if constexpr (tilesim::same(kind, tilesim::element::tf32)) {
    const auto& v = detail::converted<float>(x);
    return detail::infinite<detail::with_element<T, float>, unsigned>(v);
  } else {
    return detail::infinite<T, detail::unsigned_of<sizeof(tile_element_t<T>)>>(detail::held(x));
  }
}

// --------------------------------------------------------------------------------------- shape

namespace detail {
template <class A, class S>
concept reshapable_to = tile_operand<A> && tile_shape<S> &&
    (size_of_shape<shape_of<plain<A>>> == size_of_shape<S>);
template <class A, class S>
concept growable_to = broadcastable_to<plain<A>, S>;
} // namespace detail

/// The elements in row-major order under another shape of equal size. Always a tile.
/// [tile operations: reshape]
template <tile_shape Shape, detail::reshapable_to<Shape> A>
TILESIM_API tile<tile_element_t<detail::plain<A>>, ::std::remove_cv_t<Shape>>
reshape(A&& x, Shape = {}) noexcept {
  const auto& v = detail::held(x);
  return detail::rearranged<tile<tile_element_t<detail::plain<A>>, ::std::remove_cv_t<Shape>>>(
      detail::opcode::reshape, v);
}

/// x replicated along its dimensions of size 1, and along new leading ones, to the given shape.
/// Always a tile.  [tile operations: broadcast]
template <tile_shape Shape, detail::growable_to<Shape> A>
TILESIM_API tile<tile_element_t<detail::plain<A>>, Shape> broadcast(A&& x, Shape = {}) noexcept {
  const auto& v = detail::held(x);
  return detail::rearranged<tile<tile_element_t<detail::plain<A>>, Shape>>(
      detail::opcode::broadcast, v);
}

namespace detail {

template <class A, class Map>
concept permutable_by = map_for<Map, plain<A>>;

template <class Map, class A>
TILESIM_API typename permuted<plain<A>, Map>::type permute_by(const A& x) noexcept {
  const auto& v = held(x);
  if constexpr (map_rank<Map> == 0) {
    return v;
  } else {
    using Permuted = permuted<plain<A>, Map>;
    return rearranged<typename Permuted::type>(opcode::permute, v, Permuted::params, map_rank<Map>);
  }
}

} // namespace detail

/// Dimension k of the result is dimension p_k of x.  [tile operations: permute]
template <class Map, detail::permutable_by<Map> A>
TILESIM_API tile_permutation_t<detail::plain<A>, Map> permute(A&& x, Map = {}) noexcept {
  return detail::permute_by<::std::remove_cv_t<Map>>(detail::held(x));
}

/// Swaps the first two dimensions; what has fewer stays what it is.  [tile operations: transpose]
template <detail::tile_operand A>
TILESIM_API tile_transpose_t<detail::plain<A>> transpose(A&& x) noexcept {
  constexpr ::std::size_t rank = tile_rank_v<detail::plain<A>>;
  if constexpr (rank < 2) {
    return detail::held(x);
  } else {
    return detail::permute_by<typename detail::transposition<rank>::type>(detail::held(x));
  }
}

namespace detail {

template <class S, ::std::size_t D, class = ::std::make_index_sequence<S::rank()>>
struct doubled;
template <class S, ::std::size_t D, ::std::size_t... Nth>
struct doubled<S, D, ::std::index_sequence<Nth...>> {
  using type = ::cuda::tiles::shape<S::static_extent(Nth) * (Nth == D ? 2 : 1)...>;
};

template <class B, class A, auto D>
concept appendable_to = is_tile<plain<A>> && ::std::is_same_v<plain<A>, plain<B>> &&
                            D >= decltype(D){0} &&
                        static_cast<::std::size_t>(D) < shape_of<plain<A>>::rank() &&
                        2 * count_of<plain<A>> <= max_tile_size;

} // namespace detail

/// a and b, of one type, one after the other along dimension D, which doubles.
/// [tile operations: cat]
template <integral auto D, class A, detail::appendable_to<A, D> B>
TILESIM_API auto cat(const A& a, const B& b, integral_constant<D> = {}) noexcept
    -> tile<tile_element_t<detail::plain<A>>,
            typename detail::doubled<tile_shape_t<detail::plain<A>>, ::std::size_t(D)>::type> {
  using S = typename detail::doubled<tile_shape_t<detail::plain<A>>, ::std::size_t(D)>::type;
  tile<tile_element_t<detail::plain<A>>, S> result;
  const detail::machine::in parts[] = {detail::source(a), detail::source(b)};
  const ::std::int64_t dimension = static_cast<::std::int64_t>(D);
  detail::machine::rearrange(detail::opcode::cat, detail::target(result), parts, 2, &dimension, 1);
  return result;
}

namespace detail {

template <::std::size_t N, ::std::size_t M>
constexpr bool divides(const dimensions<N>& part, const dimensions<M>& whole) noexcept {
  if constexpr (N != M) {
    return false;
  } else {
    for (::std::size_t i = 0; i < N; ++i) {
      if (whole.value[i] % part.value[i] != 0) {
        return false;
      }
    }
    return true;
  }
}

template <class S, class A>
concept part_of = tile_shape<S> && tile_operand<A> &&
    divides(dimensions_of<::std::remove_cv_t<S>>, dimensions_of<shape_of<plain<A>>>);
template <class A, class... I>
concept part_numbers = sizeof...(I) == shape_of<plain<A>>::rank() &&
                       (::std::is_convertible_v<I, ::std::int64_t> && ...);

template <class S, class A, class... I>
TILESIM_API tile<element_of<plain<A>>, S> extract_part(const A& x, const I&... index) noexcept {
  const auto& v = held(x);
  tile<element_of<plain<A>>, S> result;
  const machine::in from = source(v);
  const ::std::int64_t part[sizeof...(I) + 1] = {static_cast<::std::int64_t>(index)..., 0};
  machine::rearrange(opcode::extract, target(result), &from, 1, part, sizeof...(I));
  return result;
}

} // namespace detail

/// The sub-tile of the given shape with the given number along each dimension: numbers count
/// sub-tiles, not elements. Undefined outside x.  [tile operations: extract]
// clang-format off
template <class A, detail::part_of<A> Shape, class... I>
  requires detail::part_numbers<A, I...>
TILESIM_API tile<tile_element_t<detail::plain<A>>, Shape>
extract(A&& x, Shape, I... index) noexcept {
  return detail::extract_part<Shape>(detail::held(x), index...);
}
// clang-format on

// -------------------------------------------------------------------------------------- choice

namespace detail {
template <class A, class C>
concept selected_by = tile_operand<A> && broadcastable_to<plain<C>, shape_of<plain<A>>>;
template <class B, class A>
concept alternative_to = ::std::is_same_v<plain<A>, plain<B>>;
} // namespace detail

/// a where the condition holds, b elsewhere; a and b have one type. The condition undergoes bool
/// tile conversion and is broadcast to their shape.  [tile operations: select]
template <class C, detail::selected_by<C> A, detail::alternative_to<A> B>
TILESIM_API detail::plain<A> select(C&& condition, A&& a, B&& b) noexcept {
  using R = detail::plain<A>;
  using S = tile_shape_t<R>;
  const auto& held_c = detail::held(condition);
  const auto& c = detail::converted<bool>(held_c);
  const auto& wide_c = detail::grown<S>(c);
  const auto& held_a = detail::held(a);
  const auto& held_b = detail::held(b);
  return detail::perform<R>(detail::opcode::select,
                            detail::no_modes,
                            detail::source_as<S>(wide_c),
                            detail::source(held_a),
                            detail::source(held_b));
}

// --------------------------------------------------------------------------------------- casts

namespace detail {
template <class A, class E>
concept castable_to = tile_operand<A> && scalar_convertible_to<element_of<plain<A>>, E>;
template <class A, class E>
concept same_size_as = tile_operand<A> &&(tilesim::size_of(facts_of<plain<A>>.elem) ==
                                          tilesim::size_of(scalar_of<::std::remove_cv_t<E>>.elem));
} // namespace detail

/// x with its elements converted to E, narrowing or not.  [tile operations: element_cast]
template <scalar E, detail::castable_to<E> A>
TILESIM_API tile_with_element_t<detail::plain<A>, E> element_cast(A&& x) noexcept {
  return detail::converted_to<tile_with_element_t<detail::plain<A>, E>>(detail::held(x));
}

/// x with the bits of its elements read as E, of equal size.  [tile operations: element_bitcast]
template <scalar E, detail::same_size_as<E> A>
TILESIM_API tile_with_element_t<detail::plain<A>, E> element_bitcast(A&& x) noexcept {
  using detail::element;
  using R = tile_with_element_t<detail::plain<A>, E>;
  using I = tile_with_element_t<R, unsigned long>;
  constexpr element from = detail::facts_of<detail::plain<A>>.elem;
  constexpr element to = detail::facts_of<R>.elem;
  const auto& v = detail::held(x);
  if constexpr (tilesim::same(from, to)) {
    return detail::converted_to<R>(v);
  } else if constexpr (tilesim::same(from, element::ptr) && tilesim::same(to, element::i64)) {
    return detail::perform<R>(detail::opcode::ptr_to_int, detail::no_modes, detail::source(v));
  } else if constexpr (tilesim::same(from, element::i64) && tilesim::same(to, element::ptr)) {
    return detail::perform<R>(detail::opcode::int_to_ptr, detail::no_modes, detail::source(v));
  } else if constexpr (tilesim::same(from, element::ptr)) {
    const I bits = detail::perform<I>(
        detail::opcode::ptr_to_int, detail::no_modes, detail::source(v));
    return detail::perform<R>(detail::opcode::bitcast, detail::no_modes, detail::source(bits));
  } else if constexpr (tilesim::same(to, element::ptr)) {
    const I bits = detail::perform<I>(detail::opcode::bitcast, detail::no_modes, detail::source(v));
    return detail::perform<R>(detail::opcode::int_to_ptr, detail::no_modes, detail::source(bits));
  } else {
    return detail::perform<R>(detail::opcode::bitcast, detail::no_modes, detail::source(v));
  }
}

} // namespace cuda::tiles::inline __1
