// The parts of the elementary functions: tables against MPFR, and the error of the fast forms,
// which the rounding test relies on.
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/elementary/fast.hpp"
#include "sim/fp/elementary/tables.hpp"
#include "tests/sim/ops/samples.hpp"

#include <bit>
#include <cmath>
#include <mpfr.h>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

namespace elementary = sim::fp::elementary;
namespace tables = elementary::tables;
using elementary::dd;

class number {
public:
  number() { mpfr_init2(value_, 400); }
  explicit number(double x)
      : number() {
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  ~number() { mpfr_clear(value_); }
  number(const number&) = delete;
  number& operator=(const number&) = delete;
  operator mpfr_ptr() { return value_; }

private:
  mpfr_t value_;
};

double relative_error(dd got, mpfr_ptr want) {
  if (mpfr_zero_p(want) != 0) {
    return got.hi == 0 && got.lo == 0 ? 0 : HUGE_VAL;
  }
  number error(got.hi);
  mpfr_add_d(error, error, got.lo, MPFR_RNDN);
  mpfr_sub(error, error, want, MPFR_RNDN);
  mpfr_div(error, error, want, MPFR_RNDN);
  return std::fabs(mpfr_get_d(error, MPFR_RNDA));
}

/// The largest error of table[i] against exact(i).
template <std::size_t N, class Exact>
double largest_error(const dd (&table)[N], const Exact& exact) {
  double largest = 0;
  for (std::size_t i = 0; i < N; ++i) {
    number want;
    exact(static_cast<long>(i), want);
    largest = std::max(largest, relative_error(table[i], want));
    if (table[i].hi != mpfr_get_d(want, MPFR_RNDN)) {
      largest = HUGE_VAL;
    }
  }
  return largest;
}

void pi_times(long numerator, long denominator, mpfr_ptr to) {
  mpfr_const_pi(to, MPFR_RNDN);
  mpfr_mul_si(to, to, numerator, MPFR_RNDN);
  mpfr_div_si(to, to, denominator, MPFR_RNDN);
}

double sum_error(const double* parts, int count, mpfr_ptr want) {
  number sum(0);
  for (int i = 0; i < count; ++i) {
    mpfr_add_d(sum, sum, parts[i], MPFR_RNDN);
  }
  mpfr_sub(sum, sum, want, MPFR_RNDN);
  mpfr_div(sum, sum, want, MPFR_RNDN);
  return std::fabs(mpfr_get_d(sum, MPFR_RNDA));
}

int trailing_zeros(double x) {
  return std::countr_zero(std::bit_cast<std::uint64_t>(x));
}

} // namespace

TEST_CASE("the tables of the elementary functions are right to the last bit", "[ops][math]") {
  CHECK(largest_error(tables::inverse_factorial, [](long n, mpfr_ptr x) {
          mpfr_fac_ui(x, static_cast<unsigned long>(n), MPFR_RNDN);
          mpfr_ui_div(x, 1, x, MPFR_RNDN);
        }) < 0x1p-106);
  CHECK(largest_error(tables::inverse_odd, [](long n, mpfr_ptr x) {
          mpfr_set_si(x, 2 * n + 1, MPFR_RNDN);
          mpfr_ui_div(x, 1, x, MPFR_RNDN);
        }) < 0x1p-106);
  CHECK(largest_error(tables::power_of_two, [](long j, mpfr_ptr x) {
          mpfr_set_d(x, static_cast<double>(j) / 64, MPFR_RNDN);
          mpfr_exp2(x, x, MPFR_RNDN);
        }) < 0x1p-106);
  CHECK(largest_error(tables::minus_log_reciprocal, [](long i, mpfr_ptr x) {
          mpfr_set_d(x, tables::reciprocal[i], MPFR_RNDN);
          mpfr_log(x, x, MPFR_RNDN);
          mpfr_neg(x, x, MPFR_RNDN);
        }) < 0x1p-106);
  CHECK(largest_error(tables::arc_tangent, [](long j, mpfr_ptr x) {
          mpfr_set_d(x, static_cast<double>(j) / 32, MPFR_RNDN);
          mpfr_atan(x, x, MPFR_RNDN);
        }) < 0x1p-106);
  CHECK(largest_error(tables::sine, [](long j, mpfr_ptr x) {
          if (j % 32 == 0) {
            mpfr_set_zero(x, 1);
          } else {
            pi_times(j, 32, x);
            mpfr_sin(x, x, MPFR_RNDN);
          }
        }) < 0x1p-106);
}

TEST_CASE("the constants of the elementary functions are right to the last bit", "[ops][math]") {
  number ln2, log2_e, x;
  mpfr_const_log2(ln2, MPFR_RNDN);
  mpfr_ui_div(log2_e, 1, ln2, MPFR_RNDN);
  CHECK(relative_error(tables::ln2, ln2) < 0x1p-106);
  CHECK(relative_error(tables::log2_e, log2_e) < 0x1p-106);
  CHECK(tables::log2_e_fast == tables::log2_e.hi);
  CHECK(sum_error(tables::ln2_split, 3, ln2) < 0x1p-134);
  CHECK(trailing_zeros(tables::ln2_split[0]) >= 12);
  CHECK(trailing_zeros(tables::ln2_split[1]) >= 12);
  CHECK(sum_error(tables::ln2_fast, 2, ln2) < 0x1p-92);
  CHECK(trailing_zeros(tables::ln2_fast[0]) >= 13);
  mpfr_div_si(ln2, ln2, 64, MPFR_RNDN);
  CHECK(sum_error(tables::ln2_64th, 3, ln2) < 0x1p-120);
  CHECK(trailing_zeros(tables::ln2_64th[0]) >= 19);
  CHECK(trailing_zeros(tables::ln2_64th[1]) >= 19);
  const auto pi_is = [&](dd value, long numerator, long denominator) {
    pi_times(numerator, denominator, x);
    return relative_error(value, x) < 0x1p-106;
  };
  CHECK(pi_is(tables::pi, 1, 1));
  CHECK(pi_is(tables::half_pi, 1, 2));
  CHECK(pi_is(tables::quarter_pi, 1, 4));
  CHECK(pi_is(tables::three_quarters_pi, 3, 4));
  CHECK(pi_is(tables::pi_32nd, 1, 32));
  pi_times(1, 2, x);
  CHECK(sum_error(tables::half_pi_fast, 3, x) < 0x1p-114);
  CHECK(trailing_zeros(tables::half_pi_fast[0]) >= 21);
  CHECK(trailing_zeros(tables::half_pi_fast[1]) >= 21);
  mpfr_ui_div(x, 1, x, MPFR_RNDN);
  CHECK(tables::two_over_pi == mpfr_get_d(x, MPFR_RNDN));
  mpfr_set_d(x, 0.5, MPFR_RNDN);
  mpfr_atan(x, x, MPFR_RNDN);
  CHECK(tables::atan_half == mpfr_get_d(x, MPFR_RNDN));
  // Each word of 32 / pi by itself.
  mpfr_t inverse;
  mpfr_init2(inverse, 2000);
  mpfr_const_pi(inverse, MPFR_RNDN);
  mpfr_ui_div(inverse, 32, inverse, MPFR_RNDD);
  for (const std::uint64_t word : tables::inverse_pi_32nd) {
    CHECK(mpfr_get_uj(inverse, MPFR_RNDZ) == word);
    mpfr_frac(inverse, inverse, MPFR_RNDN);
    mpfr_mul_2ui(inverse, inverse, 64, MPFR_RNDN);
  }
  mpfr_clear(inverse);
}

// -------------------------------------------------------------------------------------- fast forms

namespace {

/// The largest relative error of F::fast over random floats that it takes, in units of what the
/// rounding test allows.
template <class F, class Exact>
double share_of_bound(const Exact& exact) {
  generator next(71);
  double largest = 0;
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto a = std::bit_cast<float>(
        static_cast<std::uint32_t>(i % 4 == 0 ? next() : moderate_pattern(next, 8, 23)));
    const auto b = std::bit_cast<float>(static_cast<std::uint32_t>(moderate_pattern(next, 8, 23)));
    double y = 0;
    number want;
    if constexpr (requires { F::fast(a); }) {
      y = F::fast(a);
      exact(want, number(a));
    } else {
      y = F::fast(a, b);
      exact(want, number(a), number(b));
    }
    const double rounded = mpfr_get_d(want, MPFR_RNDN);
    // Where float overflows or underflows, arguments are clamped.
    if (y != y || std::fabs(rounded) > 0x1p128 || std::fabs(rounded) < 0x1p-150) {
      continue;
    }
    ++taken;
    largest = std::max(largest, std::ldexp(relative_error({y, 0}, want), F::doubtful));
  }
  CHECK(taken > 3'000);
  return largest;
}

template <class F>
double share_of_bound(int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  return share_of_bound<F>([exact](mpfr_ptr to, number&& x) { exact(to, x, MPFR_RNDN); });
}

} // namespace

TEST_CASE("the fast forms keep well within the bound of the rounding test", "[ops][math]") {
  using namespace elementary;
  CHECK(share_of_bound<exp_function>(mpfr_exp) < 0.25);
  CHECK(share_of_bound<exp2_function>(mpfr_exp2) < 0.25);
  CHECK(share_of_bound<log_function>(mpfr_log) < 0.25);
  CHECK(share_of_bound<log2_function>(mpfr_log2) < 0.25);
  CHECK(share_of_bound<rsqrt_function>(mpfr_rec_sqrt) < 0.25);
  CHECK(share_of_bound<sin_function>(mpfr_sin) < 0.25);
  CHECK(share_of_bound<cos_function>(mpfr_cos) < 0.25);
  CHECK(share_of_bound<tan_function>(mpfr_tan) < 0.25);
  CHECK(share_of_bound<sinh_function>(mpfr_sinh) < 0.25);
  CHECK(share_of_bound<cosh_function>(mpfr_cosh) < 0.25);
  CHECK(share_of_bound<tanh_function>(mpfr_tanh) < 0.25);
  CHECK(share_of_bound<pow_function>(
            [](mpfr_ptr to, number&& x, number&& y) { mpfr_pow(to, x, y, MPFR_RNDN); }) < 0.25);
  CHECK(share_of_bound<atan2_function>(
            [](mpfr_ptr to, number&& y, number&& x) { mpfr_atan2(to, y, x, MPFR_RNDN); }) < 0.25);
}

TEST_CASE("the accurate forms are good to 2^-95", "[ops][math]") {
  using namespace elementary;
  const auto check = [](extended (*accurate)(double),
                        int (*exact)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
    generator next(72);
    double largest = 0;
    for (int i = 0; i < 3'000; ++i) {
      const double x = std::bit_cast<double>(i % 2 == 0 ? moderate_pattern(next, 11, 52) : next());
      const extended got = accurate(x);
      number want, argument(x);
      exact(want, argument, MPFR_RNDN);
      if (mpfr_regular_p(static_cast<mpfr_ptr>(want)) == 0 || got.value.hi == 0 ||
          got.value.hi - got.value.hi != 0) {
        continue; // special, or far beyond double's range
      }
      mpfr_mul_2si(want, want, -got.exponent, MPFR_RNDN);
      // A result that is nearly its argument has no low part where that underflows.
      if (std::fabs(got.value.hi) > 0x1p-400) {
        largest = std::max(largest, relative_error(got.value, want));
      }
    }
    return std::log2(largest);
  };
  CHECK(check(accurate_exp, mpfr_exp) < -95);
  CHECK(check(accurate_exp2, mpfr_exp2) < -95);
  CHECK(check(accurate_log, mpfr_log) < -95);
  CHECK(check(accurate_log2, mpfr_log2) < -95);
  CHECK(check(accurate_rsqrt, mpfr_rec_sqrt) < -95);
  CHECK(check(accurate_sin, mpfr_sin) < -95);
  CHECK(check(accurate_cos, mpfr_cos) < -95);
  CHECK(check(accurate_tan, mpfr_tan) < -95);
  CHECK(check(accurate_sinh, mpfr_sinh) < -95);
  CHECK(check(accurate_cosh, mpfr_cosh) < -95);
  CHECK(check(accurate_tanh, mpfr_tanh) < -95);
}

} // namespace tilesim::test
