// Numbers that are types: `_ic` literals and integral_constant, extents deduced from them, integer
// ranges, class constants as operands, assumptions in all their forms.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

// NVIDIA's compiler says that a range with a break is an ordinary loop.
#pragma nv_diag_suppress 20344

namespace ct = cuda::tiles;
using namespace ct::literals;

__tile_global__ void literals(int* out) {
  constexpr auto tile_k = 16_ic;
  int k = 100;
  out[0] = (k + tile_k - 1) / tile_k;
  out[1] = 2_ic * 3_ic + 1'000_ic;
  out[2] = decltype(4_ic * 2_ic)::value;
  out[3] = ct::integral_constant<-5>{} + -4_ic;
  ct::extents mixed{4_ic, k, 8_ic};
  static_assert(mixed.rank() == 3 && mixed.static_extent(0) == 4 &&
                mixed.static_extent(1) == ct::dynamic_extent);
  out[4] = mixed.extent(0) + mixed.extent(1) + mixed.extent(2);
  ct::extents<int64_t, ct::dynamic_extent, 3> wide{1LL << 40};
  out[5] = static_cast<int>(wide.extent(0) >> 32);
  out[6] = ct::extents_equal(ct::extents{4_ic, 100, 8_ic}, mixed) + (mixed == mixed);
  auto x = ct::iota<ct::tile<int, decltype(ct::extents{2_ic, 4_ic})>>();
  ct::store(out + 8 + x, ct::reshape(x, ct::extents{2_ic, 4_ic}) + tile_k.value);
}

__tile_global__ void ranges(int* out, int n) {
  int sum = 0;
  for (auto i : ct::irange(5, n, 2)) {
    sum = sum * 16 + i;
  }
  out[0] = sum;
  long count = 0;
  for (auto i : ct::irange(0L, 10)) {
    count += i;
    if (i == 7)
      break;
  }
  out[1] = count;
  for (std::size_t i : ct::irange(std::size_t(0), std::size_t(3))) {
    if (i == 1)
      continue;
    out[2 + i] = i + 1;
  }
  for (int i : ct::irange(3, 3))
    out[0] = i;
  auto accumulator = ct::zeros<ct::tile<int, ct::shape<4>>>();
  for (auto tile : ct::irange(ct::bid().x, 9u, ct::num_blocks().x))
    accumulator = accumulator + int(tile);
  ct::store(out + 8 + ct::iota<ct::tile<int, ct::shape<4>>>(), accumulator);
}

// Sizes kept in a class.
struct sizes {
  static constexpr int rows = 8, columns = 4;
  static const int stride = 4 * rows;
};
struct traits {
  enum { vector = 4 };
};
const int shift = 2;
constexpr float scale = 0.5f;

__tile_global__ void named_constants(int* out, float* reals) {
  auto i = ct::iota<ct::tile<int, ct::shape<sizes::rows>>>();
  ct::store(out + i, (i + sizes::rows) * sizes::columns - ct::max(i, sizes::columns));
  ct::store(out + sizes::rows + i,
            ct::min(sizes::rows, i) + ct::select(i > sizes::columns, i, i << shift));
  ct::store(reals + i, ct::element_cast<float>(i) * scale + int(traits::vector));
  ct::store_masked(out + sizes::stride + i,
                   ct::full<ct::tile<int, ct::shape<8>>>(sizes::rows),
                   i < sizes::columns);
}

__tile_global__ void
assumptions(float* __restrict__ out, const float* __restrict__ in, int n, long stride) {
  out = ct::assume_aligned<16>(out);
  auto source = ct::assume_aligned(in, 16_ic);
  n = ct::assume_bounded_below<0>(ct::assume_divisible<16>(n));
  stride = ct::assume_divisible(stride, ct::integral_constant<8>{});
  n = ct::assume_bounded<1, 1024>(ct::assume_bounded_above(n, 4096_ic));
  auto i = ct::iota<ct::tile<int, ct::shape<16>>>();
  auto groups = ct::assume_blocked<ct::shape<4>>(i / 4);
  auto at = ct::assume_aligned_strided<16, 4, 0>(source + i);
  auto rows = ct::assume_divisible_strided<4, 4, 0>(i);
  ct::store_masked(
      out + rows, ct::load(at) + ct::assume_blocked(groups, ct::extents{2_ic}), i < n - stride);
}

int main() {
  device_array<int> out(40);
  literals<<<1, 1>>>(out.data);
  CHECK_LAUNCHES();
  auto o = out.host();
  EXPECT(o[0] == 7 && o[1] == 1006 && o[2] == 8 && o[3] == -9 && o[4] == 112 && o[5] == 256 &&
         o[6] == 2);
  EXPECT(o[8] == 16 && o[15] == 23);

  ranges<<<1, 1>>>(out.data, 12);
  CHECK_LAUNCHES();
  o = out.host();
  EXPECT(o[0] == 0x579b && o[1] == 28 && o[2] == 1 && o[4] == 3 && o[8] == 36 && o[11] == 36);

  device_array<float> reals(8);
  named_constants<<<1, 1>>>(out.data, reals.data);
  CHECK_LAUNCHES();
  o = out.host();
  for (int i = 0; i < 8; ++i) {
    EXPECT(o[i] == (i + 8) * 4 - (i > 4 ? i : 4) && o[8 + i] == i + (i > 4 ? i : 4 * i));
    EXPECT(reals.host()[i] == 0.5f * i + 4 && (o[32 + i] == 8) == (i < 4));
  }

  device_array<float> in(16, 3.0f), sums(16);
  assumptions<<<1, 1>>>(sums.data, in.data, 16, 8);
  CHECK_LAUNCHES();
  for (int i = 0; i < 16; ++i) {
    EXPECT(sums.host()[i] == (i < 8 ? 3.0f + i / 4 : 0.0f));
  }
  return verdict("constants");
}
