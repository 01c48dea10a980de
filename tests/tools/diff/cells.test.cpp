// Elements as numbers: units between them, and their text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/cells.hpp"

#include "support/catch.hpp"

namespace {

using namespace tilesim::tools::diff;

} // namespace

TEST_CASE("steps between values count across zero, and both zeros are one", "[tools]") {
  const cell_type type = *find_cell_type("f32");
  CHECK(ulps_between(type, 0x00000000, 0x80000000) == 0);
  CHECK(ulps_between(type, 0x00000001, 0x80000001) == 2);
  CHECK(ulps_between(type, 0x3f800000, 0x3f7fffff) == 1);
  CHECK(ulps_between(type, 0x7f7fffff, 0x7f800000) == 1);
  CHECK(ulps_between(type, 0x7fffffff, 0x7fffffff) == 0);
  CHECK(ulps_between(type, 0x7fffffff, 0x3f800000) == UINT64_MAX);
  CHECK(ulps_between(type, 0x00000000, 0x00800000) == 0x00800000);
  CHECK(ulps_between(*find_cell_type("f64"), 0, UINT64_C(0xbff0000000000000)) ==
        UINT64_C(0x3ff0000000000000));
}

TEST_CASE("elements are shown as their bits and as the number that they are", "[tools]") {
  CHECK(cell_text(*find_cell_type("f32"), 0x3f800000) == "3f800000 (1)");
  CHECK(cell_text(*find_cell_type("f16"), 0xfc00) == "fc00 (-inf)");
  CHECK(cell_text(*find_cell_type("bf16"), 0x7fff) == "7fff (nan)");
  CHECK(cell_text(*find_cell_type("f8e4m3"), 0x7e) == "7e (448)"); // it has no infinity,
  CHECK(cell_text(*find_cell_type("f8e4m3"), 0xff) == "ff (nan)"); // and one NaN of each sign
  CHECK(cell_text(*find_cell_type("f8e5m2"), 0x01) == "01 (1.52587891e-05)");
  CHECK(cell_text(*find_cell_type("i32"), 0x10) == "00000010");
  CHECK_FALSE(find_cell_type("ptr"));
}
