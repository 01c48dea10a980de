// Columns of a row-major matrix copied into packed rows, with masks at both edges.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int tile_rows = 8;
constexpr int tile_columns = 16;
using column = ct::tile<int, ct::shape<tile_rows, 1>>;
using row = ct::tile<int, ct::shape<1, tile_columns>>;

// out[r][c] = in[r][first + c * step], for r < rows and c < columns.
__tile_global__ void
copy_strided(const short* in, short* out, int rows, int columns, int pitch, int first, int step) {
  int block_row = ct::bid().y;
  int block_column = ct::bid().x;
  column r = block_row * tile_rows + ct::iota<column>();
  row c = block_column * tile_columns + ct::iota<row>();
  auto inside = (r < rows) & (c < columns);
  auto values = ct::load_masked(in + (r * pitch + first + c * step), inside);
  ct::store_masked(out + (r * columns + c), values, inside);
}

int main() {
  const int rows = 19, columns = 37, first = 2, step = 3;
  const int pitch = first + columns * step;
  std::vector<short> in(rows * pitch), out(rows * columns, -1);
  for (int i = 0; i < rows * pitch; ++i) {
    in[i] = static_cast<short>(i);
  }
  short* din = nullptr;
  short* dout = nullptr;
  cudaMalloc(&din, in.size() * sizeof(short));
  cudaMalloc(&dout, out.size() * sizeof(short));
  cudaMemcpy(din, in.data(), in.size() * sizeof(short), cudaMemcpyHostToDevice);

  const dim3 grid((columns + tile_columns - 1) / tile_columns, (rows + tile_rows - 1) / tile_rows);
  copy_strided<<<grid, 1>>>(din, dout, rows, columns, pitch, first, step);

  cudaMemcpy(out.data(), dout, out.size() * sizeof(short), cudaMemcpyDeviceToHost);
  cudaFree(din);
  cudaFree(dout);
  int wrong = 0;
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      wrong += out[r * columns + c] != static_cast<short>(r * pitch + first + c * step);
    }
  }
  std::printf("strided_copy: %d x %d elements, %d wrong\n", rows, columns, wrong);
  return wrong == 0 ? 0 : 1;
}
