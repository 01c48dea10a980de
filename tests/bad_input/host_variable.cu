// A kernel is given a static variable of host code; with -DDEVICE only such as kernels may use.
#include "cuda_tile.h"
#include <cstdio>
namespace ct = cuda::tiles;

#define MANAGED __managed__
// of the device
__device__ int of_device = 3;
__managed__ int managed = 4;
MANAGED int by_macro = 5;
static __constant__ int constant = 6;
// of the host
static int table[64];

__tile_global__ void read(int* p, int* out) {
  ct::store(out, ct::load(p));
}
__tile_global__ void read_device(int* out) {
  ct::store(out, ct::load(&of_device));
  ct::store(out + 3, ct::load(&constant));
}
int main() {
  int* out = nullptr;
  cudaMallocManaged(&out, 4 * sizeof(int));
#ifdef DEVICE
  read_device<<<1, 1>>>(out);
  read<<<1, 1>>>(&managed, out + 1);
  read<<<1, 1>>>(&by_macro, out + 2);
#else
  read<<<1, 1>>>(table, out);
#endif
  cudaDeviceSynchronize();
  std::printf("%d %d %d %d\n", out[0], out[1], out[2], out[3]);
}
