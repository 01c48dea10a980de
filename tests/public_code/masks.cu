// Loads and stores under masks: tails of rows, masks joined with & and &&, lanes whose addresses
// lie far outside every allocation, paddings in all forms. SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

// A 16 x 16 tile over a matrix of another size: rows and columns beyond it are masked off, and
// their addresses are up to 16 rows behind the last allocation.
__tile_global__ void
transpose(float* __restrict__ out, const float* __restrict__ in, int rows, int columns) {
  auto [bx, by, bz] = ct::bid();
  int row = by * 16, column = bx * 16;
  auto i = row + ct::iota<ct::tile<int, ct::shape<16, 1>>>();
  auto j = column + ct::iota<ct::tile<int, ct::shape<1, 16>>>();
  auto mask = (i < rows) & (j < columns);
  auto x = ct::load_masked(in + i * columns + j, mask, 0.0f);
  auto back = ct::transpose(x);
  auto it = row + ct::iota<ct::tile<int, ct::shape<1, 16>>>();
  auto jt = column + ct::iota<ct::tile<int, ct::shape<16, 1>>>();
  ct::store_masked(out + jt * rows + it, back, (it < rows) && (jt < columns));
}

// Gathers through indices that say "nothing there" with -1 or with garbage.
__tile_global__ void far_away(int* out, const int* in, const long* index, int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto where = ct::load(index + i);
  auto valid = (where >= 0) & (where < n);
  ct::store(out + i, ct::load_masked(in + where, valid, -1));
  ct::store_masked(out + 8 + where, i, valid);
  const int* nowhere = nullptr;
  ct::store(out + 24 + i, ct::load_masked(nowhere + i, false, i)); // a scalar mask
  auto none = ct::zeros<ct::tile<int, ct::shape<1>>>();
  ct::store(out + 32 + i, ct::load_masked(nowhere + where % 1000003L, none, 5));
}

template <typename T>
__tile_global__ void paddings(T* out, const T* in, int n) {
  using vec = ct::tile<T, ct::shape<8>>;
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto mask = i < n;
  ct::store(out + i, ct::load_masked(in + i, mask, ct::full<vec>(T(2)))); // a tile
  ct::store(out + 8 + i, ct::load_masked(in + i, mask, ct::full<ct::tile<T, ct::shape<1>>>(T(3))));
  ct::store(out + 16 + i, ct::load_masked(in + i, mask, T(0))); // a scalar of the type
  ct::store(out + 24 + i, ct::load_masked(in + i, mask, ct::zeros<vec>()));
  ct::store(out + 32 + i, ct::load_masked(in + i, mask, ct::full<ct::tile<T, ct::shape<>>>(T(4))));
  auto unspecified = ct::load_masked(in + i, mask);
  ct::store_masked(out + 40 + i, unspecified, mask);
  ct::store(out + 48 + i, ct::select(mask, unspecified, ct::full<vec>(T(-1))));
}

// Paddings of a narrower type, and an int 0 for integers.
__tile_global__ void narrower_paddings(float* f, int* n, int count) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  ct::store(f + 8 + i, ct::load_masked(f + i, i < count, __half(1.5f)));
  ct::store(n + 8 + i, ct::load_masked(n + i, i < count, 0));
  ct::store(n + 16 + i, ct::load_masked(n + i, i < count, short(-9)));
  ct::store(n + 24 + i, ct::load_masked(n + i, i, true)); // an int tile as the mask
}

template <typename T>
void check_paddings() {
  std::vector<T> values;
  for (int i = 0; i < 5; ++i) {
    values.push_back(T(float(i + 10)));
  }
  device_array<T> in(values), out(56); // five elements: lanes 5 to 7 lie behind the end
  paddings<T><<<1, 1>>>(out.data, in.data, 5);
  CHECK_LAUNCHES();
  const auto o = out.host();
  const float padding[] = {2, 3, 0, 0, 4, 0, -1};
  for (int r = 0; r < 7; ++r) {
    for (int i = 0; i < 8; ++i) {
      EXPECT(float(o[8 * r + i]) == (i < 5 ? i + 10.0f : padding[r]));
    }
  }
}

int main() {
  const int rows = 37, columns = 23;
  std::vector<float> matrix(rows * columns);
  for (int i = 0; i < rows * columns; ++i) {
    matrix[i] = static_cast<float>(i);
  }
  device_array<float> in(matrix), out(rows * columns, -1.0f);
  transpose<<<dim3((columns + 15) / 16, (rows + 15) / 16), 1>>>(out.data, in.data, rows, columns);
  CHECK_LAUNCHES();
  const auto turned = out.host();
  for (int i = 0; i < rows * columns; ++i) {
    EXPECT(turned[i % columns * rows + i / columns] == matrix[i]);
  }

  device_array<int> n(std::vector<int>{5, 6, 7}), found(40);
  device_array<long> index(std::vector<long>{2, -1, 1L << 40, 0, -(1L << 42), 3, 1, 1L << 60});
  far_away<<<1, 1>>>(found.data, n.data, index.data, 3);
  CHECK_LAUNCHES();
  const auto f = found.host();
  EXPECT(f[0] == 7 && f[1] == -1 && f[2] == -1 && f[3] == 5 && f[4] == -1 && f[5] == -1 &&
         f[6] == 6 && f[7] == -1);
  EXPECT(f[8] == 3 && f[9] == 6 && f[10] == 0 && f[11] == 0 && f[31] == 7 && f[39] == 5);

  check_paddings<float>();
  check_paddings<double>();
  check_paddings<__half>();
  check_paddings<int>();
  check_paddings<long>();

  device_array<float> reals(16, 2.0f);
  device_array<int> ints(32, 8);
  narrower_paddings<<<1, 1>>>(reals.data, ints.data, 3);
  CHECK_LAUNCHES();
  const auto k = ints.host();
  EXPECT(reals.host()[10] == 2.0f && reals.host()[11] == 1.5f);
  EXPECT(k[10] == 8 && k[11] == 0 && k[18] == 8 && k[19] == -9 && k[24] == 1 && k[25] == 8);
  return verdict("masks");
}
