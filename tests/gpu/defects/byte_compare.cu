// A byte that was a floating-point number is compared with a constant, and stored: nvcc 13.4.92 for sm_90 compares 32 bits
// of a register of which the conversion has written 16.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;
template <class T>
using rows = ct::tile<T, ct::shape<4, 8>>;

__tile_global__ void compare(unsigned* out, unsigned* first, unsigned* second, unsigned char* bytes) {
  const int block = static_cast<int>(ct::bid().x);
  const auto i = ct::iota<rows<int>>();
  const auto one = ct::full<rows<unsigned>>(1);
  auto w = one;
  for (const int k : ct::irange(0, 1 + block % 2, 2)) {
    if (k + block > 3)
      break;
    w = ~one & w;
  }
  const auto sums = ct::partial_sum(ct::element_cast<float>(one), ct::integral_constant<0>{}, ct::scan_backward_t{}); // 4 3 2 1
  const auto v = ct::element_cast<unsigned char>(sums);
  const auto small = v < ct::full<rows<unsigned char>>(6); // all
  ct::store(first + i, one);
  ct::store(second + i, one);
  ct::store_masked(out + i, w, small);
  ct::store(bytes + i, v);
}

int main() {
  unsigned *out = nullptr, *first = nullptr, *second = nullptr, *bytes = nullptr;
  cudaMalloc(&out, 128);
  cudaMalloc(&first, 128);
  cudaMalloc(&second, 128);
  cudaMalloc(&bytes, 32);
  cudaMemset(out, 0xff, 128);
  compare<<<1, 1>>>(out, first, second, reinterpret_cast<unsigned char*>(bytes));
  unsigned host[32] = {};
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%u %u\n", host[0], host[31]);
  cudaFree(out);
  cudaFree(first);
  cudaFree(second);
  cudaFree(bytes);
}
