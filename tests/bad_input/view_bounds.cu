// A tile partly outside its tensor, loaded without a mask; the clean kernel beside it has one.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void clean(int* p, int n) {
  ct::partition_view v{ct::tensor_span{p, ct::extents{n}}, ct::shape{4_ic}};
  v.store_masked(v.load_masked(1), 1);
}
__tile_global__ void wrong(int* p, int n) {
  ct::partition_view v{ct::tensor_span{p, ct::extents{n}}, ct::shape{4_ic}};
  v.store_masked(v.load(1), 1);
}
int main() {
  int* p = nullptr;
  cudaMalloc(&p, 16 * sizeof(int));
  clean<<<1, 1>>>(p, 6);
  wrong<<<1, 1>>>(p, 6);
  cudaDeviceSynchronize();
}
