// bfloat16: 1 sign, 8 exponent and 7 fraction bits.
//
// The type and the functions that host code and kernels use, with CUDA's names and its compiler's
// overload behaviour; arithmetic rounds once.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <tilesim/detail/letters_begin.h>

#include <cuda_fp16.h>
#include <vector_types.h>

#include <tilesim/detail/atomic_access.hpp>
#include <tilesim/detail/float_formats.hpp>

#include <cmath>

#define TILESIM_H __nv_bfloat16
#define TILESIM_H_RAW __nv_bfloat16_raw
#define TILESIM_H2 __nv_bfloat162
#define TILESIM_H2_RAW __nv_bfloat162_raw
#define TILESIM_H_OTHER __half
#define TILESIM_H_FORMAT ::tilesim::detail::bfloat16_format
#define TILESIM_H_NAME(a, b) a##bfloat16##b
#include <tilesim/detail/half_type.def>

#include <tilesim/detail/half_functions.def>
#undef TILESIM_H
#undef TILESIM_H_RAW
#undef TILESIM_H2
#undef TILESIM_H2_RAW
#undef TILESIM_H_OTHER
#undef TILESIM_H_FORMAT
#undef TILESIM_H_NAME

[[gnu::always_inline]] inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 h) noexcept {
  return {h, h};
}

// Between the two 16-bit types: through float, which holds both.
inline __nv_bfloat16::__nv_bfloat16(const __half& other)
    : __nv_bfloat16(static_cast<float>(other)) {}
inline __half::__half(const __nv_bfloat16& other) : __half(static_cast<float>(other)) {}

using nv_bfloat16 = __nv_bfloat16;
using nv_bfloat162 = __nv_bfloat162;

#define CUDART_ONE_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x3F80U))
#define CUDART_INF_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F80U))
#define CUDART_NAN_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7FFFU))
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0000U))
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x7F7FU))
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(static_cast<unsigned short>(0x0001U))

#include <tilesim/detail/letters_end.h>

#endif
