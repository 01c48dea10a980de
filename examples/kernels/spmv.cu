// Sparse matrix times vector (compressed rows): a block owns 16 rows and gathers 32 nonzeros of each at a
// time. Lanes past the end of their row are masked off and touch no memory.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

constexpr int rows_at_once = 16, lanes = 32;
using row_tile = ct::tile<int, ct::shape<rows_at_once, 1>>;

__tile_global__ void spmv(const int* offsets, const int* columns, const float* values, const float* x, float* y, int rows) {
  auto row = static_cast<int>(ct::bid().x) * rows_at_once +
             ct::reshape(ct::iota<ct::tile<int, ct::shape<rows_at_once>>>(), ct::shape<rows_at_once, 1>{});
  auto exists = row < rows;
  row_tile begin = ct::load_masked(offsets + row, exists, 0);
  row_tile end = ct::load_masked(offsets + 1 + row, exists, 0);
  const int longest = static_cast<int>(ct::reduce_max(end - begin, 0_ic));
  auto lane = ct::reshape(ct::iota<ct::tile<int, ct::shape<lanes>>>(), ct::shape<1, lanes>{});
  auto sum = ct::zeros<ct::tile<float, ct::shape<rows_at_once, lanes>>>();
  for (int at : ct::irange(0, longest, lanes)) {
    auto i = begin + at + lane;
    auto inside = i < end;
    auto column = ct::load_masked(columns + i, inside, 0);
    sum = sum + ct::load_masked(values + i, inside, 0.0F) * ct::load_masked(x + column, inside, 0.0F);
  }
  ct::store_masked(y + row, ct::sum(sum, 1_ic), exists);
}

int main() {
  const int rows = 150, width = 200;
  std::vector<int> offsets{0}, columns;
  std::vector<float> values;
  for (int r = 0; r < rows; ++r) {
    const int count = (r * 37) % 90; // some rows are empty, some longer than a tile
    for (int j = 0; j < count; ++j) {
      columns.push_back((r * 13 + j * 7) % width);
      values.push_back(noise(values.size(), 1));
    }
    offsets.push_back(static_cast<int>(columns.size()));
  }
  const auto x = noise_array(width, 2);
  int *doffsets = on_device(offsets), *dcolumns = on_device(columns);
  float *dvalues = on_device(values), *dx = on_device(x), *dy = zeros_on_device<float>(rows);
  spmv<<<(rows + rows_at_once - 1) / rows_at_once, 1>>>(doffsets, dcolumns, dvalues, dx, dy, rows);
  std::vector<float> y(rows);
  cudaMemcpy(y.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(doffsets);
  cudaFree(dcolumns);
  cudaFree(dvalues);
  cudaFree(dx);
  cudaFree(dy);

  std::vector<double> want(rows);
  for (int r = 0; r < rows; ++r) {
    for (int i = offsets[r]; i < offsets[r + 1]; ++i) {
      want[r] += static_cast<double>(values[i]) * x[columns[i]];
    }
  }
  return verdict("spmv", y, want, 0, 0); // 8-bit inputs: every sum is exact
}
