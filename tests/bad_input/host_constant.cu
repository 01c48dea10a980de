// A kernel is given a constant of the host's: an array that nobody can write, or a literal. WHICH: one of them each; OWN:
// constants that kernels may read, and one that is given and not read.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<4>>;

static const int table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
extern const int shared[4] = {1, 2, 3, 4};
namespace app {
struct limits {
  static const int of_class[4];
};
const int limits::of_class[4] = {4, 3, 2, 1};
} // namespace app

__device__ const int own[4] = {5, 6, 7, 8};
__constant__ const int constants[4] = {6, 7, 8, 9};
static constexpr int known[4] = {7, 8, 9, 10};

__tile_global__ void copy(const int* p, int* out) {
  auto i = ct::iota<index_tile>();
  ct::store(out + i, ct::load(p + i));
}
__tile_global__ void letters(const char* p, int* out) {
  ct::store(out, (int)ct::load(p + 1));
}
__global__ void raw(const int* p, int* out) { out[0] = p[2]; }
__global__ void raw_letters(const char* p, int* out) { out[0] = p[1]; }
__global__ void unread(const int* p, const char* name, int* out) {
  static const char mine[] = "mine";
  out[0] = (p != nullptr) + own[1] + known[2] + mine[0] + "host"[out[1] & 3] + (name != nullptr);
}

int main() {
  static const int of_function[4] = {2, 7, 1, 8};
  int* out = nullptr;
  cudaMallocManaged(&out, 4 * sizeof(int));
#ifdef OWN
  const int* p = nullptr;
  cudaGetSymbolAddress((void**)&p, own);
  copy<<<1, 1>>>(p, out);
  cudaDeviceSynchronize();
  std::printf("%d", out[3]);
  cudaGetSymbolAddress((void**)&p, constants);
  copy<<<1, 1>>>(p, out);
  cudaDeviceSynchronize();
  std::printf(" %d", out[3]);
  copy<<<1, 1>>>(known, out);
  cudaDeviceSynchronize();
  std::printf(" %d", out[3]);
  unread<<<1, 1>>>(table, "guest", out);
  cudaDeviceSynchronize();
  std::printf(" %d\n", out[0] > 0);
#else
#if WHICH == 0
  copy<<<1, 1>>>(table + 2, out);
#elif WHICH == 1
  copy<<<1, 1>>>(shared, out);
#elif WHICH == 2
  copy<<<1, 1>>>(app::limits::of_class, out);
#elif WHICH == 3
  copy<<<1, 1>>>(of_function, out);
#elif WHICH == 4
  letters<<<1, 1>>>("letters", out);
#elif WHICH == 5
  raw<<<1, 1>>>(table, out);
#elif WHICH == 6
  raw_letters<<<1, 1>>>("letters", out);
#endif
  cudaDeviceSynchronize();
  std::printf("%d\n", out[0]);
#endif
  (void)of_function;
  cudaFree(out);
}
