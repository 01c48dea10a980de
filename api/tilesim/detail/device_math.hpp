// Mathematics that CUDA brings unqualified: min and max, rsqrtf, sincosf, __expf …
//
// What <math.h> has comes from there. Inlined here is what a line says; the rest stands in
// sim/runtime/device_math.cpp. Accuracy is the host library's: at least CUDA's own bounds.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <math.h>

// min and max: CUDA's own overloads; a mix of signed and unsigned is unsigned.
#define TILESIM_MIN_MAX(type, a, b)                                                                \
  TILESIM_API constexpr type min(a x, b y) {                                                       \
    return static_cast<type>(x) < static_cast<type>(y) ? static_cast<type>(x)                      \
                                                       : static_cast<type>(y);                     \
  }                                                                                                \
  TILESIM_API constexpr type max(a x, b y) {                                                       \
    return static_cast<type>(x) > static_cast<type>(y) ? static_cast<type>(x)                      \
                                                       : static_cast<type>(y);                     \
  }
#define TILESIM_MIN_MAX_SIGNS(s, u)                                                                \
  TILESIM_MIN_MAX(s, s, s)                                                                         \
  TILESIM_MIN_MAX(u, u, u)                                                                         \
  TILESIM_MIN_MAX(u, s, u)                                                                         \
  TILESIM_MIN_MAX(u, u, s)
TILESIM_MIN_MAX_SIGNS(int, unsigned int)
TILESIM_MIN_MAX_SIGNS(long, unsigned long)
TILESIM_MIN_MAX_SIGNS(long long, unsigned long long)
#undef TILESIM_MIN_MAX_SIGNS
#undef TILESIM_MIN_MAX
namespace tilesim::detail {

/// A NaN loses, and the zeros are two.  [PTX, min, max: +0.0 > -0.0]
template <class T>
TILESIM_API T least(T x, T y) {
  return x != x ? y : y != y ? x : x == y ? (__builtin_signbit(x) != 0 ? x : y) : x < y ? x : y;
}
template <class T>
TILESIM_API T greatest(T x, T y) {
  return x != x ? y : y != y ? x : x == y ? (__builtin_signbit(x) != 0 ? y : x) : x > y ? x : y;
}

} // namespace tilesim::detail

// Floating point as fmin and fmax.
TILESIM_API float min(float x, float y) { return ::tilesim::detail::least(x, y); }
TILESIM_API float max(float x, float y) { return ::tilesim::detail::greatest(x, y); }
TILESIM_API double min(double x, double y) { return ::tilesim::detail::least<double>(x, y); }
TILESIM_API double max(double x, double y) { return ::tilesim::detail::greatest<double>(x, y); }
TILESIM_API double min(float x, double y) { return ::tilesim::detail::least<double>(x, y); }
TILESIM_API double max(float x, double y) { return ::tilesim::detail::greatest<double>(x, y); }
TILESIM_API double min(double x, float y) { return ::tilesim::detail::least<double>(x, y); }
TILESIM_API double max(double x, float y) { return ::tilesim::detail::greatest<double>(x, y); }

TILESIM_API unsigned umin(unsigned x, unsigned y) { return min(x, y); }
TILESIM_API unsigned umax(unsigned x, unsigned y) { return max(x, y); }
TILESIM_API long long llmin(long long x, long long y) { return min(x, y); }
TILESIM_API long long llmax(long long x, long long y) { return max(x, y); }
TILESIM_API unsigned long long ullmin(unsigned long long x, unsigned long long y) { return min(x, y); }
TILESIM_API unsigned long long ullmax(unsigned long long x, unsigned long long y) { return max(x, y); }

// What a GPU does not round correctly has a name of its own, by which a comparison with one is told
// of the call.
#pragma GCC visibility push(default)
extern "C" {
float tilesim_rsqrtf(float);
double tilesim_rsqrt(double);
}
#pragma GCC visibility pop

TILESIM_API float rsqrtf(float x) { return tilesim_rsqrtf(x); }
TILESIM_API double rsqrt(double x) { return tilesim_rsqrt(x); }

// Short of a library function.
TILESIM_API float rsqrt(float x) { return rsqrtf(x); }
TILESIM_API float rcbrtf(float x) { return 1 / __builtin_cbrtf(x); }
TILESIM_API double rcbrt(double x) { return 1 / __builtin_cbrt(x); }
TILESIM_API float rhypotf(float x, float y) { return 1 / __builtin_hypotf(x, y); }
TILESIM_API double rhypot(double x, double y) { return 1 / __builtin_hypot(x, y); }
TILESIM_API float norm3df(float a, float b, float c) {
  return static_cast<float>(__builtin_hypot(__builtin_hypot(a, b), c));
}
TILESIM_API double norm3d(double a, double b, double c) {
  return __builtin_hypot(__builtin_hypot(a, b), c);
}
TILESIM_API float norm4df(float a, float b, float c, float d) {
  return static_cast<float>(norm3d(__builtin_hypot(a, b), c, d));
}
TILESIM_API double norm4d(double a, double b, double c, double d) {
  return norm3d(__builtin_hypot(a, b), c, d);
}
TILESIM_API float rnorm3df(float a, float b, float c) { return 1 / norm3df(a, b, c); }
TILESIM_API float rnorm4df(float a, float b, float c, float d) { return 1 / norm4df(a, b, c, d); }
TILESIM_API double rnorm3d(double a, double b, double c) { return 1 / norm3d(a, b, c); }
TILESIM_API double rnorm4d(double a, double b, double c, double d) { return 1 / norm4d(a, b, c, d); }

#pragma GCC visibility push(default)
extern "C" {
// Not in the host's library: sim/runtime/device_math.cpp.
float sinpif(float);
float cospif(float);
double sinpi(double);
double cospi(double);
void sincospif(float, float*, float*);
void sincospi(double, double*, double*);
float erfinvf(float);
double erfinv(double);
float erfcinvf(float);
double erfcinv(double);
float erfcxf(float);
double erfcx(double);
float normcdff(float);
double normcdf(double);
float normcdfinvf(float);
double normcdfinv(double);
float normf(int, const float*);
double norm(int, const double*);
float rnormf(int, const float*);
double rnorm(int, const double*);
float cyl_bessel_i0f(float);
float cyl_bessel_i1f(float);
double cyl_bessel_i0(double);
double cyl_bessel_i1(double);
}
#pragma GCC visibility pop

// Fast versions: here as exact as the slow ones, and likewise.
#pragma GCC visibility push(default)
extern "C" {
float tilesim_fast_expf(float);
float tilesim_fast_exp10f(float);
float tilesim_fast_logf(float);
float tilesim_fast_log2f(float);
float tilesim_fast_log10f(float);
float tilesim_fast_sinf(float);
float tilesim_fast_cosf(float);
float tilesim_fast_tanf(float);
float tilesim_fast_tanhf(float);
float tilesim_fast_powf(float, float);
float tilesim_fast_dividef(float, float);
}
#pragma GCC visibility pop

TILESIM_API float __expf(float x) { return tilesim_fast_expf(x); }
TILESIM_API float __exp10f(float x) { return tilesim_fast_exp10f(x); }
TILESIM_API float __logf(float x) { return tilesim_fast_logf(x); }
TILESIM_API float __log2f(float x) { return tilesim_fast_log2f(x); }
TILESIM_API float __log10f(float x) { return tilesim_fast_log10f(x); }
TILESIM_API float __sinf(float x) { return tilesim_fast_sinf(x); }
TILESIM_API float __cosf(float x) { return tilesim_fast_cosf(x); }
TILESIM_API float __tanf(float x) { return tilesim_fast_tanf(x); }
TILESIM_API float __tanhf(float x) { return tilesim_fast_tanhf(x); }
TILESIM_API float __powf(float x, float y) { return tilesim_fast_powf(x, y); }
TILESIM_API void __sincosf(float x, float* s, float* c) {
  *s = tilesim_fast_sinf(x);
  *c = tilesim_fast_cosf(x);
}
TILESIM_API float fdividef(float x, float y) { return x / y; }
TILESIM_API float __fdividef(float x, float y) { return tilesim_fast_dividef(x, y); }
TILESIM_API float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F; }

// Arithmetic that no compiler contracts into an fma.
#define TILESIM_RN(name, type, expression)                                                         \
  TILESIM_API type name {                                                                          \
    const volatile type result = expression;                                                       \
    return result;                                                                                 \
  }
TILESIM_RN(__fadd_rn(float x, float y), float, x + y)
TILESIM_RN(__fsub_rn(float x, float y), float, x - y)
TILESIM_RN(__fmul_rn(float x, float y), float, x* y)
TILESIM_RN(__fdiv_rn(float x, float y), float, x / y)
TILESIM_RN(__frcp_rn(float x), float, 1 / x)
TILESIM_RN(__fsqrt_rn(float x), float, __builtin_sqrtf(x))
TILESIM_RN(__frsqrt_rn(float x), float, static_cast<float>(1 / __builtin_sqrt(static_cast<double>(x))))
TILESIM_RN(__dadd_rn(double x, double y), double, x + y)
TILESIM_RN(__dsub_rn(double x, double y), double, x - y)
TILESIM_RN(__dmul_rn(double x, double y), double, x* y)
TILESIM_RN(__ddiv_rn(double x, double y), double, x / y)
TILESIM_RN(__drcp_rn(double x), double, 1 / x)
TILESIM_RN(__dsqrt_rn(double x), double, __builtin_sqrt(x))
#undef TILESIM_RN
TILESIM_API float __fmaf_rn(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
TILESIM_API double __fma_rn(double x, double y, double z) { return __builtin_fma(x, y, z); }
