#include <cuda_tile.h>
__tile_global__ void fill(int* p) { cuda::tiles::store(p, 3); }
int main() {
  int *a, *b; cudaMalloc(&a, 4); cudaMallocHost(&b, 4096);
  fill<<<1, 1>>>(a);
  cudaDeviceSynchronize();
}
