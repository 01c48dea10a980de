// CUDA's mathematics that the host's library does not have.
//
// In double precision throughout; the float functions round once.
//
// SPDX-License-Identifier: Apache-2.0
#include <tilesim/detail/device_math.hpp>

#include <cmath>
#include <limits>
#include <numbers>

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

/// sin(pi x), by the nearest half: exact arguments where the result is exact.
double sin_pi(double x) {
  if (!std::isfinite(x)) {
    return nan;
  }
  const double r = std::remainder(x, 2.0); // within [-1, 1]
  if (r == 0 || std::fabs(r) == 1) {
    return std::copysign(0.0, x);
  }
  const double a = std::fabs(r);
  const double value = a <= 0.25   ? std::sin(std::numbers::pi * a)
                       : a <= 0.75 ? std::cos(std::numbers::pi * (a - 0.5))
                                   : std::sin(std::numbers::pi * (1 - a));
  return std::copysign(value, r);
}

double cos_pi(double x) {
  if (!std::isfinite(x)) {
    return nan;
  }
  const double a = std::fabs(std::remainder(x, 2.0));
  if (a == 0.5) {
    return 0;
  }
  return a <= 0.25   ? std::cos(std::numbers::pi * a)
         : a <= 0.75 ? -std::sin(std::numbers::pi * (a - 0.5))
                     : -std::cos(std::numbers::pi * (1 - a));
}

/// exp(x^2) erfc(x), x >= 0: the product while it is accurate, else the continued fraction.
double scaled_erfc_positive(double x) {
  if (x < 2) {
    return std::exp(x * x) * std::erfc(x);
  }
  double tail = 0;
  for (int k = 120; k >= 1; --k) {
    tail = k / 2.0 / (x + tail);
  }
  return std::numbers::inv_sqrtpi / (x + tail);
}

double scaled_erfc(double x) {
  if (x >= 0) {
    return std::isinf(x) ? 0 : scaled_erfc_positive(x);
  }
  return 2 * std::exp(x * x) - scaled_erfc_positive(-x);
}

/// The x with erfc(x) = y, 0 < y <= 1: a start of two digits, then Halley's steps, which work on
/// the relative error, so that far tails stay accurate.
double inverse_erfc_upper(double y) {
  const double t = std::sqrt(-2 * std::log(y / 2));
  double x = -0.70711 * ((2.30753 + t * 0.27061) / (1 + t * (0.99229 + t * 0.04481)) - t);
  for (int i = 0; i < 3; ++i) {
    const double error = std::erfc(x) - y;
    const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-x * x);
    x += error / (slope - x * error);
  }
  return x;
}

double inverse_erfc(double y) {
  if (!(y >= 0 && y <= 2)) {
    return nan;
  }
  if (y == 0 || y == 2) {
    return y == 0 ? infinity : -infinity;
  }
  return y <= 1 ? inverse_erfc_upper(y) : -inverse_erfc_upper(2 - y);
}

double inverse_erf(double y) {
  if (!(std::fabs(y) <= 1)) {
    return nan;
  }
  if (std::fabs(y) == 1) {
    return std::copysign(infinity, y);
  }
  if (std::fabs(y) > 0.5) {
    return std::copysign(inverse_erfc_upper(1 - std::fabs(y)), y);
  }
  double x = y * std::sqrt(std::numbers::pi) / 2;
  for (int i = 0; i < 4; ++i) {
    const double error = std::erf(x) - y;
    const double slope = 2 * std::numbers::inv_sqrtpi * std::exp(-x * x);
    x -= error / (slope + x * error);
  }
  return x;
}

template <class T>
double norm_of(int dim, const T* p) {
  double scale = 0;
  for (int i = 0; i < dim; ++i) {
    scale = std::fmax(scale, std::fabs(static_cast<double>(p[i])));
  }
  if (scale == 0 || std::isinf(scale)) {
    return scale;
  }
  double sum = 0;
  for (int i = 0; i < dim; ++i) {
    const double e = static_cast<double>(p[i]) / scale;
    sum += e * e;
  }
  return scale * std::sqrt(sum);
}

float round_once(double x) {
  return static_cast<float>(x);
}

} // namespace

// In place of the C library's, which makes a NaN of one that signals, and takes either zero.
// [PTX, min, max: a NaN loses; +0.0 > -0.0]
TILESIM_EXPORT double fmin(double x, double y) noexcept {
  return ::tilesim::detail::least(x, y);
}
TILESIM_EXPORT double fmax(double x, double y) noexcept {
  return ::tilesim::detail::greatest(x, y);
}
TILESIM_EXPORT float fminf(float x, float y) noexcept {
  return ::tilesim::detail::least(x, y);
}
TILESIM_EXPORT float fmaxf(float x, float y) noexcept {
  return ::tilesim::detail::greatest(x, y);
}

// clang-format off
double sinpi(double x)       { return sin_pi(x); }
double cospi(double x)       { return cos_pi(x); }
double erfinv(double x)      { return inverse_erf(x); }
double erfcinv(double x)     { return inverse_erfc(x); }
double erfcx(double x)       { return scaled_erfc(x); }
double normcdf(double x)     { return std::erfc(-x / std::numbers::sqrt2) / 2; }
double normcdfinv(double x)  { return -std::numbers::sqrt2 * inverse_erfc(2 * x); }
double cyl_bessel_i0(double x) { return std::cyl_bessel_i(0.0, std::fabs(x)); }
double cyl_bessel_i1(double x) { return std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x); }
double norm(int dim, const double* p)  { return norm_of(dim, p); }
double rnorm(int dim, const double* p) { return 1 / norm_of(dim, p); }

float sinpif(float x)        { return round_once(sin_pi(static_cast<double>(x))); }
float cospif(float x)        { return round_once(cos_pi(static_cast<double>(x))); }
float erfinvf(float x)       { return round_once(inverse_erf(static_cast<double>(x))); }
float erfcinvf(float x)      { return round_once(inverse_erfc(static_cast<double>(x))); }
float erfcxf(float x)        { return round_once(scaled_erfc(static_cast<double>(x))); }
float normcdff(float x)      { return round_once(normcdf(static_cast<double>(x))); }
float normcdfinvf(float x)   { return round_once(normcdfinv(static_cast<double>(x))); }
float cyl_bessel_i0f(float x) { return round_once(cyl_bessel_i0(static_cast<double>(x))); }
float cyl_bessel_i1f(float x) { return round_once(cyl_bessel_i1(static_cast<double>(x))); }
float normf(int dim, const float* p)  { return round_once(norm_of(dim, p)); }
float rnormf(int dim, const float* p) { return round_once(1 / norm_of(dim, p)); }

double tilesim_rsqrt(double x)      { return 1 / std::sqrt(x); }
float tilesim_rsqrtf(float x)       { return round_once(1 / std::sqrt(static_cast<double>(x))); }
float tilesim_fast_expf(float x)    { return std::exp(x); }
float tilesim_fast_exp10f(float x)  { return ::exp10f(x); }
float tilesim_fast_logf(float x)    { return std::log(x); }
float tilesim_fast_log2f(float x)   { return std::log2(x); }
float tilesim_fast_log10f(float x)  { return std::log10(x); }
float tilesim_fast_sinf(float x)    { return std::sin(x); }
float tilesim_fast_cosf(float x)    { return std::cos(x); }
float tilesim_fast_tanf(float x)    { return std::tan(x); }
float tilesim_fast_tanhf(float x)   { return std::tanh(x); }
// As documented: a NaN of a negative x, and of 0 to the power of 0.
float tilesim_fast_powf(float x, float y)    { return std::exp2(y * std::log2(x)); }
float tilesim_fast_dividef(float x, float y) { return x / y; }
// clang-format on

void sincospi(double x, double* s, double* c) {
  *s = sin_pi(x);
  *c = cos_pi(x);
}

void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
