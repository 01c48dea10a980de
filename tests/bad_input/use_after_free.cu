// A kernel reads memory that the host has freed.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void read(int* p, int* out) {
  auto i = ct::iota<index_tile>();
  ct::store(out + i,
            ct::load(p + i));
}
int main() {
  int *p = nullptr, *out = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  cudaMalloc(&out, 16 * sizeof(int));
  cudaFree(p);
  read<<<1, 1>>>(p, out);
  cudaDeviceSynchronize();
}
