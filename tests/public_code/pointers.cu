// Pointers: `T* __restrict__` parameters, tiles of pointers and their arithmetic, scalar pointers
// to load and store, pointer plus a tile of one element, comparisons, casts, pointers in structs.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;
using i32x8 = ct::tile<int, ct::shape<8>>;

// Indices of every integer type, on both sides, for pointers with every qualifier.
__tile_global__ void offsets(int* __restrict__ const out,
                             const int* const __restrict__ in,
                             const long* __restrict__ wide) {
  auto i = ct::iota<i32x8>();
  ct::store(out + i, ct::load(in + i) + ct::load(i + in));
  ct::store(out + 8 + i, ct::load(in + 7 - i));
  ct::store(out + 16 + i, ct::load(in + ct::element_cast<unsigned char>(i)));
  ct::store(out + 24 + i, ct::load(in + (1L << 33) + (ct::element_cast<long>(i) - (1L << 33))));
  ct::store(out + 32 + i, ct::load(in + ct::load(wide + i)));
  ct::store(out + 40 + i, ct::load(&in[3] + (i - 3)));
  auto rows = ct::iota<ct::tile<unsigned, ct::shape<2, 1>>>();
  auto columns = ct::iota<ct::tile<unsigned short, ct::shape<1, 4>>>();
  ct::store(out + 48 + rows * 4u + columns, ct::load(in + rows * 4u + columns));
}

// A scalar pointer gives a scalar, which converts, adds and is stored like one.
__tile_global__ void scalars(int* next, float* values, int* lock) {
  auto n = ct::load(next);
  ct::store(next, n + 1);
  int plain = static_cast<int>(ct::load(next)) * 2;
  ct::store(next + 1, plain);
  auto one = ct::zeros<ct::tile<int, ct::shape<1>>>() + 2; // pointer plus a tile of one element
  auto place = next + one;
  ct::store(place, ct::load(place) + static_cast<int>(ct::load(next)));
  ct::store(values, static_cast<float>(ct::load(values + one)) + 0.5f);
  *(next + 3) = next[2] - *next;
  values[1] = lock ? 1.0f : 2.0f;
  values += 2;
  values[0] = *values + 10;
  ++values;
  *values-- = 4.0f;
}

__tile_global__ void
comparisons(bool* out, long* differences, int* p, const int* q, const void* v) {
  auto i = ct::iota<i32x8>();
  auto ps = p + i;
  auto qs = q + (7 - i);
  ct::store(out + i, ps < qs);
  ct::store(out + 8 + i, ps == p || qs >= q + 7);
  ct::store(out + 16 + i, ps != nullptr && !(nullptr == qs));
  ct::store(out + 24 + i, (ps == v) & (v != nullptr));
  ct::store(differences + i, ps - p);
  ct::store(differences + 8 + i, qs - ps);
  auto chosen =
      ct::select(i % 2 == 0, ps, p + ct::zeros<i32x8>()); // a tile of pointers chosen by lane
  ct::store(differences + 16 + i, ct::element_cast<long>(ct::load(chosen)));
  auto raw = ct::element_bitcast<unsigned long>(ps);
  ct::store(differences + 24 + i,
            ct::element_cast<long>((raw - ct::element_bitcast<unsigned long>(p)) >> 2));
}

struct matrix {
  float* data;
  int stride;
  __tile__ auto at(int row, i32x8 columns) const { return data + row * stride + columns; }
};
__tile_global__ void in_struct(float* __restrict__ data, int stride) {
  matrix m{data, stride};
  float* __restrict__ alias = data;
  auto i = ct::iota<i32x8>();
  for (int row = 1; row < 4; ++row) {
    ct::store(m.at(row, i), ct::load(m.at(row - 1, i)) + ct::load(alias + i));
  }
}

int main() {
  std::vector<int> values{3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<long> indices{7, 7, 0, 1, 6, 2, 5, 3};
  device_array<int> in(values), out(56);
  device_array<long> wide(indices), differences(32);
  offsets<<<1, 1>>>(out.data, in.data, wide.data);
  CHECK_LAUNCHES();
  const auto o = out.host();
  for (int i = 0; i < 8; ++i) {
    EXPECT(o[i] == 2 * values[i] && o[8 + i] == values[7 - i] && o[16 + i] == values[i]);
    EXPECT(o[24 + i] == values[i] && o[32 + i] == values[indices[i]] && o[40 + i] == values[i]);
    EXPECT(o[48 + i] == values[i]);
  }

  device_array<int> next(std::vector<int>{20, 0, 100, 0});
  device_array<float> floats(std::vector<float>{0, 0, 7.0f, 0});
  scalars<<<1, 1>>>(next.data, floats.data, nullptr);
  CHECK_LAUNCHES();
  EXPECT(next.host() == std::vector<int>({21, 42, 121, 100}));
  EXPECT(floats.host() == std::vector<float>({7.5f, 2.0f, 17.0f, 4.0f}));

  device_array<unsigned char> truths(32);
  comparisons<<<1, 1>>>(
      reinterpret_cast<bool*>(truths.data), differences.data, in.data, in.data, in.data);
  CHECK_LAUNCHES();
  const auto t = truths.host();
  const auto d = differences.host();
  for (int i = 0; i < 8; ++i) {
    EXPECT(t[i] == (i < 4) && t[8 + i] == (i == 0) && t[16 + i] == 1 && t[24 + i] == (i == 0));
    EXPECT(d[i] == i && d[8 + i] == 7 - 2 * i && d[16 + i] == values[i % 2 == 0 ? i : 0] &&
           d[24 + i] == i);
  }

  device_array<float> rows(std::vector<float>(40, 1.0f));
  in_struct<<<1, 1>>>(rows.data, 10);
  CHECK_LAUNCHES();
  EXPECT(rows.host()[37] == 4.0f && rows.host()[27] == 3.0f && rows.host()[38] == 1.0f);
  return verdict("pointers");
}
