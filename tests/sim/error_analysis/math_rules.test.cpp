// The rules of mathematical functions: what any point of an operand's enclosure allows is allowed
// by the enclosure, across powers of two, at the edges of domains and where the accuracy changes.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/math_rules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim;
using namespace tilesim::sim::errors;
using rule = math_function::rule;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const because why = [](const char* /*text*/) { return reason{1}; };

math_function monotone(const char* name, long double (*exact)(long double), double ulps) {
  return {.name = name,
          .is = rule::monotone,
          .op = {},
          .round = {},
          .exact = exact,
          .ulps_of_float = ulps,
          .ulps_of_double = ulps};
}

math_function fast_log() {
  math_function f = monotone("fast log", &logl, 3);
  f.absolute = 0x1p-21;
  f.from = 0.5;
  f.to = 2;
  return f;
}

math_function fast_exp10() {
  math_function f = monotone("fast exp10", &exp10l, 2);
  f.ulps_per_unit = 2.97;
  return f;
}

math_function wave(const char* name, long double (*exact)(long double)) {
  return {.name = name,
          .is = rule::wave,
          .op = {},
          .round = {},
          .exact = exact,
          .absolute = 0x1p-21,
          .from = -3.140625,
          .to = 3.140625};
}

const math_function fast_sine = wave("fast sin", &sinl);
const math_function fast_cosine = wave("fast cos", &cosl);
const math_function fast_tangent{.name = "fast tan",
                                 .is = rule::tangent,
                                 .op = {},
                                 .round = {},
                                 .ulps_of_float = 1,
                                 .parts = {&fast_sine, &fast_cosine}};
const math_function fast_log2 = [] {
  math_function f = fast_log();
  f.exact = &log2l;
  return f;
}();
const math_function fast_power{.name = "fast pow",
                               .is = rule::power,
                               .op = {},
                               .round = {},
                               .ulps_of_float = 2,
                               .parts = {&fast_log2}};

const math_function hypotenuse{.name = "hypot",
                               .is = rule::hypotenuse,
                               .op = {},
                               .round = {},
                               .ulps_of_float = 3,
                               .ulps_of_double = 2};

enclosure of(const math_function& f, const enclosure& x, const enclosure& y = {}) {
  return enclose_function(f, element::f32, {x, y}, why);
}

/// Whatever the one allows, the other does.
bool holds(const enclosure& all, const enclosure& some) {
  return all.open != 0 || (some.open == 0 && all.is_nan() == some.is_nan() &&
                           (some.is_nan() || (all.lo <= some.lo && some.hi <= all.hi)));
}

/// Two floats near one another or far apart, and one in between.
std::array<float, 3> drawn(std::mt19937& bits, float least, float greatest) {
  std::uniform_real_distribution<float> anywhere(least, greatest);
  const float a = anywhere(bits);
  float b = anywhere(bits);
  if (bits() % 2 == 0) {
    b = a;
    for (unsigned i = bits() % 4; i-- > 0;) {
      b = std::nextafter(b, greatest);
    }
  }
  const auto [lo, hi] = std::minmax(a, b);
  const float inside = lo + static_cast<float>(bits() % 3) / 2 * (hi - lo);
  return {lo, std::clamp(inside, lo, hi), hi};
}

} // namespace

TEST_CASE("what a point allows, an enclosure around it allows") {
  struct row {
    math_function function;
    float least;
    float greatest;
  };
  const std::vector<row> rows{{monotone("exp10", &exp10l, 2), -1, 1},
                              {monotone("expm1", &expm1l, 1), -1, 2},
                              {monotone("asin", &asinl, 2), -1, 1},
                              {monotone("acos", &acosl, 2), -1.5F, 1.5F},
                              {monotone("atanh", &atanhl, 3), -1.25F, 1.25F},
                              {monotone("erfc", &erfcl, 4), -2, 2},
                              {monotone("cbrt", &cbrtl, 1), -10, 10},
                              {monotone("acosh", &acoshl, 4), 0.5F, 4},
                              {monotone("log10", &log10l, 2), -1, 20},
                              {fast_log(), 0.25F, 4},
                              {fast_exp10(), -3, 3},
                              {wave("sin", &sinl), -4, 4},
                              {wave("cos", &cosl), -4, 4},
                              {fast_tangent, -4, 4}};
  std::mt19937 bits(19);
  for (const row& r : rows) {
    for (int i = 0; i < 20'000; ++i) {
      const auto [lo, x, hi] = drawn(bits, r.least, r.greatest);
      INFO(r.function.name << " of " << x << " in [" << lo << ", " << hi << "]");
      REQUIRE(holds(of(r.function, {lo, hi, 0}), of(r.function, point(x))));
    }
  }
}

TEST_CASE("results on both sides of a power of two: the greater unit counts") {
  // The floats around the operand where the function crosses the power of two.
  const math_function f = monotone("exp10", &exp10l, 2);
  for (const float power : {0.25F, 0.5F, 1.0F, 2.0F, 4.0F}) {
    float x = std::log10(power);
    for (int i = 0; i < 4; ++i) {
      x = std::nextafter(x, -1.0F);
    }
    for (int i = 0; i < 8; ++i) {
      const float next = std::nextafter(x, 1.0F);
      CHECK(holds(of(f, {x, next, 0}), of(f, point(next))));
      x = next;
    }
  }
  const float below = std::nextafter(1.0F, 0.0F);
  CHECK(holds(of(hypotenuse, {below, 1, 0}, point(0)), of(hypotenuse, point(1), point(0))));
}

TEST_CASE("of a fast power, too, in both operands") {
  std::mt19937 bits(7);
  for (int i = 0; i < 20'000; ++i) {
    const auto [a, x, b] = drawn(bits, -0.25F, 4);
    const auto [c, y, d] = drawn(bits, -40, 40);
    INFO(x << " in [" << a << ", " << b << "], " << y << " in [" << c << ", " << d << "]");
    REQUIRE(holds(of(fast_power, {a, b, 0}, {c, d, 0}), of(fast_power, point(x), point(y))));
  }
}

// [CUDA C++ Programming Guide, Intrinsic Functions: "derived from its implementation as
// exp2f(y * __log2f(x))", "… as __sinf(x) * (1 / __cosf(x))"]
TEST_CASE("fast powers and tangents are as their parts make them") {
  CHECK(of(fast_power, point(-2), point(2)).is_nan());
  CHECK(of(fast_power, point(0), point(0)).is_nan());
  CHECK(of(fast_power, point(infinity), point(0)).is_nan());
  CHECK(of(fast_power, point(0), point(2)).hi == 0);
  CHECK(of(fast_power, point(0), point(-2)).lo == infinity);
  CHECK(of(fast_power, {0, 1, 0}, {0, 1, 0}).open != 0); // 0 to the power of 0 is among them
  const enclosure power = of(fast_power, point(3), point(20));
  CHECK((power.lo < 3486784401.0 && power.hi > 3486784401.0));
  CHECK(power.hi - power.lo < 3486784401.0 * 0x1p-15);  // an exponent of 32, off by 3 units
  CHECK(of(fast_power, point(2), point(-140)).lo == 0); // it may be flushed
  CHECK(of(fast_tangent, point(1.5707963F)).open != 0);
  CHECK(of(fast_tangent, point(4)).open != 0);
  CHECK(of(fast_tangent, point(infinity)).is_nan());
  const enclosure tangent = of(fast_tangent, point(-1));
  CHECK((tangent.lo < -1.5574077 && tangent.hi > -1.5574077 && tangent.hi - tangent.lo < 0x1p-17));
}

TEST_CASE("of a hypotenuse, too, in both operands") {
  std::mt19937 bits(5);
  for (int i = 0; i < 20'000; ++i) {
    const auto [a, x, b] = drawn(bits, -3, 3);
    const auto [c, y, d] = drawn(bits, -3, 3);
    INFO(x << " in [" << a << ", " << b << "], " << y << " in [" << c << ", " << d << "]");
    REQUIRE(holds(of(hypotenuse, {a, b, 0}, {c, d, 0}), of(hypotenuse, point(x), point(y))));
  }
}

TEST_CASE("a domain may lie between the ends, and then nothing is known") {
  const math_function acos = monotone("acos", &acosl, 2);
  CHECK(of(acos, {-1.5, 1.5, 0}).open != 0);
  CHECK(of(acos, {0.5, 1.5, 0}).open != 0);
  CHECK(of(acos, {1.25, 1.5, 0}).is_nan());
  CHECK(of(acos, some_nan()).is_nan());
  CHECK(of(monotone("log", &logl, 1), {-2, -1, 0}).is_nan());
  CHECK(of(wave("sin", &sinl), {-infinity, infinity, 0}).open != 0);
  CHECK(of(wave("sin", &sinl), point(infinity)).is_nan());
  CHECK(of(wave("sin", &sinl), point(4)).open != 0); // beyond pi nothing is documented
  CHECK(of(hypotenuse, point(infinity), some_nan()).lo == infinity);
  CHECK(of(hypotenuse, {-infinity, infinity, 0}, some_nan()).open != 0);
  CHECK(of(hypotenuse, point(1), some_nan()).is_nan());
}

TEST_CASE("what is open stays so, and what is not known is") {
  CHECK(of(hypotenuse, point(1), opened(7)).open == 7);
  CHECK(of(monotone("exp10", &exp10l, 2), opened(3)).open == 3);
  CHECK(of({.name = "tgamma"}, point(1)).open == 1);
}
