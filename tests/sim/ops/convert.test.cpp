// Conversions: all values of the narrow formats, dense samples of the wide ones, rows for the
// edges. SPDX-License-Identifier: Apache-2.0
#include "apply.hpp"
#include "reference.hpp"
#include "samples.hpp"

#include <tilesim/detail/float_formats.hpp>

#include <bit>
#include <functional>
#include <limits>
#include <support/catch.hpp>

namespace tilesim::test {
namespace {

using machine::overflow;
using machine::rounding;
using machine::signedness;

constexpr attributes as_signed{.sign = signedness::signed_};
constexpr attributes as_unsigned{.sign = signedness::unsigned_};
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double quiet = std::numeric_limits<double>::quiet_NaN();

/// What the tests know of a floating-point kind, by other means than sim/fp.
struct format_facts {
  element kind;
  exact_format format;
  int exponent_bits, fraction_bits;
  double largest; ///< saturates there; infinity: does not saturate

  [[nodiscard]] double value(const void* cell) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, cell, size_of(kind));
    if (kind == element::tf32) {
      bits >>= 13;
    }
    return decode(bits, exponent_bits, fraction_bits, kind != element::f8e4m3);
  }
  /// x rounded once.
  [[nodiscard]] double rounded(double x, rounding mode = rounding::nearest_even) const {
    if (std::isnan(x)) {
      return x;
    }
    const double result = exact(opcode::ftof, format, mode, x);
    return std::fabs(result) > largest ? std::copysign(largest, x) : result;
  }
};

constexpr format_facts formats[]{
    {element::f16, exact_half, 5, 10, infinity},
    {element::bf16, exact_bfloat16, 8, 7, infinity},
    {element::tf32, exact_tf32, 8, 10, infinity},
    {element::f32, exact_float, 8, 23, infinity},
    {element::f64, exact_double, 11, 52, infinity},
    {element::f8e4m3, exact_e4m3, 4, 3, 448},
    {element::f8e5m2, exact_e5m2, 5, 2, 57344},
};

template <std::size_t Size>
struct cell {
  unsigned char bytes[Size];
};

/// Converts all cells of `source` (packed) to the target's kind; returns how many are not
/// `want(i)`.
template <class Source>
int count_wrong(opcode op,
                const attributes& modes,
                const format_facts& to,
                element from,
                const std::vector<Source>& source,
                const std::function<double(std::size_t)>& want) {
  const auto f = sim::ops::find_elementwise(op, modes, to.kind, from);
  REQUIRE(f.run != nullptr);
  std::vector<unsigned char> result(source.size() * size_of(to.kind));
  CHECK_FALSE(f.run({result.data(), {source.data(), nullptr, nullptr}, {}, source.size()}));
  int wrong = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    wrong += !same(want(i), to.value(result.data() + i * size_of(to.kind)));
  }
  return wrong;
}

} // namespace

TEST_CASE("narrow formats to all others: every value", "[ops][conversion][exhaustive]") {
  for (const auto& from : formats) {
    if (size_of(from.kind) > 2) {
      continue;
    }
    const bool byte = size_of(from.kind) == 1;
    std::vector<std::uint16_t> shorts;
    std::vector<std::uint8_t> bytes;
    for (unsigned i = 0; i < (byte ? 256U : 65536U); ++i) {
      shorts.push_back(static_cast<std::uint16_t>(i));
      bytes.push_back(static_cast<std::uint8_t>(i));
    }
    for (const auto& to : formats) {
      for (const rounding mode : {rounding::nearest_even, rounding::zero, rounding::positive_inf}) {
        if (to.kind == from.kind || (size_of(to.kind) == 1 && mode != rounding::nearest_even)) {
          continue;
        }
        CAPTURE(name(from.kind), name(to.kind), static_cast<int>(mode));
        const auto want = [&](std::size_t i) {
          return to.rounded(byte ? from.value(&bytes[i]) : from.value(&shorts[i]), mode);
        };
        const attributes modes{.round = mode};
        CHECK((byte ? count_wrong(opcode::ftof, modes, to, from.kind, bytes, want)
                    : count_wrong(opcode::ftof, modes, to, from.kind, shorts, want)) == 0);
      }
    }
  }
}

namespace {

/// Doubles at, next to and halfway between neighbours of a narrow format, and random ones.
std::vector<double> near_ties(const format_facts& to) {
  std::vector<double> found{0.0,
                            -0.0,
                            infinity,
                            -infinity,
                            quiet,
                            std::numeric_limits<double>::denorm_min(),
                            std::numeric_limits<double>::max()};
  generator next(5);
  for (int i = 0; i < 4000; ++i) {
    std::uint64_t pattern = next();
    if (to.kind == element::tf32) {
      pattern &= ~std::uint64_t{0x1fff};
    }
    const double x = to.value(&pattern);
    if (std::isnan(x) || std::isinf(x)) {
      continue;
    }
    const double unit = std::fabs(x) * std::ldexp(1.0, -to.format.precision - 1);
    const double least = std::ldexp(1.0, to.format.emin - 1);
    for (const double tie : {x, x + unit, x + unit * 2, x + least / 2, x + least / 4}) {
      for (const double y : {tie, std::nextafter(tie, infinity), std::nextafter(tie, -infinity)}) {
        found.push_back(y);
      }
    }
    found.push_back(std::bit_cast<double>(next()));
    found.push_back(to.format.emax >= 128 ? x * 1.1 : x * 40);
  }
  return found;
}

} // namespace

TEST_CASE("float and double to narrower formats: ties and their neighbours",
          "[ops][conversion][mpfr]") {
  for (const auto& to : formats) {
    if (to.kind == element::f64) {
      continue;
    }
    const std::vector<double> doubles = near_ties(to);
    std::vector<float> floats;
    for (const double x : doubles) {
      floats.push_back(static_cast<float>(x));
    }
    for (const rounding mode :
         {rounding::nearest_even, rounding::zero, rounding::negative_inf, rounding::positive_inf}) {
      if (size_of(to.kind) == 1 && mode != rounding::nearest_even) {
        continue;
      }
      CAPTURE(name(to.kind), static_cast<int>(mode));
      const attributes modes{.round = mode};
      CHECK(count_wrong(opcode::ftof, modes, to, element::f64, doubles, [&](std::size_t i) {
              return to.rounded(doubles[i], mode);
            }) == 0);
      if (to.kind != element::f32) {
        CHECK(count_wrong(opcode::ftof, modes, to, element::f32, floats, [&](std::size_t i) {
                return to.rounded(double{floats[i]}, mode);
              }) == 0);
      }
    }
  }
}

TEST_CASE("float to half, bfloat16, tf32: every 1021st pattern against the generic encoder",
          "[ops][conversion]") {
  std::vector<std::uint32_t> patterns;
  for (std::uint64_t i = 0; i < (std::uint64_t{1} << 32); i += 1021) {
    patterns.push_back(static_cast<std::uint32_t>(i));
  }
  const auto half =
      apply_all<std::uint16_t>(opcode::ftof, {}, element::f16, element::f32, patterns);
  const auto bfloat =
      apply_all<std::uint16_t>(opcode::ftof, {}, element::bf16, element::f32, patterns);
  const auto tf32 =
      apply_all<std::uint32_t>(opcode::ftof, {}, element::tf32, element::f32, patterns);
  int wrong = 0;
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    const auto x = std::bit_cast<float>(patterns[i]);
    wrong += half[i] != detail::encode<detail::half_format>(x);
    wrong += bfloat[i] != detail::encode<detail::bfloat16_format>(x);
    wrong += (tf32[i] | 0x1fffU) != (detail::encode<detail::tf32_format>(x) | 0x1fffU);
  }
  CHECK(wrong == 0);
}

TEST_CASE("conversions to fp8 saturate, infinities too", "[ops][conversion]") {
  const auto go = [](element to, float x) {
    return int{apply<std::uint8_t, float>(opcode::ftof, {}, to, element::f32, x).value};
  };
  const auto inf = std::numeric_limits<float>::infinity();
  CHECK(go(element::f8e4m3, 448.0F) == 0x7e);
  CHECK(go(element::f8e4m3, 500.0F) == 0x7e);
  CHECK(go(element::f8e4m3, -inf) == 0xfe);
  CHECK(go(element::f8e4m3, std::numeric_limits<float>::quiet_NaN()) == 0x7f);
  CHECK(go(element::f8e5m2, 1e9F) == 0x7b);
  CHECK(go(element::f8e5m2, inf) == 0x7b);
  CHECK(go(element::f8e5m2, std::numeric_limits<float>::quiet_NaN()) == 0x7f);
}

TEST_CASE("integers to floats round once", "[ops][conversion][mpfr]") {
  generator next(3);
  std::vector<std::int64_t> numbers{0,
                                    1,
                                    -1,
                                    2049,
                                    2051,
                                    65504,
                                    65519,
                                    65520,
                                    -65520,
                                    448,
                                    464,
                                    465,
                                    57344,
                                    61440,
                                    std::numeric_limits<std::int64_t>::min(),
                                    std::numeric_limits<std::int64_t>::max(),
                                    (std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1,
                                    (std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1};
  for (int i = 0; i < 20000; ++i) {
    const auto any = static_cast<std::int64_t>(next()) >> (next() % 64);
    numbers.push_back(any);
    numbers.push_back(any & ~((std::int64_t{1} << (next() % 48)) - 1)); // ties
    numbers.push_back((any & ~((std::int64_t{1} << (next() % 48)) - 1)) + 1);
  }
  std::vector<std::int32_t> ints;
  for (const auto x : numbers) {
    ints.push_back(static_cast<std::int32_t>(x));
  }
  // 64-bit integers do not fit the doubles of `exact`: round by MPFR from the integer itself.
  const auto rounded = [](const format_facts& to, std::int64_t x, bool is_signed) {
    mpfr_t r;
    mpfr_init2(r, to.format.precision);
    if (is_signed) {
      mpfr_set_sj(r, x, MPFR_RNDN);
    } else {
      mpfr_set_uj(r, static_cast<std::uint64_t>(x), MPFR_RNDN);
    }
    const double value = mpfr_get_d(r, MPFR_RNDN);
    mpfr_clear(r);
    return to.rounded(value);
  };
  for (const auto& to : formats) {
    CAPTURE(name(to.kind));
    CHECK(count_wrong(opcode::itof, as_signed, to, element::i64, numbers, [&](std::size_t i) {
            return rounded(to, numbers[i], true);
          }) == 0);
    CHECK(count_wrong(opcode::itof, as_unsigned, to, element::i64, numbers, [&](std::size_t i) {
            return rounded(to, numbers[i], false);
          }) == 0);
    CHECK(count_wrong(opcode::itof, as_signed, to, element::i32, ints, [&](std::size_t i) {
            return rounded(to, ints[i], true);
          }) == 0);
    CHECK(count_wrong(opcode::itof, as_unsigned, to, element::i32, ints, [&](std::size_t i) {
            return rounded(to, static_cast<std::uint32_t>(ints[i]), true);
          }) == 0);
  }
  CHECK(apply<std::uint16_t, std::uint8_t>(opcode::itof, as_signed, element::f16, element::i1, 1)
            .value == 0x3c00);
}

namespace {

struct to_integer_row {
  std::string_view name;
  element kind;
  signedness sign;
  double x;
  std::int64_t want;
  std::string_view undefined = "";
};
constexpr auto beyond = "not representable";

std::int64_t to_integer(const to_integer_row& r, element from, std::string& reason) {
  const attributes modes{.sign = r.sign};
  const auto get = [&]<class T>(T) {
    const auto got =
        from == element::f32
            ? apply<T, float>(opcode::ftoi, modes, r.kind, from, static_cast<float>(r.x))
            : apply<T, double>(opcode::ftoi, modes, r.kind, from, r.x);
    reason = got.undefined;
    return static_cast<std::int64_t>(got.value);
  };
  const bool is_signed = r.sign == signedness::signed_;
  switch (r.kind) {
  case element::i8:
    return is_signed ? get(std::int8_t{}) : get(std::uint8_t{});
  case element::i16:
    return is_signed ? get(std::int16_t{}) : get(std::uint16_t{});
  case element::i32:
    return is_signed ? get(std::int32_t{}) : get(std::uint32_t{});
  default:
    return is_signed ? get(std::int64_t{}) : static_cast<std::int64_t>(get(std::uint64_t{}));
  }
}

} // namespace

TEST_CASE("float to integer: truncation, and what is undefined", "[ops][conversion]") {
  using enum element;
  using enum signedness;
  constexpr auto min64 = std::numeric_limits<std::int64_t>::min();
  const auto r = GENERATE_COPY(values<to_integer_row>({
      {"truncates", i32, signed_, -3.75, -3},
      {"int, just inside", i32, signed_, -2147483648.0, -2147483648},
      {"int, beyond", i32, signed_, 2147483648.0, 2147483647, beyond},
      {"int, far below", i32, signed_, -1e30, -2147483648, beyond},
      {"unsigned, -0.5 is 0", i32, unsigned_, -0.5, 0},
      {"unsigned, -1", i32, unsigned_, -1.0, 0, beyond},
      {"unsigned, 2^31", i32, unsigned_, 2147483648.0, 2147483648},
      {"unsigned, 2^32", i32, unsigned_, 4294967296.0, 4294967295, beyond},
      {"char, just inside", i8, signed_, -128.5, -128},
      {"char, 300: low byte of 300", i8, signed_, 300, 44, beyond},
      {"char, infinity: low byte of 32767", i8, signed_, infinity, -1, beyond},
      {"unsigned char, infinity", i8, unsigned_, infinity, 255, beyond},
      {"char, 40000", i8, signed_, 40000, -1, beyond},
      {"unsigned char, 40000", i8, unsigned_, 40000, 64, beyond},
      {"short saturates", i16, signed_, 40000, 32767, beyond},
      {"unsigned short, inside", i16, unsigned_, 65535.5, 65535},
      {"long, -2^63", i64, signed_, -9223372036854775808.0, min64},
      {"long, 2^63",
       i64,
       signed_,
       9223372036854775808.0,
       std::numeric_limits<std::int64_t>::max(),
       beyond},
      {"unsigned long, 2^63", i64, unsigned_, 9223372036854775808.0, min64},
      {"unsigned long, 2^64", i64, unsigned_, 18446744073709551616.0, -1, beyond},
      {"long, NaN", i64, signed_, quiet, min64, beyond},
  }));
  const auto from = GENERATE(f32, f64);
  DYNAMIC_SECTION(r.name << " from " << name(from)) {
    std::string reason;
    CHECK(to_integer(r, from, reason) == r.want);
    CHECK(reason == r.undefined);
  }
}

TEST_CASE("NaN to integer as the hardware does it", "[ops][conversion]") {
  using enum element;
  std::string reason;
  CHECK(to_integer({"", i32, signedness::signed_, quiet, 0}, f32, reason) == 0);
  CHECK(to_integer({"", i16, signedness::signed_, quiet, 0}, f32, reason) == 0);
  CHECK(to_integer({"", i32, signedness::signed_, quiet, 0}, f64, reason) ==
        std::numeric_limits<std::int32_t>::min());
  CHECK(to_integer({"", i16, signedness::signed_, quiet, 0}, f64, reason) == -32768);
  CHECK(to_integer({"", i32, signedness::unsigned_, quiet, 0}, f64, reason) == 0x80000000);
  CHECK(to_integer({"", i8, signedness::signed_, quiet, 0}, f64, reason) == 0);
  CHECK(reason == beyond);
  CHECK(apply<std::int32_t, std::uint16_t>(opcode::ftoi, as_signed, i32, f16, 0x7e00).value == 0);
  CHECK(apply<std::int32_t, std::uint16_t>(opcode::ftoi, as_signed, i32, f16, 0xc700).value == -7);
  CHECK(apply<std::uint8_t, float>(opcode::ftoi, as_unsigned, i1, f32, static_cast<float>(quiet))
            .value == 1);
  CHECK(apply<std::uint8_t, float>(opcode::ftoi, as_unsigned, i1, f32, -0.0F).value == 0);
}

TEST_CASE("integers to wider and narrower ones", "[ops][conversion]") {
  using enum element;
  CHECK(apply<std::int32_t, std::int8_t>(opcode::exti, as_signed, i32, i8, -3).value == -3);
  CHECK(apply<std::int32_t, std::int8_t>(opcode::exti, as_unsigned, i32, i8, -3).value == 253);
  CHECK(apply<std::int64_t, std::uint8_t>(opcode::exti, as_signed, i64, i1, 1).value == 1);
  CHECK(apply<std::int8_t, std::int32_t>(opcode::trunci, {}, i8, i32, 0x181).value == -127);
  CHECK(apply<std::uint8_t, std::int32_t>(opcode::trunci, {}, i1, i32, 2).value == 0);
  CHECK(apply<std::int8_t, std::int32_t>(
            opcode::trunci, {.wrap = overflow::no_signed_wrap}, i8, i32, -128)
            .undefined == "");
  CHECK(apply<std::int8_t, std::int32_t>(
            opcode::trunci, {.wrap = overflow::no_signed_wrap}, i8, i32, 128)
            .undefined == beyond);
  CHECK(apply<std::uint8_t, std::int32_t>(
            opcode::trunci, {.wrap = overflow::no_unsigned_wrap}, i8, i32, 255)
            .undefined == "");
  CHECK(apply<std::uint8_t, std::int32_t>(
            opcode::trunci, {.wrap = overflow::no_unsigned_wrap}, i8, i32, -1)
            .undefined == beyond);
  CHECK(apply<std::uint8_t, std::int8_t>(opcode::trunci, {.wrap = overflow::no_wrap}, i1, i8, 1)
            .undefined == "");
  CHECK(apply<std::uint8_t, std::int8_t>(opcode::trunci, {.wrap = overflow::no_wrap}, i1, i8, 2)
            .undefined == beyond);
  CHECK(apply<std::int32_t, std::int32_t>(opcode::exti, as_signed, i32, i32, 1).undefined ==
        "no such operation");
}

TEST_CASE("bit casts and pointer casts keep the cell", "[ops][conversion]") {
  using enum element;
  CHECK(apply<std::uint32_t, float>(opcode::bitcast, {}, i32, f32, 1.0F).value == 0x3f800000);
  CHECK(apply<std::uint64_t, std::uint64_t>(opcode::ptr_to_int, {}, i64, ptr, 0x1234).value ==
        0x1234);
  CHECK(apply<std::uint64_t, std::uint64_t>(opcode::int_to_ptr, {}, ptr, i64, 0x1234).value ==
        0x1234);
  CHECK(apply<std::uint8_t, std::uint8_t>(opcode::bitcast, {}, i1, i8, 6).value == 1);
  CHECK(apply<std::uint32_t, std::uint16_t>(opcode::bitcast, {}, i32, f16, 6).undefined ==
        "no such operation");
  CHECK(apply<std::uint32_t, std::uint32_t>(opcode::ftof, {}, f32, tf32, 0x3f801fff).value ==
        0x3f801fff);
}

} // namespace tilesim::test
