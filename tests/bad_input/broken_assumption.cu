// A length that is promised to be a multiple of 16 and is not.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void fill(int* p, int n) {
  auto i = ct::iota<index_tile>();
  auto inside =
      i < ct::assume_divisible<16>(n);
  ct::store_masked(p + i, i, inside);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  fill<<<1, 1>>>(p, 7);
  cudaDeviceSynchronize();
}
