// Products of matrices: mma and matmul.
//
// Rank 2, or rank 3 with a leading batch dimension that broadcasts. The reference leaves open in
// which order products are added and how partial results are rounded; docs/order.md says what
// tilesim does.  [matrix multiplication]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/lower.hpp>
#include <tilesim/tile.hpp>

namespace cuda::tiles::inline __1 {

namespace detail {

template <class E>
inline constexpr bool is_byte = tilesim::is_integral(scalar_of<E>.kind) &&
                                tilesim::size_of(scalar_of<E>.elem) == 1;
template <class E>
inline constexpr bool is_fp8 = ::std::is_same_v<E, ::__nv_fp8_e4m3> ||
                               ::std::is_same_v<E, ::__nv_fp8_e5m2>;

/// What matmul gives for elements L and R; void if they cannot be multiplied. Two 8-bit integers of
/// any signedness, or one floating-point type.
template <class L, class R>
struct product_element {
  using type = ::std::conditional_t<is_byte<L> && is_byte<R>, int, void>;
};
template <class E>
struct product_element<E, E> {
  using type = ::std::conditional_t<
      is_byte<E>,
      int,
      ::std::conditional_t<
          is_fp8<E> || ::std::is_same_v<E, ::__half>,
          ::__half,
          ::std::conditional_t<
              ::std::is_same_v<E, ::__nv_bfloat16> || ::std::is_same_v<E, ::__nv_tf32> ||
                  ::std::is_same_v<E, float>,
              float,
              ::std::conditional_t<::std::is_same_v<E, double>, double, void>>>>;
};
template <class L, class R>
using product_element_t = typename product_element<element_of<L>, element_of<R>>::type;

/// half may also be added up in float.
template <class L, class R, class Acc>
inline constexpr bool adds_up_in = ::std::is_same_v<product_element_t<L, R>, element_of<Acc>> ||
                                   (::std::is_same_v<product_element_t<L, R>, ::__half> &&
                                    ::std::is_same_v<element_of<Acc>, float>);

/// The lengths of a matrix or of a batch of them; rank 0 for anything else.
struct matrix_extents {
  ::std::size_t rank, batch, rows, columns;
};
template <class T>
constexpr matrix_extents matrix_of() noexcept {
  if constexpr (is_tile<::std::remove_cv_t<T>>) {
    constexpr auto d = dimensions_of<shape_of<T>>;
    if constexpr (d.rank == 2) {
      return {2, 1, d.value[0], d.value[1]};
    } else if constexpr (d.rank == 3) {
      return {3, d.value[0], d.value[1], d.value[2]};
    }
  }
  return {0, 0, 0, 0};
}

/// lhs · rhs has a shape, and a batch length to which both broadcast.
constexpr bool multiply(const matrix_extents& l, const matrix_extents& r) noexcept {
  return l.rank != 0 && l.rank == r.rank && l.columns == r.rows &&
         (l.batch == r.batch || l.batch == 1 || r.batch == 1);
}
constexpr bool
accumulate(const matrix_extents& l, const matrix_extents& r, const matrix_extents& a) noexcept {
  return multiply(l, r) && a.rank == l.rank && a.rows == l.rows && a.columns == r.columns &&
         (l.batch == a.batch || l.batch == 1) && (r.batch == a.batch || r.batch == 1);
}

template <::std::size_t Rank, ::std::size_t Batch, ::std::size_t Rows, ::std::size_t Columns>
struct matrix_shape {
  using type = shape<Batch, Rows, Columns>;
};
template <::std::size_t Batch, ::std::size_t Rows, ::std::size_t Columns>
struct matrix_shape<2, Batch, Rows, Columns> {
  using type = shape<Rows, Columns>;
};
template <class L, class R>
struct product_shape {
  static constexpr matrix_extents l = matrix_of<L>(), r = matrix_of<R>();
  using type =
      typename matrix_shape<l.rank, (l.batch == 1 ? r.batch : l.batch), l.rows, r.columns>::type;
};

template <class L, class R>
constexpr bool has_product() noexcept {
  if constexpr (!multiply(matrix_of<L>(), matrix_of<R>())) {
    return false;
  } else {
    return !::std::is_void_v<product_element_t<L, R>> && tile_shape<typename product_shape<L, R>::type>;
  }
}

} // namespace detail

/// L and R are matrices, or batches of them, of which the product is defined: M×K and K×N, of
/// 8-bit integers or of one floating-point type.  [matrix multiplication]
template <class L, class R>
concept matmul_compatible = detail::has_product<L, R>();

/// What matmul gives: half for half and fp8, float for bfloat16, tf32 and float, double, int.
/// [matrix multiplication]
template <class L, class R>
requires matmul_compatible<L, R>
using matmul_result_t =
    tile<detail::product_element_t<L, R>, typename detail::product_shape<L, R>::type>;

/// The same with the matrices of A, M×N, to add to; half and fp8 also add up in float. The batch
/// length is A's, to which those of L and R broadcast.  [matrix multiplication]
template <class L, class R, class A>
concept mma_compatible = detail::accumulate(detail::matrix_of<L>(),
                                            detail::matrix_of<R>(),
                                            detail::matrix_of<A>()) &&
                         detail::adds_up_in<L, R, A>;

namespace detail {

template <class R, class L>
concept factor_of = matmul_compatible<plain<L>, plain<R>>;
template <class A, class L, class R>
concept sum_of = mma_compatible<plain<L>, plain<R>, plain<A>>;

/// One call: lhs · rhs + acc, in the type T.
template <class T, class L, class R>
TILESIM_API T multiplied(const L& lhs, const R& rhs, machine::in acc) noexcept {
  T result;
  machine::mma(is_byte<element_of<L>> ? opcode::mmai : opcode::mmaf,
               sign_of(facts_of<L>),
               sign_of(facts_of<R>),
               target(result),
               source(lhs),
               source(rhs),
               acc);
  return result;
}

} // namespace detail

/// lhs · rhs + acc, in the type of acc. Integer results wrap.  [matrix multiplication: mma]
template <class L, class R, detail::sum_of<L, R> A>
TILESIM_API detail::plain<A> mma(const L& lhs, const R& rhs, const A& acc) noexcept {
  return detail::multiplied<detail::plain<A>, detail::plain<L>, detail::plain<R>>(
      lhs, rhs, detail::source<detail::plain<A>>(acc));
}

/// lhs · rhs. Integer results wrap.  [matrix multiplication: matmul]
template <class L, detail::factor_of<L> R>
TILESIM_API matmul_result_t<detail::plain<L>, detail::plain<R>> matmul(const L& lhs,
                                                                       const R& rhs) noexcept {
  using T = matmul_result_t<detail::plain<L>, detail::plain<R>>;
  return detail::multiplied<T, detail::plain<L>, detail::plain<R>>(
      lhs, rhs, detail::zero<tile_element_t<T>>());
}

} // namespace cuda::tiles::inline __1
