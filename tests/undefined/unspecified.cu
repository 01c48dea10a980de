// Unspecified results are drawn from the seeded generator: check.py compares runs.
//
// [arithmetic operations: remainder] Of two infinities; its neighbours are specified.
// [memory operations: load_masked, atomic_add_masked] Where masked out.
// [tile operations: extract] Outside the source, after the finding.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cstdio>
#include <cstring>

namespace ct = cuda::tiles;
using namespace ct::literals;
template <class E> using tile4 = ct::tile<E, ct::shape<4>>;

template <class T>
__tile_global__ void remainders(T* out, const T* a, const T* b) {
  const auto i = ct::iota<tile4<int>>();
  ct::store(out + i, ct::remainder(ct::load(a + i), ct::load(b + i)));
}

__tile_global__ void masked(int* out, int* in) {
  const auto i = ct::iota<tile4<int>>();
  ct::store(out + i, ct::load_masked(in + i, i < 2));
  ct::store(out + 4 + i, ct::atomic_add_masked(in + i, i, i < 2, ct::memory_order_relaxed_t{}));
}

__tile_global__ void part(int* out, int number) {
  const auto i = ct::iota<tile4<int>>();
  const auto whole = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(out + i, ct::extract(whole, ct::shape<4>{}, number));
}

template <class T>
void show(const char* what, const T* values, int count) {
  for (int k = 0; k < count; ++k) {
    unsigned long bits = 0;
    std::memcpy(&bits, values + k, sizeof(T));
    std::printf("%s %d %lx\n", what, k, bits);
  }
}

template <class T>
void remainder_of(const char* what, T* a, T* b, T* out) {
  const float inf = __builtin_inff();
  const float lhs[] = {inf, -inf, inf, 5};
  const float rhs[] = {-inf, inf, 2, inf};
  for (int k = 0; k < 4; ++k) {
    a[k] = T(lhs[k]);
    b[k] = T(rhs[k]);
  }
  remainders<<<1, 1>>>(out, a, b);
  cudaDeviceSynchronize();
  show(what, out, 4);
}

int main(int count, char**) {
  void *a = nullptr, *b = nullptr, *out = nullptr;
  cudaMallocManaged(&a, 64);
  cudaMallocManaged(&b, 64);
  cudaMallocManaged(&out, 64);
  remainder_of("float", static_cast<float*>(a), static_cast<float*>(b), static_cast<float*>(out));
  remainder_of("double", static_cast<double*>(a), static_cast<double*>(b), static_cast<double*>(out));
  remainder_of("half", static_cast<__half*>(a), static_cast<__half*>(b), static_cast<__half*>(out));
  auto* ints = static_cast<int*>(a);
  for (int k = 0; k < 4; ++k) {
    ints[k] = k + 1;
  }
  masked<<<1, 1>>>(static_cast<int*>(out), ints);
  cudaDeviceSynchronize();
  show("masked", static_cast<int*>(out), 8);
  part<<<1, 1>>>(static_cast<int*>(out), 1);
  cudaDeviceSynchronize();
  show("part", static_cast<int*>(out), 4);
  if (count > 1) {
    part<<<1, 1>>>(static_cast<int*>(out), 2);
    cudaDeviceSynchronize();
    show("outside", static_cast<int*>(out), 4);
  }
}
