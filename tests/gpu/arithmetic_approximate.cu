// Approximate divisions, which the reference does not define to the bit: compared within a bound.
//
// Every value is kept, so there are few. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY_MODAL(div, nothing, ct::div(a, b, M{}, S{}))
} // namespace op

/// Quotients whose divisor's magnitude lies within 2^-126 and 2^126, or outside.
template <class M, class S>
void divide(bool inside) {
  constexpr format f = element<float>::layout;
  const arrays all = operands::pairs(f, 65536);
  arrays some(2);
  for (std::size_t i = 0; i < all[0].size() && some[0].size() < 1024; ++i) {
    const bits magnitude = all[1][i] & 0x7fffffffU;
    if ((magnitude >= 0x00800000U && magnitude <= 0x7e800000U) == inside) {
      operands::append(some, {all[0][i], all[1][i]});
    }
  }
  launch<op::div<M, S>, form::tile, float, float>(op::div<M, S>::text() + ", float, divisor " +
                                                      (inside ? "within" : "outside") +
                                                      " 2^-126 to 2^126",
                                                  some,
                                                  std::index_sequence<0, 1>{});
}

int main() {
  for_each(list<ct::round_approximate_t, ct::round_full_t>{}, []<class M>() {
    for (const bool inside : {true, false}) {
      divide<M, ct::preserve_subnormals_t>(inside);
      divide<M, ct::round_subnormals_to_zero_t>(inside);
    }
  });
  return done();
}
