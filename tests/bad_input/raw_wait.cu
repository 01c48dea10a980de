// Two blocks, one of which polls raw memory that the other writes; then a kernel that polls raw pinned
// memory which the host writes after the launch. Neither makes a tile operation while it waits.
#include "cuda_tile.h"
#include <cstdio>

__tile_global__ void pass(volatile int* flag, int* data) {
  if (cuda::tiles::bid().x == 0) {
    while (*flag == 0) {
    }
    data[1] = data[0];
  } else {
    data[0] = 42;
    *flag = 1;
  }
}

__tile_global__ void wait(volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 7;
}

int main() {
  int* m = nullptr;
  cudaMallocManaged(&m, 64);
  m[0] = m[1] = m[2] = 0;
  pass<<<2, 1>>>(m, m + 1);
  cudaDeviceSynchronize();
  std::printf("%d\n", m[2]);

  int* pinned = nullptr;
  cudaMallocHost(&pinned, 64);
  pinned[0] = pinned[1] = 0;
  wait<<<1, 1>>>(pinned, pinned + 1);
  *static_cast<volatile int*>(pinned) = 1;
  cudaDeviceSynchronize();
  std::printf("%d\n", pinned[1]);
  return m[2] == 42 && pinned[1] == 7 ? 0 : 1;
}
