// A pointer made up from a number.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
__tile_global__ void put() {
  ct::store(reinterpret_cast<int*>(0x123456780000), 5);
}
int main() {
  put<<<1, 1>>>();
  cudaDeviceSynchronize();
}
