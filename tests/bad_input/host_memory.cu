// A kernel is given memory from new.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void read(int* p, int* out) {
  auto i = ct::iota<index_tile>();
  auto ptrs = p + i;
  ct::store(out + i, ct::load(ptrs));
}
int main() {
  int* p = new int[16]();
  int* out = nullptr;
  cudaMalloc(&out, 16 * sizeof(int));
  read<<<1, 1>>>(p, out);
  cudaDeviceSynchronize();
}
