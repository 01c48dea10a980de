// Products of matrices of any numbers, whose last bits show how products are added up: one after the
// other, or on tensor cores. docs/order.md describes what this showed. Which way it is depends on the
// sizes, so there are such as just take one, and such as just take the other.
// SPDX-License-Identifier: Apache-2.0
#include "matrices.hpp"

using namespace gpu_test;

template <class A, class C, int M, int N, int K>
void of_size(std::size_t tiles) {
  multiply_matrices<A, C, M, N, K>("any", tiles, any_numbers, any_numbers);
}

int main() {
  for_each_float_product([]<class A, class C>() {
    of_size<A, C, 16, 16, 2>(4);
    of_size<A, C, 16, 16, 16>(4);
    of_size<A, C, 1, 16, 32>(4);
    of_size<A, C, 8, 64, 16>(1);
    of_size<A, C, 16, 32, 16>(1);
    of_size<A, C, 32, 16, 32>(1);
    of_size<A, C, 32, 32, 8>(1);
    of_size<A, C, 64, 8, 64>(1);
    of_size<A, C, 64, 64, 64>(1);
    of_size<A, C, 128, 32, 32>(1);
    multiply<A, A, C, shape<2, 64, 32>, shape<1, 32, 32>, shape<2, 64, 32>>(
        "any", 1, any_numbers, any_numbers);
    multiply<A, A, C, shape<4, 16, 16>, shape<4, 16, 16>, shape<4, 16, 16>>(
        "any", 1, any_numbers, any_numbers);
  });
  return done();
}
