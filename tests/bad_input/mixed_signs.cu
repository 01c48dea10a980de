// Block indices are unsigned: beside a tile of int they do not compile, with NVIDIA's compiler either.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using row = ct::tile<int, ct::shape<64>>;

__tile_global__ void fill(float* p) {
  const auto i = ct::bid().x * 64 + ct::iota<row>();
  ct::store(p + ct::iota<row>(), ct::full<ct::tile<float, ct::shape<64>>>(1.0F));
}

int main() { fill<<<1, 1>>>(nullptr); }
