// What the tests of `tilesim dap` step through: tiles of several shapes and types, two blocks, and
// an argument that says how it goes wrong.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_fp16.h"
#include "cuda_tile.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace ct = cuda::tiles;

using row = ct::tile<int, ct::shape<8>>;
using matrix = ct::tile<int, ct::shape<2, 4>>;

__tile_global__ void scale(const int* in, int* out, int factor) {
  int block = (int)ct::bid().x;
  auto where = block * 8 + ct::iota<row>();
  auto mine = ct::load(in + where);
  auto scaled = mine * factor;
  auto table = ct::reshape(scaled, ct::shape<2, 4>{});
  auto small = ct::element_cast<__half>(mine) * ct::full<ct::tile<__half, ct::shape<8>>>(__half(0.5f));
  ct::store(out + where, ct::reshape(table, ct::shape<8>{}) + ct::element_cast<int>(small) * 0);
}

__tile_global__ void clash(int* p) {
  ct::store(p, (int)ct::bid().x);
}

__tile_global__ void outside(int* p) {
  ct::store(p + 16, 1);
}

__tile_global__ void busy(int* p, int times) {
  for (int i = 0; i < times; ++i) {
    ct::store(p, (int)ct::load(p) + 1);
  }
  ct::store(p + 1, times);
}

__tile_global__ void forever(int* p) {
  for (;;) {
    ct::store(p, (int)ct::load(p) + 2);
  }
}

__tile_global__ void stuck(int* p) {
  ct::store(p, 1);
  volatile int zero = 0;
  while (zero == 0) { // no operation
  }
}

int main(int count, char** words) {
  const char* how = count > 1 ? words[1] : "";
  const auto is = [how](const char* name) { return std::strcmp(how, name) == 0; };
  int host[16];
  for (int i = 0; i < 16; ++i) {
    host[i] = i;
  }
  int* in = nullptr;
  int* out = nullptr;
  int* large = nullptr;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&large, 100000 * sizeof(int));
  cudaMemset(large, 0, 100000 * sizeof(int));
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  scale<<<2, 1>>>(in, out, 3);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  std::printf("scaled: %d … %d\n", host[1], host[15]);
  std::fflush(stdout);
  if (is("race")) {
    clash<<<2, 1>>>(out);
    cudaDeviceSynchronize();
  } else if (is("outside")) {
    outside<<<1, 1>>>(out);
    cudaDeviceSynchronize();
  } else if (is("host")) {
    for (volatile long i = 0; i < 2000000000; i = i + 1) {
    }
    clash<<<1, 1>>>(out);
    cudaDeviceSynchronize();
  } else if (is("busy")) {
    busy<<<1, 1>>>(out, 100000);
    cudaDeviceSynchronize();
  } else if (is("stuck")) {
    stuck<<<1, 1>>>(out);
  } else if (is("forever")) {
    forever<<<1, 1>>>(out);
    cudaDeviceSynchronize();
  } else if (is("abort")) {
    std::abort();
  }
  cudaFree(in);
  cudaFree(out);
  cudaFree(large);
  return is("three") ? 3 : 0;
}
