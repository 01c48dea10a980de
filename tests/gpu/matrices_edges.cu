// Products of matrices with infinities, NaNs, zeros of both signs, subnormal numbers and sums that
// overflow: added up one after the other, and on tensor cores. SPDX-License-Identifier: Apache-2.0
#include "matrices.hpp"

using namespace gpu_test;

/// count patterns by `make`; of tf32 and float such as tf32 holds.
template <class Make>
std::vector<bits> patterns(const format& f, std::size_t count, bits seed, Make make) {
  operands::generator next(seed);
  std::vector<bits> made(count);
  for (bits& x : made) {
    x = make(next);
    x &= f.fraction == 23 ? ~bits{0x1fff} : ~bits{0};
  }
  return made;
}

bits pattern(const format& f, bits sign, bits exponent, bits fraction) {
  return (((sign & 1) << (f.width - 1)) | (exponent << f.fraction)) |
         (fraction & ((bits{1} << f.fraction) - 1));
}

std::vector<bits> finite(const format& f, std::size_t count, bits seed) {
  return patterns(f, count, seed, [&](operands::generator& next) {
    const bits exponent = next() % f.top();
    return pattern(f, next(), exponent, next());
  });
}
/// One of eight is special, the others are about 1.
std::vector<bits> specials(const format& f, std::size_t count, bits seed) {
  const std::vector<bits> all = operands::specials(f);
  return patterns(f, count, seed, [&](operands::generator& next) {
    const bits special = all[next() % all.size()];
    const bits ordinary = pattern(f, next(), f.bias() - 2 + next() % 4, next());
    return next() % 8 == 0 ? special : ordinary;
  });
}
std::vector<bits> zeros(const format& f, std::size_t count, bits seed) {
  return patterns(f, count, seed, [&](operands::generator& next) { return pattern(f, next(), 0, 0); });
}
std::vector<bits> negative_zeros(const format& f, std::size_t count, bits seed) {
  return patterns(f, count, seed, [&](operands::generator&) { return pattern(f, 1, 0, 0); });
}
std::vector<bits> positive_zeros(const format& f, std::size_t count, bits seed) {
  return patterns(f, count, seed, [&](operands::generator&) { return pattern(f, 0, 0, 0); });
}
std::vector<bits> small(const format& f, std::size_t count, bits seed) {
  return patterns(f, count, seed, [&](operands::generator& next) {
    const bits exponent = next() % 3;
    return pattern(f, next(), exponent, next());
  });
}
std::vector<bits> small_and_large(const format& f, std::size_t count, bits seed) {
  return patterns(f, count, seed, [&](operands::generator& next) {
    const bits exponent = next() % 2 == 0 ? next() % 2 : f.bias() + f.bias() / 2;
    return pattern(f, next(), exponent, next());
  });
}

template <class A, class C, int M, int N, int K>
void all_of_size() {
  multiply_matrices<A, C, M, N, K>("finite", 1, finite, finite);
  multiply_matrices<A, C, M, N, K>("specials", 1, specials, specials);
  multiply_matrices<A, C, M, N, K>("zeros", 1, zeros, zeros);
  multiply_matrices<A, C, M, N, K>("0 * 0 - 0", 1, positive_zeros, negative_zeros);
  multiply_matrices<A, C, M, N, K>("small", 1, small, small);
  multiply_matrices<A, C, M, N, K>("small and large", 1, small_and_large, small_and_large);
}

int main() {
  for_each_float_product([]<class A, class C>() {
    all_of_size<A, C, 16, 16, 16>();
    all_of_size<A, C, 32, 32, 32>();
    all_of_size<A, C, 64, 16, 64>();
  });
  return done();
}
