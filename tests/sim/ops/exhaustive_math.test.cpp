// Every float through every math function of one operand: correctly rounded, all 2^32.
//
// This is the proof of what math.test.cpp samples. Minutes each, so two cases a function: positive
// floats and negative ones.
// SPDX-License-Identifier: Apache-2.0
#include "math_reference.hpp"
#include "sim/ops/elementwise.hpp"

#include <bit>
#include <cmath>
#include <string_view>
#include <support/catch.hpp>
#include <vector>

namespace tilesim::test {
namespace {

/// All floats of one sign.
void check_every_float(std::string_view name, std::uint32_t sign) {
  constexpr std::uint32_t piece = 1U << 16;
  const math_function& f = math_function_named(name);
  const auto found = sim::ops::find_elementwise(f.op, f.modes, element::f32, element::f32);
  REQUIRE(found.run != nullptr);
  std::vector<float> x(piece), got(piece);
  std::uint64_t wrong = 0;
  std::uint64_t by_three = 0; // decided by MPFR
  for (std::uint32_t start = 0; start < 0x80000000U; start += piece) {
    for (std::uint32_t i = 0; i < piece; ++i) {
      x[i] = std::bit_cast<float>((start + i) | sign);
    }
    CHECK_FALSE(found.run({got.data(), {x.data(), nullptr, nullptr}, {}, piece}));
    for (std::uint32_t i = 0; i < piece; ++i) {
      const double y = f.host(x[i]);
      const auto low = static_cast<float>(y * (1 - 0x1p-49)); // as correctly_rounded, inlined
      const auto high = static_cast<float>(y * (1 + 0x1p-49));
      bool right = false;
      if (y != y) {
        right = std::bit_cast<std::uint32_t>(got[i]) == 0x7fffffffU;
      } else {
        by_three += low != high;
        const auto want = static_cast<float>(low == high ? low : by_mpfr(f, exact_float, x[i]));
        right = std::bit_cast<std::uint32_t>(got[i]) == std::bit_cast<std::uint32_t>(want);
      }
      if (!right && ++wrong < 20) {
        UNSCOPED_INFO(std::hexfloat << x[i] << " gives " << got[i] << ", the host " << y);
      }
    }
  }
  CAPTURE(by_three);
  CHECK(wrong == 0);
}

} // namespace

#define EVERY_FLOAT(name)                                                                          \
  TEST_CASE(#name " of every positive float is correctly rounded", "[ops][math][exhaustive]") {    \
    check_every_float(#name, 0);                                                                   \
  }                                                                                                \
  TEST_CASE(#name " of every negative float is correctly rounded", "[ops][math][exhaustive]") {    \
    check_every_float(#name, 0x80000000U);                                                         \
  }
EVERY_FLOAT(ceil)
EVERY_FLOAT(floor)
EVERY_FLOAT(sqrt)
EVERY_FLOAT(rsqrt)
EVERY_FLOAT(exp)
EVERY_FLOAT(exp2)
EVERY_FLOAT(log)
EVERY_FLOAT(log2)
EVERY_FLOAT(sin)
EVERY_FLOAT(cos)
EVERY_FLOAT(tan)
EVERY_FLOAT(sinh)
EVERY_FLOAT(cosh)
EVERY_FLOAT(tanh)
#undef EVERY_FLOAT

} // namespace tilesim::test
