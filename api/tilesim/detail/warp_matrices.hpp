// nvcuda::wmma: products of matrices by the lanes of a warp, which are not simulated. Programs that
// name them compile, and a kernel that comes to one ends the run at that line.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_sync.hpp>

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
namespace precision {
struct tf32;
} // namespace precision
enum layout_t { mem_row_major, mem_col_major };

namespace tilesim_detail {
template <class T>
struct element {
  using type = T;
};
template <>
struct element<precision::tf32> {
  using type = float;
};
[[noreturn]] TILESIM_API void refuse(const char* what) {
  ::tilesim::detail::not_simulated(what, "let tile kernels multiply matrices (ct::mma)");
}
} // namespace tilesim_detail

/// A lane's part of a matrix.
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using element_type = typename tilesim_detail::element<T>::type;
  static constexpr int num_elements = 8;
  element_type x[num_elements];
};

template <class Fragment, class T>
TILESIM_API void fill_fragment(Fragment& /*f*/, const T& /*value*/) {
  tilesim_detail::refuse("a tensor core's fragment (wmma::fill_fragment)");
}
template <class Fragment, class T, class... Layout>
TILESIM_API void
load_matrix_sync(Fragment& /*f*/, const T* /*from*/, unsigned /*stride*/, Layout... /*layout*/) {
  tilesim_detail::refuse("a tensor core's fragment (wmma::load_matrix_sync)");
}
template <class T, class Fragment>
TILESIM_API void store_matrix_sync(T* /*to*/, const Fragment& /*f*/, unsigned /*stride*/, layout_t /*layout*/) {
  tilesim_detail::refuse("a tensor core's fragment (wmma::store_matrix_sync)");
}
template <class D, class A, class B, class C>
TILESIM_API void
mma_sync(D& /*d*/, const A& /*a*/, const B& /*b*/, const C& /*c*/, bool /*satf*/ = false) {
  tilesim_detail::refuse("a tensor core's product (wmma::mma_sync)");
}
TILESIM_API float __float_to_tf32(float /*value*/) {
  tilesim_detail::refuse("a tensor core's number (wmma::__float_to_tf32)");
}

} // namespace nvcuda::wmma
