// x * y + z and the like: two roundings as written, one where a compiler contracts them to an fma.
//
// Recorded twice: with -fmad=false, where hardware and simulator agree, and without, where NVIDIA's
// compiler contracts. SPDX-License-Identifier: Apache-2.0
#include "arithmetic.hpp"

using namespace gpu_test;

#define TERNARY(name, ...)                                                                         \
  struct name {                                                                                    \
    static std::string text() { return #__VA_ARGS__; }                                             \
    static constexpr demand demands = demand::nothing;                                             \
    template <class A, class B, class C>                                                           \
    __tile__ static auto apply(A x, B y, C z) -> decltype(__VA_ARGS__) {                           \
      return __VA_ARGS__;                                                                          \
    }                                                                                              \
  };
namespace op {
TERNARY(product_plus, x* y + z)
TERNARY(plus_product, z + x * y)
TERNARY(product_minus, x* y - z)
TERNARY(minus_product, z - x * y)
TERNARY(functions, ct::add(ct::mul(x, y), z))
TERNARY(fused, ct::fma(x, y, z))
} // namespace op

int main() {
  using all = list<op::product_plus,
                   op::plus_product,
                   op::product_minus,
                   op::minus_product,
                   op::functions,
                   op::fused>;
  // The smallest example: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, or 0 after the product is rounded.
  const arrays example{std::vector<bits>(block, 0x3f800800U),
                       std::vector<bits>(block, 0x3f800800U),
                       std::vector<bits>(block, 0xbf801000U)};
  launch<op::product_plus, form::tile, float, float, float>(
      "x * y + z, float, x = y = 3f800800, z = bf801000", example, std::make_index_sequence<3>{});
  launch<op::fused, form::tile, float, float, float>(
      "ct::fma(x, y, z), float, x = y = 3f800800, z = bf801000",
      example,
      std::make_index_sequence<3>{});
  for_each(floats{}, []<class T>() { run_all<T, 3, form::tile>(all{}); });
  return done();
}
