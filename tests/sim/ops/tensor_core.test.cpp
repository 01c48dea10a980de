// Tensor cores: an integer model of one sum, examples by hand, and which matrices go there.
//
// Hardware itself stands behind tests/gpu/matrices_order.cu. SPDX-License-Identifier: Apache-2.0
#include "sim/ops/tensor_core.hpp"

#include "samples.hpp"
#include "shaped.hpp"
#include "sim/fp/cells.hpp"
#include "sim/fp/rounding.hpp"
#include "sim/ops/accuracy.hpp"
#include "sim/ops/matrix.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

namespace ops = sim::ops;
namespace fp = sim::fp;
using machine::opcode;
using ops::tensor_core;

/// sign * significand * 2^exponent, and the exponent that counts for alignment.
struct term {
  std::int64_t significand;
  int exponent;
  int aligned_at;
};

/// The integer significand of a float of `bits` after the first one, subnormal below `least`.
term decoded(float x, int bits, int least) {
  if (x == 0) {
    return {0, 0, INT_MIN / 2};
  }
  const int at = std::max(std::ilogb(x), least);
  return {std::llrint(std::ldexp(double{x}, bits - at)), at - bits, at};
}

/// Terms cut off below 2^(greatest - fraction_bits) and added up: the sum and its unit's exponent.
term added_up(const std::vector<term>& terms, int fraction_bits) {
  int greatest = INT_MIN / 2;
  for (const term& t : terms) {
    greatest = std::max(greatest, t.aligned_at);
  }
  const int unit = greatest - fraction_bits;
  std::int64_t sum = 0;
  for (const term& t : terms) {
    const int shift = t.exponent - unit;
    const std::int64_t magnitude = std::abs(t.significand);
    const std::int64_t cut = shift >= 0    ? magnitude << shift
                             : shift > -63 ? magnitude >> -shift
                                           : 0;
    sum += t.significand < 0 ? -cut : cut;
  }
  return {sum, unit, 0};
}

/// An integer cut off to `bits` after its first one.
std::int64_t cut(std::int64_t x, int bits) {
  std::int64_t magnitude = std::abs(x);
  int dropped = 0;
  for (; magnitude >> (bits + 1) != 0; ++dropped) {
    magnitude >>= 1;
  }
  magnitude <<= dropped;
  return x < 0 ? -magnitude : magnitude;
}

/// Elements of matrices that are wanted: halves from 2^-6 to 2^6 of either sign, some zero.
float any_half(generator& next) {
  const auto fraction = static_cast<double>(next() % 1024) / 1024.0 + 1.0;
  const int exponent = static_cast<int>(next() % 13) - 6;
  const double sign = next() % 2 == 0 ? 1 : -1;
  return next() % 16 == 0 ? 0 : static_cast<float>(sign * std::ldexp(fraction, exponent));
}

/// One element of the result, for one row and one column.
float multiplied(const tensor_core& how,
                 const std::vector<float>& a,
                 const std::vector<float>& b,
                 float acc) {
  ops::multiply_add(how, a.data(), b.data(), &acc, 1, a.size(), 1);
  return acc;
}

tensor_core core_of(element operands, element result, std::size_t rows = 32) {
  const auto found = ops::find_tensor_core(operands, result, 1, rows, 32, 32);
  REQUIRE(found);
  return *found;
}

} // namespace

TEST_CASE("groups of products are aligned, cut off and added up as integers",
          "[ops][tensor_core]") {
  const tensor_core how = core_of(element::f16, element::f32);
  REQUIRE(how.group == 16);
  REQUIRE(how.fraction_bits == 25);
  generator next(1);
  int wrong = 0, cuts = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<float> a(32), b(32);
    std::generate(a.begin(), a.end(), [&] { return any_half(next); });
    std::generate(b.begin(), b.end(), [&] { return any_half(next); });
    const auto acc = static_cast<float>(any_half(next) * any_half(next) * any_half(next));
    float expected = acc;
    for (std::size_t first = 0; first < a.size(); first += 16) {
      std::vector<term> terms{decoded(expected, 23, -126)};
      for (std::size_t k = first; k < first + 16; ++k) {
        const term x = decoded(a[k], 10, -14);
        const term y = decoded(b[k], 10, -14);
        terms.push_back(
            {x.significand * y.significand, x.exponent + y.exponent, x.aligned_at + y.aligned_at});
      }
      const term sum = added_up(terms, 25);
      expected = static_cast<float>(
          std::ldexp(static_cast<double>(cut(sum.significand, 23)), sum.exponent));
    }
    const float got = multiplied(how, a, b, acc);
    wrong += fp::bits_of(got) != fp::bits_of(expected);
    double exact = double{acc};
    for (std::size_t k = 0; k < a.size(); ++k) {
      exact += double{a[k]} * double{b[k]};
    }
    cuts += static_cast<float>(exact) != got;
  }
  CHECK(wrong == 0);
  CHECK(cuts > 500); // the model is no mere rounding
}

TEST_CASE("what lies below the unit of the largest is lost", "[ops][tensor_core]") {
  const tensor_core how = core_of(element::f16, element::f32);
  std::vector<float> a(16, 0), b(16, 1);
  a[0] = 1;
  a[1] = 0x1p-14F;
  b[1] = 0x1p-11F; // 2^-25: the last bit that counts; the float cuts it off
  CHECK(multiplied(how, a, b, 0) == 1);
  a[2] = a[1];
  b[2] = b[1];
  a[3] = a[4] = a[1];
  b[3] = b[4] = b[1]; // four of them are a float's last bit
  CHECK(multiplied(how, a, b, 0) == 1 + 0x1p-23F);
  b[1] = b[2] = b[3] = b[4] = 0x1p-12F; // each is lost
  CHECK(multiplied(how, a, b, 0) == 1);
  // The exponents of the factors add up: 1.5 * 1.5 counts as 2^0.
  a[0] = b[0] = 1.5F;
  b[1] = b[2] = b[3] = b[4] = 0x1p-11F;
  CHECK(multiplied(how, a, b, 0) == 2.25F); // which has no bit of 2^-23
  a[0] = -1;
  b[0] = 1;
  CHECK(multiplied(how, a, b, 1) == 0x1p-23F); // cancellation leaves the small ones
  CHECK(fp::bits_of(multiplied(how, std::vector<float>(16, -0.0F), b, -0.0F)) == 0);
}

TEST_CASE("sums in half are rounded after each group", "[ops][tensor_core]") {
  const tensor_core how = core_of(element::f16, element::f16);
  std::vector<float> a(32, 0), b(32, 1);
  a[0] = a[16] = 1;
  CHECK(multiplied(how, a, b, 2048) == 2048); // 2049 is a tie, twice
  a[1] = 1;
  CHECK(multiplied(how, a, b, 2048) == 2052); // 2050, then 2051 is a tie
  a[0] = 65504;
  a[1] = 65504;
  a[16] = -65504;
  CHECK(multiplied(how, a, b, 0) == std::numeric_limits<float>::infinity());
  a[16] = -std::numeric_limits<float>::infinity();
  CHECK(std::isnan(multiplied(how, a, b, 0)));
}

TEST_CASE("fp8 in its own format keeps 13 bits, and adds the accumulator last",
          "[ops][tensor_core]") {
  const tensor_core own = core_of(element::f8e4m3, element::f32, 64);
  CHECK(own.group == 32);
  std::vector<float> a(64, 0), b(64, 1);
  a[0] = 256;
  a[1] = 0x1p-6F; // 2^-14 of it
  CHECK(multiplied(own, a, b, 0) == 256);
  a[1] = 0x1p-5F;
  CHECK(multiplied(own, a, b, 0) == 256 + 0x1p-5F);
  CHECK(multiplied(own, a, b, 0x1p-15F) == 256 + 0x1p-5F + 0x1p-15F); // to nearest
  const tensor_core as_half = core_of(element::f8e4m3, element::f32, 32);
  a[1] = 0x1p-6F;
  CHECK(as_half.group == 16);
  CHECK(multiplied(as_half, a, b, 0) == 256 + 0x1p-6F);
}

TEST_CASE("tf32 factors lose what lies below ten bits, and large sums are infinite",
          "[ops][tensor_core]") {
  const tensor_core how = core_of(element::tf32, element::f32);
  CHECK(how.group == 8);
  CHECK(multiplied(how, {1 + 0x1p-10F + 0x1p-11F}, {1}, 0) == 1 + 0x1p-10F);
  CHECK(multiplied(how, {-0x1p127F}, {2}, 0) == -std::numeric_limits<float>::infinity());
  CHECK(multiplied(how, {0x1p127F}, {1}, 0x1.fffffep126F) ==
        0x1.fffffep127F); // cut off, not beyond
}

TEST_CASE("which matrices an H200 multiplies on tensor cores", "[ops][tensor_core]") {
  const auto used = [](element e,
                       std::size_t rows,
                       std::size_t depth,
                       std::size_t columns,
                       std::size_t batches = 1) {
    return ops::find_tensor_core(e, element::f32, batches, rows, depth, columns).has_value();
  };
  CHECK(used(element::f16, 16, 16, 32));
  CHECK(used(element::bf16, 32, 8, 16));
  CHECK(used(element::tf32, 64, 16, 8));
  CHECK(used(element::f8e5m2, 128, 64, 128));
  CHECK_FALSE(used(element::f16, 16, 64, 16)); // fewer than four of 16 x 8
  CHECK(used(element::f16, 16, 64, 16, 2));    // but a batch makes up for it
  CHECK_FALSE(used(element::f16, 8, 64, 64));
  CHECK_FALSE(used(element::f16, 128, 64, 4));
  CHECK_FALSE(used(element::f16, 64, 4, 64));
  CHECK_FALSE(used(element::f32, 64, 64, 64));
  CHECK_FALSE(used(element::f64, 64, 64, 64));
}

// Whatever the order, error_of_mma bounds it: sums of 96 products.
TEST_CASE("tensor cores stay within the bound", "[ops][tensor_core]") {
  struct kind {
    element operands, result;
    std::size_t rows;
  };
  const auto [operands, result, rows] = GENERATE(values<kind>({
      {element::f16, element::f32, 32},
      {element::f16, element::f16, 32},
      {element::tf32, element::f32, 32},
      {element::f8e4m3, element::f32, 64},
      {element::f8e4m3, element::f16, 64},
  }));
  const tensor_core how = core_of(operands, result, rows);
  generator next(3);
  const auto draw = [&] { // what every format here holds
    return static_cast<float>(static_cast<int>(next() % 15) - 7) *
           std::ldexp(1.0F, static_cast<int>(next() % 5) - 2);
  };
  int outside = 0;
  double worst = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<float> a(96), b(96);
    std::generate(a.begin(), a.end(), draw);
    std::generate(b.begin(), b.end(), draw);
    const float acc = draw();
    double exact = double{acc}, magnitude = std::fabs(exact);
    for (std::size_t k = 0; k < a.size(); ++k) {
      exact += double{a[k]} * double{b[k]};
      magnitude += std::fabs(double{a[k]} * double{b[k]});
    }
    const double bound = ops::error_of_mma(operands, result, a.size()) * magnitude;
    const double off = std::fabs(double{multiplied(how, a, b, acc)} - exact);
    outside += off > bound;
    worst = std::max(worst, off / bound);
  }
  CAPTURE(worst);
  CHECK(outside == 0);
}

// --arith page does not know tensor cores, and a random order is one whatever the arithmetic.
TEST_CASE("hardware arithmetic takes the tensor core", "[ops][tensor_core]") {
  constexpr std::uint32_t n = 32;
  shaped<fp::f16> a(element::f16, {n, n}), b(element::f16, {n, n});
  shaped<float> acc(element::f32, {n, n}), page(element::f32, {n, n}),
      hardware(element::f32, {n, n});
  generator next(2);
  for (auto* cells : {&a.cells, &b.cells}) {
    for (fp::f16& c : *cells) {
      c = fp::narrow<fp::f16>(any_half(next));
    }
  }
  REQUIRE(ops::mma(opcode::mmaf, {}, {}, page, a, b, acc, {}, ops::arithmetic::page));
  REQUIRE(ops::mma(opcode::mmaf, {}, {}, hardware, a, b, acc, {}, ops::arithmetic::hardware));
  int wrong = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      std::vector<float> row(n), column(n);
      for (std::uint32_t k = 0; k < n; ++k) {
        row[k] = fp::widen(a.cells[i * n + k]);
        column[k] = fp::widen(b.cells[k * n + j]);
      }
      wrong += hardware.cells[i * n + j] !=
               multiplied(core_of(element::f16, element::f32), row, column, 0);
    }
  }
  CHECK(wrong == 0);
  CHECK(page.cells != hardware.cells);
  shaped<float> random(element::f32, {n, n}), again(element::f32, {n, n});
  REQUIRE(ops::mma(opcode::mmaf, {}, {}, random, a, b, acc, {true, 1}, ops::arithmetic::page));
  REQUIRE(ops::mma(opcode::mmaf, {}, {}, again, a, b, acc, {true, 1}, ops::arithmetic::hardware));
  CHECK(random.cells == again.cells);
}

} // namespace tilesim::test
