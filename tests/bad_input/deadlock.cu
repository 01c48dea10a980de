// Two blocks that each wait for the other to speak first.
#include "cuda_tile.h"

namespace ct = cuda::tiles;

__tile_global__ void wait_for_other(int* flags) {
  int me = ct::bid().x;
  int other = 1 - me;
  int seen = 0;
  while (seen == 0) {
    seen = ct::atomic_load<ct::memory_order::acquire>(flags + other);
  }
  ct::atomic_store<ct::memory_order::release>(flags + me, 1);
}
int main() {
  int* flags = nullptr;
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMemset(flags, 0, 2 * sizeof(int));
  wait_for_other<<<2, 1>>>(flags);
  cudaDeviceSynchronize();
}
