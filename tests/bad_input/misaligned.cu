// An int pointer one byte off.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using index_tile = ct::tile<int, ct::shape<16>>;

__tile_global__ void read(char* bytes, int* out) {
  int* p = reinterpret_cast<int*>(bytes + 1);
  auto i = ct::iota<index_tile>();
  auto values = ct::load(p + i);
  ct::store(out + i, values);
}
int main() {
  char* bytes = nullptr;
  int* out = nullptr;
  cudaMalloc(&bytes, 1024);
  cudaMalloc(&out, 16 * sizeof(int));
  read<<<1, 1>>>(bytes, out);
  cudaDeviceSynchronize();
}
