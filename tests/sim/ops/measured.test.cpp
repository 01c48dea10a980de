// What an H200 was measured to give: under arithmetic::hardware where it differs from the page, and
// after undefined operations always. docs/hardware.md; the recordings under tests/gpu say the same
// of thousands of operands.
// SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "sim/ops/rmw.hpp"

#include <bit>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::rmw_mode;
using machine::rounding;
using machine::signedness;

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr u64 nan_a = 0x7ff0000000000001, nan_b = 0xfffe51b0ef953636; // signalling, quiet
constexpr u64 quiet_a = 0x7ff8000000000001;
constexpr u64 one = 0x3ff0000000000000;

u64 measured(opcode op, const attributes& modes, u64 a, u64 b = 0, u64 c = 0) {
  return apply<u64>(op, modes, element::f64, element::f64, a, b, c, arithmetic::hardware).value;
}

template <class To, class From>
To converted(element to, element from, From x, arithmetic how) {
  return apply<To>(opcode::ftof, {}, to, from, x, From{}, From{}, how).value;
}

} // namespace

TEST_CASE("which NaN an operation on double gives", "[ops][hardware]") {
  constexpr attributes propagate{.propagate_nan = true};
  for (const opcode op : {opcode::addf, opcode::subf, opcode::mulf, opcode::remf, opcode::maxf}) {
    CAPTURE(static_cast<int>(op));
    CHECK(measured(op, {}, nan_a, nan_b) == nan_b);
    CHECK(measured(op, {}, nan_b, nan_a) == quiet_a);
  }
  CHECK(measured(opcode::addf, {.round = rounding::zero}, nan_a, nan_b) == nan_b);
  CHECK(measured(opcode::addf, {}, nan_a, one) == quiet_a);
  CHECK(measured(opcode::divf, {}, nan_a, nan_b) == quiet_a);
  CHECK(measured(opcode::divf, {}, one, nan_b) == nan_b);
  CHECK(measured(opcode::fma, {}, nan_a, nan_b, 0x7ff8000000000002) == nan_b);
  CHECK(measured(opcode::fma, {}, nan_a, one, nan_b) == nan_b);
  CHECK(measured(opcode::fma, {}, nan_a, one, one) == quiet_a);
  CHECK(measured(opcode::maxf, {}, nan_a, one) == one);
  CHECK(measured(opcode::maxf, propagate, nan_b, one) == 0x7ff8000000000000);
  CHECK(measured(opcode::minf, propagate, one, nan_b) == 0x7ff8000000000000);
  CHECK(measured(opcode::minf, propagate, one, one) == one);
}

TEST_CASE("negation and absolute value leave a double NaN its sign", "[ops][hardware]") {
  CHECK(measured(opcode::negf, {}, nan_b) == nan_b);
  CHECK(measured(opcode::absf, {}, nan_b) == nan_b);
  CHECK(measured(opcode::negf, {}, nan_a) == quiet_a);
  CHECK(measured(opcode::negf, {}, one) == 0xbff0000000000000);
  CHECK(measured(opcode::absf, {}, 0xbff0000000000000) == one);
}

TEST_CASE("conversions of NaNs that keep the payload", "[ops][hardware]") {
  using enum arithmetic;
  CHECK(converted<u32>(element::f32, element::f64, u64{0x7ffbe1e459320dd7}, hardware) ==
        0x7fdf0f22);
  CHECK(converted<u32>(element::f32, element::f64, u64{0x7ff3e1e459320dd7}, hardware) ==
        0x7fdf0f22);
  CHECK(converted<u16>(element::f16, element::f64, u64{0x7ffbe1e459320dd7}, hardware) == 0x7ef8);
  CHECK(converted<u16>(element::bf16, element::f64, u64{0xfffbe1e459320dd7}, hardware) == 0xffdf);
  CHECK(converted<u64>(element::f64, element::f16, u16{0xfc01}, hardware) == 0xfff8040000000000);
  CHECK(converted<u32>(element::f32, element::bf16, u16{0xffb5}, hardware) == 0xffb50000);
  CHECK(converted<u64>(element::f64, element::f8e5m2, u8{0xfe}, hardware) == 0x7ffffc0000000000);
  CHECK(converted<u32>(element::f32, element::f16, u16{0xfc01}, hardware) == 0x7fffffff);
  // Numbers are converted as ever, and by the page a narrower NaN is the canonical one.
  CHECK(converted<u32>(element::f32, element::f64, one, hardware) == 0x3f800000);
  CHECK(converted<u64>(element::f64, element::f16, u16{0x3c00}, hardware) == one);
  CHECK(converted<u32>(element::f32, element::f64, u64{0x7ffbe1e459320dd7}, page) == 0x7fffffff);
}

TEST_CASE("integers become e5m2 by way of half", "[ops][hardware]") {
  const auto to_e5m2 = [](u32 x, arithmetic how) {
    return apply<u8>(opcode::itof,
                     {.sign = signedness::signed_},
                     element::f8e5m2,
                     element::i32,
                     x,
                     u32{},
                     u32{},
                     how)
        .value;
  };
  CHECK(to_e5m2(26628, arithmetic::page) == 0x77);     // above the tie 26624
  CHECK(to_e5m2(26628, arithmetic::hardware) == 0x76); // as a half it is the tie
  CHECK(to_e5m2(28672, arithmetic::hardware) == 0x77);
  CHECK(to_e5m2(0x80000000, arithmetic::hardware) == 0xfb); // saturates
}

TEST_CASE("double becomes 8-bit floats and tf32 by way of float", "[ops][hardware]") {
  constexpr u64 below_tie = 0xbff2ffffffffed24; // a little above -1.1875, which it is as a float
  CHECK(converted<u8>(element::f8e4m3, element::f64, below_tie, arithmetic::page) == 0xb9);
  CHECK(converted<u8>(element::f8e4m3, element::f64, below_tie, arithmetic::hardware) == 0xba);
  constexpr u64 above_tie = 0x3fb200000005d906; // a little above 0.0703125
  CHECK(converted<u8>(element::f8e5m2, element::f64, above_tie, arithmetic::page) == 0x2d);
  CHECK(converted<u8>(element::f8e5m2, element::f64, above_tie, arithmetic::hardware) == 0x2c);
  constexpr u64 above_ten_bits = 0x3ff0020000000001; // a little above 1 + 2^-11
  CHECK(converted<u32>(element::tf32, element::f64, above_ten_bits, arithmetic::page) ==
        0x3f802000);
  CHECK(converted<u32>(element::tf32, element::f64, above_ten_bits, arithmetic::hardware) ==
        0x3f800000);
}

TEST_CASE("integers become tf32 by way of float", "[ops][hardware]") {
  const auto to_tf32 = [](u64 x, arithmetic how) {
    return apply<u32>(opcode::itof,
                      {.sign = signedness::signed_},
                      element::tf32,
                      element::i64,
                      x,
                      u64{},
                      u64{},
                      how)
        .value;
  };
  CHECK(to_tf32(0x18a5fff00000, arithmetic::page) == 0x55c52000);
  CHECK(to_tf32(0x18a5fff00000, arithmetic::hardware) == 0x55c54000);
}

TEST_CASE("of a count of 64 bits the low half counts", "[ops][hardware]") {
  const auto shifted = [](opcode op, signedness sign, u64 a, u64 count) {
    return apply<u64>(op, {.sign = sign}, element::i64, element::i64, a, count).value;
  };
  const auto [left, right] = std::pair{opcode::shli, opcode::shri};
  using enum signedness;
  CHECK(shifted(left, signed_, 7, 0x8000000100000000) == 7);
  CHECK(shifted(left, unsigned_, 0xfffffffffffffffc, 0x100000001) == 0xfffffffffffffff8);
  CHECK(shifted(right, signed_, 0x8000000000000000, 0x100000000) == 0x8000000000000000);
  CHECK(shifted(right, signed_, 0x8000000000000000, 64) == ~u64{0});
  CHECK(shifted(right, unsigned_, 0x8000000000000000, 64) == 0);
  CHECK(shifted(left, signed_, 1, ~u64{0}) == 0);
}

TEST_CASE("atomic addition of float takes and gives zeros of the sign for subnormals",
          "[ops][hardware]") {
  const auto sum = [](u32 cell, u32 value, arithmetic how) {
    const auto f = sim::ops::find_rmw(rmw_mode::addf, element::f32, signedness::signed_, how);
    REQUIRE(f != nullptr);
    f(&cell, &value);
    return cell;
  };
  CHECK(sum(0x80000000, 0x80400000, arithmetic::hardware) == 0x80000000);
  CHECK(sum(0x00800001, 0x80ffffff, arithmetic::hardware) == 0x80000000);
  CHECK(sum(0x00000001, 0x3f800000, arithmetic::hardware) == 0x3f800000);
  CHECK(sum(0x80000000, 0x80400000, arithmetic::page) == 0x80400000);
}

} // namespace tilesim::test
