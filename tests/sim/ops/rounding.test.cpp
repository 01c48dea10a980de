// Where rounding is hard: near ties, near overflow and underflow, sums that cancel. Every operation
// of every basic floating-point kind in every mode, flushed and not, against MPFR.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "reference.hpp"
#include "samples.hpp"

#include <algorithm>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::rounding;

constexpr rounding four_modes[]{
    rounding::nearest_even, rounding::zero, rounding::negative_inf, rounding::positive_inf};
constexpr opcode arithmetic_ops[]{
    opcode::addf, opcode::subf, opcode::mulf, opcode::divf, opcode::fma};

template <class Bits>
struct format {
  element kind;
  exact_format exact;
  int exponent_bits, fraction_bits;
  [[nodiscard]] double value(Bits x) const { return decode(x, exponent_bits, fraction_bits); }
};
constexpr format<std::uint16_t> half_format{element::f16, exact_half, 5, 10};
constexpr format<std::uint16_t> bfloat_format{element::bf16, exact_bfloat16, 8, 7};
constexpr format<std::uint32_t> float_format{element::f32, exact_float, 8, 23};
constexpr format<std::uint64_t> double_format{element::f64, exact_double, 11, 52};

template <class Bits>
struct operands {
  std::vector<Bits> a, b, c;
};

/// Triples a, b, c that make a sum, product, quotient or fma hard to round; which one depends on
/// the triple, and all operations get all of them. One function in spite of its length: the six
/// ways side by side, over what all of them draw from.
template <class Bits>
operands<Bits> hard_operands(const format<Bits>& k, int count, std::uint64_t seed) {
  generator next(seed);
  const int f = k.fraction_bits;
  const std::int64_t top = (std::int64_t{1} << k.exponent_bits) - 1, bias = top / 2;
  const std::uint64_t all = (std::uint64_t{1} << f) - 1;
  const auto make = [&](std::int64_t exponent, std::uint64_t fraction) {
    const auto e = static_cast<std::uint64_t>(std::clamp<std::int64_t>(exponent, 0, top - 1));
    return static_cast<Bits>(((((next() & 1U) << k.exponent_bits) | e) << f) | (fraction & all));
  };
  const auto exponent = [&] {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(top));
  };
  const auto near = [&](int below, int above) {
    return static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(below + above + 1)) -
           below;
  };
  // All zeros, all ones, one bit, or anything.
  const auto fraction = [&]() -> std::uint64_t {
    switch (next() % 5) {
    case 0:
      return 0;
    case 1:
      return all;
    case 2:
      return std::uint64_t{1} << (next() % static_cast<unsigned>(f));
    default:
      return next();
    }
  };
  // A number with few leading bits: products of two have a bit or two more than fit.
  const auto short_fraction = [&] { return next() & ~(all >> (f / 2 + 1)) & all; };

  operands<Bits> x;
  for (int i = 0; i < count; ++i) {
    const std::int64_t e = exponent();
    std::int64_t other = e, third = e;
    std::uint64_t u = fraction(), v = fraction(), w = fraction();
    switch (i % 6) {
    case 0: // the smaller summand lies about half a unit of the larger one
      other = e - f - near(1, 2);
      third = other;
      break;
    case 1: // cancellation: neighbours of opposite sign
      other = e + near(1, 1);
      v = u + static_cast<std::uint64_t>(near(2, 2));
      break;
    case 2: // products of which little lies beyond the last bit; the addend beside or far below
      u = short_fraction();
      v = short_fraction();
      other = bias + near(3, 3);
      third = e + other - bias - near(2, 2 * f);
      break;
    case 3: // products near overflow and underflow
      other = (next() & 1U) != 0 ? top + bias - e + near(2, 1) : bias - e + near(f + 2, 2);
      third = (next() & 1U) != 0 ? top - 1 : near(0, 2);
      break;
    case 4: // quotients near them
      other = (next() & 1U) != 0 ? e - (top - 1 - bias) + near(2, 2) : e + bias - near(1, f + 2);
      third = near(0, f);
      break;
    default: // quotients just beside a number: a is b, a unit more or less
      other = bias + near(2, 2);
      v = u + static_cast<std::uint64_t>(near(1, 1));
      third = exponent();
      break;
    }
    x.a.push_back(make(e, u));
    x.b.push_back(make(other, v));
    x.c.push_back(make(third, w));
  }
  return x;
}

template <class Bits>
void check_hard(const format<Bits>& k, int count) {
  const auto x = hard_operands(k, count, 17);
  for (const opcode op : arithmetic_ops) {
    for (const rounding mode : four_modes) {
      const auto got =
          apply_all<Bits>(op, {.round = mode}, k.kind, k.kind, x.a, x.b.data(), x.c.data());
      REQUIRE(got.size() == x.a.size());
      int wrong = 0;
      for (std::size_t i = 0; i < got.size(); ++i) {
        wrong += !same(exact(op, k.exact, mode, k.value(x.a[i]), k.value(x.b[i]), k.value(x.c[i])),
                       k.value(got[i]));
      }
      CAPTURE(name(k.kind), static_cast<int>(op), static_cast<int>(mode));
      CHECK(wrong == 0);
    }
  }
  const auto rest = apply_all<Bits>(opcode::remf, {}, k.kind, k.kind, x.a, x.b.data());
  int wrong = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    wrong += !same(
        exact(opcode::remf, k.exact, rounding::nearest_even, k.value(x.a[i]), k.value(x.b[i])),
        k.value(rest[i]));
  }
  CHECK(wrong == 0);
}

double subround(double x) {
  return std::fabs(x) < 0x1p-126 ? std::copysign(0.0, x) : x;
}

/// True if the result of float operands, rounded to 24 bits as though no exponent were too small,
/// is not zero and below the smallest normal float.
bool is_tiny(opcode op, rounding mode, double a, double b, double c) {
  constexpr exact_format unbounded{24, exact_double.emin, exact_double.emax};
  const double r = exact(op, unbounded, mode, a, b, c);
  return r != 0 && std::fabs(r) < 0x1p-126;
}

} // namespace

TEST_CASE("hard roundings of half and bfloat16 in every mode", "[ops][arithmetic][mpfr]") {
  check_hard(half_format, 12000);
  check_hard(bfloat_format, 12000);
}
TEST_CASE("hard roundings of float in every mode", "[ops][arithmetic][mpfr]") {
  check_hard(float_format, 12000);
}
TEST_CASE("hard roundings of double in every mode", "[ops][arithmetic][mpfr]") {
  check_hard(double_format, 12000);
}

// subround(op(subround(a), subround(b))) by the page; the hardware makes a result 0 if it is below
// the smallest normal number when rounded to 24 bits, even if it rounds to that number as a float.
TEST_CASE("flushed float arithmetic in every mode, by the page and as the hardware does",
          "[ops][arithmetic][mpfr]") {
  auto x = hard_operands(float_format, 12000, 19);
  const auto special = special_patterns(8, 23);
  generator next(23);
  for (const auto a : special) {
    for (const auto b : special) {
      x.a.push_back(static_cast<std::uint32_t>(a));
      x.b.push_back(static_cast<std::uint32_t>(b));
      x.c.push_back(static_cast<std::uint32_t>(special[next() % special.size()]));
    }
  }
  for (const opcode op : arithmetic_ops) {
    for (const rounding mode : four_modes) {
      CAPTURE(static_cast<int>(op), static_cast<int>(mode));
      const attributes modes{.round = mode, .flush_to_zero = true};
      const auto go = [&](arithmetic how) {
        return apply_all<std::uint32_t>(
            op, modes, element::f32, element::f32, x.a, x.b.data(), x.c.data(), nullptr, how);
      };
      const auto page = go(arithmetic::page), hardware = go(arithmetic::hardware);
      REQUIRE(page.size() == x.a.size());
      int wrong_page = 0, wrong_hardware = 0, differ = 0;
      for (std::size_t i = 0; i < page.size(); ++i) {
        const double a = subround(float_format.value(x.a[i])),
                     b = subround(float_format.value(x.b[i]));
        const double c = subround(float_format.value(x.c[i]));
        const double want = subround(exact(op, exact_float, mode, a, b, c));
        wrong_page += !same(want, float_format.value(page[i]));
        const double early = is_tiny(op, mode, a, b, c) ? std::copysign(0.0, want) : want;
        wrong_hardware += !same(early, float_format.value(hardware[i]));
        differ += !same(early, want);
      }
      CHECK(wrong_page == 0);
      CHECK(wrong_hardware == 0);
      // The two differ somewhere, so that this could tell: not in sums, whose small results are
      // exact.
      if (op != opcode::addf && op != opcode::subf && mode == rounding::nearest_even) {
        CHECK(differ > 0);
      }
    }
  }
}

} // namespace tilesim::test
