// Tiles made and reshaped: full, iota, zeros, ones; reshape, broadcast, permute, transpose, cat,
// extract, in the forms with template arguments and with objects.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

template <typename T, int... N>
using tile = ct::tile<T, ct::shape<N...>>;

__tile_global__ void creation(int* out, float* reals, unsigned char* bytes) {
  using block = ct::tile<int, ct::shape<2, 4>>;
  auto i = ct::iota<block>();
  ct::store(out + i, ct::full<block>(7));
  ct::store(out + 8 + i, i + ct::zeros<block>());
  ct::store(out + 16 + i, ct::ones<block>() + ct::full<block>(2L)); // any number that converts
  auto accumulator = ct::full<ct::tile<float, ct::shape<2, 4>>>(0.0f);
  for (int k = 0; k < 3; ++k) {
    accumulator = accumulator + k;
  }
  ct::store(reals + i, accumulator);
  ct::store(bytes + ct::iota<tile<int, 128>>(), ct::iota<tile<unsigned char, 128>>());
  ct::store(bytes + 128, ct::full<tile<unsigned char>>(128)); // rank 0
}

__tile_global__ void shapes(int* out) {
  auto i = ct::iota<tile<int, 8>>();
  auto column = ct::reshape<ct::shape<8, 1>>(i);
  auto row = ct::reshape(i, ct::shape<1, 8>{});
  auto at = column * 8 + row;
  ct::store(out + at, at); // 0 … 63
  ct::store(out + 64 + at, ct::broadcast<ct::shape<8, 8>>(column * 8) + row);
  ct::store(out + 128 + at, ct::broadcast(row, ct::shape<8, 8>{}));
  ct::store(out + 192 + at, ct::transpose(at));
  auto cube = ct::reshape<ct::shape<2, 4, 8>>(at);
  auto turned = ct::permute(cube, ct::dimension_map{2_ic, 0_ic, 1_ic}); // 8 x 2 x 4
  static_assert(ct::tile_shape_t<decltype(turned)>::static_extent(0) == 8);
  ct::store(out + 256 + at, ct::reshape<ct::shape<8, 8>>(turned));
  ct::store(out + 320 + at,
            ct::reshape(ct::permute<ct::dimension_map<1, 0, 2>>(cube), ct::shape<8, 8>{}));
  ct::store(out + 384 + at, ct::broadcast<ct::shape<8, 8>>(5)); // of a scalar
  auto batched = ct::transpose(cube);                           // first two dimensions
  ct::store(out + 448 + at, ct::reshape<ct::shape<8, 8>>(batched));
}

// Halves taken apart and put together again, as rotary embeddings do.
__tile_global__ void parts(int* out) {
  auto x = ct::iota<tile<int, 4, 8>>();
  auto left = ct::extract(x, ct::shape<4, 4>{}, 0, 0);
  auto right = ct::extract(x, ct::shape<4, 4>{}, 0, 1);
  ct::store(out + x, ct::cat<1>(-right, left));
  ct::store(out + 32 + x, ct::reshape<ct::shape<4, 8>>(ct::cat(left, right, 0_ic)));
  int j = 3;
  auto last = ct::extract(x, ct::shape<1, 2>{}, j, j);
  ct::store(out + 64 + ct::iota<tile<int, 1, 2>>(), last);
  ct::store(out + 66, static_cast<int>(ct::extract(x, ct::shape<1, 1>{}, 2_ic, j)));
}

int main() {
  device_array<int> out(24);
  device_array<float> reals(8);
  device_array<unsigned char> bytes(129);
  creation<<<1, 1>>>(out.data, reals.data, bytes.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < 8; ++i) {
    EXPECT(out.host()[i] == 7 && out.host()[8 + i] == i && out.host()[16 + i] == 3);
    EXPECT(reals.host()[i] == 3.0f);
  }
  for (int i = 0; i < 129; ++i) {
    EXPECT(bytes.host()[i] == i);
  }

  device_array<int> made(512), taken(67);
  shapes<<<1, 1>>>(made.data);
  parts<<<1, 1>>>(taken.data);
  CHECK_LAUNCHES();
  const auto m = made.host(), t = taken.host();
  for (int i = 0; i < 64; ++i) {
    const int r = i / 8, c = i % 8;
    EXPECT(m[i] == i && m[64 + i] == i && m[128 + i] == c && m[192 + i] == c * 8 + r);
    // element (a, b, c) of 8 x 2 x 4 is element (b, c, a) of 2 x 4 x 8
    EXPECT(m[256 + i] == (i / 4 % 2) * 32 + (i % 4) * 8 + i / 8);
    const int swapped = (i / 8 % 2) * 32 + (i / 16) * 8 + i % 8;
    EXPECT(m[320 + i] == swapped && m[384 + i] == 5 && m[448 + i] == swapped);
  }
  for (int i = 0; i < 32; ++i) {
    const int r = i / 8, c = i % 8;
    EXPECT(t[i] == (c < 4 ? -(r * 8 + c + 4) : r * 8 + c - 4));
    EXPECT(t[32 + i] == i / 4 % 4 * 8 + i % 4 + (i < 16 ? 0 : 4));
  }
  EXPECT(t[64] == 30 && t[65] == 31 && t[66] == 19);
  return verdict("creation_and_shapes");
}
