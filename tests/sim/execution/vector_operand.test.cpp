// Operands of vector instructions, by their bytes.  [Intel SDM, volume 2: 2.1 to 2.3]
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/vector_operand.hpp"

#include <cstdint>
#include <support/catch.hpp>
#include <vector>

using namespace tilesim::sim;

namespace {

constexpr std::uintptr_t here = 0x1000;

/// Each register holds 0x100 times its number, and one.
x86_registers numbered() {
  x86_registers all{};
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    all[i] = i * 0x100 + 1;
  }
  return all;
}

std::optional<vector_operand> of(std::vector<std::uint8_t> code) {
  code.resize(15);
  return operand_of(code, here, numbered());
}

void is(const std::optional<vector_operand>& o,
        std::uintptr_t address,
        std::uint32_t bytes,
        bool writes) {
  REQUIRE(o);
  CHECK(o->address == address);
  CHECK(o->bytes == bytes);
  CHECK(o->writes == writes);
}

} // namespace

TEST_CASE("operands in memory are found by their encodings") {
  is(of({0x0f, 0x28, 0x00}), 0x001, 16, false); // movaps (%rax), %xmm0
  is(of({0x0f, 0x28, 0x44, 0x98, 0x10}), 0x001 + 4 * 0x301 + 0x10, 16, false); // 0x10(%rax,%rbx,4)
  is(of({0x0f, 0x29, 0x0c, 0x24}), 0x401, 16, true);                        // movaps %xmm1, (%rsp)
  is(of({0x0f, 0x29, 0x4d, 0xf0}), 0x501 - 0x10, 16, true);                 // -0x10(%rbp)
  is(of({0x66, 0x0f, 0x6f, 0x05, 0x08, 0, 0, 0}), here + 8 + 8, 16, false); // movdqa 8(%rip), %xmm0
  is(of({0x66, 0x0f, 0x7f, 0x83, 0x00, 0x01, 0, 0}),
     0x301 + 0x100,
     16,
     true);                                                        // movdqa %xmm0, 0x100(%rbx)
  is(of({0x47, 0x0f, 0x29, 0x04, 0x2c}), 0xc01 + 0xd01, 16, true); // movaps %xmm8, (%r12,%r13)
  is(of({0x0f, 0x28, 0x04, 0xcd, 0x20, 0, 0, 0}), 8 * 0x101 + 0x20, 16, false); // 0x20(,%rcx,8)
  is(of({0xc5, 0xfc, 0x28, 0x07}), 0x701, 32, false); // vmovaps (%rdi), %ymm0
  is(of({0xc5, 0xf8, 0x29, 0x06}), 0x601, 16, true);  // vmovaps %xmm0, (%rsi)
  is(of({0xc4, 0x01, 0x7d, 0x6f, 0x0c, 0x08}),
     0x801 + 0x901,
     32,
     false); // vmovdqa (%r8,%r9), %ymm9
}

TEST_CASE("what has no operand in memory, or is of no vector, has none") {
  CHECK_FALSE(of({0x0f, 0x28, 0xc1})); // movaps %xmm1, %xmm0
  CHECK_FALSE(of({0x8b, 0x00}));       // mov (%rax), %eax
  CHECK_FALSE(of({0x48, 0x8b, 0x00})); // mov (%rax), %rax
  CHECK_FALSE(operand_of({}, here, numbered()));
}
