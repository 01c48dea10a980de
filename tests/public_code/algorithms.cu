// Whole algorithms without reductions or mma: a product of matrices by outer products, a sparse
// matrix in slices, row maxima by halving, a stencil with clamped indices.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include <cmath>

#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

// C = A * B, one 16 x 16 tile of C for each block, column times row.
template <int M, int N>
__tile_global__ void multiply(const __half* __restrict__ a,
                              const __half* __restrict__ b,
                              float* __restrict__ c,
                              int m,
                              int n,
                              int k) {
  a = ct::assume_aligned(a, 16_ic);
  const int row = static_cast<int>(ct::bid().y) * M, column = static_cast<int>(ct::bid().x) * N;
  auto i = row + ct::reshape(ct::iota<ct::tile<int, ct::shape<M>>>(), ct::shape<M, 1>{});
  auto j = column + ct::reshape(ct::iota<ct::tile<int, ct::shape<N>>>(), ct::shape<1, N>{});
  auto sum = ct::full<ct::tile<float, ct::shape<M, N>>>(0.0f);
  for (auto l : ct::irange(0, k)) {
    auto left = ct::element_cast<float>(ct::load_masked(a + (i * k + l), i < m, __half(0.0f)));
    auto right = ct::element_cast<float>(ct::load_masked(b + (l * n + j), j < n, __half(0.0f)));
    sum = sum + left * right;
  }
  ct::store_masked(c + (i * n + j), sum, (i < m) & (j < n));
}

// Slices of 32 rows, each as wide as its longest row; columns of -1 fill the rest.
__tile_global__ void sparse(const int* __restrict__ slice_offsets,
                            const int* __restrict__ columns,
                            const float* __restrict__ values,
                            const float* __restrict__ x,
                            float* __restrict__ y,
                            int rows) {
  const int slice = ct::bid().x;
  const int begin = slice_offsets[slice], width = (slice_offsets[slice + 1] - begin) / 32;
  auto lane = ct::iota<ct::tile<int, ct::shape<32>>>();
  auto sum = ct::zeros<ct::tile<float, ct::shape<32>>>();
  for (int e = 0; e < width; ++e) {
    auto at = begin + e * 32 + lane;
    auto column = ct::load(columns + at);
    auto mask = column >= 0;
    sum = ct::fma(
        ct::load_masked(values + at, mask, 0.0f), ct::load_masked(x + column, mask, 0.0f), sum);
  }
  auto row = slice * 32 + lane;
  ct::store_masked(y + row, sum, row < rows);
}

// The maximum of a row: the upper half against the lower, until one element is left.
template <int N, typename T>
__tile__ T largest(ct::tile<T, ct::shape<N>> x) {
  if constexpr (N == 1) {
    return static_cast<T>(x);
  } else {
    ct::shape<N / 2> half;
    return largest<N / 2>(ct::max(ct::extract(x, half, 0), ct::extract(x, half, 1)));
  }
}
__tile_global__ void row_maxima(const float* x, float* out, int columns) {
  const int row = ct::bid().x;
  float most = -INFINITY;
  for (int start = 0; start < columns; start += 16) {
    auto i = start + ct::iota<ct::tile<int, ct::shape<16>>>();
    most =
        ct::max(most, largest<16>(ct::load_masked(x + row * columns + i, i < columns, -INFINITY)));
  }
  out[row] = most;
}

__tile_global__ void stencil(const double* __restrict__ in, double* __restrict__ out, int n) {
  auto i = static_cast<int>(ct::bid().x) * 64 + ct::iota<ct::tile<int, ct::shape<64>>>();
  auto left = ct::max(i - 1, 0);
  auto right = ct::min(i + 1, n - 1);
  auto inside = i < n;
  auto value = [=](auto at) { return ct::load_masked(in + at, inside, 0.0); };
  ct::store_masked(
      out + i, (value(left) + 2 * value(i) + value(ct::min(right, n - 1))) / 4.0f, inside);
}

int main() {
  const int m = 40, n = 24, k = 19;
  std::vector<__half> a(m * k), b(k * n);
  for (int i = 0; i < m * k; ++i) {
    a[i] = __half(float(i % 7 - 3));
  }
  for (int i = 0; i < k * n; ++i) {
    b[i] = __half((i % 5) * 0.5f);
  }
  device_array<__half> da(a), db(b);
  device_array<float> dc(m * n);
  multiply<16, 16><<<dim3((n + 15) / 16, (m + 15) / 16), 1>>>(da.data, db.data, dc.data, m, n, k);
  CHECK_LAUNCHES();
  const auto c = dc.host();
  for (int i = 0; i < m * n; ++i) {
    float want = 0;
    for (int l = 0; l < k; ++l) {
      want += float(a[i / n * k + l]) * float(b[l * n + i % n]);
    }
    EXPECT(c[i] == want);
  }

  // Row r has r % 4 entries; slices of 32 rows are three wide.
  const int rows = 80;
  std::vector<int> offsets{0, 96, 192, 288}, columns(288, -1);
  std::vector<float> values(288, NAN), x(rows), product(rows);
  for (int r = 0; r < rows; ++r) {
    x[r] = 1.0f + r;
    for (int e = 0; e < r % 4; ++e) {
      columns[r / 32 * 96 + e * 32 + r % 32] = (r * 3 + e) % rows;
      values[r / 32 * 96 + e * 32 + r % 32] = e + 1.0f;
      product[r] += (e + 1.0f) * (1.0f + (r * 3 + e) % rows);
    }
  }
  device_array<int> doffsets(offsets), dcolumns(columns);
  device_array<float> dvalues(values), dx(x), dy(rows);
  sparse<<<3, 1>>>(doffsets.data, dcolumns.data, dvalues.data, dx.data, dy.data, rows);
  CHECK_LAUNCHES();
  EXPECT(dy.host() == product);

  std::vector<float> matrix(5 * 37);
  for (int i = 0; i < 5 * 37; ++i) {
    matrix[i] = static_cast<float>(i * 31 % 101 - 200);
  }
  device_array<float> dmatrix(matrix), maxima(5);
  row_maxima<<<5, 1>>>(dmatrix.data, maxima.data, 37);
  device_array<double> line(std::vector<double>{0, 4, 8, 4, 0}), smooth(5);
  stencil<<<1, 1>>>(line.data, smooth.data, 5);
  CHECK_LAUNCHES();
  for (int r = 0; r < 5; ++r) {
    float most = matrix[r * 37];
    for (int i = 1; i < 37; ++i) {
      most = std::fmax(most, matrix[r * 37 + i]);
    }
    EXPECT(maxima.host()[r] == most);
  }
  EXPECT(smooth.host() == std::vector<double>({1, 4, 6, 4, 1}));
  return verdict("algorithms");
}
