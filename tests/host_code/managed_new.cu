// Host code whose operator new calls the CUDA runtime: every object is one that kernels may use, as with
// cudaMallocManaged. The library allocates by it, too, while it serves such calls.
// -DRACY: main reads before it has waited. -DLEAK: an object is left.
//
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstddef>
#include <cstdio>
#include <cuda_runtime.h>
#include <map>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace ct = cuda::tiles;

void* operator new(std::size_t n) {
  void* p = nullptr;
  if (cudaMallocManaged(&p, n == 0 ? 1 : n) != cudaSuccess) // @new
    throw std::bad_alloc();
  cudaDeviceSynchronize();
  return p;
}
void operator delete(void* p) noexcept {
  cudaDeviceSynchronize();
  cudaFree(p);
}
void operator delete(void* p, std::size_t) noexcept {
  operator delete(p);
}

__tile_global__ void add_one(int* values) {
  const auto i = ct::iota<ct::tile<int, ct::shape<64>>>();
  ct::store(values + i, ct::load(values + i) + 1);
}

/// Before main, when the library may not have begun.
const std::map<std::string, int> early{{"a name that is longer than a short string", 1}, {"b", 2}};

int main() {
  std::vector<int> values(64, static_cast<int>(early.size()));
  add_one<<<1, 1>>>(values.data());
#ifdef RACY
  std::printf("early %d\n", values[0]); // @read
#endif
  cudaDeviceSynchronize();
  std::thread([&] {
    std::vector<int> more(64, 1);
    add_one<<<1, 1>>>(more.data());
    cudaDeviceSynchronize();
    values[1] += more[0];
  }).join();
  int sum = 0;
  for (const int v : values)
    sum += v;
  std::printf("sum %d\n", sum);
#ifdef LEAK
  static int* volatile left = nullptr; // nobody may leave the allocation out
  left = new int(3); // @left
#endif
}
