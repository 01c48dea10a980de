// Two blocks that keep one another awake for ever.
#include "cuda_tile.h"
#include "press_ctrl_c.h"
namespace ct = cuda::tiles;

__tile_global__ void ping_pong(int* ball) {
  int me = ct::bid().x;
  for (;;) {
    while (ct::atomic_load<ct::memory_order::acquire>(ball) != me) {
    }
    ct::atomic_store<ct::memory_order::release>(ball, 1 - me);
  }
}
int main() {
  int* ball = nullptr;
  cudaMalloc(&ball, sizeof(int));
  cudaMemset(ball, 0, sizeof(int));
  press_ctrl_c();
  ping_pong<<<2, 1>>>(ball);
  cudaDeviceSynchronize();
}
