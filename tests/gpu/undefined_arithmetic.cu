// Operations on operands for which the reference leaves the result undefined or unspecified: what
// this hardware gives then. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY(plus, sum, a + b)
BINARY(minus, difference, a - b)
BINARY(times, product, a* b)
BINARY(over, quotient, a / b)
BINARY(modulo, quotient, a % b)
BINARY(ceildiv, quotient, ct::ceildiv(a, b))
BINARY(floordiv, quotient, ct::floordiv(a, b))
BINARY(shift_left, count, a << b)
BINARY(shift_right, count, a >> b)
UNARY(negated, opposite, -a)
UNARY(abs, opposite, ct::abs(a))
BINARY(remainder, rest, ct::remainder(a, b))
} // namespace op

int main() {
  using both =
      list<op::over, op::modulo, op::ceildiv, op::floordiv, op::shift_left, op::shift_right>;
  using overflowing = list<op::plus, op::minus, op::times>;
  for_each(integers{}, []<class T>() {
    run_all<T, 2, form::tile>(both{}, which::all);
    if constexpr (element<T>::layout.is_signed) {
      run_all<T, 2, form::tile>(overflowing{}, which::all);
      run_all<T, 1, form::tile>(list<op::negated, op::abs>{}, which::all);
    }
  });
  for_each(floats{},
           []<class T>() { run_all<T, 2, form::tile>(list<op::remainder>{}, which::all); });
  return done();
}
