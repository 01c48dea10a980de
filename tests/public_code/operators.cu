// Arithmetic: every operator and its named function on tiles, operands broadcast against one
// another, and the forms with rounding, subnormals and NaN modes.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include <cmath>

#include "cuda_tile.h"

namespace ct = cuda::tiles;
using i32x8 = ct::tile<int, ct::shape<8>>;
using f32x8 = ct::tile<float, ct::shape<8>>;

// Row r of an output of rows of eight.
template <typename T>
__tile__ auto row(T* out, int r) {
  return out + (8 * r + ct::iota<i32x8>());
}

__tile_global__ void integers(int* __restrict__ out, const int* __restrict__ in) {
  auto i = ct::iota<i32x8>();
  auto a = ct::load(in + i);
  auto b = ct::load(in + 8 + i);
  ct::store(row(out, 0), (a + b) - a * b);
  ct::store(row(out, 1), ct::add(a, ct::sub(b, ct::mul(a, 2))));
  ct::store(row(out, 2), a / b + a % b);
  ct::store(row(out, 3), ct::div(a, b) - ct::remainder(a, b));
  ct::store(row(out, 4), ct::ceildiv(a, b) * 100 + ct::floordiv(a, b));
  ct::store(row(out, 5), (a & b) | (a ^ 3));
  ct::store(row(out, 6), ~a + -b + +a);
  ct::store(row(out, 7), (a << (i % 4)) + (a >> 1));
  ct::store(row(out, 8), ct::max(a, b) - ct::min(a, 0) + ct::abs(a));
  ct::store(row(out, 9), ct::mulhi(a << 20, b << 20));
}

// Comparisons give tiles of bool, which the logical and the bitwise operators join alike.
__tile_global__ void comparisons(bool* out, const int* in) {
  auto i = ct::iota<i32x8>();
  auto a = ct::load(in + i), b = ct::load(in + 8 + i);
  ct::store(row(out, 0), (a < b) & (a != 0));
  ct::store(row(out, 1), a <= b && b > 0);
  ct::store(row(out, 2), (a > b) | (a == b) | !(b >= 0));
  ct::store(row(out, 3), a || (b < 1.5));
  ct::store(row(out, 4), (a == b) ^ (a >= 0.5f));
  ct::store(row(out, 5), !a == (0 == a));
}

__tile_global__ void floats(float* out, float tiny) {
  auto x = ct::element_cast<float>(ct::iota<i32x8>()) + 0.1f;
  ct::store(row(out, 0), (x * x - 1.0f) / (x + 2));
  ct::store(row(out, 1), ct::mul(x, 0.3f, ct::round_toward_zero_t{}, ct::preserve_subnormals_t{}));
  ct::store(row(out, 2), ct::add<ct::rounding_mode::round_toward_negative>(x, 1e-9f, {}));
  ct::store(row(out, 3), ct::sub(x, 1e-9f, ct::round_toward_positive_t{}));
  ct::store(row(out, 4),
            ct::mul(x, tiny, ct::round_ties_to_even_t{}, ct::round_subnormals_to_zero_t{}));
  ct::store(row(out, 5), ct::fma(x, x, ct::full<f32x8>(-1.0f)));
  ct::store(row(out, 6),
            ct::div(x, 3.0f, ct::round_approximate_t{}, ct::round_subnormals_to_zero_t{}));
  ct::store(row(out, 7), ct::div(x, 3.0f, ct::round_full_t{}));
  auto nan = ct::full<f32x8>(NAN);
  ct::store(row(out, 8), ct::max(x, nan));
  ct::store(row(out, 9), ct::min(nan, x, ct::propagate_nan_t{}));
  ct::store(row(out, 10), ct::abs(-x) + ct::remainder(x, 2.0f));
}

// (8,1) with (1,4), a row vector with a column of another rank, a tile of one element with many.
__tile_global__ void broadcasts(double* out) {
  auto rows = ct::reshape<ct::shape<8, 1>>(ct::iota<i32x8>());
  auto columns = ct::iota<ct::tile<int, ct::shape<1, 4>>>();
  auto one = ct::full<ct::tile<double, ct::shape<1>>>(0.5);
  auto at = out + rows * 4 + columns;
  ct::store(at, 10.0f * ct::element_cast<float>(rows) + columns + one);
}

int main() {
  std::vector<int> a{-7, 9, 0, 15, -16, 5, 5, 123}, b{2, -4, 3, 4, 5, 5, -1, 7}, in(a);
  in.insert(in.end(), b.begin(), b.end());
  device_array<int> input(in), ints(80);
  device_array<unsigned char> bools(48);
  integers<<<1, 1>>>(ints.data, input.data);
  comparisons<<<1, 1>>>(reinterpret_cast<bool*>(bools.data), input.data);
  CHECK_LAUNCHES();
  const auto n = ints.host();
  const auto c = bools.host();
  for (int i = 0; i < 8; ++i) {
    const int x = a[i], y = b[i], down = static_cast<int>(std::floor(1.0 * x / y));
    EXPECT(n[i] == x + y - x * y && n[8 + i] == x + y - 2 * x);
    EXPECT(n[16 + i] == x / y + x % y && n[24 + i] == x / y - x % y);
    EXPECT(n[32 + i] == 100 * static_cast<int>(std::ceil(1.0 * x / y)) + down);
    EXPECT(n[40 + i] == ((x & y) | (x ^ 3)) && n[48 + i] == ~x - y + x);
    EXPECT(n[56 + i] == static_cast<int>(static_cast<unsigned>(x) << i % 4) + (x >> 1));
    EXPECT(n[64 + i] == (x > y ? x : y) - (x < 0 ? x : 0) + abs(x));
    const unsigned long long wide =
        1ULL * (static_cast<unsigned>(x) << 20) * (static_cast<unsigned>(y) << 20);
    EXPECT(n[72 + i] == static_cast<int>(wide >> 32));
    EXPECT(c[i] == (x < y && x != 0) && c[8 + i] == (x <= y && y > 0));
    EXPECT(c[16 + i] == (x >= y || y < 0) && c[24 + i] == (x != 0 || y <= 1));
    EXPECT(c[32 + i] == ((x == y) != (x > 0)) && c[40 + i]);
  }

  device_array<float> reals(88);
  device_array<double> table(32);
  floats<<<1, 1>>>(reals.data, 2e-38f);
  broadcasts<<<1, 1>>>(table.data);
  CHECK_LAUNCHES();
  const auto f = reals.host();
  for (int i = 0; i < 8; ++i) {
    const float x = i + 0.1f, quotient = x / 3.0f;
    EXPECT(std::fabs(f[i] - (x * x - 1) / (x + 2)) < 1e-6f * (1 + std::fabs(f[i])));
    EXPECT(f[8 + i] <= 1.0 * x * 0.3f && f[8 + i] > 0.999999 * x * 0.3f);
    EXPECT(f[16 + i] == x && f[24 + i] == x);
    EXPECT(f[32 + i] == (x < 1 ? 0.0f : x * 2e-38f));
    EXPECT(f[40 + i] == std::fma(x, x, -1.0f));
    EXPECT(std::fabs(f[48 + i] - quotient) <= 2e-7f * quotient);
    EXPECT(std::fabs(f[56 + i] - quotient) <= 2e-7f * quotient);
    EXPECT(f[64 + i] == x && std::isnan(f[72 + i]) && f[80 + i] == x + std::fmod(x, 2.0f));
    for (int k = 0; k < 4; ++k) {
      EXPECT(table.host()[4 * i + k] == 10 * i + k + 0.5);
    }
  }
  return verdict("operators");
}
