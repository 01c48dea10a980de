// 8-bit floating point: e4m3 (no infinity, largest 448) and e5m2 (largest 57344).
//
// Storage and conversion only, as in CUDA: no arithmetic. The classes saturate.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/float_formats.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;

enum __nv_saturation_t {
  __NV_NOSAT,     ///< beyond the largest value: infinity, or NaN in e4m3
  __NV_SATFINITE, ///< the largest value
};
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

namespace tilesim::detail {

constexpr beyond beyond_of(__nv_saturation_t saturate) noexcept {
  return saturate == __NV_SATFINITE ? beyond::largest : beyond::infinity;
}

template <class Value>
constexpr __nv_fp8_storage_t
to_fp8(Value value, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) noexcept {
  const beyond rule = beyond_of(saturate);
  return kind == __NV_E4M3 ? encode<e4m3_format>(value, direction::nearest_even, rule)
                           : encode<e5m2_format>(value, direction::nearest_even, rule);
}

constexpr float from_fp8(__nv_fp8_storage_t cell, __nv_fp8_interpretation_t kind) noexcept {
  return kind == __NV_E4M3 ? to_float<e4m3_format>(cell) : to_float<e5m2_format>(cell);
}

} // namespace tilesim::detail

inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x,
                                                const __nv_saturation_t saturate,
                                                const __nv_fp8_interpretation_t kind) noexcept {
  return tilesim::detail::to_fp8(x, saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x,
                                                 const __nv_saturation_t saturate,
                                                 const __nv_fp8_interpretation_t kind) noexcept {
  return tilesim::detail::to_fp8(x, saturate, kind);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x,
                                                  const __nv_saturation_t saturate,
                                                  const __nv_fp8_interpretation_t kind) noexcept {
  return tilesim::detail::to_fp8(static_cast<float>(__half(x)), saturate, kind);
}
inline __nv_fp8_storage_t
__nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                            const __nv_saturation_t saturate,
                            const __nv_fp8_interpretation_t kind) noexcept {
  return tilesim::detail::to_fp8(static_cast<float>(__nv_bfloat16(x)), saturate, kind);
}
/// Exact: half has every value of both formats.
inline __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                          const __nv_fp8_interpretation_t kind) noexcept {
  return static_cast<__half_raw>(__half(tilesim::detail::from_fp8(x, kind)));
}

#define TILESIM_FP8_FROM(name, type)                                                               \
  [[gnu::always_inline]] inline explicit name(const type value) noexcept                           \
      : __x(tilesim::detail::encode<format>(                                                       \
            value, tilesim::detail::direction::nearest_even, tilesim::detail::beyond::largest)) {}
#define TILESIM_FP8_TO(type)                                                                       \
  [[gnu::always_inline]] inline explicit operator type() const noexcept {                          \
    return tilesim::detail::half_to_integer<format, type>(__x);                                    \
  }

#define TILESIM_FP8_TYPE(name, format_name)                                                        \
  struct name {                                                                                    \
    __nv_fp8_storage_t __x;                                                                        \
                                                                                                   \
    name() = default;                                                                              \
    TILESIM_FP8_FROM(name, float)                                                                  \
    TILESIM_FP8_FROM(name, double)                                                                 \
    TILESIM_FP8_FROM(name, short)                                                                  \
    TILESIM_FP8_FROM(name, unsigned short)                                                         \
    TILESIM_FP8_FROM(name, int)                                                                    \
    TILESIM_FP8_FROM(name, unsigned int)                                                           \
    TILESIM_FP8_FROM(name, long)                                                                   \
    TILESIM_FP8_FROM(name, unsigned long)                                                          \
    TILESIM_FP8_FROM(name, long long)                                                              \
    TILESIM_FP8_FROM(name, unsigned long long)                                                     \
    [[gnu::always_inline]] inline explicit name(const __half value) noexcept                       \
        : name(static_cast<float>(value)) {}                                                       \
    [[gnu::always_inline]] inline explicit name(const __nv_bfloat16 value) noexcept                \
        : name(static_cast<float>(value)) {}                                                       \
                                                                                                   \
    [[gnu::always_inline]] inline explicit operator float() const noexcept {                       \
      return tilesim::detail::to_float<format>(__x);                                               \
    }                                                                                              \
    [[gnu::always_inline]] inline explicit operator double() const noexcept {                      \
      return static_cast<double>(tilesim::detail::to_float<format>(__x));                          \
    }                                                                                              \
    [[gnu::always_inline]] inline explicit operator __half() const noexcept {                      \
      return __half(tilesim::detail::to_float<format>(__x));                                       \
    }                                                                                              \
    [[gnu::always_inline]] inline explicit operator __nv_bfloat16() const noexcept {               \
      return __nv_bfloat16(tilesim::detail::to_float<format>(__x));                                \
    }                                                                                              \
    [[gnu::always_inline]] inline explicit operator bool() const noexcept {                        \
      return (__x & 0x7fU) != 0;                                                                   \
    }                                                                                              \
    TILESIM_FP8_TO(char)                                                                           \
    TILESIM_FP8_TO(signed char)                                                                    \
    TILESIM_FP8_TO(unsigned char)                                                                  \
    TILESIM_FP8_TO(short)                                                                          \
    TILESIM_FP8_TO(unsigned short)                                                                 \
    TILESIM_FP8_TO(int)                                                                            \
    TILESIM_FP8_TO(unsigned int)                                                                   \
    TILESIM_FP8_TO(long)                                                                           \
    TILESIM_FP8_TO(unsigned long)                                                                  \
    TILESIM_FP8_TO(long long)                                                                      \
    TILESIM_FP8_TO(unsigned long long)                                                             \
                                                                                                   \
  private:                                                                                         \
    using format = tilesim::detail::format_name;                                                   \
  };
TILESIM_FP8_TYPE(__nv_fp8_e4m3, e4m3_format)
TILESIM_FP8_TYPE(__nv_fp8_e5m2, e5m2_format)
#undef TILESIM_FP8_TYPE
#undef TILESIM_FP8_FROM
#undef TILESIM_FP8_TO

#include <tilesim/detail/letters_end.h>

#endif
