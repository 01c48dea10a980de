// Scalars: every scalar type as an element, as a kernel's parameter and as an operand, and the
// functions of cuda::tiles called with plain numbers.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;

template <typename T>
__tile_global__ void twice_plus_one(T* out, T x) {
  using vec = ct::tile<T, ct::shape<4>>;
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>();
  ct::store(out + i, ct::full<vec>(x) + x + ct::ones<vec>());
}

template <typename T>
void every_type(T x) {
  device_array<T> out(4);
  twice_plus_one<<<1, 1>>>(out.data, x);
  CHECK_LAUNCHES();
  for (T value : out.host()) {
    EXPECT(value == static_cast<T>(x + x + 1));
  }
}

// Operands that are neither tiles nor of one type.
__tile_global__ void mixed(float* floats, long* longs, const int n, unsigned char small) {
  auto i = ct::iota<ct::tile<int, ct::shape<4>>>();
  auto x = ct::element_cast<float>(i);
  ct::store(floats + i, 2 * x + 0.5f - n);   // an int takes the type of the float tile
  ct::store(floats + 4 + i, 1.0f / (x + 1)); // a literal on the left
  ct::store(floats + 8 + i, ct::add(1.0f, x, ct::round_toward_zero_t{}));
  ct::store(floats + 12 + i, ct::mul(x, small) + (n > 2 ? x : -x));
  ct::store(longs + i, 10L * ct::element_cast<long>(i));
  ct::store(longs + 4 + i, i + small);
  ct::store(longs + 8 + i, n - i % 2);
}

// Functions of plain numbers give plain numbers, usable in ordinary code.
__tile_global__ void plain_numbers(float* f, int* n, unsigned* u) {
  float largest = f[0];
  largest = ct::max(largest, f[1]);
  largest = ct::max(largest, 2.5f);
  float smallest = ct::min(f[0], ct::min(f[1], -f[2]));
  float both = ct::fma(largest, 2.0f, smallest);
  both *= ct::abs(-2.0f);
  f[3] = both;
  f[4] = ct::remainder(-7.5f, 2.0f);
  f[5] = ct::div(1.0f, 3.0f, ct::round_toward_positive_t{});
  f[6] = ct::element_cast<float>(7) + ct::full<float>(1);
  f[7] = ct::select(n[0] > 3, 1.0f, 2.0f);

  n[1] = ct::ceildiv(n[0], 4) + ct::floordiv(-n[0], 4);
  n[2] = ct::element_bitcast<int>(1.0f);
  n[3] = ct::isnan(largest) || ct::isinf(largest);
  n[4] = ct::max(n[0], 3) + ct::min(n[0], 3) + ct::zeros<int>();
  u[0] = ct::mulhi(0x80000000u, 6u);
  u[1] = ct::select(ct::isinf(1e38f * 100.0f), 1u, 0u);
}

enum color { red, green = 5 };
enum class level : short { low = 3 };
__tile_global__ void other_parameters(int* out, color c, level l, decltype(nullptr), bool flag) {
  out[0] = c + static_cast<int>(l) + flag;
}

int main() {
  best_device();
  every_type<signed char>(11);
  every_type<unsigned char>(200);
  every_type<char>('a' - 90);
  every_type<char8_t>(u8'!');
  every_type<char16_t>(u'x');
  every_type<char32_t>(U'y');
  every_type<wchar_t>(L'z');
  every_type<short>(-1234);
  every_type<unsigned short>(65000);
  every_type<int>(1 << 29);
  every_type<unsigned>(0xfffffff0u);
  every_type<long>(-(1L << 40));
  every_type<unsigned long>(~0UL);
  every_type<long long>(1LL << 60);
  every_type<unsigned long long>(1ULL << 63);
  every_type<float>(0.1f);
  every_type<double>(-1e300);

  device_array<float> floats(16);
  device_array<long> longs(12);
  mixed<<<1, 1>>>(floats.data, longs.data, 3, 7);
  CHECK_LAUNCHES();
  for (int i = 0; i < 4; ++i) {
    EXPECT(floats.host()[i] == 2.0f * i + 0.5f - 3.0f);
    EXPECT(floats.host()[4 + i] == 1.0f / (i + 1.0f));
    EXPECT(floats.host()[8 + i] == 1.0f + i);
    EXPECT(floats.host()[12 + i] == 8.0f * i);
    EXPECT(longs.host()[i] == 10 * i && longs.host()[4 + i] == i + 7);
    EXPECT(longs.host()[8 + i] == 3 - i % 2);
  }

  device_array<float> f(std::vector<float>{1.5f, -4.0f, 3.0f, 0, 0, 0, 0, 0});
  device_array<int> n(std::vector<int>{10, 0, 0, 0, 0});
  device_array<unsigned> u(2);
  plain_numbers<<<1, 1>>>(f.data, n.data, u.data);
  CHECK_LAUNCHES();
  EXPECT(f.host()[3] == (2.5f * 2.0f - 4.0f) * 2.0f && f.host()[4] == -1.5f);
  EXPECT(f.host()[5] > 0x1.555554p-2f && f.host()[6] == 8.0f && f.host()[7] == 1.0f);
  EXPECT(n.host()[1] == 3 - 3 && n.host()[2] == 0x3f800000 && n.host()[3] == 0);
  EXPECT(n.host()[4] == 13 && u.host()[0] == 3 && u.host()[1] == 1);

  other_parameters<<<1, 1>>>(n.data, green, level::low, nullptr, true);
  CHECK_LAUNCHES();
  EXPECT(n.host()[0] == 9);
  return verdict("scalars");
}
