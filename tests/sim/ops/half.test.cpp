// half and bfloat16: every operation rounded once, against MPFR; all values for unary operations.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "reference.hpp"
#include "samples.hpp"

#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::rounding;

struct narrow_kind {
  element kind;
  exact_format format;
  int exponent_bits, fraction_bits;
  [[nodiscard]] double value(std::uint16_t bits) const {
    return decode(bits, exponent_bits, fraction_bits);
  }
};
constexpr narrow_kind half_kind{element::f16, exact_half, 5, 10};
constexpr narrow_kind bfloat_kind{element::bf16, exact_bfloat16, 8, 7};

constexpr rounding four_modes[]{
    rounding::nearest_even, rounding::zero, rounding::negative_inf, rounding::positive_inf};
constexpr opcode arithmetic_ops[]{
    opcode::addf, opcode::subf, opcode::mulf, opcode::divf, opcode::fma};

struct operands {
  std::vector<std::uint16_t> a, b, c;
  void push(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    a.push_back(static_cast<std::uint16_t>(x));
    b.push_back(static_cast<std::uint16_t>(y));
    c.push_back(static_cast<std::uint16_t>(z));
  }
};

int count_wrong(const narrow_kind& k, opcode op, rounding mode, const operands& x) {
  const auto got =
      apply_all<std::uint16_t>(op, {.round = mode}, k.kind, k.kind, x.a, x.b.data(), x.c.data());
  REQUIRE(got.size() == x.a.size());
  int wrong = 0;
  for (std::size_t i = 0; i < x.a.size(); ++i) {
    const double want =
        exact(op, k.format, mode, k.value(x.a[i]), k.value(x.b[i]), k.value(x.c[i]));
    wrong += !same(want, k.value(got[i])) || (std::isnan(want) && got[i] != 0x7fff);
  }
  return wrong;
}

operands pairs_of(const narrow_kind& k, int random) {
  operands x;
  const auto special = special_patterns(k.exponent_bits, k.fraction_bits);
  generator next(11);
  for (const auto a : special) {
    for (const auto b : special) {
      x.push(a, b, special[next() % special.size()]);
      x.push(a, b, next());
    }
  }
  for (int i = 0; i < random; ++i) {
    if (i % 2 == 0) {
      x.push(next(), next(), next());
    } else {
      x.push(moderate_pattern(next, k.exponent_bits, k.fraction_bits),
             moderate_pattern(next, k.exponent_bits, k.fraction_bits),
             moderate_pattern(next, k.exponent_bits, k.fraction_bits));
    }
  }
  return x;
}

/// Products and a summand far below or above: where going through float or double would round
/// twice.
operands fma_ties(const narrow_kind& k) {
  operands x;
  generator next(13);
  const auto fraction_mask = (std::uint64_t{1} << k.fraction_bits) - 1;
  const auto bias = (std::uint64_t{1} << (k.exponent_bits - 1)) - 1;
  for (int i = 0; i < 20000; ++i) {
    // (1 + 2^-p)(1 + u) has low bits right below a tie; c is tiny, of either sign, or large.
    const std::uint64_t a = (bias << k.fraction_bits) | (next() & fraction_mask);
    const std::uint64_t b = (bias << k.fraction_bits) |
                            (std::uint64_t{1} << (next() % static_cast<unsigned>(k.fraction_bits)));
    const std::uint64_t c =
        i % 2 == 0 ? (next() & 0x8003U) | 1U
                   : ((bias + next() % 30) << k.fraction_bits) | (next() & fraction_mask);
    x.push(a, b, c & 0xffffU);
  }
  return x;
}

} // namespace

TEST_CASE("half and bfloat16 arithmetic is rounded once, in all modes", "[ops][arithmetic][mpfr]") {
  const auto k = GENERATE(half_kind, bfloat_kind);
  const operands x = pairs_of(k, 40000);
  for (const opcode op : arithmetic_ops) {
    for (const rounding mode : four_modes) {
      CAPTURE(name(k.kind), static_cast<int>(op), static_cast<int>(mode));
      CHECK(count_wrong(k, op, mode, x) == 0);
    }
  }
  CHECK(count_wrong(k, opcode::remf, rounding::nearest_even, x) == 0);
}

TEST_CASE("half and bfloat16 fma near ties", "[ops][arithmetic][mpfr]") {
  const auto k = GENERATE(half_kind, bfloat_kind);
  const operands x = fma_ties(k);
  for (const rounding mode : four_modes) {
    CAPTURE(name(k.kind), static_cast<int>(mode));
    CHECK(count_wrong(k, opcode::fma, mode, x) == 0);
  }
}

TEST_CASE("half division, dense: every 61st pair of significands", "[ops][arithmetic][mpfr]") {
  operands x;
  for (std::uint32_t pair = 0; pair < (1U << 20); pair += 61) {
    x.push(0x3c00U + (pair >> 10), 0x3c00U + (pair & 1023U), 0); // near 1
    x.push(0x0400U + (pair >> 10), 0x5c00U + (pair & 1023U), 0); // subnormal quotients
  }
  CHECK(count_wrong(half_kind, opcode::divf, rounding::nearest_even, x) == 0);
}

TEST_CASE("subnormal quotients and products of bfloat16, dense", "[ops][arithmetic][mpfr]") {
  operands x;
  for (unsigned a = 0; a < 128; ++a) {
    for (unsigned b = 0; b < 128; ++b) {
      x.push(0x0080U + a, 0x4000U + 0x80U * (a % 8) + b, 0);
      x.push(0x2000U + a, 0x1e00U + b, 0);
      x.push(0x0001U + a, 0x3f80U + b, 0);
    }
  }
  for (const rounding mode : four_modes) {
    CHECK(count_wrong(bfloat_kind, opcode::divf, mode, x) == 0);
    CHECK(count_wrong(bfloat_kind, opcode::mulf, mode, x) == 0);
  }
}

TEST_CASE("negation, absolute value: all 2^16 values", "[ops][arithmetic][exhaustive]") {
  const auto k = GENERATE(half_kind, bfloat_kind);
  std::vector<std::uint16_t> all(65536);
  for (unsigned i = 0; i < 65536; ++i) {
    all[i] = static_cast<std::uint16_t>(i);
  }
  const auto negated = apply_all<std::uint16_t>(opcode::negf, {}, k.kind, k.kind, all);
  const auto absolute = apply_all<std::uint16_t>(opcode::absf, {}, k.kind, k.kind, all);
  int wrong = 0;
  for (unsigned i = 0; i < 65536; ++i) {
    const double value = k.value(all[i]);
    wrong += !same(k.value(negated[i]), -value) || !same(k.value(absolute[i]), std::fabs(value));
    wrong += std::isnan(value) && (negated[i] != 0x7fff || absolute[i] != 0x7fff);
  }
  CHECK(wrong == 0);
}

TEST_CASE("extremes and comparisons of half", "[ops][arithmetic]") {
  const auto go = [](opcode op, attributes modes, std::uint16_t a, std::uint16_t b) {
    return apply<std::uint16_t, std::uint16_t>(op, modes, element::f16, element::f16, a, b).value;
  };
  constexpr attributes propagate{.propagate_nan = true};
  CHECK(go(opcode::maxf, {}, 0x8000, 0x0000) == 0x0000);
  CHECK(go(opcode::minf, {}, 0x0000, 0x8000) == 0x8000);
  CHECK(go(opcode::maxf, {}, 0x7e01, 0x3c00) == 0x3c00);
  CHECK(go(opcode::maxf, propagate, 0x7e01, 0x3c00) == 0x7fff);
  CHECK(go(opcode::minf, {}, 0xfe00, 0x7e00) == 0x7fff);
  CHECK(go(opcode::minf, {}, 0x0001, 0x0002) == 0x0001);
  const auto less = [](std::uint16_t a, std::uint16_t b) {
    return apply<std::uint8_t, std::uint16_t>(opcode::cmpf,
                                              {.pred = machine::predicate::less_than},
                                              element::i1,
                                              element::f16,
                                              a,
                                              b)
        .value;
  };
  CHECK(less(0x8001, 0x0000) == 1);
  CHECK(less(0x8000, 0x0000) == 0);
  CHECK(less(0x7e00, 0x3c00) == 0);
}

} // namespace tilesim::test
