// Mathematics of `__global__` kernels whose last bits are open: the C library's functions, and the fast intrinsics; held
// to the errors that the CUDA programming guide documents [Mathematical Functions]. SPDX-License-Identifier: Apache-2.0
#include "../shaped.hpp"
#include "threads.hpp"

using namespace gpu_test;

namespace op {
THREAD_UNARY(expf, float, float, ::expf(a))
THREAD_UNARY(exp2f, float, float, ::exp2f(a))
THREAD_UNARY(exp10f, float, float, ::exp10f(a))
THREAD_UNARY(expm1f, float, float, ::expm1f(a))
THREAD_UNARY(sinf, float, float, ::sinf(a))
THREAD_UNARY(cosf, float, float, ::cosf(a))
THREAD_UNARY(tanf, float, float, ::tanf(a))
THREAD_UNARY(atanf, float, float, ::atanf(a))
THREAD_UNARY(sinhf, float, float, ::sinhf(a))
THREAD_UNARY(coshf, float, float, ::coshf(a))
THREAD_UNARY(tanhf, float, float, ::tanhf(a))
THREAD_UNARY(erff, float, float, ::erff(a))
THREAD_UNARY(cbrtf, float, float, ::cbrtf(a))
THREAD_UNARY(exp, double, double, ::exp(a))
THREAD_UNARY(sin, double, double, ::sin(a))
THREAD_UNARY(cos, double, double, ::cos(a))
THREAD_UNARY(tanh, double, double, ::tanh(a))
THREAD_UNARY(atan, double, double, ::atan(a))
THREAD_UNARY(cbrt, double, double, ::cbrt(a))
THREAD_UNARY(FAST_EXP, float, float, __expf(a))
THREAD_UNARY(FAST_EXP10, float, float, __exp10f(a))
THREAD_UNARY(FAST_TANH, float, float, __tanhf(a))
// Of positive numbers
THREAD_UNARY(logf, float, float, ::logf(a))
THREAD_UNARY(log2f, float, float, ::log2f(a))
THREAD_UNARY(log10f, float, float, ::log10f(a))
THREAD_UNARY(log1pf, float, float, ::log1pf(a))
THREAD_UNARY(rsqrtf, float, float, ::rsqrtf(a))
THREAD_UNARY(rcbrtf, float, float, ::rcbrtf(a))
THREAD_UNARY(log, double, double, ::log(a))
THREAD_UNARY(rsqrt, double, double, ::rsqrt(a))
THREAD_UNARY(FAST_LOG_ABOVE_2, float, float, __logf(a + 2))
THREAD_UNARY(FAST_LOG2_ABOVE_2, float, float, __log2f(a + 2))
THREAD_UNARY(FAST_LOG10_ABOVE_2, float, float, __log10f(a + 2))
// Within [-pi, pi]
THREAD_UNARY(FAST_SIN, float, float, __sinf(a))
THREAD_UNARY(FAST_COS, float, float, __cosf(a))
THREAD_UNARY(FAST_TAN, float, float, __tanf(a))
// Within [0.5, 2]
THREAD_UNARY(FAST_LOG_ABOUT_1, float, float, __logf(a))
THREAD_UNARY(FAST_LOG2_ABOUT_1, float, float, __log2f(a))
THREAD_UNARY(FAST_LOG10_ABOUT_1, float, float, __log10f(a))
// Of two
THREAD_BINARY(atan2f, float, float, float, ::atan2f(a, b))
THREAD_BINARY(hypotf, float, float, float, ::hypotf(a, b))
THREAD_BINARY(FAST_DIVIDE, float, float, float, __fdividef(a, b))
THREAD_BINARY(FAST_POW, float, float, float, __powf(a, b))
THREAD_BINARY(powf, float, float, float, ::powf(fabsf(a), b))
THREAD_BINARY(pow, double, double, double, ::pow(fabs(a), b))
} // namespace op

/// Each on 256 numbers with magnitudes from 2^least to 2^most, one array for each operand.
template <class... Op>
void run_on(list<Op...>, int least, int most, bool positive) {
  const auto one = [&]<class O, class R, class First, class... Rest>(R (*call)(First, Rest...)) {
    arrays values;
    for (bits seed = 0; seed < 1 + sizeof...(Rest); ++seed) {
      values.push_back(numbers_between(element<First>::layout, 256, least, most, positive, 40 + seed));
    }
    run_threads<O>(call, O::text(), values, std::make_index_sequence<1 + sizeof...(Rest)>{});
  };
  (one.template operator()<Op>(&Op::apply), ...);
}

int main() {
  run_on(list<op::expf, op::exp2f, op::exp10f, op::expm1f, op::sinf, op::cosf, op::tanf, op::atanf, op::sinhf>{}, -6, 4, false);
  run_on(list<op::coshf, op::tanhf, op::erff, op::cbrtf, op::exp, op::sin, op::cos, op::tanh, op::atan, op::cbrt>{}, -6, 4, false);
  run_on(list<op::FAST_EXP, op::FAST_EXP10, op::FAST_TANH>{}, -6, 4, false);
  run_on(list<op::logf, op::log2f, op::log10f, op::log1pf, op::rsqrtf, op::rcbrtf, op::log, op::rsqrt>{}, -12, 12, true);
  run_on(list<op::FAST_LOG_ABOVE_2, op::FAST_LOG2_ABOVE_2, op::FAST_LOG10_ABOVE_2>{}, -4, 12, true);
  run_on(list<op::FAST_SIN, op::FAST_COS, op::FAST_TAN>{}, -6, 1, false);
  run_on(list<op::FAST_LOG_ABOUT_1, op::FAST_LOG2_ABOUT_1, op::FAST_LOG10_ABOUT_1>{}, -1, 1, true);
  run_on(list<op::atan2f, op::hypotf, op::FAST_DIVIDE>{}, -8, 8, false);
  run_on(list<op::FAST_POW, op::powf, op::pow>{}, -3, 3, false);
  return done();
}
