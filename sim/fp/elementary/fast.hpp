// The elementary functions of floats in double precision, good to some 45 bits, for loops.
//
// Nothing here branches, so that loops over it vectorise, and nothing depends on the processor.
// A result is within a relative error of 2^-doubtful of the exact value; NaN says that the argument
// is none of these functions' business (or is NaN). A caller rounds both ends of the error's
// interval, and asks accurate.hpp where they differ: Ziv's test.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/elementary/accurate.hpp"
#include "sim/fp/elementary/tables.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace tilesim::sim::fp::elementary {
namespace in_double {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();
inline constexpr float none_float = std::numeric_limits<float>::quiet_NaN();

/// Adding it rounds to an integer and leaves it in the low bits.
inline constexpr double to_integer = 0x1.8p52;

/// coefficients[0] + z * coefficients[1] + …
template <std::size_t N>
[[gnu::always_inline]] inline double polynomial(const double (&coefficients)[N],
                                                double z) noexcept {
  double sum = coefficients[N - 1];
  for (std::size_t i = N - 1; i-- > 0;) {
    sum = coefficients[i] + z * sum;
  }
  return sum;
}

/// x within [low, high]; a NaN stays.
[[gnu::always_inline]] inline double clamped(double x, double low, double high) noexcept {
  x = x < low ? low : x;
  return x > high ? high : x;
}

/// 2^k, from k + to_integer.
[[gnu::always_inline]] inline double power(double k_plus) noexcept {
  return as_double((bits_of(k_plus) + 1023U) << 52);
}

[[gnu::always_inline]] inline double with_sign_of(double magnitude, double sign) noexcept {
  constexpr std::uint64_t bit = std::uint64_t{1} << 63;
  return as_double((bits_of(magnitude) & ~bit) | (bits_of(sign) & bit));
}
[[gnu::always_inline]] inline double magnitude(double x) noexcept {
  return as_double(bits_of(x) & ~(std::uint64_t{1} << 63));
}

/// e^x, |x| < 700.
[[gnu::always_inline]] inline double exp_in_range(double x) noexcept {
  const double k_plus = x * tables::log2_e_fast + to_integer;
  const double k = k_plus - to_integer;
  const double r = (x - k * tables::ln2_fast[0]) - k * tables::ln2_fast[1];
  return polynomial(tables::exp_fit, r) * power(k_plus);
}

/// 2^x, |x| < 1000.
[[gnu::always_inline]] inline double exp2_in_range(double x) noexcept {
  const double k_plus = x + to_integer;
  return polynomial(tables::exp2_fit, x - (k_plus - to_integer)) * power(k_plus);
}

/// x = 2^exponent * m: ln m; for normal positive x, else NaN.
struct logarithm {
  double of_significand, exponent;
};
[[gnu::always_inline]] inline logarithm log_of(float x) noexcept {
  const std::uint32_t bits = bits_of(x);
  const bool good = bits - 0x00800000U < 0x7f000000U;
  const std::uint32_t from_root = bits - 0x3f3504f3U; // m from sqrt(1/2) to sqrt(2)
  const std::int32_t exponent = static_cast<std::int32_t>(from_root) >> 23;
  const float m = as_float(good ? bits - (from_root & 0xff800000U) : bits_of(none_float));
  const double above = static_cast<double>(m) - 1;
  const double s = above / (above + 2); // ln m = 2 atanh(s)
  const double z = s * s;
  return {2 * s * (1 + z * polynomial(tables::log_fit, z)), static_cast<double>(exponent)};
}

/// sin r and cos r of r = x - n pi / 2, and the low bits of n; |x| < 2^20.
struct angle {
  double sin, cos;
  std::uint64_t n;
};
[[gnu::always_inline]] inline angle turn(double x) noexcept {
  const double k_plus = x * tables::two_over_pi + to_integer;
  const double k = k_plus - to_integer;
  const double r = ((x - k * tables::half_pi_fast[0]) - k * tables::half_pi_fast[1]) -
                   k * tables::half_pi_fast[2];
  const double z = r * r;
  return {r * (1 + z * polynomial(tables::sin_fit, z)),
          1 + z * polynomial(tables::cos_fit, z),
          bits_of(k_plus)};
}
[[gnu::always_inline]] inline double if_small_angle(double x, double y) noexcept {
  return magnitude(x) < 0x1p20 ? y : none;
}

} // namespace in_double

// Each function: its two forms, and how many bits the fast one is good to.

struct exp_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    return in_double::exp_in_range(in_double::clamped(x, -110, 95));
  }
  static extended accurate(double x) noexcept { return accurate_exp(x); }
};

struct exp2_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    return in_double::exp2_in_range(in_double::clamped(x, -160, 140));
  }
  static extended accurate(double x) noexcept { return accurate_exp2(x); }
};

struct log_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const in_double::logarithm l = in_double::log_of(x);
    return l.exponent * tables::ln2.hi + l.of_significand;
  }
  static extended accurate(double x) noexcept { return accurate_log(x); }
};

struct log2_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const in_double::logarithm l = in_double::log_of(x);
    return l.exponent + l.of_significand * tables::log2_e_fast;
  }
  static extended accurate(double x) noexcept { return accurate_log2(x); }
};

struct rsqrt_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    return 1 / std::sqrt(static_cast<double>(x));
  }
  static extended accurate(double x) noexcept { return accurate_rsqrt(x); }
};

struct sin_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const in_double::angle a = in_double::turn(x);
    const double y = (a.n & 1U) != 0 ? a.cos : a.sin;
    return in_double::if_small_angle(x, as_double(bits_of(y) ^ (a.n & 2U) << 62));
  }
  static extended accurate(double x) noexcept { return accurate_sin(x); }
};

struct cos_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const in_double::angle a = in_double::turn(x);
    const double y = (a.n & 1U) != 0 ? a.sin : a.cos;
    return in_double::if_small_angle(x, as_double(bits_of(y) ^ ((a.n + 1) & 2U) << 62));
  }
  static extended accurate(double x) noexcept { return accurate_cos(x); }
};

struct tan_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const in_double::angle a = in_double::turn(x);
    const bool odd = (a.n & 1U) != 0;
    return in_double::if_small_angle(x, (odd ? -a.cos : a.sin) / (odd ? a.sin : a.cos));
  }
  static extended accurate(double x) noexcept { return accurate_tan(x); }
};

struct sinh_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const double v = x;
    const double z = v * v;
    const double near = v * (1 + z * in_double::polynomial(tables::sinh_fit, z));
    const double e = in_double::exp_in_range(in_double::clamped(in_double::magnitude(v), 0, 95));
    const double far = in_double::with_sign_of((e - 1 / e) * 0.5, v);
    return in_double::magnitude(v) < 0.5 ? near : far;
  }
  static extended accurate(double x) noexcept { return accurate_sinh(x); }
};

struct cosh_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const double e = in_double::exp_in_range(in_double::clamped(in_double::magnitude(x), 0, 95));
    return (e + 1 / e) * 0.5;
  }
  static extended accurate(double x) noexcept { return accurate_cosh(x); }
};

struct tanh_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float x) noexcept {
    const double v = x;
    const double z = v * v;
    const double near = v * (1 + z * in_double::polynomial(tables::tanh_fit, z));
    const double e =
        in_double::exp_in_range(2 * in_double::clamped(in_double::magnitude(v), 0, 20));
    const double far = in_double::with_sign_of((e - 1) / (e + 1), v);
    return in_double::magnitude(v) < 0.25 ? near : far;
  }
  static extended accurate(double x) noexcept { return accurate_tanh(x); }
};

struct pow_function {
  // The error of the logarithm grows with the exponent, up to 160.
  static constexpr int doubtful = 41;
  [[gnu::always_inline]] static double fast(float x, float y) noexcept {
    const double exponent = y * log2_function::fast(x);
    return in_double::exp2_in_range(in_double::clamped(exponent, -160, 140));
  }
  static extended accurate(double x, double y) noexcept { return accurate_pow(x, y); }
};

struct atan2_function {
  static constexpr int doubtful = 45;
  [[gnu::always_inline]] static double fast(float y, float x) noexcept {
    const double ax = in_double::magnitude(x);
    const double ay = in_double::magnitude(y);
    const bool steep = ay > ax;
    const double a = steep ? ax : ay;
    const double b = steep ? ay : ax;
    // atan(a/b) = atan(c) + atan((a - c b) / (b + c a)) with c = 0, 1/2 or 1
    const bool high = a * 4 > b * 3;
    const bool low = a * 4 < b;
    const double c = low ? 0 : high ? 1 : 0.5;
    const double of_c = low ? 0 : high ? tables::quarter_pi.hi : tables::atan_half;
    const double u = (a - c * b) / (b + c * a);
    const double z = u * u;
    double angle = of_c + u * (1 + z * in_double::polynomial(tables::atan_fit, z));
    angle = steep ? tables::half_pi.hi - angle : angle;
    angle = x < 0 ? tables::pi.hi - angle : angle;
    const bool good = a > 0 && b < std::numeric_limits<double>::infinity();
    return good ? in_double::with_sign_of(angle, y) : in_double::none;
  }
  static extended accurate(double y, double x) noexcept { return accurate_atan2(y, x); }
};

} // namespace tilesim::sim::fp::elementary
