// Recorded kernels on numbers of 8 bits and fewer, and powers: what they compute.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/cells.hpp"
#include "tests/tileir/device.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using namespace tilesim;
using test::device;
namespace fp = tilesim::sim::fp;

// [Tile IR, mmaf_scaled] the sum of lhs * lhs_scale * rhs * rhs_scale, and acc; a scale for 32 f8.
TEST_CASE("a product of f8 whose rows and columns are scaled by powers of two", "[tileir][run]") {
  device d;
  constexpr int n = 32;
  const std::uint8_t codes[] = {0x38, 0xB8, 0x40, 0x30}; // 1, -1, 2, 0.5
  const float values[] = {1, -1, 2, 0.5F};
  std::vector<std::uint8_t> a(n * n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = codes[(i * 7 + i / n) % 4];
  }
  const auto value = [&](int row, int column) {
    const auto i = static_cast<std::size_t>(row * n + column);
    return values[(i * 7 + i / n) % 4];
  };
  // The first column scales rows, the first row columns: from 2^-16 to 2^15.
  std::vector<std::uint8_t> scales(n * n, 0xFF); // no numbers: nobody reads them
  for (int i = 0; i < n; ++i) {
    scales[static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(127 + i % 16);
    scales[static_cast<std::size_t>(i * n)] = static_cast<std::uint8_t>(127 - i / 2);
  }
  std::uint8_t* const at = d.array(a);
  std::uint8_t* const st = d.array(scales);
  float* const c = d.array(std::vector<float>(n * n, -1.0F));
  d.tensor(at, {n, n}).tensor(st, {n, n}).tensor(c, {n, n}).run("scaled_product", dim3(1));
  CHECK(d.findings().empty());
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += value(i, k) * value(k, j);
      }
      REQUIRE(c[i * n + j] == std::ldexp(sum, j % 16 - i / 2));
    }
  }
}

TEST_CASE("a product of f4, sixteen of them with a scale", "[tileir][run]") {
  device d;
  const float quarters[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  std::vector<std::uint8_t> packed(4 * 16);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    packed[i] = static_cast<std::uint8_t>(i * 37 + 11);
  }
  const auto value = [&](int row, int column) { // low halves first
    const int i = row * 32 + column;
    const unsigned half = packed[static_cast<std::size_t>(i / 2)] >> (i % 2 * 4) & 0xFU;
    return half < 8 ? quarters[half] : -quarters[half - 8];
  };
  const std::uint8_t codes[] = {0x38, 0x3C, 0x40, 0x31}; // 1, 1.5, 2, 0.5625
  const float worth[] = {1, 1.5F, 2, 0.5625F};
  std::vector<std::uint8_t> scales(8 * 2);
  for (std::size_t i = 0; i < scales.size(); ++i) {
    scales[i] = codes[i * 3 % 4 ^ i / 8];
  }
  const auto scale = [&](int row, int half) {
    const auto i = static_cast<std::size_t>(row * 2 + half);
    return worth[i * 3 % 4 ^ i / 8];
  };
  std::uint8_t* const at = d.array(packed);
  std::uint8_t* const st = d.array(scales);
  float* const c = d.array(std::vector<float>(16, -1.0F));
  d.tensor(at, {4, 16}).tensor(st, {8, 2}).tensor(c, {4, 4}).run("scaled_quarters", dim3(1));
  CHECK(d.findings().empty());
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      float sum = 1;
      for (int k = 0; k < 32; ++k) {
        sum += value(i, k) * scale(i, k / 16) * value(j, k) * scale(4 + j, k / 16);
      }
      REQUIRE(c[i * 4 + j] == sum);
    }
  }
}

// [Tile IR, unpack: the low half first; ftof to f4: to the nearest, saturating]
TEST_CASE("f4 out of bytes, to float and back", "[tileir][run]") {
  device d;
  const float quarters[] = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
  std::vector<std::uint8_t> packed(16);
  for (std::size_t i = 0; i < packed.size(); ++i) {
    packed[i] = static_cast<std::uint8_t>(i | (15 - i) << 4U);
  }
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::pair<float, unsigned>> rounded{
      {0.0F, 0},   {-0.0F, 8},  {0.25F, 0}, {0.26F, 1}, {0.75F, 2},  {1.25F, 2},  {-1.75F, 12},
      {2.5F, 4},   {2.51F, 5},  {3.5F, 6},  {5.0F, 6},  {5.1F, 7},   {6.0F, 7},   {1e9F, 7},
      {-1e9F, 15}, {inf, 7},    {-inf, 15}, {nan, 7},   {-0.2F, 8},  {1e-9F, 0},  {-2.0F, 12},
      {0.5F, 1},   {-6.0F, 15}, {1.5F, 3},  {-0.5F, 9}, {-3.0F, 13}, {-4.0F, 14}, {1.0F, 2},
      {-1.0F, 10}, {2.0F, 4},   {3.0F, 5},  {4.0F, 6}};
  std::vector<float> x;
  for (const auto& [from, bits] : rounded) {
    x.push_back(from);
  }
  std::uint8_t* const at = d.array(packed);
  float* const y = d.array(std::vector<float>(32, -9.0F));
  float* const xt = d.array(x);
  std::uint8_t* const again = d.array(std::vector<std::uint8_t>(16, 0));
  d.tensor(at, {16}).tensor(y, {32}).tensor(xt, {32}).tensor(again, {16}).run("quarters", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < 32; ++i) {
    const std::size_t half = i % 2 == 0 ? i / 2 : 15 - i / 2;
    REQUIRE(y[i] == (half < 8 ? quarters[half] : -quarters[half - 8]));
    REQUIRE((again[i / 2] >> (i % 2 * 4) & 0xFU) == rounded[i].second);
  }
}

// [Tile IR, fpowi] in double, rounded once more, whichever way it is computed.
TEST_CASE("numbers to constant integers", "[tileir][run]") {
  device d;
  constexpr float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> x{0,
                             -0.0F,
                             1,
                             -1,
                             inf,
                             -inf,
                             std::nanf(""),
                             1.0000001F,
                             3e19F,
                             -3e19F,
                             1e-23F,
                             -1e-45F,
                             0.1F,
                             -7.3F,
                             123.456F,
                             2.5F};
  std::vector<fp::f16> h;
  std::vector<double> wide;
  for (const float v : x) {
    h.push_back(fp::narrow<fp::f16>(v));
    wide.push_back(v);
  }
  constexpr int exponents = 8;
  float* const xt = d.array(x);
  float* const y = d.array(std::vector<float>(exponents * 16, -9));
  fp::f16* const ht = d.array(h);
  fp::f16* const g = d.array(std::vector<fp::f16>(exponents * 16));
  double* const dt = d.array(wide);
  double* const e = d.array(std::vector<double>(exponents * 16, -9));
  d.tensor(xt, {16}).tensor(y, {exponents, 16}).tensor(ht, {16}).tensor(g, {exponents, 16});
  d.tensor(dt, {16}).tensor(e, {exponents, 16}).run("powers", dim3(1));
  CHECK(d.findings().empty());
  const auto same = [](auto a, auto b) {
    return (a == b &&
            std::signbit(static_cast<double>(a)) == std::signbit(static_cast<double>(b))) ||
           (a != a && b != b);
  };
  for (int n = -2; n < exponents - 2; ++n) {
    for (std::size_t i = 0; i < 16; ++i) {
      const std::size_t at = static_cast<std::size_t>(n + 2) * 16 + i;
      INFO(x[i] << " to " << n);
      CHECK(same(y[at], static_cast<float>(std::pow(static_cast<double>(x[i]), n))));
      const auto half = static_cast<float>(std::pow(static_cast<double>(fp::widen(h[i])), n));
      CHECK(same(fp::widen(g[at]), fp::widen(fp::narrow<fp::f16>(half))));
      const double expected = std::pow(wide[i], n);
      CHECK((same(e[at], expected) || std::fabs(e[at] - expected) <= 2e-16 * std::fabs(expected)));
    }
  }
}

// [Tile IR, ftof to f8E8M0FNU: towards zero]
TEST_CASE("scales out of floats are powers of two", "[tileir][run]") {
  device d;
  const std::vector<float> x{1,
                             1.99F,
                             2,
                             0.75F,
                             3e38F,
                             1e-45F,
                             0,
                             -5,
                             std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN(),
                             1024,
                             1023,
                             0x1p-126F,
                             0x1p-127F,
                             7,
                             0.5F};
  const std::vector<std::uint8_t> expected{
      127, 127, 128, 126, 254, 0, 0, 0, 254, 255, 137, 136, 1, 0, 129, 126};
  float* const xt = d.array(x);
  std::uint8_t* const y = d.array(std::vector<std::uint8_t>(16, 77));
  d.tensor(xt, {16}).tensor(y, {16}).run("to_scales", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < x.size(); ++i) {
    INFO(x[i]);
    CHECK(y[i] == expected[i]);
  }
}
