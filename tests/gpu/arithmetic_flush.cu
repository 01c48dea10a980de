// Floating-point arithmetic that rounds subnormals to zero: float only, every operation and mode.
//
// Here page and hardware differ: the page looks whether a float is subnormal, the hardware whether
// the result is too small when it still has 24 bits. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

namespace op {
BINARY_MODAL(add, nothing, ct::add(a, b, M{}, S{}))
BINARY_MODAL(sub, nothing, ct::sub(a, b, M{}, S{}))
BINARY_MODAL(mul, nothing, ct::mul(a, b, M{}, S{}))
BINARY_MODAL(div, nothing, ct::div(a, b, M{}, S{}))
BINARY_MODAL(max, nothing, ct::max(a, b, M{}, S{}))
BINARY_MODAL(min, nothing, ct::min(a, b, M{}, S{}))
TERNARY_MODAL(fma, ct::fma(a, b, c, M{}, S{}))
} // namespace op

using flush = ct::round_subnormals_to_zero_t;

int main() {
  for_each(list<ct::round_ties_to_even_t,
                ct::round_toward_zero_t,
                ct::round_toward_negative_t,
                ct::round_toward_positive_t>{},
           []<class M>() {
             using two =
                 list<op::add<M, flush>, op::sub<M, flush>, op::mul<M, flush>, op::div<M, flush>>;
             run_all<float, 2, form::tile>(two{});
             run_all<float, 2, form::scalar>(two{});
             run_all<float, 3, form::tile>(list<op::fma<M, flush>>{});
             run_all<float, 3, form::scalar>(list<op::fma<M, flush>>{});
           });
  for_each(list<ct::suppress_nan_t, ct::propagate_nan_t>{}, []<class M>() {
    using two = list<op::max<M, flush>, op::min<M, flush>>;
    run_all<float, 2, form::tile>(two{});
    run_all<float, 2, form::scalar>(two{});
  });
  // Products about the smallest normal number, 2^-126: it matters when subnormals are recognised.
  arrays near(3);
  operands::generator next(4);
  constexpr format f = element<float>::layout;
  for (int i = 0; i < 8192; ++i) {
    // Significands whose product is near 2^47, exponents that make of it 2^-126 or less.
    const bits x = (next() & 0x7fffffU) | 0x800000U;
    const bits y = (bits{1} << 47) / x + next() % 3 - 1;
    const int split = static_cast<int>(next() % 90) - 149;
    const int less = i % 4 == 1 ? 20 + static_cast<int>(next() % 12) : static_cast<int>(next() % 2);
    const bool negative = next() % 2 == 0;
    // To be added: 2^-126 or a little more of either sign, or a number up to 2^-123.
    const bits z = i % 4 == 1   ? 0x00800000U | (next() & 0x80000000U)
                   : i % 4 == 2 ? 0x00800000U | (next() & 0x80000003U)
                                : next() & 0x81ffffffU;
    operands::append(near,
                     {operands::pattern_of(f, negative, x, split),
                      operands::pattern_of(f, false, y, -173 - split - less),
                      z});
  }
  for_each(list<ct::round_ties_to_even_t,
                ct::round_toward_zero_t,
                ct::round_toward_negative_t,
                ct::round_toward_positive_t>{},
           [&]<class M>() {
             const std::string mode = mode_text<M>() + " flush, float, about the smallest normal";
             launch<op::mul<M, flush>, form::tile, float, float>(
                 "mul " + mode, near, std::index_sequence<0, 1>{});
             launch<op::fma<M, flush>, form::tile, float, float, float>(
                 "fma " + mode, near, std::index_sequence<0, 1, 2>{});
           });
  return done();
}
