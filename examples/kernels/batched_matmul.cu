// A batch of products with rank-3 tiles; the right matrix is one for the whole batch, as in a linear layer.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cuda_fp16.h>

namespace ct = cuda::tiles;

constexpr int tile_b = 2, tile_m = 16, tile_n = 16, tile_k = 32;

// a: [batch, m, k], b: [k, n], c: [batch, m, n]
__tile_global__ void batched_matmul(const __half* a, const __half* b, float* c, int batch, int m, int n, int k) {
  ct::partition_view as{ct::tensor_span{a, ct::extents{batch, m, k}}, ct::shape<tile_b, tile_m, tile_k>{}};
  ct::partition_view bs{ct::tensor_span{b, ct::extents{k, n}}, ct::shape<tile_k, tile_n>{}};
  ct::partition_view cs{ct::tensor_span{c, ct::extents{batch, m, n}}, ct::shape<tile_b, tile_m, tile_n>{}};
  const int p = ct::bid().x;
  const int i = ct::bid().y;
  const int j = ct::bid().z;
  auto sum = ct::zeros<ct::tile<float, ct::shape<tile_b, tile_m, tile_n>>>();
  for (int s : ct::irange(0, (k + tile_k - 1) / tile_k)) {
    auto right = ct::reshape(bs.load_masked(s, j), ct::shape<1, tile_k, tile_n>{});
    sum = ct::mma(as.load_masked(p, i, s), right, sum);
  }
  cs.store_masked(sum, p, i, j);
}

int main() {
  const int batch = 5, m = 40, n = 24, k = 72;
  const auto a = noise_array<__half>(batch * m * k, 1);
  const auto b = noise_array<__half>(k * n, 2);
  __half *da = on_device(a), *db = on_device(b);
  float* dc = zeros_on_device<float>(batch * m * n);
  batched_matmul<<<dim3((batch + 1) / 2, (m + 15) / 16, (n + 15) / 16), 1>>>(da, db, dc, batch, m, n, k);
  std::vector<float> c(batch * m * n);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(da);
  cudaFree(db);
  cudaFree(dc);

  std::vector<double> want(batch * m * n);
  for (int p = 0; p < batch; ++p) {
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j < n; ++j) {
        for (int s = 0; s < k; ++s) {
          want[(p * m + i) * n + j] += static_cast<double>(static_cast<float>(a[(p * m + i) * k + s])) * static_cast<float>(b[s * n + j]);
        }
      }
    }
  }
  return verdict("batched_matmul", c, want, 0, 0); // 8-bit inputs: every sum is exact
}
