// A buffer of objects, by the kernel's pointer of its name.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;

namespace app {
struct particle {
  unsigned id;
  float at[3];
};
} // namespace app

__tile_global__ void fill(app::particle* all, float* weights) {
  const int b = (int)ct::bid().x;
  all[b].id = b + 4u;
  all[b].at[1] = b + 0.5f;
  weights[b] = 1.0f;
}

int main() {
  app::particle* all = nullptr;
  float* weights = nullptr;
  cudaMalloc(&all, 4 * sizeof(app::particle));
  cudaMalloc(&weights, 4 * sizeof(float));
  cudaMemset(all, 0, 4 * sizeof(app::particle));
  cudaMemset(weights, 0, 4 * sizeof(float));
  fill<<<2, 1>>>(all, weights);
  cudaDeviceSynchronize();
  cudaFree(all);
  cudaFree(weights);
}
