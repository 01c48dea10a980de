// Reductions and scans: what overflows in some order of their operations.
//
// SPDX-License-Identifier: Apache-2.0
#include "samples.hpp"
#include "shaped.hpp"
#include "sim/ops/combine.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <vector>

namespace tilesim::test {

namespace {

namespace ops = sim::ops;
using machine::opcode;

template <class T>
bool overflows(opcode body, bool is_scan, element kind, std::vector<T> x) {
  const auto n = static_cast<std::uint32_t>(x.size());
  return ops::find_partial_overflow(body, is_scan, shaped<T>(kind, {n}, std::move(x)), 0)
      .has_value();
}

/// All subsets, or all runs of neighbours, one by one.
bool some_subset_overflows(opcode body, bool runs_only, const std::vector<std::int8_t>& x) {
  for (unsigned set = 1; set < 1U << x.size(); ++set) {
    const unsigned from_first = set / (set & (0U - set));
    if (runs_only && (from_first & (from_first + 1)) != 0) {
      continue;
    }
    std::int64_t value = body == opcode::addi ? 0 : 1;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if ((set >> k & 1U) != 0) {
        value = body == opcode::addi ? value + x[k] : value * x[k];
      }
    }
    if (value > 127 || value < -128) {
      return true;
    }
  }
  return false;
}

} // namespace

// [reductions and scans] "if any order … would be undefined, the whole operation is": exactly those
// of which some subset, or for a scan some run of neighbours, leaves the type.
TEST_CASE("what overflows in some order, against all subsets", "[ops][overflow]") {
  const auto body = GENERATE(opcode::addi, opcode::muli);
  const bool is_scan = GENERATE(false, true);
  generator next(11);
  const std::vector<std::int8_t> choice =
      body == opcode::addi
          ? std::vector<std::int8_t>{-128, 127, 64, -64, 63, -65, 1, -1, 0, 32, -32, 100}
          : std::vector<std::int8_t>{1, -1, 2, -2, 4, -4, 8, -8, 0, 3, -16, 127, -128, 11};
  int differ = 0, found = 0;
  for (int sample = 0; sample < 20000; ++sample) {
    std::vector<std::int8_t> x(std::size_t{1} << (next() % 4));
    for (auto& v : x) {
      v = choice[next() % choice.size()];
    }
    const bool expected = some_subset_overflows(body, is_scan, x);
    found += expected;
    differ += overflows(body, is_scan, element::i8, x) != expected;
  }
  CHECK(differ == 0);
  CHECK(found > 2000);
  CHECK(found < 19000);
}

TEST_CASE("partial overflow at the limits of each type", "[ops][overflow]") {
  CHECK_FALSE(overflows<std::int32_t>(opcode::addi, false, element::i32, {INT32_MAX, 0, 0, -1}));
  CHECK(overflows<std::int32_t>(opcode::addi, false, element::i32, {INT32_MAX, 0, -1, 1}));
  CHECK_FALSE(
      overflows<std::int64_t>(opcode::addi, false, element::i64, {INT64_MAX, INT64_MIN, 0, 0}));
  CHECK(overflows<std::int64_t>(opcode::addi, false, element::i64, {INT64_MAX, INT64_MIN, 0, 1}));
  CHECK(overflows<std::int64_t>(opcode::addi, true, element::i64, {INT64_MIN, 0, 0, -1}));
  CHECK_FALSE(overflows<std::int64_t>(
      opcode::addi, true, element::i64, {INT64_MIN, INT64_MAX, INT64_MIN + 1, INT64_MAX}));
  CHECK(overflows<std::int64_t>(
      opcode::addi, true, element::i64, {INT64_MIN, INT64_MAX, INT64_MIN, 0}));
  CHECK_FALSE(overflows<std::int64_t>(opcode::muli, false, element::i64, {INT64_MIN, 1, 1, 1}));
  CHECK(overflows<std::int64_t>(opcode::muli, false, element::i64, {INT64_MIN, 1, 1, -1}));
  CHECK(overflows<std::int64_t>(
      opcode::muli, false, element::i64, {INT64_MAX, 2, 0, 0})); // 0 may come last
  CHECK_FALSE(overflows<std::int64_t>(opcode::muli, true, element::i64, {INT64_MAX, 0, 2, 1}));
  CHECK_FALSE(overflows<std::uint8_t>(opcode::addi, false, element::i1, {1, 1, 1, 1}));
  CHECK_FALSE(overflows<float>(opcode::addf, false, element::f32, {3e38F, 3e38F}));
}

TEST_CASE("the finding names the lane and the run", "[ops][overflow]") {
  const shaped<std::int32_t> x(element::i32, {2, 4}, {1, 2, 3, 4, -5, INT32_MAX, 1, -9});
  const auto rows = ops::find_partial_overflow(opcode::addi, false, x, 1);
  REQUIRE(rows);
  CHECK(rows->first_element == 4);
  CHECK(rows->stride == 1);
  CHECK(rows->length == 4);
  CHECK(rows->above);
  const auto run = ops::find_partial_overflow(opcode::addi, true, x, 1);
  REQUIRE(run);
  CHECK(run->from == 1);
  CHECK(run->to == 2);
  const auto columns = ops::find_partial_overflow(opcode::addi, false, x, 0);
  REQUIRE(columns);
  CHECK(columns->first_element == 1);
  CHECK(columns->stride == 4);
}

} // namespace tilesim::test
