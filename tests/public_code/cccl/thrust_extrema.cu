// Thrust's extrema, and nothing else of Thrust: pairs of values and places, which CUB shuffles by words.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"

#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>

int main() {
  constexpr int n = 1000;
  thrust::device_vector<int> v(n);
  for (int i = 0; i < n; ++i) {
    v[i] = (i * 37 + 5) % 991;
  }
  const auto largest = thrust::max_element(v.begin(), v.end());
  const auto smallest = thrust::min_element(v.begin(), v.end());
  const int wrong = static_cast<int>(largest - v.begin()) != 723 || static_cast<int>(smallest - v.begin()) != 107;
  std::printf("%d at %d, %d at %d\n",
              static_cast<int>(*largest),
              static_cast<int>(largest - v.begin()),
              static_cast<int>(*smallest),
              static_cast<int>(smallest - v.begin()));
  return wrong;
}
