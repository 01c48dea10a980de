// Read-modify-write of one cell, by mode and kind.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/rmw.hpp"

#include <bit>
#include <cstring>
#include <limits>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::rmw_mode;
using machine::signedness;
using sim::ops::add_overflows;
using sim::ops::arithmetic;
using sim::ops::find_rmw;

template <class T>
T after(rmw_mode mode,
        element kind,
        T cell,
        T argument,
        signedness sign = signedness::signed_,
        arithmetic how = arithmetic::page) {
  const auto f = find_rmw(mode, kind, sign, how);
  REQUIRE(f != nullptr);
  f(&cell, &argument);
  return cell;
}

constexpr std::int32_t min32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t max32 = std::numeric_limits<std::int32_t>::max();

} // namespace

TEST_CASE("integer read-modify-write", "[ops][atomic]") {
  using enum rmw_mode;
  CHECK(after<std::int32_t>(and_, element::i32, 12, 10) == 8);
  CHECK(after<std::int32_t>(or_, element::i32, 12, 10) == 14);
  CHECK(after<std::int64_t>(xor_, element::i64, 12, 10) == 6);
  CHECK(after<std::int32_t>(add, element::i32, max32, 1) == min32);
  CHECK(after<std::int64_t>(add, element::i64, 40, 2) == 42);
  CHECK(after<std::int32_t>(max, element::i32, -1, 1) == 1);
  CHECK(after<std::int32_t>(max, element::i32, -1, 1, signedness::unsigned_) == -1);
  CHECK(after<std::int32_t>(umax, element::i32, -1, 1) == -1);
  CHECK(after<std::int32_t>(min, element::i32, -1, 1) == -1);
  CHECK(after<std::int64_t>(umin, element::i64, -1, 1) == 1);
  CHECK(after<std::int32_t>(xchg, element::i32, 1, 2) == 2);
  CHECK(after<float>(xchg, element::f32, 1.0F, 2.0F) == 2.0F);
  CHECK(after<std::uint16_t>(xchg, element::bf16, 1, 2) == 2);
}

TEST_CASE("there is no bitwise or maximum operation on floats", "[ops][atomic]") {
  CHECK(find_rmw(rmw_mode::and_, element::f32, signedness::signed_) == nullptr);
  CHECK(find_rmw(rmw_mode::max, element::f64, signedness::signed_) == nullptr);
  CHECK(find_rmw(rmw_mode::add, element::f32, signedness::signed_) == nullptr);
  CHECK(find_rmw(rmw_mode::addf, element::i32, signedness::signed_) == nullptr);
}

TEST_CASE("float addition in memory", "[ops][atomic]") {
  const auto addf = rmw_mode::addf;
  CHECK(after<float>(addf, element::f32, 1.5F, 2.0F) == 3.5F);
  CHECK(after<double>(addf, element::f64, 1.5, 2.0) == 3.5);
  CHECK(after<std::uint16_t>(addf, element::f16, 0x3c00, 0x4000) == 0x4200);
  CHECK(after<std::uint16_t>(addf, element::f16, 0x6800, 0x3c00) == 0x6800); // 2048 + 1: to even
  CHECK(after<std::uint16_t>(addf, element::bf16, 0x3f80, 0x3f80) == 0x4000);
  CHECK(after<std::uint16_t>(addf, element::f16, 0x0001, 0x0001) == 0x0002);
}

TEST_CASE("subnormals in float atomic_add: kept by the page, flushed by the hardware",
          "[ops][atomic]") {
  const auto add = [](std::uint32_t a, std::uint32_t b, arithmetic how) {
    return after<std::uint32_t>(rmw_mode::addf, element::f32, a, b, signedness::signed_, how);
  };
  CHECK(add(1, 1, arithmetic::page) == 2);
  CHECK(add(1, 1, arithmetic::hardware) == 0);
  CHECK(add(0x80000002, 1, arithmetic::hardware) == 0);
  CHECK(add(0x00000001, 0, arithmetic::hardware) == 0);
  CHECK(add(0x00800001, 0x80800000, arithmetic::hardware) == 0);
  CHECK(add(0x3f800000, 0x3f800000, arithmetic::hardware) == 0x40000000);
}

TEST_CASE("overflow of a signed atomic addition", "[ops][atomic]") {
  const std::int32_t one = 1, near = max32 - 1, top = max32;
  CHECK_FALSE(add_overflows(element::i32, signedness::signed_, &near, &one));
  CHECK(add_overflows(element::i32, signedness::signed_, &top, &one));
  CHECK_FALSE(add_overflows(element::i32, signedness::unsigned_, &top, &one));
  const std::int64_t wide = std::numeric_limits<std::int64_t>::min(), minus = -1;
  CHECK(add_overflows(element::i64, signedness::signed_, &wide, &minus));
}

} // namespace tilesim::test
