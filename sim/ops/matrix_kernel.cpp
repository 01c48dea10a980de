// The inner loop, in GCC's vector types: compiled for the baseline and, on x86-64, for AVX2 and
// AVX-512 from the same always-inlined text.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/matrix_kernel.hpp"

#if defined(__x86_64__)
#  define TILESIM_X86 1
#else
#  define TILESIM_X86 0
#endif

namespace tilesim::sim::ops {
namespace {

template <class T, unsigned Bytes>
struct vector_of {
  using type [[gnu::vector_size(Bytes)]] = T;
};

template <unsigned Rows, class V, class T>
[[gnu::always_inline]] inline void
multiply(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  constexpr std::size_t lanes = sizeof(V) / sizeof(T);
  auto* const out = reinterpret_cast<V*>(sums);
  const auto* in = reinterpret_cast<const V*>(panel);
  V sum[Rows][2];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Rows; ++i) {
    sum[i][0] = out[2 * i];
    sum[i][1] = out[2 * i + 1];
  }
  for (std::size_t p = 0; p < depth; ++p, in += 2) {
    const V b0 = in[0];
    const V b1 = in[1];
#pragma GCC unroll 8
    for (std::size_t i = 0; i < Rows; ++i) {
      const V splat = a[i][p] - V{};      // x - 0 is x, -0 too
      sum[i][0] = sum[i][0] + splat * b0; // -ffp-contract=off: two roundings
      sum[i][1] = sum[i][1] + splat * b1;
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < Rows; ++i) {
    out[2 * i] = sum[i][0];
    out[2 * i + 1] = sum[i][1];
  }
  static_assert(2 * lanes <= most_columns && Rows <= most_rows);
}

template <class T>
void baseline(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  multiply<4, typename vector_of<T, 16>::type>(a, panel, depth, sums);
}
#if TILESIM_X86
template <class T>
[[gnu::target("avx2,fma")]] void
avx2(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  multiply<4, typename vector_of<T, 32>::type>(a, panel, depth, sums);
}
template <class T>
[[gnu::target("avx512f")]] void
avx512(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  multiply<8, typename vector_of<T, 64>::type>(a, panel, depth, sums);
}
#endif

template <class T>
matrix_kernel<T> find(vectors width) noexcept {
#if TILESIM_X86
  switch (width) {
  case vectors::avx512:
    return {8, 2 * (64 / sizeof(T)), &avx512<T>};
  case vectors::avx2:
    return {4, 2 * (32 / sizeof(T)), &avx2<T>};
  case vectors::baseline:
    break;
  }
#else
  static_cast<void>(width);
#endif
  return {4, 2 * (16 / sizeof(T)), &baseline<T>};
}

} // namespace

template <>
matrix_kernel<float> find_matrix_kernel<float>(vectors width) noexcept {
  return find<float>(width);
}
template <>
matrix_kernel<double> find_matrix_kernel<double>(vectors width) noexcept {
  return find<double>(width);
}
template <>
matrix_kernel<std::uint32_t> find_matrix_kernel<std::uint32_t>(vectors width) noexcept {
  return find<std::uint32_t>(width);
}

vectors widest_vectors() noexcept {
#if TILESIM_X86
  if (__builtin_cpu_supports("avx512f") != 0) {
    return vectors::avx512;
  }
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) {
    return vectors::avx2;
  }
#endif
  return vectors::baseline;
}

} // namespace tilesim::sim::ops
