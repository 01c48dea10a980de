// Bits, shifts, comparisons and logic: every operator, every type that takes it.
// SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY(bit_and, nothing, a& b)
BINARY(bit_or, nothing, a | b)
BINARY(bit_xor, nothing, a ^ b)
BINARY(shift_left, count, a << b)
BINARY(shift_right, count, a >> b)
UNARY(complement, nothing, ~a)
BINARY(equal, nothing, a == b)
BINARY(not_equal, nothing, a != b)
BINARY(less, nothing, a < b)
BINARY(less_equal, nothing, a <= b)
BINARY(greater, nothing, a > b)
BINARY(greater_equal, nothing, a >= b)
BINARY(logical_and, nothing, a&& b)
BINARY(logical_or, nothing, a || b)
UNARY(logical_not, nothing, !a)
} // namespace op

int main() {
  using bitwise = list<op::bit_and, op::bit_or, op::bit_xor, op::shift_left, op::shift_right>;
  using comparisons =
      list<op::equal, op::not_equal, op::less, op::less_equal, op::greater, op::greater_equal>;
  using logic = list<op::logical_and, op::logical_or>;
  for_each(integers{}, []<class T>() {
    run_all<T, 2, form::tile>(bitwise{});
    run_all<T, 1, form::tile>(list<op::complement>{});
    run_all<T, 2, form::tile>(comparisons{});
    run_all<T, 2, form::tile>(logic{});
    run_all<T, 1, form::tile>(list<op::logical_not>{});
  });
  for_each(floats{}, []<class T>() {
    run_all<T, 2, form::tile>(comparisons{});
    run_all<T, 2, form::tile>(logic{});
    run_all<T, 1, form::tile>(list<op::logical_not>{});
  });
  return done();
}
