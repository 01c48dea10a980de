// What the math functions give, by two libraries that share nothing with sim/fp: glibc in double
// precision, and MPFR where that leaves a doubt.
//
// Special values are those of C's Annex F, as glibc has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference.hpp"

#include <cmath>
#include <cstdint>
#include <mpfr.h>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tilesim::test {

/// A function of one operand.
struct math_function {
  const char* name;
  machine::opcode op;
  double (*host)(double);
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
  machine::attributes modes{};
};

inline double host_rsqrt(double x) {
  return 1 / std::sqrt(x);
}

inline constexpr machine::attributes full{.round = machine::rounding::full};
inline const math_function math_functions[]{
    {"ceil", machine::opcode::ceil, std::ceil, mpfr_rint_ceil},
    {"floor", machine::opcode::floor, std::floor, mpfr_rint_floor},
    {"sqrt", machine::opcode::sqrt, std::sqrt, mpfr_sqrt},
    {"rsqrt", machine::opcode::rsqrt, host_rsqrt, mpfr_rec_sqrt},
    {"exp", machine::opcode::exp, std::exp, mpfr_exp, full},
    {"exp2", machine::opcode::exp2, std::exp2, mpfr_exp2},
    {"log", machine::opcode::log, std::log, mpfr_log},
    {"log2", machine::opcode::log2, std::log2, mpfr_log2},
    {"sin", machine::opcode::sin, std::sin, mpfr_sin},
    {"cos", machine::opcode::cos, std::cos, mpfr_cos},
    {"tan", machine::opcode::tan, std::tan, mpfr_tan},
    {"sinh", machine::opcode::sinh, std::sinh, mpfr_sinh},
    {"cosh", machine::opcode::cosh, std::cosh, mpfr_cosh},
    {"tanh", machine::opcode::tanh, std::tanh, mpfr_tanh, full},
};

inline const math_function& math_function_named(std::string_view name) {
  for (const auto& f : math_functions) {
    if (f.name == name) {
      return f;
    }
  }
  throw std::out_of_range(std::string(name)); // the test's own table has a slip
}

/// A function of two operands.
struct math_function2 {
  const char* name;
  machine::opcode op;
  double (*host)(double, double);
  int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
};
inline const math_function2 math_functions2[]{
    {"pow", machine::opcode::fpowf, std::pow, mpfr_pow},
    {"atan2", machine::opcode::atan2, std::atan2, mpfr_atan2},
};

/// calculate(r) with r rounded once to the format.
template <class Calculate>
double rounded_once(exact_format format, const Calculate& calculate) {
  mpfr_t r;
  mpfr_init2(r, format.precision);
  const auto emin = mpfr_get_emin();
  const auto emax = mpfr_get_emax();
  mpfr_set_emin(format.emin);
  mpfr_set_emax(format.emax);
  const int inexact = calculate(r);
  mpfr_subnormalize(r, inexact, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  const double result = mpfr_get_d(r, MPFR_RNDN);
  mpfr_clear(r);
  return result;
}

inline double rounded_to(exact_format format, double x) {
  if (format.precision == exact_float.precision && format.emax == exact_float.emax) {
    return static_cast<float>(x);
  }
  return rounded_once(format, [x](mpfr_ptr r) {
    const int inexact = mpfr_set_d(r, x, MPFR_RNDN);
    return mpfr_check_range(r, inexact, MPFR_RNDN);
  });
}

inline double by_mpfr(const math_function& f, exact_format format, double x) {
  mpfr_t a;
  mpfr_init2(a, 53);
  mpfr_set_d(a, x, MPFR_RNDN);
  const double result = rounded_once(format, [&](mpfr_ptr r) { return f.exact(r, a, MPFR_RNDN); });
  mpfr_clear(a);
  return result;
}
inline double by_mpfr(const math_function2& f, exact_format format, double x, double y) {
  mpfr_t a, b;
  mpfr_inits2(53, a, b, static_cast<mpfr_ptr>(nullptr));
  mpfr_set_d(a, x, MPFR_RNDN);
  mpfr_set_d(b, y, MPFR_RNDN);
  const double result =
      rounded_once(format, [&](mpfr_ptr r) { return f.exact(r, a, b, MPFR_RNDN); });
  mpfr_clears(a, b, static_cast<mpfr_ptr>(nullptr));
  return result;
}

/// f(x) rounded once to a format narrower than double. glibc's functions are good to 3 units in
/// the last place (its manual, "Known Maximum Errors in Math Functions"); 16 are allowed for.
template <class F, class... V>
double correctly_rounded(const F& f, exact_format format, V... x) {
  const double y = f.host(x...);
  if (y == 0 || y - y != 0) {
    return y;
  }
  const double low = rounded_to(format, y * (1 - 0x1p-49));
  const double high = rounded_to(format, y * (1 + 0x1p-49));
  return low == high ? low : by_mpfr(f, format, x...);
}

/// How far `got` is from the exact double result, in units in the last place of that.
template <class F, class... V>
double ulps_from(double got, const F& f, V... x) {
  const double want = by_mpfr(f, exact_double, x...);
  if (got == want || (std::isnan(got) && std::isnan(want))) {
    return 0.5; // at most
  }
  if (want - want != 0 || got - got != 0) {
    return HUGE_VAL;
  }
  const exact_format wide{200, -2000, 2000};
  const double unit = std::ldexp(1.0, want == 0 ? -1074 : std::max(std::ilogb(want) - 52, -1074));
  mpfr_t r, a, b;
  mpfr_inits2(wide.precision, r, a, b, static_cast<mpfr_ptr>(nullptr));
  const double operands[]{x..., 0};
  mpfr_set_d(a, operands[0], MPFR_RNDN);
  mpfr_set_d(b, operands[1], MPFR_RNDN);
  if constexpr (sizeof...(V) == 1) {
    f.exact(r, a, MPFR_RNDN);
  } else {
    f.exact(r, a, b, MPFR_RNDN);
  }
  mpfr_sub_d(r, r, got, MPFR_RNDN);
  const double error = std::fabs(mpfr_get_d(r, MPFR_RNDA)) / unit;
  mpfr_clears(r, a, b, static_cast<mpfr_ptr>(nullptr));
  return error;
}

} // namespace tilesim::test
