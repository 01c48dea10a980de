// Which operations are approximate; and that what we compute lies within the documented bound.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/accuracy.hpp"

#include "apply.hpp"
#include "math_reference.hpp"
#include "samples.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::rounding;
using sim::ops::accuracy;
using sim::ops::accuracy_of;
using sim::ops::within;

constexpr attributes approximate{.round = rounding::approx};
constexpr attributes approximate_flushed{.round = rounding::approx, .flush_to_zero = true};
constexpr attributes full_flushed{.round = rounding::full, .flush_to_zero = true};

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

float flushed(float x, const attributes& modes) {
  return modes.flush_to_zero && std::fabs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
}

float divided(const attributes& modes, float a, float b, arithmetic how = arithmetic::page) {
  return apply<float, float>(opcode::divf, modes, element::f32, element::f32, a, b, {}, how).value;
}

bool within_division(const attributes& modes, double a, double b, double result) {
  const double operands[]{a, b};
  return within(
      accuracy_of(opcode::divf, modes, element::f32), element::f32, a / b, operands, result);
}

struct opcode_row {
  opcode op;
  std::string name;
};
const opcode_row opcodes[]{
#define TILESIM_OPCODE(name, family) {opcode::name, #name},
#include <tilesim/detail/opcodes.def>
};

std::string mark(const opcode_row& row, rounding round, element kind) {
  const accuracy found = accuracy_of(row.op, {.round = round}, kind);
  return found.approximate()
             ? row.name + " " + std::to_string(static_cast<int>(round)) + " " + name(kind) + "\n"
             : "";
}

} // namespace

// [arithmetic operations: division] "Neither … division is IEEE 754 compliant."
// [math operations] "Each function provides an approximation of an infinitely precise … result."
TEST_CASE("what is approximate, and nothing else is", "[ops][accuracy]") {
  std::string found;
  for (const opcode_row& row : opcodes) {
    for (int round = 0; round < 8; ++round) {
      for (unsigned kind = 0; kind < element_kinds; ++kind) {
        found += mark(row, rounding(round), element(kind));
      }
    }
  }
  std::string wanted = "divf 4 f32\n"
                       "divf 5 f32\n"
                       "sqrt 4 f32\n";
  for (const std::string name : {"rsqrt",
                                 "exp",
                                 "exp2",
                                 "log",
                                 "log2",
                                 "fpowf",
                                 "sin",
                                 "cos",
                                 "tan",
                                 "atan2",
                                 "sinh",
                                 "cosh",
                                 "tanh"}) {
    const bool has_modes = name == "exp" || name == "tanh";
    wanted += has_modes ? name + " 4 f32\n" : "";
    for (const char* kind : {"f16", "bf16", "f32", "f64"}) {
      wanted += name + (has_modes ? " 5 " : " 0 ") + kind + "\n";
    }
  }
  CHECK(found == wanted);
}

TEST_CASE("an approximate operation says how far and who says so", "[ops][accuracy]") {
  const accuracy approx = accuracy_of(opcode::divf, approximate, element::f32);
  CHECK(approx.bound.ulps == 2);
  CHECK(std::string(approx.source).find("div.approx.f32") != std::string::npos);
  CHECK_FALSE(approx.flushes_subnormals);
  CHECK(accuracy_of(opcode::divf, approximate_flushed, element::f32).flushes_subnormals);
  const accuracy better = accuracy_of(opcode::divf, full, element::f32);
  CHECK(better.bound.ulps == 2);
  CHECK(std::string(better.source).find("div.full.f32") != std::string::npos);
}

// PTX ISA, div.approx.f32: "|b| in [2^-126, 2^126]"; beyond, "if a is infinity … NaN, otherwise 0".
TEST_CASE("approximate division by a very large number is 0", "[ops][accuracy]") {
  const auto modes = GENERATE(approximate, approximate_flushed);
  const auto how = GENERATE(arithmetic::page, arithmetic::hardware);
  const float edge = 0x1p126F;
  const float beyond = std::nextafter(edge, 0x1p127F);
  const float huge = std::numeric_limits<float>::max();
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(divided(modes, edge, edge, how) == 1);
  CHECK(divided(modes, edge, beyond, how) == 0);
  CHECK(divided(modes, huge, huge, how) == 0);
  CHECK(std::signbit(divided(modes, -1, huge, how)));
  CHECK(std::signbit(divided(modes, 1, -huge, how)));
  CHECK_FALSE(std::signbit(divided(modes, -1, -huge, how)));
  CHECK(std::isnan(divided(modes, inf, huge, how)));
  CHECK(divided(modes, inf, edge, how) == inf);
  CHECK(divided(modes, 1, inf, how) == 0);
  CHECK(std::isnan(divided(modes, inf, inf, how)));
  CHECK(divided(full, huge, huge, how) == 1);
  CHECK(divided(full, inf, huge, how) == inf);
}

TEST_CASE("the results of approximate operations are within their bounds", "[ops][accuracy]") {
  const auto modes = GENERATE(approximate, full, approximate_flushed, full_flushed);
  const auto how = GENERATE(arithmetic::page, arithmetic::hardware);
  const accuracy bound = accuracy_of(opcode::divf, modes, element::f32);
  const auto special = special_patterns(8, 23);
  std::vector<float> a;
  std::vector<float> b;
  const auto push = [&](std::uint64_t x, std::uint64_t y) {
    a.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(x)));
    b.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(y)));
  };
  for (const auto x : special) {
    for (const auto y : special) {
      push(x, y);
    }
  }
  generator next(17);
  for (int i = 0; i < 200000; ++i) {
    i % 2 == 0 ? push(next(), next())
               : push(moderate_pattern(next, 8, 23), moderate_pattern(next, 8, 23));
  }
  const auto got = apply_all<float>(
      opcode::divf, modes, element::f32, element::f32, a, b.data(), nullptr, nullptr, how);
  REQUIRE(got.size() == a.size());
  int wrong = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double operands[]{flushed(a[i], modes), flushed(b[i], modes)};
    wrong += !within(bound, element::f32, operands[0] / operands[1], operands, got[i]);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a bound holds what it should and no more", "[ops][accuracy]") {
  constexpr double unit = 0x1p-23;
  const double third = 1.0 / 3.0; // its unit is 2^-25
  CHECK(within_division(full, 1, 3, third + 1.99 * unit / 4));
  CHECK_FALSE(within_division(full, 1, 3, third + 2.01 * unit / 4));
  CHECK(within_division(full, 1, 3, third - 1.99 * unit / 4));
  CHECK_FALSE(within_division(full, 1, 3, third - 2.01 * unit / 4));
  CHECK_FALSE(within_division(full, 1, 3, -third));
  CHECK_FALSE(within_division(full, 1, 3, nan));

  // Subnormal results are as far apart as the smallest ones.
  CHECK(within_division(full, 0x1p-140, 1, 0x1p-140 + 0x1p-148));
  CHECK_FALSE(within_division(full, 0x1p-140, 1, 0x1p-140 + 0x1.8p-148));
  CHECK_FALSE(within_division(full, 0x1p-140, 1, 0));
  CHECK(within_division(full, 0x1p-149, 0x1p10, 0));
  CHECK(within_division(full, 0, 3, 0));

  // Flushed: 0 as soon as the result may be subnormal.
  CHECK(within_division(full_flushed, 0x1p-120, 0x1p20, 0));
  CHECK(within_division(full_flushed, 0x1p-125 + 0x1p-148, 2, 0));
  CHECK_FALSE(within_division(full_flushed, 0x1p-125 + 0x1p-140, 2, 0));
  CHECK_FALSE(within_division(full, 0x1p-125, 2, 0));

  // Infinities and NaN.
  constexpr double largest = 0x1.fffffep127;
  CHECK(within_division(full, largest, 1, infinity));
  CHECK_FALSE(within_division(full, largest, 1, -infinity));
  CHECK_FALSE(within_division(full, 0x1.ffffe0p127, 1, infinity));
  CHECK(within_division(full, largest, 0x1.fffffep-1, largest));
  CHECK(within_division(full, largest, 0x1p-20, infinity));
  CHECK_FALSE(within_division(full, largest, 0x1p-20, largest));
  CHECK(within_division(full, 1, 0, infinity));
  CHECK_FALSE(within_division(full, 1, 0, -infinity));
  CHECK_FALSE(within_division(full, 1, 0, largest));
  CHECK(within_division(full, 0, 0, nan));
  CHECK_FALSE(within_division(full, 0, 0, 0));

  // Where approximate division is documented to go wrong: so, or right.
  CHECK(within_division(approximate, largest, largest, 0));
  CHECK(within_division(approximate, largest, largest, 1 + unit));
  CHECK_FALSE(within_division(approximate, largest, largest, 0.5));
  CHECK(within_division(approximate, infinity, largest, nan));
  CHECK(within_division(approximate, infinity, largest, infinity));
  CHECK_FALSE(within_division(approximate, infinity, largest, 0));
  CHECK_FALSE(within_division(approximate, 0x1p126, 0x1p126, 0));
  CHECK_FALSE(within_division(full, largest, largest, 0));
  CHECK(within_division(approximate, 1, 0x1p-130, 0)); // nothing is said
  CHECK_FALSE(within_division(full, 0x1p-30, 0x1p-130, 0));
}

// Largest errors seen on an H200, in units in the last place.
TEST_CASE("what a GPU was measured to give is within the bounds of the math functions",
          "[ops][accuracy][math]") {
  struct row {
    opcode op;
    attributes modes;
    double of_float, of_double;
  };
  const row rows[]{{opcode::exp, full, 1.79, 0.83},
                   {opcode::exp2, {}, 2.01, 0.83},
                   {opcode::log, {}, 0.84, 0.53},
                   {opcode::log2, {}, 0.89, 1.22},
                   {opcode::sin, {}, 1.46, 1.43},
                   {opcode::cos, {}, 1.44, 1.48},
                   {opcode::tan, {}, 2.75, 1.88},
                   {opcode::tanh, full, 1.77, 1.35},
                   {opcode::sinh, {}, 2.69, 1.41},
                   {opcode::cosh, {}, 2.17, 1.25},
                   {opcode::rsqrt, {}, 1.49, 0.505},
                   {opcode::fpowf, {}, 0.87, 1.31},
                   {opcode::atan2, {}, 1.72, 1.61}};
  for (const row& r : rows) {
    CAPTURE(static_cast<int>(r.op));
    CHECK(accuracy_of(r.op, r.modes, element::f32).bound.ulps >= r.of_float);
    CHECK(accuracy_of(r.op, r.modes, element::f64).bound.ulps >= r.of_double);
  }
  CHECK(accuracy_of(opcode::sqrt, approximate, element::f32).bound.relative >= 0.94 * 0x1p-24);
  CHECK(accuracy_of(opcode::tanh, approximate, element::f32).bound.relative >= 129 * 0x1p-24);
}

TEST_CASE("the results of math functions are within their bounds", "[ops][accuracy][math]") {
  generator next(18);
  std::vector<float> a(20'000);
  for (auto& x : a) {
    x = std::bit_cast<float>(static_cast<std::uint32_t>(moderate_pattern(next, 8, 23)));
  }
  for (const auto& f : math_functions) {
    for (const attributes& modes : {f.modes, approximate}) {
      const accuracy bound = accuracy_of(f.op, modes, element::f32);
      if (!bound.approximate()) {
        continue;
      }
      const auto got = apply_all<float>(f.op, modes, element::f32, element::f32, a);
      REQUIRE(got.size() == a.size());
      int wrong = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double operand = a[i];
        wrong += !within(bound, element::f32, f.host(operand), &operand, got[i]);
      }
      CAPTURE(f.name);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("the bounds of math functions exclude what lies beyond", "[ops][accuracy][math]") {
  const auto of = [](opcode op, const attributes& modes, element kind, double x, double result) {
    const double exact = op == opcode::exp ? std::exp(x) : std::tanh(x);
    return within(accuracy_of(op, modes, kind), kind, exact, &x, result);
  };
  const double e = std::exp(1.0); // the float unit is 2^-22, half's 2^-9
  CHECK(of(opcode::exp, full, element::f32, 1, e + 2.4 * 0x1p-22));
  CHECK_FALSE(of(opcode::exp, full, element::f32, 1, e + 2.6 * 0x1p-22));
  CHECK(of(opcode::exp, full, element::f16, 1, e + 0.5 * 0x1p-9));
  CHECK_FALSE(of(opcode::exp, full, element::f16, 1, e + 0.51 * 0x1p-9));
  CHECK(of(opcode::exp, approximate, element::f32, 1, e + 3.4 * 0x1p-22));
  CHECK_FALSE(of(opcode::exp, approximate, element::f32, 1, e + 3.6 * 0x1p-22));
  const double large = std::exp(64.0); // 2^92.3
  CHECK(of(opcode::exp, approximate, element::f32, 64, large + 77 * 0x1p69));
  CHECK_FALSE(of(opcode::exp, approximate, element::f32, 64, large + 78 * 0x1p69));
  CHECK(of(opcode::tanh, approximate, element::f32, 1, std::tanh(1.0) * (1 + 0x1p-11)));
  CHECK_FALSE(of(opcode::tanh, approximate, element::f32, 1, std::tanh(1.0) * (1 + 0x1.01p-11)));
  CHECK(of(opcode::exp, approximate, element::f32, infinity, infinity));
  CHECK_FALSE(of(opcode::exp, approximate, element::f32, -infinity, 1));
}

TEST_CASE("bounds count relative and absolute errors too", "[ops][accuracy]") {
  const accuracy relative{.bound = {.relative = 0x1p-11}};
  CHECK(within(relative, element::f32, 3, nullptr, 3 + 3 * 0x1p-11));
  CHECK_FALSE(within(relative, element::f32, 3, nullptr, 3 + 3.001 * 0x1p-11));
  const accuracy absolute{.bound = {.absolute = 0x1p-21}};
  CHECK(within(absolute, element::f32, 0, nullptr, -0x1p-21));
  CHECK_FALSE(within(absolute, element::f32, 0, nullptr, 0x1.01p-21));
  const accuracy units{.bound = {.ulps = 1}};
  CHECK(within(units, element::f16, 1, nullptr, 1 + 0x1p-10));
  CHECK_FALSE(within(units, element::f16, 1, nullptr, 1 + 0x1p-9));
  CHECK(within(units, element::bf16, 1, nullptr, 1 + 0x1p-7));
  CHECK_FALSE(within(units, element::f64, 1, nullptr, 1 + 0x1p-51));
}

} // namespace tilesim::test
