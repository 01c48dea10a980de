// Decoding the instructions that compute with floating-point numbers, byte by byte as assemblers
// write them.
// SPDX-License-Identifier: Apache-2.0
#include "sim/error_analysis/instruction.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <initializer_list>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim::errors;
using what = instruction::what;

namespace {

struct machine_state {
  registers r;
  std::array<double, 4> memory{8, 9, 10, 11};
  std::vector<std::uint8_t> code;

  machine_state() {
    for (unsigned i = 0; i < 16; ++i) {
      const auto value = static_cast<float>(i);
      const double wide = i;
      std::memcpy(r.vector[i].data(), &value, sizeof value);
      std::memcpy(&r.vector[i][2], &wide, sizeof wide);
      r.general[i] = reinterpret_cast<std::uint64_t>(memory.data());
    }
  }
  std::optional<instruction> at(std::initializer_list<int> bytes) {
    code.assign(bytes.begin(), bytes.end());
    code.resize(code.size() + 16); // what follows
    r.next = reinterpret_cast<std::uintptr_t>(code.data());
    return decode(r);
  }
};

float single(const instruction& i, const std::array<std::uint64_t, 2>& from, unsigned lane = 0) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(i.lane(from, lane)));
}

} // namespace

TEST_CASE("scalar and packed arithmetic of registers") {
  machine_state m;
  auto i = m.at({0xf3, 0x0f, 0x58, 0xca}); // addss %xmm2, %xmm1
  REQUIRE(i);
  CHECK((i->is == what::computes && !i->wide && i->lanes == 1 && !i->unary));
  CHECK(single(*i, i->left) == 1);
  CHECK(single(*i, i->right) == 2);
  i = m.at({0xf3, 0x45, 0x0f, 0x59, 0xca}); // mulss %xmm10, %xmm9
  REQUIRE(i);
  CHECK(single(*i, i->left) == 9);
  CHECK(single(*i, i->right) == 10);
  i = m.at({0x66, 0x0f, 0x5e, 0xd8}); // divpd %xmm0, %xmm3
  REQUIRE(i);
  CHECK((i->wide && i->lanes == 2));
  CHECK(std::bit_cast<double>(i->lane(i->left, 1)) == 3);
  i = m.at({0x0f, 0x5c, 0xc1}); // subps %xmm1, %xmm0
  REQUIRE(i);
  CHECK((!i->wide && i->lanes == 4));
  i = m.at({0xf2, 0x0f, 0x51, 0xc1}); // sqrtsd %xmm1, %xmm0
  REQUIRE(i);
  CHECK((i->unary && i->wide));
}

TEST_CASE("operands in memory: base, index, displacement, relative to the instruction") {
  machine_state m;
  auto i = m.at({0xf2, 0x0f, 0x58, 0x00}); // addsd (%rax), %xmm0
  REQUIRE(i);
  CHECK(std::bit_cast<double>(i->right[0]) == 8);
  i = m.at({0xf2, 0x0f, 0x58, 0x40, 0x08}); // addsd 8(%rax), %xmm0
  REQUIRE(i);
  CHECK(std::bit_cast<double>(i->right[0]) == 9);
  i = m.at({0xf2, 0x0f, 0x58, 0x80, 0x10, 0, 0, 0}); // addsd 16(%rax), %xmm0
  REQUIRE(i);
  CHECK(std::bit_cast<double>(i->right[0]) == 10);
  m.r.general[9] = 3;
  i = m.at({0xf2, 0x42, 0x0f, 0x58, 0x04, 0xc8}); // addsd (%rax,%r9,8), %xmm0
  REQUIRE(i);
  CHECK(std::bit_cast<double>(i->right[0]) == 11);
  i = m.at({0xf2, 0x0f, 0x58, 0x44, 0x24, 0xf8 + 0x10}); // addsd 8(%rsp), %xmm0
  REQUIRE(i);
  CHECK(std::bit_cast<double>(i->right[0]) == 9);
  // mulss 0(%rip), %xmm0: what follows the instruction.
  i = m.at({0xf3, 0x0f, 0x59, 0x05, 0, 0, 0, 0, 0, 0, 0x80, 0x3f});
  REQUIRE(i);
  CHECK(single(*i, i->right) == 1);
  // cmpltss 0(%rip), %xmm0: its last byte is the predicate.
  i = m.at({0xf3, 0x0f, 0xc2, 0x05, 0, 0, 0, 0, 1, 0, 0, 0x80, 0x3f});
  REQUIRE(i);
  CHECK(i->is == what::compares);
  CHECK(single(*i, i->right) == 1);
}

TEST_CASE("VEX: three operands, and fused ones in their three orders") {
  machine_state m;
  auto i = m.at({0xc5, 0xea, 0x58, 0xcb}); // vaddss %xmm3, %xmm2, %xmm1
  REQUIRE(i);
  CHECK(single(*i, i->left) == 2);
  CHECK(single(*i, i->right) == 3);
  i = m.at({0xc4, 0xe2, 0x69, 0x99, 0xcb}); // vfmadd132ss %xmm3, %xmm2, %xmm1: 1 · 3 + 2
  REQUIRE(i);
  CHECK((i->fused && !i->subtracts && !i->negates_product));
  CHECK(single(*i, i->left) == 1);
  CHECK(single(*i, i->right) == 3);
  CHECK(single(*i, i->third) == 2);
  i = m.at({0xc4, 0xe2, 0x69, 0xab, 0xcb}); // vfmsub213ss: 2 · 1 - 3
  REQUIRE(i);
  CHECK(i->subtracts);
  CHECK(single(*i, i->left) == 1);
  CHECK(single(*i, i->right) == 2);
  CHECK(single(*i, i->third) == 3);
  i = m.at({0xc4, 0xe2, 0x69, 0xbd, 0xcb}); // vfnmadd231ss: -(2 · 3) + 1
  REQUIRE(i);
  CHECK(i->negates_product);
  CHECK(single(*i, i->left) == 2);
  CHECK(single(*i, i->right) == 3);
  CHECK(single(*i, i->third) == 1);
  i = m.at({0xc5, 0xec, 0x58, 0xcb}); // vaddps %ymm3, %ymm2, %ymm1: more than is looked at
  REQUIRE(i);
  CHECK(i->is == what::unknown);
}

TEST_CASE("comparisons, conversions, masks of bits") {
  machine_state m;
  CHECK(m.at({0x0f, 0x2f, 0xc1})->is == what::compares);         // comiss
  CHECK(m.at({0x66, 0x0f, 0x2e, 0xc1})->wide);                   // ucomisd
  CHECK(m.at({0xf3, 0x0f, 0x2c, 0xc1})->is == what::to_integer); // cvttss2si
  CHECK(m.at({0xf3, 0x48, 0x0f, 0x2d, 0xc1})->is == what::to_integer);
  CHECK(m.at({0x66, 0x0f, 0x3a, 0x0b, 0xc1, 3})->wide);        // roundsd
  CHECK(m.at({0xf3, 0x0f, 0x5a, 0xc1})->is == what::converts); // cvtss2sd
  CHECK(m.at({0x0f, 0x57, 0xc1})->is == what::masks);          // xorps
  CHECK(m.at({0x66, 0x0f, 0xef, 0xc1})->is == what::masks);    // pxor
  CHECK(m.at({0x0f, 0x53, 0xc1})->is == what::unknown);        // rcpps
}

TEST_CASE("what moves numbers, and what computes with integers, is none") {
  machine_state m;
  CHECK_FALSE(m.at({0xf3, 0x0f, 0x10, 0xc1})); // movss
  CHECK_FALSE(m.at({0x0f, 0x28, 0xc1}));       // movaps
  CHECK_FALSE(m.at({0xf3, 0x0f, 0x2a, 0xc0})); // cvtsi2ss
  CHECK_FALSE(m.at({0x0f, 0x5b, 0xc0}));       // cvtdq2ps
  CHECK_FALSE(m.at({0x66, 0x0f, 0x6e, 0xc0})); // movd
  CHECK_FALSE(m.at({0x48, 0x01, 0xd8}));       // add
  CHECK_FALSE(m.at({0xe8, 0, 0, 0, 0}));       // call
}
