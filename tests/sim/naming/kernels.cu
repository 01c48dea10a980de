// Kernels, each launched in every way: reports name it as itself, by its kind.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdlib>
#include <cstring>

namespace ct = cuda::tiles;

__tile_global__ void plain(int* p) { ct::store(p + 1000 + ct::bid().x, 1); }
__tile_global__ void overloaded(int* p) { ct::store(p + 1000 + ct::bid().x, 1); }
__tile_global__ void overloaded(float* p) { ct::store(p + 1000 + ct::bid().x, 1.0f); }
template <class T>
__tile_global__ void templated(T* p) { ct::store(p + 1000 + ct::bid().x, T(1)); }
namespace inner {
static __tile_global__ void hidden(int* p) { ct::store(p + 1000 + ct::bid().x, 1); }
} // namespace inner
struct holder {
  static __tile_global__ void member(int* p) { ct::store(p + 1000 + ct::bid().x, 1); }
};
#define DEFINE(name, ...) __tile_global__ void name(__VA_ARGS__)
DEFINE(of_macro, int* p) { ct::store(p + 1000 + ct::bid().x, 1); }
__global__ void threads(int* p) { p[1000000 + threadIdx.x] = 1; }

using kernel = void (*)(int*);
const struct { const char* name; kernel address; } kernels[] = {
    {"plain", plain}, {"overloaded", overloaded}, {"templated", templated<int>}, {"hidden", inner::hidden},
    {"member", holder::member}, {"of_macro", of_macro}, {"threads", threads}};

void pass(kernel given, int* p) { given<<<2, 1>>>(p); }
template <auto Kernel>
void launch(int* p) { Kernel<<<2, 1>>>(p); }

int main(int, char** words) {
  int* p;
  cudaMalloc(&p, 64);
  kernel found = nullptr;
  for (const auto& k : kernels)
    if (std::strcmp(k.name, words[1]) == 0)
      found = k.address;
  const bool other = found != plain;
  cudaLaunchConfig_t config{};
  config.gridDim = 2;
  config.blockDim = 1;
  void* arguments[] = {&p};
  switch (std::atoi(words[2])) {
  case 0: pass(found, p); break;
  case 1: (other ? found : plain)<<<2, 1>>>(p); break;
  case 2: kernels[std::atoi(words[3])].address<<<2, 1>>>(p); break;
  case 3: cudaLaunchKernelEx(&config, found, p); break;
  case 4: cudaLaunchKernel(found, dim3(2), dim3(1), arguments, 0, nullptr); break;
  case 5: cudaLaunchKernel(reinterpret_cast<const void*>(found), dim3(2), dim3(1), arguments, 0, nullptr); break;
  case 6: launch<plain>(p); break;
  case 7: { auto plain = found; plain<<<2, 1>>>(p); } break;
  }
  cudaDeviceSynchronize();
}
