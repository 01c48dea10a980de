// Row softmax with persistent blocks: a few blocks walk over all rows, and a row that is narrower than the
// tile is padded with -inf, which exp turns into 0.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int width = 512; // of the tile: the next power of two above the number of columns

__tile_global__ void softmax(const float* in, float* out, int rows, int columns) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{rows, columns}}, ct::shape<1, width>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{rows, columns}}, ct::shape<1, width>{}};
  const int first = ct::bid().x;
  const int blocks = ct::num_blocks().x;
  for (int row : ct::irange(first, rows, blocks)) {
    auto x = from.load_masked<ct::view_padding::negative_inf>(row, 0);
    auto e = ct::exp(x - ct::reduce_max(x, 1_ic));
    to.store_masked(e / ct::sum(e, 1_ic), row, 0);
  }
}

int main() {
  const int rows = 100, columns = 400;
  std::vector<float> in = noise_array(rows * columns, 1);
  for (float& x : in) {
    x *= 8.0F;
  }
  float* din = on_device(in);
  float* dout = zeros_on_device<float>(in.size());
  softmax<<<16, 1>>>(din, dout, rows, columns);
  std::vector<float> out(in.size());
  cudaMemcpy(out.data(), dout, out.size() * sizeof(float), cudaMemcpyDeviceToHost);

  std::vector<double> want(in.size());
  for (int r = 0; r < rows; ++r) {
    const float* x = &in[r * columns];
    double greatest = x[0], total = 0;
    for (int c = 0; c < columns; ++c) {
      greatest = std::fmax(greatest, x[c]);
    }
    for (int c = 0; c < columns; ++c) {
      total += std::exp(x[c] - greatest);
    }
    for (int c = 0; c < columns; ++c) {
      want[r * columns + c] = std::exp(x[c] - greatest) / total;
    }
  }
  cudaFree(din);
  cudaFree(dout);
  return verdict("softmax", out, want, 1e-9, 2e-6);
}
