// All 2^32 pairs of half and of bfloat16 through every operation of two operands. Minutes each:
// label slow. A dense sample runs every day: dense.test.cpp. SPDX-License-Identifier: Apache-2.0
#include "narrow_pairs.hpp"
#include "samples.hpp"

#include <support/catch.hpp>

namespace tilesim::test {
namespace {

struct half : half_reference {
  static constexpr element kind = element::f16;
};
struct bfloat16 : bfloat16_reference {
  static constexpr element kind = element::bf16;
};

/// The cases of one opcode.
template <class Format>
void check_all_pairs(const std::vector<narrow_case>& cases, opcode op) {
  int checked = 0;
  for (const narrow_case& test : cases) {
    if (test.op == op) {
      CAPTURE(test.name);
      CHECK(first_mismatch_of_all(test, Format::kind) == "");
      ++checked;
    }
  }
  CHECK(checked != 0);
}

template <class Format>
void check_default(opcode op) {
  check_all_pairs<Format>(default_cases<Format>(), op);
}
template <class Format>
void check_directed(opcode op) {
  check_all_pairs<Format>(directed_cases<Format>(), op);
}

} // namespace

#define TILESIM_ALL_PAIRS(operation)                                                               \
  TEMPLATE_TEST_CASE("all pairs: " operation, "[exhaustive]", half, bfloat16)

TILESIM_ALL_PAIRS("add") {
  check_default<TestType>(opcode::addf);
}
TILESIM_ALL_PAIRS("sub") {
  check_default<TestType>(opcode::subf);
}
TILESIM_ALL_PAIRS("mul") {
  check_default<TestType>(opcode::mulf);
}
TILESIM_ALL_PAIRS("div") {
  check_default<TestType>(opcode::divf);
}
TILESIM_ALL_PAIRS("remainder") {
  check_default<TestType>(opcode::remf);
}
TILESIM_ALL_PAIRS("max") {
  check_default<TestType>(opcode::maxf);
}
TILESIM_ALL_PAIRS("min") {
  check_default<TestType>(opcode::minf);
}
TILESIM_ALL_PAIRS("add, directed") {
  check_directed<TestType>(opcode::addf);
}
TILESIM_ALL_PAIRS("sub, directed") {
  check_directed<TestType>(opcode::subf);
}
TILESIM_ALL_PAIRS("mul, directed") {
  check_directed<TestType>(opcode::mulf);
}
TILESIM_ALL_PAIRS("div, directed") {
  check_directed<TestType>(opcode::divf);
}

// 2^32 of the 2^48: a and b run through all pairs, c is spread by a hash.
TILESIM_ALL_PAIRS("fma, a third operand for each") {
  const both_variants kernel(opcode::fma, {}, TestType::kind, TestType::kind);
  REQUIRE(kernel.exist());
  cells16 a(65536);
  cells16 b(65536);
  cells16 c(65536);
  cells16 got(65536);
  cells16 want(65536);
  generator next(31);
  for (unsigned i = 0; i < 65536; ++i) {
    b[i] = static_cast<std::uint16_t>(i);
  }
  for (unsigned first = 0; first < 65536; ++first) {
    a.assign(a.size(), static_cast<std::uint16_t>(first));
    for (auto& x : c) {
      x = static_cast<std::uint16_t>(next() >> 48);
    }
    for (std::size_t i = 0; i < want.size(); ++i) {
      want[i] = narrow_arithmetic<TestType>::fma(a[i], b[i], c[i], rounding::nearest_even);
    }
    const auto wrong = first_mismatch(kernel, a, b, c, got, want);
    if (!wrong.empty()) {
      FAIL(wrong);
    }
  }
}

} // namespace tilesim::test
