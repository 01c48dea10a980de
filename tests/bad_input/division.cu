// Two divisions that may round as they like, and one that may not.
#include "cuda_tile.h"
#include <cstdio>
namespace ct = cuda::tiles;
__tile_global__ void divide(float* p) {
  const auto x = ct::full<ct::tile<float, ct::shape<8>>>(1.0f);
  const auto at = p + ct::iota<ct::tile<int, ct::shape<8>>>();
  const auto approximate = ct::div(x, 3.0f, ct::round_approximate_t{});
  const auto full = ct::div(x, 3.0f, ct::round_full_t{});
  ct::store(at, approximate + full + ct::div(x, 3.0f));
}
int main() {
  float* p = nullptr;
  cudaMallocManaged(&p, 8 * sizeof(float));
  divide<<<1, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%.6f\n", double{p[7]});
  cudaFree(p);
}
