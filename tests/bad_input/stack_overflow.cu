// Tiles of 16 MiB each, more of them than a block's stack holds.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using big = ct::tile<int, ct::shape<1 << 22>>;

template <int Depth>
__tile__ big pile(big x) {
  if constexpr (Depth == 0) {
    return x;
  } else {
    auto y = x + Depth;
    return pile<Depth - 1>(y) + x;
  }
}
__tile_global__ void use(int* p) {
  auto i = ct::iota<big>();
  ct::store(p + i, pile<20>(i));
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int) << 22);
  use<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
