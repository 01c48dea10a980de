// A frame larger than the whole stack: it must not jump over the guard page.
#include "cuda_tile.h"
namespace ct = cuda::tiles;
using huge = ct::tile<double, ct::shape<1 << 24>>;

__tile_global__ void use(double* p, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<1 << 24>>>();
  huge a = ct::load(p + i);
  huge b = a + 1.0;
  huge c = b * a;
  ct::store(p + i, c + static_cast<double>(n));
}
int main() {
  double* p = nullptr;
  cudaMalloc(&p, sizeof(double) << 24);
  use<<<1, 1>>>(p, 1);
  cudaDeviceSynchronize();
}
