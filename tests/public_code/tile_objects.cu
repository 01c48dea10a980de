// Tiles as objects: default-constructed and assigned in branches of `if constexpr`, in structs and
// arrays, through `__tile__` helpers, generic lambdas and functors, and `__tile__` variables.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include <utility>

#include "cuda_fp16.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
template <typename T, int N>
using vec = ct::tile<T, ct::shape<N>>;
using f32x8 = vec<float, 8>;

enum class activation { none, relu, square };

template <activation A, bool Masked, typename T>
__tile_global__ void activate(T* __restrict__ out, const T* __restrict__ in, int n) {
  auto i = ct::iota<vec<int, 8>>();
  vec<T, 8> x;
  if constexpr (Masked) {
    x = ct::load_masked(in + i, i < n, T(0.0f));
  } else {
    x = ct::load(in + i);
  }
  f32x8 y, wide = ct::element_cast<float>(x);
  if constexpr (A == activation::relu)
    y = ct::max(wide, 0.0f);
  else if constexpr (A == activation::square) {
    y = wide * wide;
  } else {
    y = x;
  }
  ct::store(out + i, ct::element_cast<T>(y));
}

// A state that is carried through a loop, and a base class.
struct range_of {
  f32x8 low, high;
};
struct state : range_of {
  vec<int, 8> count;
  float total;
};

__tile__ inline state joined(state s, const f32x8& x, bool weigh = true) {
  s.low = ct::min(s.low, x);
  s.high = ct::max(s.high, x);
  s.count = s.count + ct::select(x > 0.0f, ct::ones<vec<int, 8>>(), ct::zeros<vec<int, 8>>());
  s.total += weigh ? 1.0f : 0.0f;
  return s;
}

// Helpers take tiles by value, by reference and by rvalue, and give tiles and pairs of them.
template <class Tile>
__tile__ void accumulate(Tile& sum, const Tile& x) {
  sum = sum + x;
}
template <class... Tiles>
__tile__ auto add_all(Tiles... tiles) {
  return (tiles + ...);
}
struct halves {
  f32x8 first, second;
};
__tile__ halves split(f32x8&& x) {
  auto half = x * 0.5f;
  return {half, x - half};
}
struct scaled_by {
  float factor;
  template <class Tile>
  __tile__ Tile operator()(Tile x) const {
    return x * factor;
  }
};
template <class Tile, class F>
__tile__ auto apply(F f, Tile x) {
  return f(x);
}

__tile__ float bias = 0.25f;
__tile__ int table[8] = {1, 2, 3, 4, 5, 6, 7, 8};

__tile_global__ void objects(float* out, const float* in, int steps) {
  auto i = ct::iota<vec<int, 8>>();
  state s;
  s.low = ct::full<f32x8>(INFINITY);
  s.high = ct::full<f32x8>(-INFINITY);
  s.count = ct::zeros<vec<int, 8>>();
  s.total = 0;
  f32x8 rows[4];
  for (int k = 0; k < steps; ++k) {
    rows[k] = ct::load(in + k * 8 + i);
    s = joined(s, rows[k], k != 1);
  }
  ct::store(out + i, s.low);
  ct::store(out + 8 + i, s.high);
  ct::store(out + 16 + i, ct::element_cast<float>(s.count) + s.total);
  auto sum = ct::zeros<f32x8>();
#pragma unroll
  for (const auto& row : rows)
    accumulate(sum, row);
  ct::store(out + 24 + i, sum);
  ct::store(out + 32 + i, add_all(rows[0], rows[1], rows[2], 1.0f));
  auto [first, second] = split(std::move(sum));
  ct::store(out + 40 + i, first - second);
  auto twice = [](auto x) { return x + x; };
  auto capturing = [&, steps](auto x, int k) { return twice(x) + rows[k] + steps; };
  ct::store(out + 48 + i, capturing(rows[0], 1));
  ct::store(out + 56 + i, apply(scaled_by{3.0f}, apply(twice, rows[0])));
  bias = bias + 1.0f;
  table[2] += 30;
  ct::store(out + 64 + i, rows[0] * 0.0f + bias + table[2]);
  f32x8 swapped = rows[3];
  rows[0] = std::move(swapped);
  ct::store(out + 72 + i, rows[0]);
}

template <activation A, bool Masked, typename T>
void check_activation() {
  std::vector<T> x;
  for (int i = 0; i < 8; ++i) {
    x.push_back(T(i - 3.0f));
  }
  device_array<T> in(x), out(x);
  activate<A, Masked><<<1, 1>>>(out.data, in.data, 6);
  CHECK_LAUNCHES();
  const auto o = out.host();
  for (int i = 0; i < 8; ++i) {
    const float v = Masked && i >= 6 ? 0 : i - 3.0f;
    EXPECT(float(o[i]) == (A == activation::none     ? v
                           : A == activation::square ? v * v
                           : v > 0                   ? v
                                                     : 0));
  }
}

int main() {
  check_activation<activation::none, true, float>();
  check_activation<activation::relu, false, float>();
  check_activation<activation::square, true, __half>();
  check_activation<activation::relu, false, __half>();

  std::vector<float> x(32);
  for (int i = 0; i < 32; ++i) {
    x[i] = static_cast<float>((i * 7 + 3) % 11 - 5);
  }
  device_array<float> in(x), out(80);
  objects<<<1, 1>>>(out.data, in.data, 4);
  CHECK_LAUNCHES();
  const auto o = out.host();
  for (int i = 0; i < 8; ++i) {
    float low = x[i], high = x[i], sum = 0;
    int count = 0;
    for (int k = 0; k < 4; ++k) {
      const float v = x[8 * k + i];
      low = v < low ? v : low;
      high = v > high ? v : high;
      sum += v;
      count += v > 0;
    }
    EXPECT(o[i] == low && o[8 + i] == high && o[16 + i] == count + 3 && o[24 + i] == sum);
    EXPECT(o[32 + i] == x[i] + x[8 + i] + x[16 + i] + 1 && o[40 + i] == 0);
    EXPECT(o[48 + i] == 2 * x[i] + x[8 + i] + 4 && o[56 + i] == 6 * x[i]);
    EXPECT(o[64 + i] == 34.25f && o[72 + i] == x[24 + i]);
  }
  return verdict("tile_objects");
}
