// half precision: 1 sign, 5 exponent and 10 fraction bits.
//
// The type and the functions that host code and kernels use, with CUDA's names and its compiler's
// overload behaviour; arithmetic rounds once.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include <tilesim/detail/letters_begin.h>

#include <vector_types.h>

#include <tilesim/detail/atomic_access.hpp>
#include <tilesim/detail/float_formats.hpp>

#include <cmath>

struct __nv_bfloat16; // its constructor from the other type is defined in cuda_bf16.h

#define TILESIM_H __half
#define TILESIM_H_RAW __half_raw
#define TILESIM_H2 __half2
#define TILESIM_H2_RAW __half2_raw
#define TILESIM_H_OTHER __nv_bfloat16
#define TILESIM_H_FORMAT ::tilesim::detail::half_format
#define TILESIM_H_NAME(a, b) a##half##b
#include <tilesim/detail/half_type.def>

#include <tilesim/detail/half_functions.def>
#undef TILESIM_H
#undef TILESIM_H_RAW
#undef TILESIM_H2
#undef TILESIM_H2_RAW
#undef TILESIM_H_OTHER
#undef TILESIM_H_FORMAT
#undef TILESIM_H_NAME

[[gnu::always_inline]] inline __half2 __half2half2(__half h) noexcept {
  return {h, h};
}

using half = __half;
using half2 = __half2;
using __nv_half = __half;
using __nv_half2 = __half2;
using nv_half = __half;
using nv_half2 = __half2;

#define CUDART_ONE_FP16 __ushort_as_half(static_cast<unsigned short>(0x3C00U))
#define CUDART_INF_FP16 __ushort_as_half(static_cast<unsigned short>(0x7C00U))
#define CUDART_NAN_FP16 __ushort_as_half(static_cast<unsigned short>(0x7FFFU))
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x8000U))
#define CUDART_ZERO_FP16 __ushort_as_half(static_cast<unsigned short>(0x0000U))
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(static_cast<unsigned short>(0x7BFFU))
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(static_cast<unsigned short>(0x0001U))

#include <tilesim/detail/letters_end.h>

#endif
