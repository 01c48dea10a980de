// float and double: rows by clause, and random and special operands in every mode against MPFR.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "reference.hpp"
#include "samples.hpp"

#include <bit>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::ordering;
using machine::predicate;
using machine::rounding;

constexpr rounding four_modes[]{
    rounding::nearest_even, rounding::zero, rounding::negative_inf, rounding::positive_inf};
constexpr opcode arithmetic_ops[]{
    opcode::addf, opcode::subf, opcode::mulf, opcode::divf, opcode::fma};

struct row {
  std::string_view name;
  opcode op;
  attributes modes;
  std::uint32_t a, b, want;
  arithmetic how = arithmetic::page;
};

constexpr attributes flush{.flush_to_zero = true};
constexpr attributes propagate{.propagate_nan = true};
constexpr attributes up{.round = rounding::positive_inf};
constexpr attributes down{.round = rounding::negative_inf};
constexpr std::uint32_t one = 0x3f800000, nan = 0x7fffffff, minus_zero = 0x80000000,
                        inf = 0x7f800000;

} // namespace

TEST_CASE("float, by clause", "[ops][arithmetic]") {
  const auto r = GENERATE(values<row>({
      {"inf - inf", opcode::subf, {}, inf, inf, nan},
      {"NaN results are canonical", opcode::addf, {}, 0xffc12345, one, nan},
      {"x - x is +0", opcode::subf, {}, one, one, 0},
      {"x - x is -0 downward", opcode::subf, down, one, one, minus_zero},
      {"8 + 5 eps downward", opcode::addf, down, 0x41000000, 0x35200000, 0x41000000},
      {"8 + 5 eps upward", opcode::addf, up, 0x41000000, 0x35200000, 0x41000001},
      {"1 / 0", opcode::divf, {}, one, minus_zero, 0xff800000},
      {"0 / 0", opcode::divf, {}, 0, 0, nan},
      {"overflow toward zero",
       opcode::addf,
       {.round = rounding::zero},
       0x7f7fffff,
       0x7f7fffff,
       0x7f7fffff},
      {"flush: operands", opcode::addf, flush, 0x00000001, one, one},
      {"flush: sign stays", opcode::mulf, flush, 0x80000001, one, minus_zero},
      {"flush: result", opcode::subf, flush, 0x00880000, 0x00800000, 0},
      {"no flush: result", opcode::subf, {}, 0x00880000, 0x00800000, 0x00080000},
      {"flush after rounding, as the page reads",
       opcode::mulf,
       flush,
       0x3f7fffff,
       0x00800000,
       0x00800000},
      {"flush what 24 bits leave below the least normal number, as the hardware does",
       opcode::mulf,
       flush,
       0x3f7fffff,
       0x00800000,
       0,
       arithmetic::hardware},
      {"keep what 24 bits round up to it: (1 - 2^-26) 2^-126",
       opcode::mulf,
       flush,
       0x3f000400,
       0x00fff800,
       0x00800000,
       arithmetic::hardware},
      {"hardware flush leaves normal results",
       opcode::mulf,
       flush,
       one,
       0x00800000,
       0x00800000,
       arithmetic::hardware},
      {"remainder has the dividend's sign", opcode::remf, {}, 0xc0e00000, 0x40000000, 0xbf800000},
      {"remainder zero keeps the sign", opcode::remf, {}, 0xc0c00000, 0x40000000, minus_zero},
      {"remainder by zero", opcode::remf, {}, one, 0, nan},
      {"remainder of infinity", opcode::remf, {}, inf, one, nan},
      {"remainder by infinity", opcode::remf, {}, one, inf, one},
      {"negation", opcode::negf, {}, 0, 0, minus_zero},
      {"negation of a NaN", opcode::negf, {}, 0x7fc00001, 0, nan},
      {"abs", opcode::absf, {}, 0xff800000, 0, inf},
      {"max of zeros", opcode::maxf, {}, minus_zero, 0, 0},
      {"max of zeros, other side", opcode::maxf, {}, 0, minus_zero, 0},
      {"min of zeros", opcode::minf, {}, 0, minus_zero, minus_zero},
      {"max suppresses a NaN", opcode::maxf, {}, nan, one, one},
      {"max suppresses a NaN, other side", opcode::maxf, {}, one, 0x7fc00000, one},
      {"max of NaNs", opcode::maxf, {}, 0x7fc00000, 0xffc00000, nan},
      {"max propagates", opcode::maxf, propagate, one, 0x7fc00000, nan},
      {"min propagates", opcode::minf, propagate, 0xffc00001, one, nan},
      {"min", opcode::minf, {}, one, 0xbf800000, 0xbf800000},
      {"max flushes its result only", opcode::maxf, flush, 0x00000002, 0x00000001, 0},
      {"max with a subnormal above zero is the subnormal, flushed",
       opcode::maxf,
       flush,
       0x00000001,
       minus_zero,
       0},
      {"approximate division",
       opcode::divf,
       {.round = rounding::approx},
       one,
       0x40400000,
       0x3eaaaaab},
      {"approximate division by more than 2^126",
       opcode::divf,
       {.round = rounding::approx},
       0x7e800001,
       0x7e800001,
       0},
      {"full division by more than 2^126",
       opcode::divf,
       {.round = rounding::full},
       0x7e800001,
       0x7e800001,
       one},
  }));
  DYNAMIC_SECTION(r.name) {
    const auto got = apply<std::uint32_t, std::uint32_t>(
        r.op, r.modes, element::f32, element::f32, r.a, r.b, {}, r.how);
    CHECK(got.undefined.empty());
    CHECK(got.value == r.want);
  }
}

TEST_CASE("there is no flushing but of float, and no approximation but of its division",
          "[ops][arithmetic]") {
  using sim::ops::find_elementwise;
  CHECK(find_elementwise(opcode::addf, flush, element::f64, element::f64).run == nullptr);
  CHECK(find_elementwise(opcode::addf, flush, element::f16, element::f16).run == nullptr);
  CHECK(
      find_elementwise(opcode::addf, {.round = rounding::approx}, element::f32, element::f32).run ==
      nullptr);
  CHECK(find_elementwise(opcode::divf, {.round = rounding::full}, element::f64, element::f64).run ==
        nullptr);
  CHECK(find_elementwise(opcode::addf, {}, element::i32, element::i32).run == nullptr);
  CHECK(find_elementwise(opcode::addi, {}, element::f32, element::f32).run == nullptr);
}

TEST_CASE("double keeps NaN payloads", "[ops][arithmetic]") {
  const auto go = [](opcode op, std::uint64_t a, std::uint64_t b) {
    return apply<std::uint64_t, std::uint64_t>(op, {}, element::f64, element::f64, a, b).value;
  };
  CHECK(go(opcode::addf, 0x7ff0000000012345, 0x3ff0000000000000) == 0x7ff8000000012345);
  CHECK(go(opcode::mulf, 0x3ff0000000000000, 0xfff8000000000007) == 0xfff8000000000007);
  CHECK(go(opcode::divf, 0, 0) == 0xfff8000000000000);
  CHECK(go(opcode::subf, 0x7ff0000000000000, 0x7ff0000000000000) == 0xfff8000000000000);
  CHECK(go(opcode::negf, 0x7ff8000000000007, 0) == 0xfff8000000000007);
}

TEST_CASE("float comparisons", "[ops][arithmetic]") {
  using enum predicate;
  const float quiet = std::numeric_limits<float>::quiet_NaN();
  const auto holds = [](predicate p, ordering o, float a, float b) {
    return apply<std::uint8_t, float>(
               opcode::cmpf, {.pred = p, .order = o}, element::i1, element::f32, a, b)
               .value != 0;
  };
  for (const predicate p :
       {equal, not_equal, less_than, less_than_or_equal, greater_than, greater_than_or_equal}) {
    CHECK_FALSE(holds(p, ordering::ordered, quiet, 1.0F));
    CHECK(holds(p, ordering::unordered, 1.0F, quiet));
    const bool of_equals = p == equal || p == less_than_or_equal || p == greater_than_or_equal;
    CHECK(holds(p, ordering::ordered, 0.0F, -0.0F) == of_equals);
    CHECK(holds(p, ordering::unordered, 0.0F, -0.0F) == of_equals);
    const bool of_less = p == not_equal || p == less_than || p == less_than_or_equal;
    CHECK(holds(p, ordering::ordered, -1.0F, 2.0F) == of_less);
    CHECK(holds(p, ordering::unordered, 2.0F, -1.0F) ==
          (p == not_equal || p == greater_than || p == greater_than_or_equal));
  }
}

namespace {

/// Random and special operands through the kernel in one go, then one by one through MPFR.
template <class Bits, class Value>
void against_mpfr(
    element kind, exact_format format, int exponent_bits, int fraction_bits, int random) {
  const auto special = special_patterns(exponent_bits, fraction_bits);
  generator next(7);
  std::vector<Bits> a, b, c;
  for (const auto x : special) {
    for (const auto y : special) {
      a.push_back(static_cast<Bits>(x));
      b.push_back(static_cast<Bits>(y));
      c.push_back(static_cast<Bits>(special[next() % special.size()]));
    }
  }
  for (int i = 0; i < random; ++i) {
    const bool any = i % 4 == 0;
    for (auto* v : {&a, &b, &c}) {
      v->push_back(
          static_cast<Bits>(any ? next() : moderate_pattern(next, exponent_bits, fraction_bits)));
    }
  }
  for (const opcode op : arithmetic_ops) {
    for (const rounding mode : four_modes) {
      const auto got = apply_all<Bits>(op, {.round = mode}, kind, kind, a, b.data(), c.data());
      REQUIRE(got.size() == a.size());
      int wrong = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double want = exact(op,
                                  format,
                                  mode,
                                  std::bit_cast<Value>(a[i]),
                                  std::bit_cast<Value>(b[i]),
                                  std::bit_cast<Value>(c[i]));
        wrong += !same(want, std::bit_cast<Value>(got[i]));
      }
      CAPTURE(static_cast<int>(op), static_cast<int>(mode));
      CHECK(wrong == 0);
    }
  }
  const auto got = apply_all<Bits>(opcode::remf, {}, kind, kind, a, b.data());
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    wrong += !same(exact(opcode::remf,
                         format,
                         rounding::nearest_even,
                         std::bit_cast<Value>(a[i]),
                         std::bit_cast<Value>(b[i])),
                   std::bit_cast<Value>(got[i]));
  }
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("float arithmetic is IEEE's in all modes", "[ops][arithmetic][mpfr]") {
  against_mpfr<std::uint32_t, float>(element::f32, exact_float, 8, 23, 20000);
}

TEST_CASE("double arithmetic is IEEE's in all modes", "[ops][arithmetic][mpfr]") {
  against_mpfr<std::uint64_t, double>(element::f64, exact_double, 11, 52, 20000);
}

} // namespace tilesim::test
