// Exact arithmetic by MPFR: what an IEEE operation gives in a format and a rounding mode.
//
// Shares no code with sim/fp: cells are decoded here by ldexp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <mpfr.h>

namespace tilesim::test {

/// A format by MPFR's numbers: a value is 0.1xxx * 2^e with emin <= e <= emax.
struct exact_format {
  int precision, emin, emax;
};
inline constexpr exact_format exact_half{11, -23, 16}, exact_bfloat16{8, -132, 128},
    exact_tf32{11, -135, 128}, exact_float{24, -148, 128}, exact_double{53, -1073, 1024},
    exact_e5m2{3, -15, 17}, exact_e4m3{4, -8, 10};

/// The number in a cell of 1 + exponent_bits + fraction_bits bits.
inline double
decode(std::uint64_t bits, int exponent_bits, int fraction_bits, bool has_infinity = true) {
  const auto fraction = bits & ((std::uint64_t{1} << fraction_bits) - 1);
  const auto exponent =
      static_cast<int>((bits >> fraction_bits) & ((std::uint64_t{1} << exponent_bits) - 1));
  const int top = (1 << exponent_bits) - 1;
  const int bias = top / 2;
  const double sign = ((bits >> (exponent_bits + fraction_bits)) & 1) != 0 ? -1.0 : 1.0;
  if (has_infinity && exponent == top) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  if (!has_infinity && exponent == top && fraction == (std::uint64_t{1} << fraction_bits) - 1) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const double significand = static_cast<double>(
      exponent == 0 ? fraction : fraction | (std::uint64_t{1} << fraction_bits));
  return sign * std::ldexp(significand, (exponent == 0 ? 1 : exponent) - bias - fraction_bits);
}
inline double decode_half(std::uint64_t bits) {
  return decode(bits, 5, 10);
}
inline double decode_bfloat16(std::uint64_t bits) {
  return decode(bits, 8, 7);
}
inline double decode_e4m3(std::uint64_t bits) {
  return decode(bits, 4, 3, false);
}
inline double decode_e5m2(std::uint64_t bits) {
  return decode(bits, 5, 2);
}

inline mpfr_rnd_t mpfr_mode(machine::rounding mode) {
  switch (mode) {
  case machine::rounding::zero:
    return MPFR_RNDZ;
  case machine::rounding::negative_inf:
    return MPFR_RNDD;
  case machine::rounding::positive_inf:
    return MPFR_RNDU;
  default:
    return MPFR_RNDN;
  }
}

/// Rounds operation(a, b, c) once into a format. The result is a double, which holds every format
/// here.
inline double exact(machine::opcode op,
                    exact_format format,
                    machine::rounding mode,
                    double a,
                    double b = 0,
                    double c = 0) {
  const mpfr_rnd_t round = mpfr_mode(mode);
  mpfr_t x, y, z, r;
  mpfr_inits2(53, x, y, z, static_cast<mpfr_ptr>(nullptr));
  mpfr_init2(r, format.precision);
  mpfr_set_d(x, a, MPFR_RNDN);
  mpfr_set_d(y, b, MPFR_RNDN);
  mpfr_set_d(z, c, MPFR_RNDN);
  const auto emin = mpfr_get_emin();
  const auto emax = mpfr_get_emax();
  mpfr_set_emin(format.emin);
  mpfr_set_emax(format.emax);
  int inexact = 0;
  switch (op) {
  case machine::opcode::addf:
    inexact = mpfr_add(r, x, y, round);
    break;
  case machine::opcode::subf:
    inexact = mpfr_sub(r, x, y, round);
    break;
  case machine::opcode::mulf:
    inexact = mpfr_mul(r, x, y, round);
    break;
  case machine::opcode::divf:
    inexact = mpfr_div(r, x, y, round);
    break;
  case machine::opcode::fma:
    inexact = mpfr_fma(r, x, y, z, round);
    break;
  case machine::opcode::remf:
    inexact = mpfr_fmod(r, x, y, round);
    break;
  case machine::opcode::sqrt:
    inexact = mpfr_sqrt(r, x, round);
    break;
  default: // ftof
    inexact = mpfr_set(r, x, round);
    inexact = mpfr_check_range(r, inexact, round);
    break;
  }
  mpfr_subnormalize(r, inexact, round);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  const double result = mpfr_get_d(r, MPFR_RNDN);
  mpfr_clears(x, y, z, r, static_cast<mpfr_ptr>(nullptr));
  return result;
}

/// Equal as numbers, zeros with their signs, every NaN as one.
inline bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

} // namespace tilesim::test
