// Blocks store tiles to places of their own: one execution. SHARED: to the same places, which races.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifndef TILE
#  define TILE 64
#endif

__tile_global__ void scatter(int* out) {
  using tile = ct::tile<int, ct::shape<TILE>>;
  const auto me = ct::bid().x;
  const auto at = ct::iota<tile>();
#ifdef SHARED
  ct::store(out + at, ct::full<tile>(static_cast<int>(me)));
#else
  ct::store(out + (at + static_cast<int>(me) * TILE), ct::full<tile>(static_cast<int>(me)));
#endif
}

int main() {
  int* const out = zeros(BLOCKS * TILE);
  scatter<<<BLOCKS, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
