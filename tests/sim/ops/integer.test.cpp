// Integer operations: rows by clause, and all pairs of 8-bit values against wide arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::overflow;
using machine::predicate;
using machine::rounding;
using machine::signedness;

constexpr attributes as_signed{.sign = signedness::signed_, .wrap = overflow::no_signed_wrap};
constexpr attributes as_unsigned{.sign = signedness::unsigned_};

attributes divides(signedness sign, rounding round) {
  return {.sign = sign, .round = round};
}

struct row {
  std::string_view name;
  opcode op;
  attributes modes;
  std::int64_t a, b, want;
  std::string_view undefined = "";
};

template <class T>
void check(element kind, const row& r) {
  DYNAMIC_SECTION(r.name) {
    const auto got =
        apply<T, T>(r.op, r.modes, kind, kind, static_cast<T>(r.a), static_cast<T>(r.b));
    CHECK(got.value == static_cast<T>(r.want));
    CHECK(got.undefined == r.undefined);
  }
}

constexpr std::int64_t min32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t max32 = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t min64 = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t max64 = std::numeric_limits<std::int64_t>::max();
constexpr auto overflows = "signed overflow";
constexpr auto no_quotient = "quotient not representable";
constexpr auto by_zero = "division by zero";
constexpr auto count_range = "shift count out of range";

} // namespace

TEST_CASE("addition, subtraction, multiplication of int", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"add", opcode::addi, as_signed, 2, 3, 5},
      {"add up to the maximum", opcode::addi, as_signed, max32 - 1, 1, max32},
      {"add overflows, wraps", opcode::addi, as_signed, max32, 1, min32, overflows},
      {"add of negatives overflows", opcode::addi, as_signed, min32, -1, max32, overflows},
      {"add without the flag wraps in silence", opcode::addi, {}, max32, 1, min32},
      {"sub", opcode::subi, as_signed, 2, 3, -1},
      {"sub down to the minimum", opcode::subi, as_signed, -1, max32, min32},
      {"sub overflows", opcode::subi, as_signed, -2, max32, max32, overflows},
      {"mul", opcode::muli, as_signed, -7, 6, -42},
      {"mul to the minimum", opcode::muli, as_signed, 65536, -32768, min32},
      {"mul overflows", opcode::muli, as_signed, 65536, 32768, min32, overflows},
      {"mul of the minimum and -1", opcode::muli, as_signed, min32, -1, min32, overflows},
  }));
  check<std::int32_t>(element::i32, r);
}

TEST_CASE("addition, multiplication of long long", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"add up to the maximum", opcode::addi, as_signed, max64 - 1, 1, max64},
      {"add overflows, wraps", opcode::addi, as_signed, max64, 1, min64, overflows},
      {"mul", opcode::muli, as_signed, 3037000499, 3037000499, 9223372030926249001},
      {"mul overflows", opcode::muli, as_signed, std::int64_t{1} << 62, 2, min64, overflows},
  }));
  check<std::int64_t>(element::i64, r);
}

TEST_CASE("unsigned arithmetic is modulo 2^n", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"add wraps", opcode::addi, as_unsigned, 0xffffffff, 2, 1},
      {"sub wraps", opcode::subi, as_unsigned, 0, 1, 0xffffffff},
      {"mul wraps", opcode::muli, as_unsigned, 0x80000001, 2, 2},
      {"negation", opcode::negi, as_unsigned, 1, 0, 0xffffffff},
      {"negation of 2^31", opcode::negi, as_unsigned, 0x80000000, 0, 0x80000000},
      {"no_unsigned_wrap reports",
       opcode::addi,
       {.wrap = overflow::no_unsigned_wrap},
       0xffffffff,
       1,
       0,
       "unsigned overflow"},
      {"no_wrap reports either",
       opcode::addi,
       {.wrap = overflow::no_wrap},
       0x7fffffff,
       1,
       0x80000000,
       overflows},
      {"no_wrap, unsigned only",
       opcode::addi,
       {.wrap = overflow::no_wrap},
       0xffffffff,
       2,
       1,
       "unsigned overflow"},
      {"no_wrap, neither", opcode::addi, {.wrap = overflow::no_wrap}, 1, 2, 3},
  }));
  check<std::uint32_t>(element::i32, r);
}

TEST_CASE("negation and absolute value", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"negation", opcode::negi, as_signed, 5, 0, -5},
      {"negation of the minimum", opcode::negi, as_signed, min32, 0, min32, overflows},
      {"negation of its neighbour", opcode::negi, as_signed, min32 + 1, 0, max32},
      {"abs", opcode::absi, as_signed, -5, 0, 5},
      {"abs of the minimum", opcode::absi, as_signed, min32, 0, min32, overflows},
      {"unsigned abs", opcode::absi, as_unsigned, min32, 0, min32},
  }));
  check<std::int32_t>(element::i32, r);
}

TEST_CASE("division, ceildiv, floordiv, remainder of int", "[ops][arithmetic]") {
  const auto zero = divides(signedness::signed_, rounding::zero);
  const auto up = divides(signedness::signed_, rounding::positive_inf);
  const auto down = divides(signedness::signed_, rounding::negative_inf);
  const auto r = GENERATE_COPY(values<row>({
      {"div truncates toward zero", opcode::divi, zero, -7, 2, -3},
      {"div exact", opcode::divi, zero, 8, -2, -4},
      {"div by zero: all ones", opcode::divi, zero, 5, 0, -1, by_zero},
      {"div of the minimum by -1", opcode::divi, zero, min32, -1, min32, no_quotient},
      {"div of its neighbour by -1", opcode::divi, zero, min32 + 1, -1, max32},
      {"ceildiv", opcode::divi, up, 7, 2, 4},
      {"ceildiv of a negative", opcode::divi, up, -7, 2, -3},
      {"ceildiv of two negatives", opcode::divi, up, -7, -2, 4},
      {"ceildiv exact", opcode::divi, up, -8, 2, -4},
      {"ceildiv by zero, positive", opcode::divi, up, 1, 0, 0, by_zero},
      {"ceildiv by zero, zero", opcode::divi, up, 0, 0, -1, by_zero},
      {"ceildiv by zero, negative", opcode::divi, up, -3, 0, -1, by_zero},
      {"ceildiv of the minimum by -1", opcode::divi, up, min32, -1, min32, no_quotient},
      {"floordiv", opcode::divi, down, 7, 2, 3},
      {"floordiv of a negative", opcode::divi, down, -7, 2, -4},
      {"floordiv by a negative", opcode::divi, down, 7, -2, -4},
      {"floordiv exact", opcode::divi, down, -8, 2, -4},
      {"floordiv by zero", opcode::divi, down, 0, 0, -1, by_zero},
      {"floordiv by zero, negative", opcode::divi, down, -3, 0, -2, by_zero},
      {"rem has the dividend's sign", opcode::remi, zero, -7, 2, -1},
      {"rem by a negative", opcode::remi, zero, 7, -2, 1},
      {"rem by zero", opcode::remi, zero, 7, 0, -1, by_zero},
      {"rem of the minimum by -1", opcode::remi, zero, min32, -1, 0, no_quotient},
  }));
  check<std::int32_t>(element::i32, r);
}

TEST_CASE("division of 64 bits by zero as the hardware does it", "[ops][arithmetic]") {
  const auto zero = divides(signedness::signed_, rounding::zero);
  const auto r = GENERATE_COPY(values<row>({
      {"small dividend", opcode::divi, zero, 7, 0, 0xffffffff, by_zero},
      {"large dividend", opcode::divi, zero, std::int64_t{1} << 32, 0, -1, by_zero},
      {"negative dividend", opcode::divi, zero, -7, 0, -1, by_zero},
      {"remainder, small", opcode::remi, zero, 7, 0, 0xffffffff, by_zero},
      {"defined", opcode::divi, zero, std::int64_t{1} << 40, -1024, -(std::int64_t{1} << 30)},
  }));
  check<std::int64_t>(element::i64, r);
}

TEST_CASE("unsigned division", "[ops][arithmetic]") {
  const auto zero = divides(signedness::unsigned_, rounding::zero);
  const auto up = divides(signedness::unsigned_, rounding::positive_inf);
  const auto down = divides(signedness::unsigned_, rounding::negative_inf);
  const auto r = GENERATE_COPY(values<row>({
      {"div", opcode::divi, zero, 0xfffffffe, 2, 0x7fffffff},
      {"div by zero", opcode::divi, zero, 3, 0, 0xffffffff, by_zero},
      {"ceildiv", opcode::divi, up, 0xffffffff, 2, 0x80000000},
      {"ceildiv by zero", opcode::divi, up, 0, 0, 0, by_zero},
      {"floordiv", opcode::divi, down, 0xffffffff, 2, 0x7fffffff},
      {"floordiv by zero", opcode::divi, down, 3, 0, 0xffffffff, by_zero},
      {"rem", opcode::remi, zero, 0xffffffff, 10, 5},
  }));
  check<std::uint32_t>(element::i32, r);
}

TEST_CASE("shifts", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"left", opcode::shli, {}, 3, 4, 48},
      {"left, bits fall off", opcode::shli, {}, -1, 31, min32},
      {"left by 32", opcode::shli, {}, 1, 32, 0, count_range},
      {"left by -1", opcode::shli, {}, 1, -1, 0, count_range},
      {"right floors", opcode::shri, as_signed, -7, 1, -4},
      {"right by 31", opcode::shri, as_signed, min32, 31, -1},
      {"right by 32", opcode::shri, as_signed, 5, 32, 0, count_range},
      {"right by 32, negative", opcode::shri, as_signed, -5, 32, -1, count_range},
      {"right unsigned", opcode::shri, as_unsigned, -1, 28, 15},
      {"right unsigned by -1", opcode::shri, as_unsigned, -1, -1, 0, count_range},
  }));
  check<std::int32_t>(element::i32, r);
}

TEST_CASE("bits, extremes, high products", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"and", opcode::andi, {}, 12, 10, 8},
      {"or", opcode::ori, {}, 12, 10, 14},
      {"xor", opcode::xori, {}, 12, 10, 6},
      {"max", opcode::maxi, as_signed, -1, 1, 1},
      {"max unsigned", opcode::maxi, as_unsigned, -1, 1, -1},
      {"min", opcode::mini, as_signed, -1, 1, -1},
      {"min unsigned", opcode::mini, as_unsigned, -1, 1, 1},
      {"mulhi", opcode::mulhii, {}, 0x10000, 0x30000, 3},
      {"mulhi reads negatives as unsigned", opcode::mulhii, as_signed, -1, -1, -2},
  }));
  check<std::int32_t>(element::i32, r);
}

TEST_CASE("high product of 64 bits", "[ops][arithmetic]") {
  check<std::int64_t>(element::i64, {"64 bits", opcode::mulhii, {}, -1, -1, -2});
}

TEST_CASE("bool arithmetic is modulo 2", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"1 + 1", opcode::addi, as_signed, 1, 1, 0},
      {"0 - 1", opcode::subi, {}, 0, 1, 1},
      {"1 * 1", opcode::muli, {}, 1, 1, 1},
      {"-1", opcode::negi, as_unsigned, 1, 0, 1},
      {"1 / 1", opcode::divi, divides(signedness::unsigned_, rounding::zero), 1, 1, 1},
      {"1 / 0", opcode::divi, divides(signedness::unsigned_, rounding::zero), 1, 0, 1, by_zero},
      {"1 % 1", opcode::remi, as_unsigned, 1, 1, 0},
      {"mulhi", opcode::mulhii, {}, 1, 1, 0},
      {"max", opcode::maxi, as_unsigned, 0, 1, 1},
      {"min", opcode::mini, as_unsigned, 0, 1, 0},
      {"1 << 0", opcode::shli, {}, 1, 0, 1},
      {"1 << 1 is out of range already", opcode::shli, {}, 1, 1, 1, count_range},
      {"1 >> 1", opcode::shri, as_unsigned, 1, 1, 0, count_range},
      {"xor with true", opcode::xori, {}, 1, 1, 0},
  }));
  check<std::uint8_t>(element::i1, r);
}

namespace {

/// All pairs of 8-bit values: the mathematical result decides value and definedness.
template <class T, class Exact>
void all_pairs(opcode op, const attributes& modes, const Exact& exact) {
  int wrong = 0;
  for (int a = std::numeric_limits<T>::min(); a <= std::numeric_limits<T>::max(); ++a) {
    for (int b = std::numeric_limits<T>::min(); b <= std::numeric_limits<T>::max(); ++b) {
      const auto got =
          apply<T, T>(op, modes, element::i8, element::i8, static_cast<T>(a), static_cast<T>(b));
      const int want = exact(a, b);
      const bool representable =
          want >= std::numeric_limits<T>::min() && want <= std::numeric_limits<T>::max();
      const bool reported = !got.undefined.empty();
      wrong += got.value != static_cast<T>(want) ||
               reported == (representable || modes.wrap == overflow::none);
    }
  }
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("all pairs of 8 bits", "[ops][arithmetic][exhaustive]") {
  const auto add = [](int a, int b) { return a + b; };
  const auto sub = [](int a, int b) { return a - b; };
  const auto mul = [](int a, int b) { return a * b; };
  all_pairs<std::int8_t>(opcode::addi, as_signed, add);
  all_pairs<std::int8_t>(opcode::subi, as_signed, sub);
  all_pairs<std::int8_t>(opcode::muli, as_signed, mul);
  all_pairs<std::int8_t>(opcode::addi, {}, add);
  const attributes unsigned_report{.wrap = overflow::no_unsigned_wrap};
  all_pairs<std::uint8_t>(opcode::addi, unsigned_report, add);
  all_pairs<std::uint8_t>(opcode::subi, unsigned_report, sub);
  all_pairs<std::uint8_t>(opcode::muli, unsigned_report, mul);
}

TEST_CASE("all 8-bit quotients and remainders", "[ops][arithmetic][exhaustive]") {
  int wrong = 0;
  for (int a = -128; a < 128; ++a) {
    for (int b = -128; b < 128; ++b) {
      if (b == 0 || (a == -128 && b == -1)) {
        continue;
      }
      const auto go = [&](opcode op, rounding round) {
        return int{apply<std::int8_t, std::int8_t>(op,
                                                   divides(signedness::signed_, round),
                                                   element::i8,
                                                   element::i8,
                                                   static_cast<std::int8_t>(a),
                                                   static_cast<std::int8_t>(b))
                       .value};
      };
      const double quotient = static_cast<double>(a) / b;
      wrong += go(opcode::divi, rounding::zero) != static_cast<int>(quotient);
      wrong += go(opcode::divi, rounding::positive_inf) != static_cast<int>(std::ceil(quotient));
      wrong += go(opcode::divi, rounding::negative_inf) != static_cast<int>(std::floor(quotient));
      wrong += go(opcode::remi, rounding::zero) != a - static_cast<int>(quotient) * b;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("integer comparisons", "[ops][arithmetic]") {
  const auto holds = [](predicate p, signedness s, std::int32_t a, std::int32_t b) {
    return apply<std::uint8_t, std::int32_t>(
               opcode::cmpi, {.sign = s, .pred = p}, element::i1, element::i32, a, b)
        .value;
  };
  using enum predicate;
  CHECK(holds(less_than, signedness::signed_, -1, 1) == 1);
  CHECK(holds(less_than, signedness::unsigned_, -1, 1) == 0);
  CHECK(holds(less_than_or_equal, signedness::signed_, 1, 1) == 1);
  CHECK(holds(greater_than, signedness::unsigned_, -1, 1) == 1);
  CHECK(holds(greater_than_or_equal, signedness::signed_, -1, 1) == 0);
  CHECK(holds(equal, signedness::signed_, 3, 3) == 1);
  CHECK(holds(not_equal, signedness::signed_, 3, 3) == 0);
  CHECK(apply<std::uint8_t, std::uint64_t>(opcode::cmpi,
                                           {.pred = less_than},
                                           element::i1,
                                           element::ptr,
                                           std::uint64_t{1},
                                           ~std::uint64_t{0})
            .value == 1);
}

TEST_CASE("pointer offsets", "[ops][arithmetic]") {
  const std::uint64_t base = 0x1000;
  std::uint64_t result[2]{};
  const std::int32_t index[2]{-2, 3};
  CHECK_FALSE(sim::ops::offset_pointers(
      {result, {&base, index, nullptr}, {true, false, false}, 2}, element::i32, 4));
  CHECK(result[0] == 0xff8);
  CHECK(result[1] == 0x100c);
  const std::int64_t far = std::numeric_limits<std::int64_t>::max();
  CHECK(sim::ops::offset_pointers(
      {result, {&base, &far, nullptr}, {true, true, false}, 1}, element::i64, 8));
  const std::int64_t below = -0x2000;
  CHECK(sim::ops::offset_pointers(
      {result, {&base, &below, nullptr}, {true, true, false}, 1}, element::i64, 1));
}

} // namespace tilesim::test
