// Transpose through two views: a tile is loaded at (i, j), turned, and stored at (j, i). The matrix is no
// multiple of the tile, so both are masked.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;

__tile_global__ void transpose(const int* in, int* out, int rows, int columns) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{rows, columns}}, ct::shape<16, 32>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{columns, rows}}, ct::shape<32, 16>{}};
  const int i = ct::bid().x;
  const int j = ct::bid().y;
  to.store_masked(ct::transpose(from.load_masked(i, j)), j, i);
}

// The same matrix, read through a span that says it is stored column by column.
__tile_global__ void transpose_by_layout(const int* in, int* out, int rows, int columns) {
  ct::partition_view from{ct::tensor_span{in, ct::extents{columns, rows}, ct::layout_left{}}, ct::shape<32, 16>{}};
  ct::partition_view to{ct::tensor_span{out, ct::extents{columns, rows}}, ct::shape<32, 16>{}};
  const int i = ct::bid().x;
  const int j = ct::bid().y;
  to.store_masked(from.load_masked(j, i), j, i);
}

int main() {
  const int rows = 100, columns = 150;
  std::vector<int> in(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    in[i] = i;
  }
  int *din = on_device(in), *dout = zeros_on_device<int>(in.size()), *dout2 = zeros_on_device<int>(in.size());
  const dim3 grid((rows + 15) / 16, (columns + 31) / 32);
  transpose<<<grid, 1>>>(din, dout, rows, columns);
  transpose_by_layout<<<grid, 1>>>(din, dout2, rows, columns);
  std::vector<int> out(in.size()), out2(in.size());
  cudaMemcpy(out.data(), dout, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(out2.data(), dout2, out2.size() * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dout);
  cudaFree(dout2);

  std::vector<double> want(in.size());
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      want[c * rows + r] = in[r * columns + c];
    }
  }
  int failures = verdict("transpose", out, want, 0, 0);
  failures += verdict("transpose by layout", out2, want, 0, 0);
  return failures != 0;
}
