// Element offsets where a partition view wants tile numbers; the clean kernel beside it is right.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void clean(float* p, int n) {
  ct::partition_view v{ct::tensor_span{p, ct::extents{n, 8}}, ct::shape{4_ic, 8_ic}};
  v.store(v.load_masked(1, 0), 0, 0);
}
__tile_global__ void wrong(float* p, int n) {
  ct::partition_view v{ct::tensor_span{p, ct::extents{n, 8}}, ct::shape{4_ic, 8_ic}};
  int row = ct::bid().x * 4;
  v.store(v.load_masked(row + 4, 0), 0, 0);
}
int main() {
  float* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(float));
  clean<<<1, 1>>>(p, 8);
  wrong<<<1, 1>>>(p, 8);
  cudaDeviceSynchronize();
}
