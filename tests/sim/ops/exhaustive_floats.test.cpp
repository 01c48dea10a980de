// All 2^32 floats through the operations of one operand and the conversions, and all 2^32 ints to
// the floating-point formats. Minutes each: label slow.
// SPDX-License-Identifier: Apache-2.0
#include "unary_cases.hpp"

#include <cstdio>
#include <numeric>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

/// All cells of 32 bits through each of the cases. Says on standard error how far it is.
void check_all(const std::vector<unary_case>& cases) {
  REQUIRE_FALSE(cases.empty());
  constexpr unsigned chunk = 1U << 16;
  std::vector<std::uint32_t> cells(chunk);
  for (const unary_case& test : cases) {
    INFO(test.name);
    unary_check check(test);
    REQUIRE(check.exists());
    for (unsigned part = 0; part < chunk; ++part) {
      if (part % 8192 == 0) {
        std::fprintf(stderr, "%s: %u/8\n", test.name.c_str(), part / 8192);
      }
      std::iota(cells.begin(), cells.end(), part * chunk);
      const std::string wrong = check.first_mismatch(cells.data(), chunk);
      if (!wrong.empty()) {
        FAIL_CHECK(wrong);
        break;
      }
    }
    SUCCEED();
  }
}

} // namespace

TEST_CASE("all floats: negation, absolute value", "[exhaustive]") {
  check_all(sign_cases(element::f32));
}

TEST_CASE("all floats to half", "[exhaustive]") {
  check_all(rounding_cases(element::f32, element::f16));
}
TEST_CASE("all floats to bfloat16", "[exhaustive]") {
  check_all(rounding_cases(element::f32, element::bf16));
}
TEST_CASE("all floats to tf32", "[exhaustive]") {
  check_all(rounding_cases(element::f32, element::tf32));
}
TEST_CASE("all floats to e4m3", "[exhaustive]") {
  check_all(rounding_cases(element::f32, element::f8e4m3));
}
TEST_CASE("all floats to e5m2", "[exhaustive]") {
  check_all(rounding_cases(element::f32, element::f8e5m2));
}
TEST_CASE("all floats to double", "[exhaustive]") {
  check_all(rounding_cases(element::f32, element::f64));
}
TEST_CASE("all floats to signed integers", "[exhaustive]") {
  check_all(truncation_cases(element::f32, machine::signedness::signed_));
}
TEST_CASE("all floats to unsigned integers", "[exhaustive]") {
  check_all(truncation_cases(element::f32, machine::signedness::unsigned_));
}

TEST_CASE("all ints to floating point", "[exhaustive]") {
  check_all(from_integer_cases(element::i32, machine::signedness::signed_));
}
TEST_CASE("all unsigned ints to floating point", "[exhaustive]") {
  check_all(from_integer_cases(element::i32, machine::signedness::unsigned_));
}

} // namespace tilesim::test
