// What the floating-point operations mean, on float and double.  [arithmetic operations]
//
// Written once and used for every format: float32_64.cpp applies them to f32 and f64 as they are,
// half.cpp to half and bfloat16 after widening, rmw.cpp to one cell. The rounding is the hardware's
// current one.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/fp/rounding.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace tilesim::sim::ops {

/// NaN results of float operations are this one; double keeps payloads.
[[gnu::always_inline]] inline float canonical(float x) noexcept {
  return x == x ? x : fp::as_float(0x7fffffffU);
}

inline constexpr std::uint64_t quiet_bit = 0x0008000000000000U;
inline constexpr std::uint64_t default_nan = 0xfff8000000000000U;

/// What an operation on doubles gives for NaN: the first NaN operand, quietened, or the NaN of an
/// invalid operation (0/0, inf - inf).
[[gnu::always_inline]] inline double nan_of(double a) noexcept {
  return fp::as_double(a != a ? fp::bits_of(a) | quiet_bit : default_nan);
}
[[gnu::always_inline]] inline double nan_of(double a, double b) noexcept {
  return a != a ? nan_of(a) : nan_of(b);
}
[[gnu::always_inline]] inline double nan_of(double a, double b, double c) noexcept {
  return a != a ? nan_of(a) : nan_of(b, c);
}

/// A subnormal becomes a zero of the same sign.  [general: subnormals rounding modes]
[[gnu::always_inline]] inline float subround(float x) noexcept {
  const std::uint32_t bits = fp::bits_of(x);
  return fp::as_float((bits & 0x7f800000U) == 0 ? bits & 0x80000000U : bits);
}

// a + b, a - b, a * b, a / b.
struct addition {
  template <class V>
  static V apply(V a, V b) noexcept {
    return a + b;
  }
};
struct subtraction {
  template <class V>
  static V apply(V a, V b) noexcept {
    return a - b;
  }
};
struct multiplication {
  template <class V>
  static V apply(V a, V b) noexcept {
    return a * b;
  }
};
struct division {
  template <class V>
  static V apply(V a, V b) noexcept {
    return a / b;
  }
};

// The division documented for the round approximate mode: a * (1 / b), where a reciprocal below the
// smallest normal float is 0. Elsewhere the correctly rounded quotient, the best there is.
// [arithmetic operations: division; Tile IR, divf]
struct approximate_division {
  template <class V>
  static V apply(V a, V b) noexcept {
    const V size = std::fabs(b);
    const bool reciprocal_is_zero = size > V{0x1p126F} && size < std::numeric_limits<V>::infinity();
    return reciprocal_is_zero ? a * std::copysign(V{0}, b) : a / b;
  }
};

// a * b + c, one rounding.  [arithmetic operations: fma]
struct fused_multiply_add {
  template <class V>
  static V apply(V a, V b, V c) noexcept {
    return std::fma(a, b, c);
  }
};

// a - trunc(a / b) * b with a's sign, exact.  [arithmetic operations: remainder]
struct float_remainder {
  template <class V>
  static V apply(V a, V b) noexcept {
    return std::fmod(a, b);
  }
};

// The square root.  [math operations: sqrt]
struct square_root {
  template <class V>
  static V apply(V a) noexcept {
    return std::sqrt(a);
  }
};

// The nearest integers above and below.  [math operations: ceil, floor]
struct ceiling {
  template <class V>
  static V apply(V a) noexcept {
    return std::ceil(a);
  }
};
struct flooring {
  template <class V>
  static V apply(V a) noexcept {
    return std::floor(a);
  }
};

namespace detail_ops {
[[gnu::always_inline]] inline float and_bits(float a, float b) noexcept {
  return fp::as_float(fp::bits_of(a) & fp::bits_of(b));
}
[[gnu::always_inline]] inline double and_bits(double a, double b) noexcept {
  return fp::as_double(fp::bits_of(a) & fp::bits_of(b));
}
[[gnu::always_inline]] inline float or_bits(float a, float b) noexcept {
  return fp::as_float(fp::bits_of(a) | fp::bits_of(b));
}
[[gnu::always_inline]] inline double or_bits(double a, double b) noexcept {
  return fp::as_double(fp::bits_of(a) | fp::bits_of(b));
}
} // namespace detail_ops

// IEEE 754 maximumNumber (a NaN loses) and maximum (a NaN wins); +0 is above -0: equal operands
// differ at most in the sign of a zero. A NaN result is the first operand that is one.  [arithmetic
// operations: maximum]
template <bool PropagateNan>
struct float_maximum {
  template <class V>
  static V apply(V a, V b) noexcept {
    const V either = a > b ? a : b; // b if one is a NaN
    const V larger = a == b ? detail_ops::and_bits(a, either) : either;
    return PropagateNan ? (a != a ? a : larger) : (b != b ? a : larger);
  }
};

// The same for minimumNumber and minimum.  [arithmetic operations: minimum]
template <bool PropagateNan>
struct float_minimum {
  template <class V>
  static V apply(V a, V b) noexcept {
    const V either = a < b ? a : b;
    const V smaller = a == b ? detail_ops::or_bits(a, either) : either;
    return PropagateNan ? (a != a ? a : smaller) : (b != b ? a : smaller);
  }
};

} // namespace tilesim::sim::ops
