// Integer arithmetic on operands for which the reference defines the result: every operation, all
// widths, tile and scalar forms. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY(plus, sum, a + b)
BINARY(minus, difference, a - b)
BINARY(times, product, a* b)
BINARY(over, quotient, a / b)
BINARY(modulo, quotient, a % b)
BINARY(add, sum, ct::add(a, b))
BINARY(sub, difference, ct::sub(a, b))
BINARY(mul, product, ct::mul(a, b))
BINARY(div, quotient, ct::div(a, b))
BINARY(ceildiv, quotient, ct::ceildiv(a, b))
BINARY(floordiv, quotient, ct::floordiv(a, b))
BINARY(remainder, quotient, ct::remainder(a, b))
BINARY(mulhi, nothing, ct::mulhi(a, b))
BINARY(max, nothing, ct::max(a, b))
BINARY(min, nothing, ct::min(a, b))
UNARY(promoted, nothing, +a)
UNARY(negated, opposite, -a)
UNARY(abs, opposite, ct::abs(a))
} // namespace op

int main() {
  using operators = list<op::plus, op::minus, op::times, op::over, op::modulo>;
  using functions = list<op::add,
                         op::sub,
                         op::mul,
                         op::div,
                         op::ceildiv,
                         op::floordiv,
                         op::remainder,
                         op::mulhi,
                         op::max,
                         op::min>;
  for_each(integers{}, []<class T>() {
    run_all<T, 2, form::tile>(operators{});
    run_all<T, 2, form::tile>(functions{});
    run_all<T, 2, form::scalar>(functions{});
    run_all<T, 1, form::tile>(list<op::promoted, op::negated, op::abs>{});
    run_all<T, 1, form::scalar>(list<op::abs>{});
  });
  return done();
}
