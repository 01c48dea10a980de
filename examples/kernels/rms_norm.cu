// RMS norm of half-precision rows: loaded as half, computed in float, stored as half.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int width = 256; // of the tile; rows may be shorter

__tile_global__ void rms_norm(const __half* x, const __half* weight, __half* y, int rows, int columns) {
  const int row = ct::bid().x;
  ct::partition_view from{ct::tensor_span{x, ct::extents{rows, columns}}, ct::shape<1, width>{}};
  ct::partition_view weights{ct::tensor_span{weight, ct::extents{columns}}, ct::shape<width>{}};
  ct::partition_view to{ct::tensor_span{y, ct::extents{rows, columns}}, ct::shape<1, width>{}};
  auto v = ct::element_cast<float>(from.load_masked(row, 0));
  auto w = ct::element_cast<float>(weights.load_masked(0));
  auto mean_square = ct::sum(v * v, 1_ic) / static_cast<float>(columns);
  to.store_masked(ct::element_cast<__half>(v * ct::rsqrt(mean_square + 1e-6F) * w), row, 0);
}

int main() {
  const int rows = 50, columns = 200;
  const auto x = noise_array<__half>(rows * columns, 1);
  const auto weight = noise_array<__half>(columns, 2);
  __half *dx = on_device(x), *dw = on_device(weight), *dy = zeros_on_device<__half>(x.size());
  rms_norm<<<rows, 1>>>(dx, dw, dy, rows, columns);
  std::vector<__half> y(x.size());
  cudaMemcpy(y.data(), dy, y.size() * sizeof(__half), cudaMemcpyDeviceToHost);

  std::vector<float> got(y.size());
  std::vector<double> want(y.size());
  for (int r = 0; r < rows; ++r) {
    double square = 0;
    for (int c = 0; c < columns; ++c) {
      const double v = static_cast<float>(x[r * columns + c]);
      square += v * v / columns;
    }
    for (int c = 0; c < columns; ++c) {
      const int i = r * columns + c;
      want[i] = static_cast<float>(x[i]) / std::sqrt(square + 1e-6) * static_cast<float>(weight[c]);
      got[i] = static_cast<float>(y[i]);
    }
  }
  cudaFree(dx);
  cudaFree(dw);
  cudaFree(dy);
  return verdict("rms_norm", got, want, 1e-7, 1e-3);
}
