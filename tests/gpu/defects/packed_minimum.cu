// The smaller of a 16-bit number and a constant, compared with the number: nvcc 13.4.92 for sm_90 takes two elements at once,
// and has the constant for one of them only.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;
template <class T>
using square = ct::tile<T, ct::shape<16, 16>>;

__tile_global__ void smaller(const unsigned short* in, unsigned short* out) {
  const int block = static_cast<int>(ct::bid().x);
  const auto i = ct::iota<square<int>>();
  const auto eight = ct::full<square<unsigned short>>(8);
  const auto v = ct::load_masked(in + i, i < 250, ct::full<square<unsigned short>>(0));
  auto m = v;
  if (block > 0) {
    m = ct::min(eight, v);
    if (static_cast<bool>(ct::all_of<0>(ct::reshape<ct::shape<256>>(m == v)))) // not so: some are 9
      m = eight;
  }
  ct::store(out + block * 256 + i, m);
}

int main() {
  unsigned short *in = nullptr, *out = nullptr, host[256];
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  for (int i = 0; i < 256; ++i) {
    host[i] = static_cast<unsigned short>(i % 10);
  }
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof host);
  smaller<<<1, 1>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < 256; ++i) {
    wrong += host[i] != (i % 10 < 8 ? i % 10 : 8) ? 1 : 0;
  }
  std::printf("%d wrong\n", wrong);
  cudaFree(in);
  cudaFree(out);
}
