// Forms of print/x and x/8dw: gdb's letters show an element's bits.
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/formats.hpp"

#include <array>
#include <cstring>
#include <limits>
#include <support/catch.hpp>

using tilesim::sim::step::formatted;

namespace {

template <class T>
std::string shown(T x, char letter) {
  std::array<std::uint8_t, sizeof x> cell{};
  std::memcpy(cell.data(), &x, sizeof x);
  return formatted(cell, letter);
}

} // namespace

TEST_CASE("forms of integers show the bits of their size", "[step]") {
  CHECK(shown(std::int32_t{-2}, 'x') == "0xfffffffe");
  CHECK(shown(std::int32_t{-2}, 'd') == "-2");
  CHECK(shown(std::int32_t{-2}, 'u') == "4294967294");
  CHECK(shown(std::int8_t{-2}, 'x') == "0xfe");
  CHECK(shown(std::uint8_t{0xfe}, 'd') == "-2");
  CHECK(shown(std::uint16_t{8}, 'o') == "010");
  CHECK(shown(std::uint16_t{0}, 'o') == "0");
  CHECK(shown(std::uint16_t{5}, 't') == "101");
  CHECK(shown(std::uint64_t{1} << 40, 'a') == "0x10000000000");
  CHECK(shown(std::numeric_limits<std::int64_t>::min(), 'd') == "-9223372036854775808");
  CHECK(shown(std::numeric_limits<std::int64_t>::max(), 'u') == "9223372036854775807");
}

TEST_CASE("the form f reads bits as the floating-point type of their size", "[step]") {
  CHECK(shown(std::uint32_t{0x3fc00000}, 'f') == "1.5");
  CHECK(shown(std::uint64_t{0x3ff8000000000000}, 'f') == "1.5");
  CHECK(shown(std::uint16_t{0x3e00}, 'f') == "1.5");
  CHECK(shown(std::int8_t{-3}, 'f') == "-3");
  CHECK(shown(1.5F, 'x') == "0x3fc00000");
}

TEST_CASE("the form c shows a code and its character", "[step]") {
  CHECK(shown('A', 'c') == "65 'A'");
  CHECK(shown('\n', 'c') == R"(10 '\012')");
  CHECK(shown(static_cast<signed char>(-1), 'c') == R"(-1 '\377')");
}

TEST_CASE("other letters and other sizes are refused", "[step]") {
  CHECK_THROWS_AS(shown(1, 'z'), std::invalid_argument);
  CHECK_THROWS_AS(formatted({}, 'x'), std::invalid_argument);
  CHECK_THROWS_AS(formatted(std::array<std::uint8_t, 9>{}, 'x'), std::invalid_argument);
}
