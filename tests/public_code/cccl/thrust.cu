// Algorithms of Thrust's that are no PTX inside but prefetches: docs/cccl.md lists the others.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/functional.h>
#include <thrust/transform.h>

int main() {
  thrust::device_vector<int> a(1000, 1);
  thrust::device_vector<int> b(1000);
  thrust::fill(a.begin() + 500, a.end(), 3);
  thrust::transform(a.begin(), a.end(), b.begin(), thrust::negate<int>());
  std::printf("%d %d\n", static_cast<int>(b[0]), static_cast<int>(b[999]));
  return b[0] == -1 && b[999] == -3 ? 0 : 1;
}
