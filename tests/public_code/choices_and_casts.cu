// Choosing and casting: select, element_cast, element_bitcast, conversions between tiles, tiles of
// one element as scalars and as conditions, `cond ? tile : tile`.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using i32x8 = ct::tile<int, ct::shape<8>>;
using f32x8 = ct::tile<float, ct::shape<8>>;

__tile_global__ void choose(float* out, const float* in, int n) {
  auto i = ct::iota<i32x8>();
  f32x8 x = ct::load(in + i);
  ct::store(out + i, ct::select(x > 0.0f, x, ct::zeros<f32x8>()));
  ct::store(out + 8 + i, ct::select(i % 2, x, -x)); // an int tile as the condition
  ct::store(out + 16 + i, ct::select(n > 4, x, ct::full<f32x8>(-INFINITY))); // a scalar for all
  auto causal = (i < n) && (x == x);
  ct::store(out + 24 + i, ct::select(causal, x * 2.0f, ct::full<f32x8>(9.0f)));
  // Whole tiles by an ordinary condition; a branch whose tile converts takes the other's type.
  auto y = n > 4 ? x : ct::zeros<f32x8>();
  auto z = n > 4 ? i < 3 : i;
  static_assert(std::is_same_v<decltype(z), i32x8>);
  ct::store(out + 32 + i, y + ct::element_cast<float>(z));
}

__tile_global__ void casts(int* out, long* wide, __half* halves) {
  auto i = ct::iota<i32x8>();
  auto x = ct::element_cast<float>(i) - 3.75f;
  ct::store(out + i, ct::element_cast<int>(x)); // truncates
  ct::store(out + 8 + i, ct::element_bitcast<int>(x));
  ct::store(out + 16 + i, ct::element_cast<int>(ct::element_cast<signed char>(i * 50)));
  ct::store(out + 24 + i, ct::element_cast<int>(ct::element_cast<bool>(i)));
  ct::store(wide + i, i);                     // widens as it is stored
  ct::tile<long, ct::shape<8>> converted = i; // and as it is assigned
  converted = i + 1;
  ct::store(wide + 8 + i, converted);
  ct::tile<short, ct::shape<8>> narrow(i * 70000); // narrowing only in so many words
  ct::store(wide + 16 + i, narrow);
  ct::store(halves + i, ct::element_cast<__half>(x));
  auto pun = ct::element_bitcast<unsigned short>(ct::element_cast<__half>(x));
  ct::store(wide + 24 + i, pun);
}

// One element: a number by static_cast, and a condition as it stands.
__tile_global__ void one_element(float* out, const int* in) {
  auto single = ct::load(in + ct::full<ct::tile<int, ct::shape<1>>>(2));
  int n = static_cast<int>(single);
  float f = (float)single + float(ct::full<ct::tile<int, ct::shape<1, 1>>>(n));
  out[0] = f;
  if (single) {
    out[1] = 1.0f;
  }
  auto none = ct::full<ct::tile<float, ct::shape<>>>(0.0f);
  out[2] = none ? 5.0f : 6.0f;
  auto k = ct::full<ct::tile<int, ct::shape<1>>>(0);
  int turns = 0;
  while (k < 4) { // a comparison of one element
    k = k + 1;
    ++turns;
  }
  out[3] = turns;
  out[4] = (!single || k != 4) ? 1 : 0;
  ct::tile loaded{n}; // of rank 0
  out[5] = static_cast<float>(loaded * 2);
  const int* null = in + 4;
  auto pointer = ct::full<ct::tile<const int*, ct::shape<>>>(null);
  out[6] = pointer ? 1.0f : 0.0f;
}

int main() {
  std::vector<float> x{1.0f, -2.0f, 0.5f, -0.0f, 3.0f, -4.0f, 7.0f, -8.0f};
  device_array<float> in(x), out(40);
  choose<<<1, 1>>>(out.data, in.data, 5);
  CHECK_LAUNCHES();
  const auto o = out.host();
  for (int i = 0; i < 8; ++i) {
    EXPECT(o[i] == (x[i] > 0 ? x[i] : 0) && o[8 + i] == (i % 2 ? x[i] : -x[i]) &&
           o[16 + i] == x[i]);
    EXPECT(o[24 + i] == (i < 5 ? 2 * x[i] : 9.0f) && o[32 + i] == x[i] + (i < 3));
  }

  device_array<int> ints(32);
  device_array<long> longs(32);
  device_array<__half> halves(8);
  casts<<<1, 1>>>(ints.data, longs.data, halves.data);
  CHECK_LAUNCHES();
  const auto n = ints.host();
  const auto l = longs.host();
  for (int i = 0; i < 8; ++i) {
    const float value = i - 3.75f;
    float bits;
    memcpy(&bits, &n[8 + i], sizeof bits);
    EXPECT(n[i] == static_cast<int>(value) && bits == value);
    EXPECT(n[16 + i] == static_cast<signed char>(i * 50) && n[24 + i] == (i != 0));
    EXPECT(l[i] == i && l[8 + i] == i + 1 && l[16 + i] == static_cast<short>(i * 70000));
    EXPECT(float(halves.host()[i]) == value && l[24 + i] == __half_as_ushort(__float2half(value)));
  }

  device_array<int> numbers(std::vector<int>{1, 2, 30, 4});
  device_array<float> results(7);
  one_element<<<1, 1>>>(results.data, numbers.data);
  CHECK_LAUNCHES();
  const auto r = results.host();
  EXPECT(r[0] == 60 && r[1] == 1 && r[2] == 6 && r[3] == 4 && r[4] == 0 && r[5] == 60 && r[6] == 1);
  return verdict("choices_and_casts");
}
