// Recorded kernels run: what they compute, and where findings say that something is wrong.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/fp/cells.hpp"
#include "sim/memory/judging.hpp"
#include "tests/tileir/device.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <set>
#include <support/ended_process.hpp>

using namespace tilesim;
using test::device;
using test::line_of;
using test::lines_of;

namespace {

template <class T>
std::vector<T> counting(std::size_t n, T first = 0) {
  std::vector<T> v(n);
  std::iota(v.begin(), v.end(), first);
  return v;
}

/// x, y and what is between them, of a kernel that takes two tensors of the same shape.
bool near(double a, double b, double relative) {
  return std::fabs(a - b) <= relative * std::max(1.0, std::fabs(b));
}

} // namespace

TEST_CASE("vector addition in all versions, the last tile partly outside", "[tileir][run]") {
  for (const char* const name :
       {"vector_add", "vector_add_13.1", "vector_add_13.2", "vector_add_13.3"}) {
    device d;
    constexpr int n = 1000;
    float* const a = d.array(counting<float>(n));
    float* const b = d.array(std::vector<float>(n, 0.5F));
    float* const c = d.array(std::vector<float>(n, -1.0F));
    d.tensor(a, {n}).tensor(b, {n}).tensor(c, {n}).run(name, dim3(4));
    INFO(name);
    CHECK(d.findings().empty());
    for (int i = 0; i < n; ++i) {
      REQUIRE(c[i] == static_cast<float>(i) + 0.5F);
    }
  }
}

TEST_CASE("gather and scatter leave out what is outside of an array", "[tileir][run]") {
  device d;
  constexpr int n = 100;
  float* const a = d.array(counting<float>(n));
  float* const b = d.array(counting<float>(n, 1));
  float* const c = d.array(std::vector<float>(n, -1.0F));
  d.tensor(a, {n}).tensor(b, {n}).tensor(c, {n}).run("vector_add_gather", dim3(2));
  CHECK(d.findings().empty());
  for (int i = 0; i < n; ++i) {
    REQUIRE(c[i] == 2.0F * static_cast<float>(i) + 1.0F);
  }
}

TEST_CASE("transpose of a matrix that no tile divides", "[tileir][run]") {
  device d;
  constexpr int rows = 20;
  constexpr int columns = 40;
  float* const x = d.array(counting<float>(rows * columns));
  float* const y = d.array(std::vector<float>(rows * columns, -1.0F));
  d.tensor(x, {rows, columns}).tensor(y, {columns, rows}).run("transpose", dim3(2, 2));
  CHECK(d.findings().empty());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      REQUIRE(y[j * rows + i] == x[i * columns + j]);
    }
  }
}

TEST_CASE("matrix product in a loop of tiles", "[tileir][run]") {
  const char* const name = GENERATE("matmul", "matmul_13.1");
  device d;
  constexpr int m = 20;
  constexpr int k = 40;
  constexpr int n = 24;
  // Halves: 1, 2, 4 are exact, and so are these sums.
  const std::uint16_t halves[] = {0x0000, 0x3C00, 0x4000, 0xBC00};
  const float values[] = {0, 1, 2, -1};
  std::vector<std::uint16_t> a(m * k);
  std::vector<std::uint16_t> b(k * n);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = halves[i * 7 % 4];
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = halves[i * 5 % 3];
  }
  std::uint16_t* const at = d.array(a);
  std::uint16_t* const bt = d.array(b);
  std::uint16_t* const c = d.array(std::vector<std::uint16_t>(m * n, 0xFFFF));
  d.tensor(at, {m, k}).tensor(bt, {k, n}).tensor(c, {m, n}).run(name, dim3(2, 2));
  CHECK(d.findings().empty());
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      float sum = 0;
      for (int l = 0; l < k; ++l) {
        sum += values[static_cast<std::size_t>(i * k + l) * 7 % 4] *
               values[static_cast<std::size_t>(l * n + j) * 5 % 3];
      }
      REQUIRE(c[i * n + j] == sim::fp::narrow<sim::fp::f16>(sum).bits);
    }
  }
}

TEST_CASE("softmax and layer normalisation of rows", "[tileir][run]") {
  device d;
  constexpr int rows = 3;
  constexpr int n = 50;
  std::vector<float> values(rows * n);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = std::sin(static_cast<float>(i));
  }
  float* const x = d.array(values);
  float* const y = d.array(std::vector<float>(rows * n, -1.0F));
  d.tensor(x, {rows, n}).tensor(y, {rows, n}).run("softmax", dim3(rows));
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += std::exp(static_cast<double>(x[r * n + i]));
    }
    for (int i = 0; i < n; ++i) {
      REQUIRE(near(y[r * n + i], std::exp(static_cast<double>(x[r * n + i])) / sum, 1e-6));
    }
  }
  float* const w = d.array(std::vector<float>(64, 2.0F));
  float* const b = d.array(std::vector<float>(64, 1.0F));
  d.tensor(x, {rows, n}).tensor(y, {rows, n}).tensor(w, {64}).tensor(b, {64}).scalar(1e-5F);
  d.run("layer_norm", dim3(rows));
  CHECK(d.findings().empty());
  for (int r = 0; r < rows; ++r) {
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < n; ++i) {
      mean += x[r * n + i];
    }
    mean /= n;
    for (int i = 0; i < n; ++i) {
      variance += (x[r * n + i] - mean) * (x[r * n + i] - mean);
    }
    const double scale = 1 / std::sqrt(variance / n + 1e-5);
    for (int i = 0; i < n; ++i) {
      REQUIRE(near(y[r * n + i], (x[r * n + i] - mean) * scale * 2 + 1, 1e-5));
    }
  }
}

TEST_CASE("atomic updates, each with its mode", "[tileir][run]") {
  device d;
  int* const x = d.array(std::vector<int>{0, 1, 0, 3, 0, 5});
  std::vector<int> h0(16, 6);
  int* const h = d.array(h0);
  float* const f = d.array(std::vector<float>(8, 1.0F));
  std::uint32_t* const u = d.array(std::vector<std::uint32_t>{0, 0xFFFFFFFF, 7, 9, 3, 6, 8, 100});
  d.tensor(x, {6}).tensor(h, {16}).tensor(f, {8}).tensor(u, {8}).run("atomics", dim3(1));
  CHECK(d.findings().empty());
  // Elements 6 and 7 are outside: nothing happens to memory, and the expected value comes back.
  CHECK(std::vector<int>(x, x + 6) == std::vector<int>{42, 1, 42, 3, 42, 5});
  for (const int old : {0, 1, 0, 3, 0, 5, 0, 0}) {
    h0[static_cast<std::size_t>(old)] += 1;
  }
  for (const int bin : {0, 1, 3, 5}) {
    int& v = h0[static_cast<std::size_t>(bin)];
    v = std::max(v, 1);
    v = std::min(v, 1);
    v &= 1;
    v |= 1;
    v ^= bin == 0 ? 1 : 1;
  }
  h0[0] = 1 ^ (5 % 2); // five lanes flip bit 0, each atomically
  CHECK(std::vector<int>(h, h + 16) == h0);
  CHECK(std::vector<float>(f, f + 8) == std::vector<float>(8, 3.0F));
  CHECK(std::vector<std::uint32_t>(u, u + 8) == std::vector<std::uint32_t>(8, 7));
}

TEST_CASE("integer arithmetic as Python means it", "[tileir][run]") {
  device d;
  constexpr int n = 16;
  const int s = 5;
  std::vector<int> t(n);
  std::vector<std::uint32_t> v(n);
  for (int i = 0; i < n; ++i) {
    t[static_cast<std::size_t>(i)] = (i - 8) * 13;
    v[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(i) * 0x12345678U;
  }
  int* const x = d.array(t);
  int* const y = d.array(std::vector<int>(n, 0));
  std::uint32_t* const u = d.array(v);
  d.tensor(x, {n}).tensor(y, {n}).tensor(u, {n}).scalar(s).run("integers", dim3(1));
  CHECK(d.findings().empty());
  const auto floor_div = [](int a, int b) { return (a - ((a % b + b) % b)) / b; };
  for (std::size_t i = 0; i < n; ++i) {
    const int a = t[i];
    const std::uint32_t b = v[i];
    int r = a + s * a - floor_div(a, 3) + ((a % 7 + 7) % 7) - floor_div(-a, 5) +
            static_cast<int>(static_cast<unsigned>(a) << 2U) + (a >> 1) + (a & 3) + (a | s) +
            (a ^ 9) + ~a + std::abs(a) - a + std::min(a, s) + std::max(a, 3);
    r = (r == s ? r : 0) + (r != s ? r : 1) + (r > s ? r : 0) + (r <= s ? r : 2);
    r = static_cast<int>(static_cast<unsigned>(r) + b +
                         static_cast<unsigned>(static_cast<std::int8_t>(b >> 2U)) + b % 3);
    r += b < 9 ? 1 : 0;
    INFO(i);
    REQUIRE(y[i] == r);
  }
}

TEST_CASE("a floor division of unsigned numbers, as cuTile writes it", "[tileir][run]") {
  device d;
  std::uint32_t* const x = d.array(std::vector<std::uint32_t>(16, 0xFFFFFFFF));
  std::uint32_t* const y = d.array(std::vector<std::uint32_t>(16, 0));
  d.tensor(x, {16}).tensor(y, {16}).run("unsigned_floor", dim3(1));
  CHECK(d.findings().empty());
  CHECK(y[5] == 0xFFFFFFFF / 3);
}

TEST_CASE("floating-point functions and conversions", "[tileir][run]") {
  device d;
  constexpr int n = 16;
  std::vector<float> t(n);
  for (std::size_t i = 0; i < n; ++i) {
    t[i] = 0.25F + static_cast<float>(i) / 8;
  }
  float* const x = d.array(t);
  float* const y = d.array(std::vector<float>(n, 0));
  int* const z = d.array(std::vector<int>(n, 0));
  d.tensor(x, {n}).tensor(y, {n}).tensor(z, {n}).run("conversions", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < n; ++i) {
    INFO(i);
    std::uint32_t bits = 0;
    std::memcpy(&bits, &t[i], sizeof bits);
    CHECK(static_cast<std::uint32_t>(z[i]) == bits);
    // Six copies in formats that hold eighths up to 2.125 to a bit of 2 or 3, and two whole parts.
    CHECK(near(y[i], 6.0 * t[i] + 2.0 * std::floor(t[i]) + 1.0, 0.06));
  }
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = t[i] = 0.25F + static_cast<float>(i) / 32; // none where a floor is about to jump
  }
  d.tensor(x, {n}).tensor(y, {n}).run("floats", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < n; ++i) {
    INFO(i);
    double v = t[i];
    v = std::exp(v) + std::exp2(v) + std::log(v) + std::log2(v) + std::sqrt(v) + 1 / std::sqrt(v) +
        std::sin(v) + std::cos(v) + std::tan(v) + std::sinh(v) + std::cosh(v) + std::tanh(v) +
        std::floor(v) + std::ceil(v) + std::fabs(v) - v;
    v *= 0.0625;
    v = v + std::exp2(v) + std::sqrt(v);
    v = v + std::tanh(v);
    v = std::min(v, 3.14159265) + std::max(v, 1e-5) + std::pow(v, v) + std::atan2(v, v) +
        (v - 3 * std::floor(v / 3)) + std::floor(v / 2);
    v = 2 * (1 + v * 1e30);
    CHECK(near(y[i] / 1e30, v / 1e30, 1e-4));
  }
}

TEST_CASE("branches, loops, breaks and early returns", "[tileir][run]") {
  const char* const name = GENERATE("control", "control_13.1");
  const auto expected = [](int n, int m, const std::vector<int>& x, std::vector<int>& y) {
    int s = 0;
    for (int i = 0; i < n; ++i) {
      s += i > m ? i : -1;
    }
    for (int j = 0; j < n;) {
      ++j;
      if (j == 5) {
        continue;
      }
      if (j > m) {
        break;
      }
      s += static_cast<std::size_t>(j) < x.size() ? x[static_cast<std::size_t>(j)] : 0;
    }
    for (int q = 0; q < n; q += 2) {
      if (static_cast<std::size_t>(q) < y.size()) {
        y[static_cast<std::size_t>(q)] = q + s;
      }
    }
    if (s <= 3 && n > 0) {
      y[1] = s;
    }
    return s;
  };
  for (const auto& [n, m] : {std::pair{8, 3}, std::pair{6, 20}, std::pair{3, -5}}) {
    device d;
    const std::vector<int> x0{-2, -3, -1, -1, 0, 50, -1, -2};
    std::vector<int> y0(8, 77);
    int* const x = d.array(x0);
    int* const y = d.array(y0);
    d.tensor(x, {8}).tensor(y, {8}).scalar(n).scalar(m).run(name, dim3(1));
    const int s = expected(n, m, x0, y0);
    INFO(name << ' ' << n << ' ' << m << ' ' << s);
    CHECK(d.findings().empty());
    CHECK(std::vector<int>(y, y + 8) == y0);
  }
}

TEST_CASE("reductions, scans and the place of the largest", "[tileir][run]") {
  device d;
  constexpr int rows = 8;
  constexpr int columns = 16;
  std::vector<int> t(rows * columns);
  std::vector<float> h(rows * columns);
  for (std::size_t i = 0; i < t.size(); ++i) {
    t[i] = static_cast<int>(i * 7 % 11) - 5;
    h[i] = static_cast<float>(i * 5 % 13) / 4;
  }
  h[3] = std::nanf("");
  int* const x = d.array(t);
  int* const y = d.array(std::vector<int>(4 * rows, 0));
  float* const f = d.array(h);
  float* const g = d.array(std::vector<float>(2 * rows * columns, 0));
  int* const z = d.array(std::vector<int>(2 * rows, -1));
  d.tensor(x, {rows, columns}).tensor(y, {4, rows}).tensor(f, {rows, columns});
  d.tensor(g, {2 * rows, columns}).tensor(z, {2, rows}).run("reductions", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t r = 0; r < rows; ++r) {
    const int* const row = t.data() + r * columns;
    int product = 1;
    for (int i = 0; i < columns; ++i) {
      product = static_cast<int>(static_cast<unsigned>(product) * static_cast<unsigned>(row[i]));
    }
    CHECK(y[r] == std::accumulate(row, row + columns, 0));
    CHECK(y[rows + r] == *std::max_element(row, row + columns));
    CHECK(y[2 * rows + r] == *std::min_element(row, row + columns));
    CHECK(y[3 * rows + r] == product);
    CHECK(z[rows + r] == std::min_element(row, row + columns) - row);
    const float* const values = h.data() + r * columns;
    if (r > 0) {
      CHECK(z[r] == std::max_element(values, values + columns) - values);
      float sum = 0;
      for (std::size_t i = 0; i < columns; ++i) {
        sum += values[i];
        REQUIRE(g[r * columns + i] == sum);
      }
    }
  }
}

TEST_CASE("reductions of doubles whose identity is below zero", "[tileir][run]") {
  device d;
  const std::vector<double> values{-3, -1, -4, -1.5, -5, -9, -2, -6.5};
  double* const x = d.array(values);
  double* const y = d.array(std::vector<double>(16, 7));
  d.tensor(x, {8}).tensor(y, {16}).run("below_zero", dim3(1));
  CHECK(d.findings().empty());
  CHECK(std::vector<double>(y, y + 3) == std::vector<double>{-1, 1, -1});
  CHECK(std::vector<double>(y + 8, y + 16) == std::vector<double>{-3, -1, -1, -1, -1, -1, -1, -1});
}

TEST_CASE("a launch that others depend on", "[tileir][run]") {
  device d;
  const auto values = counting<float>(8);
  float* const x = d.array(values);
  float* const y = d.array(std::vector<float>(8, 0));
  d.tensor(x, {8}).tensor(y, {8}).run("dependents", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(y[i] == 2 * values[i]);
  }
}

TEST_CASE("parts of tiles, their order, their bytes", "[tileir][run]") {
  device d;
  constexpr int rows = 8;
  constexpr int columns = 16;
  const auto values = counting<float>(rows * columns);
  float* const x = d.array(values);
  float* const y = d.array(std::vector<float>(rows * columns, 0));
  d.tensor(x, {rows, columns}).tensor(y, {rows, columns}).run("shapes", dim3(1));
  CHECK(d.findings().empty());
  for (int i = 0; i < rows * columns; ++i) {
    const int row = i / columns;
    const int column = i % columns;
    // Element i of the transposed (right half, left half), and the right half put in its place.
    const int from_row = i % rows;
    const int from_column = (i / rows + columns / 2) % columns;
    const float moved = column >= 8
                            ? values[static_cast<std::size_t>(row * columns + column)]
                            : values[static_cast<std::size_t>(from_row * columns + from_column)];
    INFO(i);
    REQUIRE(y[i] == moved - 1.5F);
  }
  d.tensor(x, {16}).tensor(y, {16}).run("bytes_of", dim3(1));
  CHECK(std::isinf(y[0]));
}

TEST_CASE("views: listed rows, overlapping tiles, atomic additions", "[tileir][run]") {
  device d;
  const auto values = counting<float>(8 * 16);
  float* const x = d.array(values);
  int* const rows = d.array(std::vector<int>{6, 0, 3, 3});
  float* const y = d.array(std::vector<float>(8 * 8, -1));
  d.tensor(x, {8, 16}).tensor(rows, {4}).tensor(y, {8, 8}).run("views", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      REQUIRE(y[i * 8 + j] == values[static_cast<std::size_t>(rows[i]) * 16 + 2 + j]);
      REQUIRE(y[(i + 4) * 8 + j] == y[i * 8 + j]);
    }
  }
  float* const w = d.array(std::vector<float>(8 * 8, 100));
  d.tensor(x, {8, 16}).tensor(w, {8, 8}).run("tiled_views", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 8; ++j) {
      // Tile (1, 1) in steps of (2, 4).
      const float v = values[(i + 2) * 16 + j + 4];
      REQUIRE(w[i * 8 + j] == 100 + v);
      REQUIRE(w[(i + 4) * 8 + j] == v);
    }
  }
}

TEST_CASE("products of bytes and of small floats", "[tileir][run]") {
  device d;
  std::vector<std::int8_t> a(16 * 32);
  std::vector<std::int8_t> b(32 * 16);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<std::int8_t>(i * 37);
    b[i] = static_cast<std::int8_t>(i * 91 + 3);
  }
  std::int8_t* const at = d.array(a);
  std::int8_t* const bt = d.array(b);
  int* const c = d.array(std::vector<int>(16 * 16, 0));
  std::vector<float> p(16 * 16, 0);
  for (std::size_t i = 0; i < 16; ++i) {
    p[i * 16 + (i * 3) % 16] = 2;
  }
  float* const dt = d.array(p);
  float* const e = d.array(std::vector<float>(16 * 16, 0));
  d.tensor(at, {16, 32}).tensor(bt, {32, 16}).tensor(c, {16, 16});
  d.tensor(dt, {16, 16}).tensor(e, {16, 16}).run("products", dim3(1));
  CHECK(d.findings().empty());
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t j = 0; j < 16; ++j) {
      int sum = 0;
      for (std::size_t k = 0; k < 32; ++k) {
        sum += a[i * 32 + k] * b[k * 16 + j];
      }
      REQUIRE(c[i * 16 + j] == sum);
      REQUIRE(e[i * 16 + j] == (j == i * 9 % 16 ? 8.0F : 0.0F)); // twice 2 · 2
    }
  }
}

TEST_CASE("a list of arrays is a table of pointers", "[tileir][run]") {
  device d;
  float* const first = d.array(counting<float>(8));
  float* const second = d.array(std::vector<float>(8, 100));
  const auto word = [](const void* p) { return reinterpret_cast<std::int64_t>(p); };
  std::int64_t* const table =
      d.array(std::vector<std::int64_t>{word(first), 8, 1, word(second), 8, 1});
  float* const y = d.array(std::vector<float>(8, 0));
  d.scalar(table).scalar(2).tensor(y, {8}).run("lists", dim3(1));
  CHECK(d.findings().empty());
  CHECK(y[7] == 107.0F);
}

TEST_CASE("a block waits for another's message", "[tileir][run]") {
  const bool races = GENERATE(false, true);
  device d({.races = races});
  float* const x = d.array(std::vector<float>(8, 0));
  int* const flag = d.array(std::vector<int>{0});
  d.tensor(x, {8}).tensor(flag, {1}).run("message", dim3(2));
  CHECK(d.findings().empty());
  CHECK(x[7] == 1.0F);
}

TEST_CASE("blocks that wait for a message that never comes are a deadlock, at their line",
          "[tileir][run]") {
  const test::ended_process ended = test::in_a_process([] {
    device d({}, true);
    sim::judging::hooked = true; // all that the program does to memory is seen
    int* const x = d.array(std::vector<int>{0});
    d.tensor(x, {1}).run("waiting", dim3(2));
  });
  CHECK(ended.status == 101);
  CHECK(ended.said.find("tests/tileir/kernels.py:" +
                        std::to_string(line_of("while ct.atomic_or(x, 0, 0)"))) !=
        std::string::npos);
  CHECK(ended.said.find("[deadlock]") != std::string::npos);
}

TEST_CASE("a histogram without atomic updates races at its Python lines, one with does not",
          "[tileir][run]") {
  device racy({.races = true});
  int* const values = racy.array(std::vector<int>(64, 3));
  int* const bins = racy.array(std::vector<int>(8, 0));
  racy.tensor(values, {64}).tensor(bins, {8}).run("racy_histogram", dim3(2));
  REQUIRE_FALSE(racy.findings().empty());
  const unsigned line = line_of("ct.scatter(bins, v, ct.gather(bins, v) + 1)");
  bool raced = false;
  for (const finding& f : racy.findings()) {
    raced |= f.kind == finding_kind::data_race;
    CHECK(lines_of(f) == std::set{line});
  }
  CHECK(raced);

  device clean({.races = true});
  int* const good = clean.array(std::vector<int>(64, 3));
  int* const sums = clean.array(std::vector<int>(8, 0));
  clean.tensor(good, {64}).tensor(sums, {8}).run("histogram", dim3(2));
  CHECK(clean.findings().empty());
  CHECK(sums[3] == 64);
}

TEST_CASE("an index that no bound is checked of is a finding at its line", "[tileir][run]") {
  device d({.keep_going = true});
  int* const x = d.array(std::vector<int>(8, 0));
  int* const h = d.array(std::vector<int>(64, 0));
  float* const f = d.array(std::vector<float>(8, 0));
  std::uint32_t* const u = d.array(std::vector<std::uint32_t>(4, 9)); // eight are updated
  d.tensor(x, {8}).tensor(h, {64}).tensor(f, {8}).tensor(u, {4}).run("atomics", dim3(1));
  REQUIRE(d.findings().size() == 1);
  CHECK(d.findings()[0].kind == finding_kind::out_of_bounds);
  CHECK(lines_of(d.findings()[0]) ==
        std::set{line_of("ct.atomic_min(u, i, u32(7), check_bounds=False)")});
}

TEST_CASE("bytecode of NVIDIA's compiler runs", "[tileir][run]") {
  device d({.races = true});
  constexpr int n = 3000;
  float* const x = d.array(counting<float>(n));
  float* const y = d.array(std::vector<float>(n, 1));
  d.scalar(n).scalar(2.0F).scalar(x).scalar(y).run("cuda_saxpy", dim3(3));
  CHECK(d.findings().empty());
  for (int i = 0; i < n; ++i) {
    REQUIRE(y[i] == 2.0F * static_cast<float>(i) + 1.0F);
  }
}

TEST_CASE("what cannot run is refused by name, at its line", "[tileir][run]") {
  interpreter::program& p = interpreter::load(test::recorded("shows_scales"));
  std::string said;
  try {
    static_cast<void>(p.prepared(p.module().entries.front()));
  } catch (const interpreter::refused& e) {
    said = e.what();
  }
  const unsigned line = line_of("ct.print(\"scales\"");
  CHECK(said.find("tests/tileir/kernels.py:" + std::to_string(line) + ":") == 0);
  CHECK(
      said.find(": 'print_tko' cannot be run: tile<16xf8E8M0FNU> does not exist in this release") !=
      std::string::npos);
}

TEST_CASE("every recorded entry but that one can run", "[tileir][run]") {
  for (const std::string& name : test::recorded_names()) {
    INFO(name);
    interpreter::program& p = interpreter::load(test::recorded(name));
    for (const tileir::entry& e : p.module().entries) {
      if (name != "shows_scales") {
        CHECK_NOTHROW(static_cast<void>(p.prepared(e)));
        CHECK_NOTHROW(static_cast<void>(p.prepared(e, true)));
      }
    }
  }
}

TEST_CASE("entries have the names and places that their programmer knows", "[tileir][run]") {
  interpreter::program& p = interpreter::load(test::recorded("matmul"));
  const tileir::entry& e = p.module().entries.front();
  CHECK(p.find(e.name) == &e);
  CHECK(p.find("nothing") == nullptr);
  CHECK(p.function_name(e) == "matmul");
  CHECK(p.place_text(e, nullptr) ==
        "tests/tileir/kernels.py:" + std::to_string(line_of("def matmul(")));
}
