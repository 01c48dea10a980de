// A block that never ends and makes no tile operation while it does not.
#include "cuda_tile.h"
#include "press_ctrl_c.h"
__tile_global__ void spin(volatile int* p) {
  cuda::tiles::store(const_cast<int*>(p), 1);
  while (*p != 0) {
  }
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  press_ctrl_c();
  spin<<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
