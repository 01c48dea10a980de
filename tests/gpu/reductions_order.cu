// Sums, products and scans of floating-point numbers, whose last bits show the order of combining:
// docs/order.md describes what this showed. Tiles of rank 1 and 2 that come through pointers.
// SPDX-License-Identifier: Apache-2.0
#include "reductions.hpp"

using namespace gpu_test;

namespace gpu_test::op {
ALONG(sum_toward_zero, ct::sum(a, ct::integral_constant<D>{}, ct::round_toward_zero_t{}))
ALONG(sum_flush,
      ct::sum(a,
              ct::integral_constant<D>{},
              ct::round_ties_to_even_t{},
              ct::round_subnormals_to_zero_t{}))
} // namespace gpu_test::op

template <class T, class S, int D>
void reductions() {
  run_along<op::sum, D, S, T>(to_sum<T>());
  run_along<op::prod, D, S, T>(to_multiply<T>());
}
template <class T, class S, int D>
void scans() {
  run_along<op::partial_sum, D, S, T>(to_sum<T>());
  run_along<op::partial_prod, D, S, T>(to_multiply<T>());
  run_along<op::partial_sum_backward, D, S, T>(to_sum<T>());
}

/// A matrix, both ways, in double.
template <int M, int N>
void matrix() {
  run_along<op::sum, 0, shape<M, N>, double>(to_sum<double>());
  run_along<op::sum, 1, shape<M, N>, double>(to_sum<double>());
  run_along<op::partial_sum, 0, shape<M, N>, double>(to_sum<double>());
  run_along<op::partial_sum, 1, shape<M, N>, double>(to_sum<double>());
}

int main() {
  for_each(floats{}, []<class T>() {
    reductions<T, shape<2>, 0>();
    reductions<T, shape<8>, 0>();
    reductions<T, shape<32>, 0>();
    reductions<T, shape<64>, 0>();
    reductions<T, shape<128>, 0>();
    reductions<T, shape<512>, 0>();
    reductions<T, shape<1, 1024>, 1>();
    reductions<T, shape<32, 32>, 0>();
    reductions<T, shape<16, 4>, 1>();
    scans<T, shape<4>, 0>();
    scans<T, shape<32>, 0>();
    scans<T, shape<512>, 0>();
    scans<T, shape<16, 4>, 1>();
  });
  reductions<float, shape<4096>, 0>();
  scans<float, shape<4096>, 0>();
  matrix<8, 4>();
  matrix<8, 8>();
  matrix<4, 16>();
  matrix<2, 32>();
  matrix<4, 32>();
  matrix<32, 4>();
  matrix<64, 2>();
  matrix<16, 16>();
  matrix<64, 16>();
  matrix<8, 128>();
  matrix<256, 4>();
  matrix<64, 64>();
  run_along<op::sum_toward_zero, 0, shape<256>, float>(to_sum<float>());
  // Sums of subnormal and the least normal numbers.
  run_along<op::sum_flush, 0, shape<32>, float>(
      numbers_between(element<float>::layout, 4096, -127, -124, false, 32));
  return done();
}
