// The inner loop, in GCC's vector types: compiled for the baseline and, on x86-64, for AVX2 and
// AVX-512 from the same always-inlined text.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/matrix_kernel.hpp"

#include "sim/fp/rounding.hpp"

#include <cmath>
#include <type_traits>

#if defined(__x86_64__)
#  define TILESIM_X86 1
#else
#  define TILESIM_X86 0
#endif

namespace tilesim::sim::ops {
namespace {

template <class T, unsigned Bytes>
struct vector_of {
  typedef T type __attribute__((vector_size(Bytes)));
};

/// Whether the target multiplies and adds floats in one instruction.
enum class fma_unit : bool { no, yes };

template <step Step, fma_unit Unit, class T, class V>
[[gnu::always_inline]] inline void add_product(V& sum, const V& a, const V& b) noexcept {
  if constexpr (Step == step::multiply_add) {
    sum = sum + a * b; // -ffp-contract=off: two roundings
  } else {
    V next;
#pragma GCC unroll 16
    for (unsigned i = 0; i < sizeof(V) / sizeof(T); ++i) {
      if constexpr (Unit == fma_unit::yes) {
        next[i] = __builtin_fmaf(a[i], b[i], sum[i]); // GCC makes one vector instruction of these
      } else {
        // The product of two floats is exact in double.
        next[i] = static_cast<float>(fp::add_to_odd(double{a[i]} * double{b[i]}, double{sum[i]}));
      }
    }
    sum = next;
  }
}

template <step Step, fma_unit Unit, unsigned Rows, class V, class T>
[[gnu::always_inline]] inline void
multiply(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  constexpr std::size_t lanes = sizeof(V) / sizeof(T);
  auto* const out = reinterpret_cast<V*>(sums);
  const auto* in = reinterpret_cast<const V*>(panel);
  V sum[Rows][2];
#pragma GCC unroll 8
  for (unsigned i = 0; i < Rows; ++i) {
    sum[i][0] = out[2 * i];
    sum[i][1] = out[2 * i + 1];
  }
  for (std::size_t p = 0; p < depth; ++p, in += 2) {
    const V b0 = in[0];
    const V b1 = in[1];
#pragma GCC unroll 8
    for (unsigned i = 0; i < Rows; ++i) {
      const V splat = a[i][p] - V{}; // x - 0 is x, -0 too
      add_product<Step, Unit, T>(sum[i][0], splat, b0);
      add_product<Step, Unit, T>(sum[i][1], splat, b1);
    }
  }
#pragma GCC unroll 8
  for (unsigned i = 0; i < Rows; ++i) {
    out[2 * i] = sum[i][0];
    out[2 * i + 1] = sum[i][1];
  }
  static_assert(2 * lanes <= most_columns && Rows <= most_rows);
}

#if defined(__FP_FAST_FMAF) // the baseline has it, as on aarch64
constexpr fma_unit baseline_fma = fma_unit::yes;
#else
constexpr fma_unit baseline_fma = fma_unit::no;
#endif

template <step Step, class T>
void baseline(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  multiply<Step, baseline_fma, 4, typename vector_of<T, 16>::type>(a, panel, depth, sums);
}
#if TILESIM_X86
template <step Step, class T>
[[gnu::target("avx2,fma")]] void
avx2(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  multiply<Step, fma_unit::yes, 4, typename vector_of<T, 32>::type>(a, panel, depth, sums);
}
template <step Step, class T>
[[gnu::target("avx512f")]] void
avx512(const T* const* a, const T* panel, std::size_t depth, T* sums) noexcept {
  multiply<Step, fma_unit::yes, 8, typename vector_of<T, 64>::type>(a, panel, depth, sums);
}
#endif

template <step Step, class T>
matrix_kernel<T> find(vectors width) noexcept {
#if TILESIM_X86
  switch (width) {
  case vectors::avx512:
    return {8, 2 * 64 / sizeof(T), &avx512<Step, T>};
  case vectors::avx2:
    return {4, 2 * 32 / sizeof(T), &avx2<Step, T>};
  case vectors::baseline:
    break;
  }
#else
  static_cast<void>(width);
#endif
  return {4, 2 * 16 / sizeof(T), &baseline<Step, T>};
}

} // namespace

template <>
matrix_kernel<float> find_matrix_kernel<float>(step s, vectors width) noexcept {
  return s == step::fused ? find<step::fused, float>(width)
                          : find<step::multiply_add, float>(width);
}
template <>
matrix_kernel<double> find_matrix_kernel<double>(step /*s*/, vectors width) noexcept {
  return find<step::multiply_add, double>(width);
}
template <>
matrix_kernel<std::uint32_t> find_matrix_kernel<std::uint32_t>(step /*s*/, vectors width) noexcept {
  return find<step::multiply_add, std::uint32_t>(width);
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
