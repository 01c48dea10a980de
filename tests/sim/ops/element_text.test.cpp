// Cells as text.
// SPDX-License-Identifier: Apache-2.0
#include "sim/ops/element_text.hpp"

#include <tilesim/detail/float_formats.hpp>

#include <cstdint>
#include <string>
#include <support/catch.hpp>

namespace tilesim::test {

TEST_CASE("texts of cells", "[ops]") {
  struct row {
    element kind;
    bool is_unsigned;
    std::uint64_t bits;
    const char* want;
  };
  const auto r = GENERATE(values<row>({
      {element::i1, true, 1, "true"},
      {element::i1, true, 0, "false"},
      {element::i8, false, 0xff, "-1"},
      {element::i8, true, 0xff, "255"},
      {element::i16, false, 0x8000, "-32768"},
      {element::i32, false, 0xfffffffd, "-3"},
      {element::i64, true, ~std::uint64_t{0}, "18446744073709551615"},
      {element::ptr, false, 0x7f0040001000, "0x7f0040001000"},
      {element::f16, false, 0x2e66, "0.1"},
      {element::f16, false, 0x7bff, "65504"},
      {element::f16, false, 0xfc00, "-inf"},
      {element::f16, false, 0x7fff, "nan"},
      {element::f16, false, 0x8000, "-0"},
      {element::f16, false, 0x0001, "6e-08"},
      {element::bf16, false, 0x3f80, "1"},
      {element::bf16, false, 0x3e9a, "0.3"},
      {element::bf16, false, 0x7f7f, "3.39e+38"},
      {element::tf32, false, 0x3dccc000, "0.1"},
      {element::f32, false, 0x3dcccccd, "0.1"},
      {element::f32, false, 0xffc00000, "nan"},
      {element::f64, false, 0x3fb999999999999a, "0.1"},
      {element::f8e4m3, false, 0x7e, "448"},
      {element::f8e4m3, false, 0x7f, "nan"},
      {element::f8e4m3, false, 0x01, "0.001953125"},
      {element::f8e4m3, false, 0x3a, "1.25"},
      {element::f8e5m2, false, 0x7b, "57344"},
      {element::f8e5m2, false, 0x7c, "inf"},
  }));
  CAPTURE(name(r.kind), r.bits);
  CHECK(sim::ops::element_text(r.kind, r.is_unsigned, &r.bits) == r.want);
}

TEST_CASE("texts of all halves read back", "[ops][exhaustive]") {
  int wrong = 0;
  for (std::uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const auto cell = static_cast<std::uint16_t>(bits);
    const std::string text = sim::ops::element_text(element::f16, false, &cell);
    wrong += detail::encode<detail::half_format>(std::stod(text)) != cell;
  }
  CHECK(wrong == 0);
}

} // namespace tilesim::test
