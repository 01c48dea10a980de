// A block that never ends.
#include "cuda_tile.h"
#include "press_ctrl_c.h"
namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void count(int* p) {
  auto i = ct::iota<index_tile>();
  for (;;) {
    ct::store(p + i, ct::load(p + i) | 1);
  }
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  press_ctrl_c();
  count<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
