// Products of matrices of positive numbers on tensor cores, compared with those that are added up one
// after the other: the bound for any way to add up products is relative to the result then.
// SPDX-License-Identifier: Apache-2.0
#include "matrices.hpp"

using namespace gpu_test;

/// tf32 elements as conversions make them, with 10 fraction bits.
std::vector<bits> positive_numbers(const format& f, std::size_t count, bits seed) {
  std::vector<bits> made = numbers_between(f, count, -3, 1, true, seed);
  for (bits& x : made) {
    x &= f.fraction == 23 ? ~bits{0x1fff} : ~bits{0};
  }
  return made;
}

int main() {
  for_each_float_product([]<class A, class C>() {
    if constexpr (!std::is_same_v<A, double> && !std::is_same_v<A, float>) {
      multiply_matrices<A, C, 64, 8, 128>("positive", 1, positive_numbers, positive_numbers);
    }
  });
  return done();
}
