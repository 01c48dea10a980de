// All 2^32 pairs of 16-bit integers through every operation. Minutes: label slow. Of 8 bits all
// pairs run every day: dense.test.cpp. SPDX-License-Identifier: Apache-2.0
#include "integer_pairs.hpp"

#include <support/catch.hpp>

namespace tilesim::test {
namespace {

template <class T>
void check_every(bool divides) {
  for (const integer_case<T>& test : integer_cases<T>()) {
    if ((test.op == opcode::divi || test.op == opcode::remi) == divides) {
      CAPTURE(test.name);
      CHECK(first_mismatch_of_all(test) == "");
    }
  }
}

} // namespace

TEST_CASE("all pairs of 16-bit integers: all but division", "[exhaustive]") {
  check_every<std::int16_t>(false);
}
TEST_CASE("all pairs of unsigned 16-bit integers: all but division", "[exhaustive]") {
  check_every<std::uint16_t>(false);
}
TEST_CASE("all pairs of 16-bit integers: division", "[exhaustive]") {
  check_every<std::int16_t>(true);
}
TEST_CASE("all pairs of unsigned 16-bit integers: division", "[exhaustive]") {
  check_every<std::uint16_t>(true);
}

} // namespace tilesim::test
