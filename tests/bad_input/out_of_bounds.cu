// The second block stores past the end.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void fill(int* p) {
  int block = ct::bid().x;
  auto i = block * 16 + ct::iota<index_tile>();
  ct::store(p + i, i);
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  fill<<<2, 1>>>(p);
  cudaDeviceSynchronize();
}
