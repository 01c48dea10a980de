// Arithmetic and conversions that round down, up or toward zero: __fadd_rd, __int2float_ru …
//
// The processor rounds as it is told meanwhile.  [CUDA Math API: Single and Double Precision
// Intrinsics, Type Casting Intrinsics]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <fenv.h>

namespace tilesim::detail {

/// Sets the direction while it lives. Operands and results are volatile: nothing is computed
/// before or behind it, or by the compiler.
struct rounding {
  explicit rounding(int direction) noexcept
      : before(::fegetround()) {
    ::fesetround(direction);
  }
  ~rounding() { ::fesetround(before); }
  rounding(const rounding&) = delete;
  rounding& operator=(const rounding&) = delete;
  int before;
};

} // namespace tilesim::detail

// clang-format off
#define TILESIM_ROUNDED(name, direction, to, parameters, operands, expression)                     \
  inline to name parameters {                                                                      \
    volatile to result;                                                                            \
    {                                                                                              \
      const ::tilesim::detail::rounding now(direction);                                            \
      operands                                                                                     \
      result = expression;                                                                         \
    }                                                                                              \
    return result;                                                                                 \
  }
#define TILESIM_ROUNDED_3(name, to, parameters, operands, expression)                              \
  TILESIM_ROUNDED(name##_rd, FE_DOWNWARD, to, parameters, operands, expression)                    \
  TILESIM_ROUNDED(name##_ru, FE_UPWARD, to, parameters, operands, expression)                      \
  TILESIM_ROUNDED(name##_rz, FE_TOWARDZERO, to, parameters, operands, expression)
#define TILESIM_ROUNDED_1(name, to, from, expression)                                              \
  TILESIM_ROUNDED_3(name, to, (from x), const volatile from a = x;, expression)
#define TILESIM_ROUNDED_2(name, type, expression)                                                  \
  TILESIM_ROUNDED_3(name, type, (type x, type y), const volatile type a = x; const volatile type b = y;, expression)

TILESIM_ROUNDED_2(__fadd, float, a + b)
TILESIM_ROUNDED_2(__fsub, float, a - b)
TILESIM_ROUNDED_2(__fmul, float, a * b)
TILESIM_ROUNDED_2(__fdiv, float, a / b)
TILESIM_ROUNDED_1(__frcp, float, float, 1 / a)
TILESIM_ROUNDED_1(__fsqrt, float, float, __builtin_sqrtf(a))
TILESIM_ROUNDED_3(__fmaf, float, (float x, float y, float z), const volatile float a = x; const volatile float b = y; const volatile float c = z;, __builtin_fmaf(a, b, c))
TILESIM_ROUNDED_3(__fmaf_ieee, float, (float x, float y, float z), const volatile float a = x; const volatile float b = y; const volatile float c = z;, __builtin_fmaf(a, b, c))
TILESIM_ROUNDED_2(__dadd, double, a + b)
TILESIM_ROUNDED_2(__dsub, double, a - b)
TILESIM_ROUNDED_2(__dmul, double, a * b)
TILESIM_ROUNDED_2(__ddiv, double, a / b)
TILESIM_ROUNDED_1(__drcp, double, double, 1 / a)
TILESIM_ROUNDED_1(__dsqrt, double, double, __builtin_sqrt(a))
TILESIM_ROUNDED_3(__fma, double, (double x, double y, double z), const volatile double a = x; const volatile double b = y; const volatile double c = z;, __builtin_fma(a, b, c))

TILESIM_ROUNDED_1(__int2float, float, int, static_cast<float>(a))
TILESIM_ROUNDED_1(__uint2float, float, unsigned, static_cast<float>(a))
TILESIM_ROUNDED_1(__ll2float, float, long long, static_cast<float>(a))
TILESIM_ROUNDED_1(__ull2float, float, unsigned long long, static_cast<float>(a))
TILESIM_ROUNDED_1(__ll2double, double, long long, static_cast<double>(a))
TILESIM_ROUNDED_1(__ull2double, double, unsigned long long, static_cast<double>(a))
TILESIM_ROUNDED_1(__double2float, float, double, static_cast<float>(a))
// clang-format on

#undef TILESIM_ROUNDED_2
#undef TILESIM_ROUNDED_1
#undef TILESIM_ROUNDED_3
#undef TILESIM_ROUNDED

TILESIM_API float __fmaf_ieee_rn(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
