// A tile of three elements.
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void three(int* p) {
  int first = ct::bid().x;
  using shape3 = ct::tile<int, ct::shape<3>>;
  ct::store(p + ct::iota<shape3>(), first + ct::iota<shape3>());
}

int main() { three<<<1, 1>>>(nullptr); }
