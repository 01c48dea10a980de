// The operand in memory of an instruction that the processor refused without naming an address: of
// x86-64, which says so little of vectors that are not aligned, and of addresses that none is.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/access_kind.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace tilesim::sim {

struct vector_operand {
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0; ///< 16 or 32
  bool writes = false;
};

/// Registers by their numbers in instructions: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … r15.
using x86_registers = std::array<std::uint64_t, 16>;

/// The operand of the SSE or AVX instruction that lies at `at`, in `code`; nothing: it is none, or
/// has no operand in memory.
[[nodiscard]] std::optional<vector_operand>
operand_of(std::span<const std::uint8_t> code, std::uintptr_t at, const x86_registers& registers);

/// The same of what a signal interrupted. Nothing on other machines.
[[nodiscard]] std::optional<vector_operand> interrupted_operand(const void* raw);

} // namespace tilesim::sim
