// Products of matrices: naive loops bit for bit, exact arithmetic, batches, orders.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/matrix.hpp"

#include "samples.hpp"
#include "shaped.hpp"
#include "sim/fp/cells.hpp"
#include "sim/fp/rounding.hpp"
#include "sim/ops/accuracy.hpp"

#include <tilesim/detail/machine.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

namespace ops = sim::ops;
namespace fp = sim::fp;
using machine::opcode;
using machine::signedness;
using ops::combining_order;
using ops::vectors;

struct size3 {
  std::uint32_t m, k, n;
};
// Edges of the blocks of rows, panels of columns and of depth; 1 everywhere.
const std::vector<size3> sizes{{1, 1, 1},
                               {1, 16, 32},
                               {2, 4, 8},
                               {8, 8, 1},
                               {16, 16, 16},
                               {4, 512, 2},
                               {64, 64, 64},
                               {3, 300, 33},
                               {5, 7, 65},
                               {128, 1, 16},
                               {1, 1024, 1}};

/// The vectors that this machine runs.
std::vector<vectors> variants() {
  std::vector<vectors> found{vectors::baseline};
  for (const vectors v : {vectors::avx2, vectors::avx512}) {
    if (v <= ops::widest_vectors()) {
      found.push_back(v);
    }
  }
  return found;
}

template <class T>
void fill(std::vector<T>& cells, std::uint64_t seed, int exponent_bits, int fraction_bits) {
  generator next(seed);
  for (auto& c : cells) {
    const std::uint64_t bits = moderate_pattern(next, exponent_bits, fraction_bits);
    std::memcpy(&c, &bits, sizeof c);
  }
}
void fill(std::vector<float>& cells, std::uint64_t seed) {
  fill(cells, seed, 8, 23);
}
void fill(std::vector<double>& cells, std::uint64_t seed) {
  fill(cells, seed, 11, 52);
}
void fill(std::vector<fp::f16>& cells, std::uint64_t seed) {
  fill(cells, seed, 5, 10);
  for (auto& c : cells) {
    c.bits = static_cast<std::uint16_t>((c.bits & 0xbfffU) | 0x2000U); // no infinities: below 2
  }
}
void fill(std::vector<fp::bf16>& cells, std::uint64_t seed) {
  fill(cells, seed, 8, 7);
}
void fill(std::vector<fp::tf32>& cells, std::uint64_t seed) {
  fill(cells, seed, 8, 23);
  for (auto& c : cells) {
    c = fp::narrow<fp::tf32>(fp::as_float(c.bits));
  }
}
void fill(std::vector<fp::e4m3>& cells, std::uint64_t seed) {
  generator next(seed);
  for (auto& c : cells) {
    do {
      c.bits = static_cast<std::uint8_t>(next());
    } while (std::isnan(fp::widen(c)));
  }
}
void fill(std::vector<fp::e5m2>& cells, std::uint64_t seed) {
  generator next(seed);
  for (auto& c : cells) {
    do {
      c.bits = static_cast<std::uint8_t>(next());
    } while (!std::isfinite(fp::widen(c)));
  }
}

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

template <class T>
T multiply_then_add(T sum, T a, T b) {
  const volatile T product = a * b; // rounded, whatever the compiler would fuse
  return sum + product;
}

/// mma of random cells of kind `in` with sums of kind `to`, in every variant and size, against
/// multiply_then_add in index order and then the accumulator, in type Sum, and `last` of that.
template <class In, class Sum, class Out, class Last>
void holds_against_a_loop(element in, element to, const Last& last) {
  for (const auto& [m, k, n] : sizes) {
    shaped<In> a(in, {m, k}), b(in, {k, n});
    shaped<Out> acc(to, {m, n}), got(to, {m, n});
    fill(a.cells, m);
    fill(b.cells, n + 1000);
    fill(acc.cells, k + 2000);
    for (const vectors v : variants()) {
      REQUIRE(ops::mma(opcode::mmaf, {}, {}, got, a, b, acc, {}, ops::arithmetic::page, v));
      int wrong = 0;
      for (std::uint32_t i = 0; i < m; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
          Sum sum = 0;
          for (std::uint32_t p = 0; p < k; ++p) {
            sum = multiply_then_add<Sum>(
                sum, fp::widen(a.cells[i * k + p]), fp::widen(b.cells[p * n + j]));
          }
          sum += fp::widen(acc.cells[i * n + j]);
          wrong += !same_bits(fp::widen(got.cells[i * n + j]), fp::widen(last(sum)));
        }
      }
      CAPTURE(m, k, n, static_cast<int>(v));
      CHECK(wrong == 0);
    }
  }
}

const auto itself = [](auto x) { return x; };

} // namespace

// Recorded: tests/gpu/matrices_order.cu.  [matrix multiplication] [docs/order.md]
TEST_CASE("products, rounded, add up in index order, and then the accumulator", "[ops][matrix]") {
  holds_against_a_loop<float, float, float>(element::f32, element::f32, itself);
  holds_against_a_loop<double, double, double>(element::f64, element::f64, itself);
  holds_against_a_loop<fp::f16, float, float>(element::f16, element::f32, itself);
  holds_against_a_loop<fp::bf16, float, float>(element::bf16, element::f32, itself);
  holds_against_a_loop<fp::tf32, float, float>(element::tf32, element::f32, itself);
  holds_against_a_loop<fp::e4m3, float, float>(element::f8e4m3, element::f32, itself);
  holds_against_a_loop<fp::e5m2, float, float>(element::f8e5m2, element::f32, itself);
}

TEST_CASE("half and fp8 to half: added up in float, rounded once", "[ops][matrix]") {
  const auto last = [](float x) { return fp::narrow<fp::f16>(x); };
  holds_against_a_loop<fp::f16, float, fp::f16>(element::f16, element::f16, last);
  holds_against_a_loop<fp::e4m3, float, fp::f16>(element::f8e4m3, element::f16, last);
  holds_against_a_loop<fp::e5m2, float, fp::f16>(element::f8e5m2, element::f16, last);
}

// Recorded: products of bfloat16 overflow, are NaN, and lose subnormal bits as products of floats.
TEST_CASE("products beyond float are infinite, NaNs canonical, zero sums positive",
          "[ops][matrix]") {
  const auto bfloat16 = [](float x) { return fp::narrow<fp::bf16>(x); };
  shaped<fp::bf16> a(element::bf16, {1, 1}), b(element::bf16, {1, 1});
  shaped<float> acc(element::f32, {1, 1}), got(element::f32, {1, 1});
  for (const vectors v : variants()) {
    const auto result = [&](float x, float y, float z) {
      a.cells[0] = bfloat16(x);
      b.cells[0] = bfloat16(y);
      acc.cells[0] = z;
      REQUIRE(ops::mma(opcode::mmaf, {}, {}, got, a, b, acc, {}, ops::arithmetic::page, v));
      return got.cells[0];
    };
    const float inf = std::numeric_limits<float>::infinity();
    CHECK(std::isnan(result(0x1p100F, 0x1p100F, -inf)));
    CHECK(result(0x1.8p-75F, 0x1p-75F, 0x1p-149F) == 0x1p-148F); // 0.75 * 2^-149, up; then exact
    CHECK(std::isnan(result(inf, 0, 1)));
    CHECK(fp::bits_of(result(inf, 0, 1)) == 0x7fffffffU);
    CHECK_FALSE(std::signbit(result(-1, 0, -0.0F)));
    CHECK_FALSE(std::signbit(result(1, 0, -0.0F)));
  }
}

TEST_CASE("bytes of any signedness add up modulo 2^32", "[ops][matrix]") {
  const auto left = GENERATE(signedness::signed_, signedness::unsigned_);
  const auto right = GENERATE(signedness::signed_, signedness::unsigned_);
  const auto value = [](signedness s, std::uint8_t cell) {
    return s == signedness::signed_ ? std::int64_t{static_cast<std::int8_t>(cell)}
                                    : std::int64_t{cell};
  };
  for (const auto& [m, k, n] : sizes) {
    shaped<std::uint8_t> a(element::i8, {m, k}), b(element::i8, {k, n});
    shaped<std::int32_t> acc(element::i32, {m, n}), got(element::i32, {m, n});
    generator next(m);
    const auto draw = [&](auto& cells) {
      for (auto& c : cells) {
        c = static_cast<std::decay_t<decltype(c)>>(next());
      }
    };
    draw(a.cells);
    draw(b.cells);
    draw(acc.cells); // wide: sums wrap
    for (const vectors v : variants()) {
      REQUIRE(ops::mma(opcode::mmai, left, right, got, a, b, acc, {}, ops::arithmetic::page, v));
      int wrong = 0;
      for (std::uint32_t i = 0; i < m; ++i) {
        for (std::uint32_t j = 0; j < n; ++j) {
          std::int64_t sum = acc.cells[i * n + j];
          for (std::uint32_t p = 0; p < k; ++p) {
            sum += value(left, a.cells[i * k + p]) * value(right, b.cells[p * n + j]);
          }
          wrong += got.cells[i * n + j] != static_cast<std::int32_t>(sum);
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("bool counts as 0 and 1", "[ops][matrix]") {
  const shaped<std::uint8_t> a(element::i1, {1, 4}, {1, 0, 1, 1}),
      b(element::i8, {4, 1}, {200, 7, 5, 255});
  const shaped<std::int32_t> zero(element::i32, {1, 1}, {0});
  shaped<std::int32_t> got(element::i32, {1, 1});
  REQUIRE(ops::mma(opcode::mmai, signedness::unsigned_, signedness::unsigned_, got, a, b, zero));
  CHECK(got.cells[0] == 460);
  REQUIRE(ops::mma(opcode::mmai, signedness::signed_, signedness::signed_, got, a, b, zero));
  CHECK(got.cells[0] == -56 + 5 - 1); // a bool has no sign
}

// [matrix multiplication] Batches of length 1 broadcast; so does an accumulator of one element.
TEST_CASE("batches", "[ops][matrix]") {
  const std::uint32_t m = 4, k = 8, n = 2, batches = 4;
  const bool left_alone = GENERATE(false, true), right_alone = GENERATE(false, true),
             zero = GENERATE(false, true);
  const combining_order order = GENERATE(combining_order{}, combining_order{true, 3});
  shaped<float> a(element::f32, {left_alone ? 1 : batches, m, k}),
      b(element::f32, {right_alone ? 1 : batches, k, n});
  const std::vector<std::uint32_t> shape =
      zero ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{batches, m, n};
  shaped<float> acc(element::f32, shape), got(element::f32, {batches, m, n});
  generator next(4);
  for (auto* cells : {&a.cells, &b.cells, &acc.cells}) {
    for (float& c : *cells) {
      c = static_cast<float>(next() % 100);
    }
  }
  REQUIRE(ops::mma(opcode::mmaf, {}, {}, got, a, b, acc, order));
  int wrong = 0;
  for (std::uint32_t batch = 0; batch < batches; ++batch) {
    for (std::uint32_t i = 0; i < m; ++i) {
      for (std::uint32_t j = 0; j < n; ++j) {
        float sum = acc.cells[zero ? 0 : (batch * m + i) * n + j];
        for (std::uint32_t p = 0; p < k; ++p) {
          sum += a.cells[((left_alone ? 0 : batch) * m + i) * k + p] *
                 b.cells[((right_alone ? 0 : batch) * k + p) * n + j];
        }
        wrong += got.cells[(batch * m + i) * n + j] != sum;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a random order gives other roundings, within the bound", "[ops][matrix]") {
  const std::uint32_t n = 64;
  shaped<float> a(element::f32, {n, n}), b(element::f32, {n, n}), acc(element::f32, {n, n}),
      got(element::f32, {n, n});
  generator next(9);
  for (auto* cells : {&a.cells, &b.cells, &acc.cells}) {
    for (float& c : *cells) {
      c = static_cast<float>(static_cast<double>(next() >> 11) * 0x1p-53 - 0.5);
    }
  }
  std::set<float> seen;
  int outside = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    REQUIRE(ops::mma(opcode::mmaf, {}, {}, got, a, b, acc, {true, seed}));
    for (std::uint32_t at = 0; at < n * n; at += 97) {
      double exact = double{acc.cells[at]}, magnitude = std::fabs(exact);
      for (std::uint32_t p = 0; p < n; ++p) {
        const double product = double{a.cells[at / n * n + p]} * double{b.cells[p * n + at % n]};
        exact += product;
        magnitude += std::fabs(product);
      }
      outside += std::fabs(double{got.cells[at]} - exact) >
                 ops::error_of_mma(element::f32, element::f32, n) * magnitude;
    }
    seen.insert(got.cells[0]);
    shaped<float> again(element::f32, {n, n});
    REQUIRE(ops::mma(opcode::mmaf,
                     {},
                     {},
                     again,
                     a,
                     b,
                     acc,
                     {true, seed},
                     ops::arithmetic::page,
                     vectors::baseline));
    CHECK(again.cells == got.cells);
  }
  CHECK(outside == 0);
  CHECK(seen.size() > 10);
}

TEST_CASE("a zero sum is positive in any order", "[ops][matrix]") {
  const shaped<float> a(element::f32, {1, 2}, {-1, -1}), b(element::f32, {2, 1}, {0, 0});
  const shaped<float> acc(element::f32, {1, 1}, {-0.0F});
  shaped<float> got(element::f32, {1, 1});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    REQUIRE(ops::mma(opcode::mmaf, {}, {}, got, a, b, acc, {seed > 0, seed}));
    CHECK(fp::bits_of(got.cells[0]) == 0);
  }
}

TEST_CASE("there are no other products", "[ops][matrix]") {
  const auto pair = [](element l, element r, element to) {
    shaped<std::uint64_t> a(l, {1, 1}), b(r, {1, 1}), acc(to, {1, 1}), got(to, {1, 1});
    return ops::mma(is_integer(l) ? opcode::mmai : opcode::mmaf, {}, {}, got, a, b, acc);
  };
  std::string found;
  for (unsigned l = 0; l < element_kinds; ++l) {
    for (unsigned r = 0; r < element_kinds; ++r) {
      for (unsigned to = 0; to < element_kinds; ++to) {
        if (pair(element(l), element(r), element(to))) {
          found += std::string(name(element(l))) + " " + name(element(r)) + " " +
                   name(element(to)) + "\n";
        }
      }
    }
  }
  CHECK(found ==
        "i1 i1 i32\ni1 i8 i32\ni8 i1 i32\ni8 i8 i32\n"
        "f16 f16 f16\nf16 f16 f32\nbf16 bf16 f32\ntf32 tf32 f32\nf32 f32 f32\nf64 f64 f64\n"
        "f8E4M3FN f8E4M3FN f16\nf8E4M3FN f8E4M3FN f32\nf8E5M2 f8E5M2 f16\nf8E5M2 f8E5M2 f32\n");
}

} // namespace tilesim::test
