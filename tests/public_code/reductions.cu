// Reductions and scans: softmax-like rows, running sums, arg max, votes, in all spellings.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace ct = cuda::tiles;
using namespace ct::literals;

template <typename T, int... N>
using tile = ct::tile<T, ct::shape<N...>>;

// The guide's example: sum(iota<int 2x4>, 1_ic) is [[6],[22]].
__tile_global__ void guide(int* out) {
  auto x = ct::iota<tile<int, 2, 4>>();
  tile<int, 2, 1> rows = ct::sum(x, 1_ic);
  tile<int, 1, 4> columns = ct::sum<0>(x);
  ct::store(out + ct::iota<tile<int, 2, 1>>(), rows);
  ct::store(out + 2 + ct::iota<tile<int, 1, 4>>(), columns);
  ct::store(out + 6, static_cast<int>(ct::sum(ct::sum(x, 0_ic), 1_ic)));
}

// Rows of a matrix less their maximum, over their sum.
__tile_global__ void normalise(const float* x, float* y, int columns) {
  constexpr int width = 64;
  auto at = ct::reshape<ct::shape<1, width>>(ct::iota<tile<int, width>>());
  int first = ct::bid().x * columns;
  auto row = first + at;
  auto inside = at < columns;
  auto v = ct::load_masked(x + row, inside, -1000.0f);
  auto largest = ct::reduce_max(v, 1_ic);
  auto least = ct::reduce_min(ct::select(inside, v, ct::full<tile<float, 1, width>>(1000.0f)), 1_ic);
  auto share = ct::select(inside, (v - least) / (largest - least), ct::zeros<tile<float, 1, width>>());
  auto total = ct::sum(share, 1_ic, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{});
  ct::store_masked(y + row, share / total, inside);
}

__tile_global__ void scans(int* out, unsigned* wrapped) {
  auto i = ct::iota<tile<int, 8>>();
  ct::store(out + i, ct::partial_sum(i, 0_ic));
  ct::store(out + 8 + i, ct::partial_sum(i, 0_ic, ct::scan_backward_t{}));
  ct::store(out + 16 + i, ct::partial_sum<0, ct::scan_direction::backward>(i));
  auto m = ct::iota<tile<int, 2, 4>>();
  ct::store(out + 24 + m, ct::partial_sum<1>(m));
  ct::store(out + 32 + m, ct::partial_prod(m + 1, 0_ic));
  // Unsigned numbers wrap.
  auto u = ct::full<tile<unsigned, 4>>(0x80000001u);
  ct::store(wrapped + ct::iota<tile<int, 4>>(), ct::partial_sum(u, 0_ic));
  ct::store(wrapped + 4, static_cast<unsigned>(ct::prod(u, 0_ic)));
}

__tile_global__ void extrema(const float* x, unsigned* at, float* values, int* bits) {
  auto i = ct::iota<tile<int, 16>>();
  auto v = ct::load(x + i);
  ct::store(at + 0, static_cast<unsigned>(ct::max_element(v, 0_ic)));
  ct::store(at + 1, static_cast<unsigned>(ct::min_element<0>(v)));
  auto square = ct::reshape<ct::shape<4, 4>>(v);
  ct::store(at + 2 + ct::iota<tile<int, 4, 1>>(), ct::max_element(square, 1_ic));
  ct::store(values + 0, static_cast<float>(ct::reduce_max(v, 0_ic, ct::propagate_nan_t{})));
  ct::store(values + 1, static_cast<float>(ct::reduce_min<0>(v)));
  ct::store(bits + 0, static_cast<int>(ct::reduce_bitand(i | 48, 0_ic)));
  ct::store(bits + 1, static_cast<int>(ct::reduce_bitor(i, 0_ic)));
  ct::store(bits + 2, static_cast<int>(ct::reduce_bitxor(i + 1, 0_ic)));
  // Votes steer control flow.
  if (ct::any_of(v > 100.0f, 0_ic)) {
    ct::store(bits + 3, 1);
  }
  bits[4] = ct::all_of(v > -100.0f, 0_ic) ? 1 : 0;
  bits[5] = static_cast<bool>(ct::all_of(i, 0_ic));
}

template <typename T>
__tile_global__ void narrow(float* out) {
  auto x = ct::element_cast<T>(ct::iota<tile<int, 16>>());
  ct::store(out + 0, static_cast<float>(ct::sum(x, 0_ic)));
  ct::store(out + 1, static_cast<float>(ct::reduce_max(x, 0_ic)));
  auto last = ct::extract(ct::partial_sum(x, 0_ic), ct::shape<1>{}, 15);
  ct::store(out + 2, static_cast<float>(last));
}

int main() {
  device_array<int> sums(7);
  guide<<<1, 1>>>(sums.data);
  CHECK_LAUNCHES();
  EXPECT((sums.host() == std::vector<int>{6, 22, 4, 6, 8, 10, 28}));

  std::vector<float> x(3 * 50);
  for (int i = 0; i < 150; ++i) {
    x[i] = static_cast<float>(i % 50);
  }
  device_array<float> in(x), out(150);
  normalise<<<3, 1>>>(in.data, out.data, 50);
  CHECK_LAUNCHES();
  const auto y = out.host();
  for (int r = 0; r < 3; ++r) {
    double total = 0;
    for (int c = 0; c < 50; ++c) {
      total += y[r * 50 + c];
      EXPECT(c == 0 || y[r * 50 + c] > y[r * 50 + c - 1]);
    }
    EXPECT(total > 0.99999 && total < 1.00001);
  }

  device_array<int> scanned(40);
  device_array<unsigned> wrapped(5);
  scans<<<1, 1>>>(scanned.data, wrapped.data);
  CHECK_LAUNCHES();
  EXPECT((scanned.host() == std::vector<int>{0,  1,  3,  6,  10, 15, 21, 28, 28, 28, 27, 25, 22, 18,
                                             13, 7,  28, 28, 27, 25, 22, 18, 13, 7,  0,  1,  3,  6,
                                             4,  9,  15, 22, 1,  2,  3,  4,  5,  12, 21, 32}));
  EXPECT((wrapped.host() == std::vector<unsigned>{0x80000001u, 2, 0x80000003u, 4, 1}));

  std::vector<float> values{3, -7, 8, 0, 8, 1, 2, 3, -7, 5, 5, 4, 0, 0, 0, 0};
  device_array<float> v(values), extremes(2);
  device_array<unsigned> at(6);
  device_array<int> bits(6, -1);
  extrema<<<1, 1>>>(v.data, at.data, extremes.data, bits.data);
  CHECK_LAUNCHES();
  EXPECT((at.host() == std::vector<unsigned>{2, 1, 2, 0, 1, 0}));
  EXPECT((extremes.host() == std::vector<float>{8, -7}));
  EXPECT((bits.host() == std::vector<int>{48, 15, 16, -1, 1, 0}));

  device_array<float> halves(3), brains(3), doubles(3);
  narrow<__half><<<1, 1>>>(halves.data);
  narrow<__nv_bfloat16><<<1, 1>>>(brains.data);
  narrow<double><<<1, 1>>>(doubles.data);
  CHECK_LAUNCHES();
  EXPECT((halves.host() == std::vector<float>{120, 15, 120}));
  EXPECT((brains.host() == std::vector<float>{120, 15, 120}));
  EXPECT((doubles.host() == std::vector<float>{120, 15, 120}));
  return verdict("reductions");
}
