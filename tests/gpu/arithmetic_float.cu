// Floating-point arithmetic: every operation and precise rounding mode, all basic types, tile and
// scalar forms. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY(plus, nothing, a + b)
BINARY(minus, nothing, a - b)
BINARY(times, nothing, a* b)
BINARY(over, nothing, a / b)
BINARY(add, nothing, ct::add(a, b))
BINARY(sub, nothing, ct::sub(a, b))
BINARY(mul, nothing, ct::mul(a, b))
BINARY(div, nothing, ct::div(a, b))
BINARY(remainder, rest, ct::remainder(a, b))
BINARY(max, nothing, ct::max(a, b))
BINARY(min, nothing, ct::min(a, b))
UNARY(promoted, nothing, +a)
UNARY(negated, nothing, -a)
UNARY(abs, nothing, ct::abs(a))
BINARY_MODAL(add_modal, nothing, ct::add(a, b, M{}, S{}))
BINARY_MODAL(sub_modal, nothing, ct::sub(a, b, M{}, S{}))
BINARY_MODAL(mul_modal, nothing, ct::mul(a, b, M{}, S{}))
BINARY_MODAL(div_modal, nothing, ct::div(a, b, M{}, S{}))
BINARY_MODAL(max_modal, nothing, ct::max(a, b, M{}, S{}))
BINARY_MODAL(min_modal, nothing, ct::min(a, b, M{}, S{}))
TERNARY_MODAL(fma, ct::fma(a, b, c, M{}, S{}))
} // namespace op

using keep = ct::preserve_subnormals_t;
template <class M>
using rounded = list<op::add_modal<M, keep>,
                     op::sub_modal<M, keep>,
                     op::mul_modal<M, keep>,
                     op::div_modal<M, keep>>;

int main() {
  using operators = list<op::plus, op::minus, op::times, op::over>;
  using functions = list<op::add, op::sub, op::mul, op::div, op::remainder, op::max, op::min>;
  using extremes = list<op::max_modal<ct::suppress_nan_t, keep>,
                        op::max_modal<ct::propagate_nan_t, keep>,
                        op::min_modal<ct::suppress_nan_t, keep>,
                        op::min_modal<ct::propagate_nan_t, keep>>;
  using unary = list<op::promoted, op::negated, op::abs>;
  using modes = list<ct::round_ties_to_even_t,
                     ct::round_toward_zero_t,
                     ct::round_toward_negative_t,
                     ct::round_toward_positive_t>;
  for_each(floats{}, []<class T>() {
    run_all<T, 2, form::tile>(operators{});
    run_all<T, 2, form::tile>(functions{});
    run_all<T, 2, form::scalar>(functions{});
    run_all<T, 2, form::tile>(extremes{});
    run_all<T, 2, form::scalar>(extremes{});
    run_all<T, 1, form::tile>(unary{});
    run_all<T, 1, form::scalar>(list<op::abs>{});
    for_each(modes{}, []<class M>() {
      run_all<T, 2, form::tile>(rounded<M>{});
      run_all<T, 2, form::scalar>(rounded<M>{});
      run_all<T, 3, form::tile>(list<op::fma<M, keep>>{});
      run_all<T, 3, form::scalar>(list<op::fma<M, keep>>{});
    });
  });
  return done();
}
