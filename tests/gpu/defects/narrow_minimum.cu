// The smaller of two 16-bit integers, which is compared with one of them: nvcc 13.4.92 for sm_90 takes the smaller ones of
// two elements at once, the second of them with the upper half of a constant whose upper half is 0.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_fp16.h"
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;
template <class T>
using square = ct::tile<T, ct::shape<16, 16>>;

__tile_global__ void minimum(unsigned short* in, unsigned short* out, __half* sums) {
  const int block = static_cast<int>(ct::bid().x);
  const auto i = ct::iota<square<int>>();
  const auto ones = ct::full<ct::tile<__half, ct::shape<16>>>(1);
  const auto sum = ct::partial_sum(ones, ct::integral_constant<0>{}, ct::scan_backward_t{});
  const auto eight = ct::full<square<unsigned short>>(8);
  const auto v = ct::load_masked(in + i, i % 16 < 9, ct::full<square<unsigned short>>(0));
  auto w = v;
  if (block > 0) {
    w = ct::min(eight, v);
    if (static_cast<bool>(ct::all_of<0>(ct::reshape<ct::shape<256>>(w == v)))) {
      w = eight;
    }
  }
  ct::partition_view{ct::tensor_span{sums, ct::extents{ct::integral_constant<32>{}}}, ct::shape<16>{}}.store(sum, block);
  ct::store(out + block * 256 + i, w);
}

int main() {
  unsigned short host[512];
  for (int i = 0; i < 256; ++i) {
    host[i] = static_cast<unsigned short>(i % 10);
  }
  unsigned short *in = nullptr, *out = nullptr;
  __half* sums = nullptr;
  cudaMalloc(&in, 256 * sizeof *in);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&sums, 32 * sizeof *sums);
  cudaMemcpy(in, host, 256 * sizeof *in, cudaMemcpyHostToDevice);
  minimum<<<2, 1>>>(in, out, sums);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", host[256 + 1], host[256 + 145]); // 1 5
  cudaFree(in);
  cudaFree(out);
  cudaFree(sums);
}
