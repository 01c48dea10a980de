// A dense sample of the exhaustive tests, for every day: pairs spread evenly over all 2^32, and all
// pairs of special values. The rest: exhaustive_pairs.test.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "integer_pairs.hpp"
#include "narrow_pairs.hpp"
#include "samples.hpp"
#include "unary_cases.hpp"

#include <support/catch.hpp>

namespace tilesim::test {
namespace {

/// 1/phi of 2^32, odd: its multiples visit all pairs, and any run of them is spread evenly.
constexpr std::uint32_t stride = 0x9e3779b1U;
constexpr std::uint32_t sample_size = 1U << 22;

struct sample {
  cells16 a, b, c;
  void push(std::uint32_t x, std::uint32_t y, std::uint64_t z) {
    a.push_back(static_cast<std::uint16_t>(x));
    b.push_back(static_cast<std::uint16_t>(y));
    c.push_back(static_cast<std::uint16_t>(z));
  }
};

/// About 600 cells: of many exponents the first, second, middle and last fractions; both signs.
template <class Format>
std::vector<std::uint32_t> special_cells() {
  constexpr int f = Format::fraction_bits;
  constexpr std::uint32_t top = (1U << Format::exponent_bits) - 1;
  constexpr std::uint32_t one = 1U << f;
  std::vector<std::uint32_t> found;
  for (std::uint32_t exponent = 0; exponent <= top; ++exponent) {
    const std::uint32_t middle = top / 2;
    const std::uint32_t off = exponent < middle ? middle - exponent : exponent - middle;
    if (off > 13 && exponent > 10 && exponent < top - 10 && exponent % 16 != 0) {
      continue;
    }
    for (const std::uint32_t fraction : {0U, 1U, one / 2 - 1, one / 2, one - 1}) {
      found.push_back((exponent << f) | fraction);
      found.push_back((1U << 15) | (exponent << f) | fraction);
    }
  }
  return found;
}

template <class Format>
const sample& operands() {
  static const sample all = [] {
    sample s;
    generator next(29);
    for (std::uint32_t i = 0; i < sample_size; ++i) {
      const std::uint32_t pair = i * stride;
      s.push(pair >> 16, pair & 0xffffU, next());
    }
    const auto special = special_cells<Format>();
    for (const auto x : special) {
      for (const auto y : special) {
        s.push(x, y, special[next() % special.size()]);
      }
    }
    return s;
  }();
  return all;
}

template <class Format>
constexpr element kind_of = Format::fraction_bits == 10 ? element::f16 : element::bf16;

} // namespace

TEMPLATE_TEST_CASE("half and bfloat16: 2^22 pairs and all of special values",
                   "[ops][arithmetic][dense]",
                   half_reference,
                   bfloat16_reference) {
  const sample& x = operands<TestType>();
  auto cases = default_cases<TestType>();
  const auto directed = directed_cases<TestType>();
  cases.insert(cases.end(), directed.begin(), directed.end());
  for (const narrow_case& test : cases) {
    CAPTURE(test.name);
    CHECK(first_mismatch(test, kind_of<TestType>, x.a, x.b) == "");
  }
}

TEMPLATE_TEST_CASE("half and bfloat16 fma: 2^22 triples and many of special values",
                   "[ops][arithmetic][dense]",
                   half_reference,
                   bfloat16_reference) {
  const sample& x = operands<TestType>();
  cells16 got(x.a.size());
  cells16 want(x.a.size());
  for (const rounding mode :
       {rounding::nearest_even, rounding::zero, rounding::negative_inf, rounding::positive_inf}) {
    const both_variants kernel(opcode::fma, {.round = mode}, kind_of<TestType>, kind_of<TestType>);
    REQUIRE(kernel.exist());
    CAPTURE(static_cast<int>(mode));
    for (std::size_t i = 0; i < want.size(); ++i) {
      want[i] = narrow_arithmetic<TestType>::fma(x.a[i], x.b[i], x.c[i], mode);
    }
    CHECK(first_mismatch(kernel, x.a, x.b, x.c, got, want) == "");
  }
}

namespace {

/// Every cell of a kind, or, of 32 bits, 2^18 that are spread evenly, and the special ones.
template <class Cell>
std::vector<Cell> all_cells() {
  std::vector<Cell> found;
  if constexpr (sizeof(Cell) < 4) {
    for (std::uint32_t i = 0; i < 1U << (8 * sizeof(Cell)); ++i) {
      found.push_back(static_cast<Cell>(i));
    }
  } else {
    for (std::uint32_t i = 0; i < 1U << 18; ++i) {
      found.push_back(i * stride);
    }
    // Around the ends of the integers' ranges.
    for (int power = 0; power <= 64; ++power) {
      for (const float off : {-1.0F, -0.5F, 0.0F, 0.5F, 1.0F}) {
        const auto near = std::bit_cast<std::uint32_t>(std::ldexp(1.0F, power) + off);
        for (const std::uint32_t x : {near - 1, near, near + 1}) {
          found.push_back(x & 0x7fffffffU);
          found.push_back(x | 0x80000000U);
        }
      }
    }
    // Around each tie of the 16-bit formats' last places, at many exponents.
    for (std::uint32_t high = 0; high < 1U << 16; ++high) {
      for (const std::uint32_t low : {0U, 1U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
        found.push_back(high << 16 | low);
      }
      for (const std::uint32_t low : {0U, 1U, 0xfffU, 0x1000U, 0x1001U, 0x1fffU}) {
        found.push_back(high << 16 | (high & 7U) << 13 | low);
      }
    }
  }
  return found;
}

template <class Cell>
void check_cases(const std::vector<unary_case>& cases, const std::vector<Cell>& cells) {
  for (const unary_case& test : cases) {
    CAPTURE(test.name);
    unary_check check(test);
    REQUIRE(check.exists());
    CHECK(check.first_mismatch(cells.data(), cells.size()) == "");
  }
}

/// All conversions of a floating-point kind.
template <class Cell>
void check_conversions(element from) {
  const auto cells = all_cells<Cell>();
  for (const element to : {element::f16,
                           element::bf16,
                           element::tf32,
                           element::f32,
                           element::f64,
                           element::f8e4m3,
                           element::f8e5m2}) {
    if (to != from) {
      check_cases(rounding_cases(from, to), cells);
    }
  }
  check_cases(truncation_cases(from, machine::signedness::signed_), cells);
  check_cases(truncation_cases(from, machine::signedness::unsigned_), cells);
}

template <class Cell>
void check_from_integer(element from) {
  auto cells = all_cells<Cell>();
  if (from == element::i1) {
    cells = {0, 1};
  }
  check_cases(from_integer_cases(from, machine::signedness::signed_), cells);
  check_cases(from_integer_cases(from, machine::signedness::unsigned_), cells);
}

} // namespace

TEST_CASE("narrow formats to everything: every value, every mode", "[ops][conversion][dense]") {
  check_conversions<std::uint16_t>(element::f16);
  check_conversions<std::uint16_t>(element::bf16);
  check_conversions<std::uint8_t>(element::f8e4m3);
  check_conversions<std::uint8_t>(element::f8e5m2);
}

TEST_CASE("float and tf32 to everything: a dense sample, every mode", "[ops][conversion][dense]") {
  check_conversions<std::uint32_t>(element::f32);
  check_conversions<std::uint32_t>(element::tf32);
}

TEST_CASE("integers to floating point: every value, of int a dense sample",
          "[ops][conversion][dense]") {
  check_from_integer<std::uint8_t>(element::i1);
  check_from_integer<std::uint8_t>(element::i8);
  check_from_integer<std::uint16_t>(element::i16);
  check_from_integer<std::uint32_t>(element::i32);
}

TEST_CASE("negation and absolute value: every value, of float a dense sample",
          "[ops][arithmetic][dense]") {
  check_cases(sign_cases(element::f16), all_cells<std::uint16_t>());
  check_cases(sign_cases(element::bf16), all_cells<std::uint16_t>());
  check_cases(sign_cases(element::f32), all_cells<std::uint32_t>());
}

TEMPLATE_TEST_CASE("all pairs of 8-bit integers, every operation",
                   "[ops][arithmetic][dense]",
                   std::int8_t,
                   std::uint8_t) {
  for (const integer_case<TestType>& test : integer_cases<TestType>()) {
    CAPTURE(test.name);
    CHECK(first_mismatch_of_all(test) == "");
  }
}

} // namespace tilesim::test
