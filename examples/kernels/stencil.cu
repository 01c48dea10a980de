// A five-point stencil through a strided view: its tiles start at every element, so a tile and its four
// neighbours, each shifted by one, are five loads that overlap.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int tile_size = 16;

// in has a border of one element around the rows x columns of out.
__tile_global__ void stencil(const float* in, float* out, int rows, int columns) {
  ct::strided_view from{ct::tensor_span{in, ct::extents{rows + 2, columns + 2}}, ct::shape<tile_size, tile_size>{}, ct::strides{1_ic, 1_ic}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{rows, columns}}, ct::shape<tile_size, tile_size>{}};
  const int i = ct::bid().x;
  const int j = ct::bid().y;
  const int r = i * tile_size;
  const int c = j * tile_size;
  auto neighbours = from.load_masked(r, c + 1) + from.load_masked(r + 2, c + 1) + from.load_masked(r + 1, c) + from.load_masked(r + 1, c + 2);
  to.store_masked(neighbours * 0.25F - from.load_masked(r + 1, c + 1), i, j);
}

int main() {
  const int rows = 70, columns = 45, width = columns + 2;
  const auto in = noise_array((rows + 2) * width, 1);
  float *din = on_device(in), *dout = zeros_on_device<float>(rows * columns);
  stencil<<<dim3((rows + 15) / 16, (columns + 15) / 16), 1>>>(din, dout, rows, columns);
  std::vector<float> out(rows * columns);
  cudaMemcpy(out.data(), dout, out.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dout);

  std::vector<double> want(rows * columns);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const float* at = &in[(r + 1) * width + c + 1];
      want[r * columns + c] = 0.25 * (static_cast<double>(at[-width]) + at[width] + at[-1] + at[1]) - at[0];
    }
  }
  return verdict("stencil", out, want, 0, 0); // 8-bit inputs: exact
}
