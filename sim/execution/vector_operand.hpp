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
#include <ucontext.h>

namespace tilesim::sim {

struct vector_operand {
  std::uintptr_t address = 0;
  std::uint32_t bytes = 0; ///< 16 or 32
  bool writes = false;
};

/// Registers by their numbers in instructions: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 … r15.
using x86_registers = std::array<std::uint64_t, 16>;

#if defined(__x86_64__)
/// Their numbers in what a handler of a signal is given.
inline constexpr std::array<int, 16> x86_register_places{REG_RAX,
                                                         REG_RCX,
                                                         REG_RDX,
                                                         REG_RBX,
                                                         REG_RSP,
                                                         REG_RBP,
                                                         REG_RSI,
                                                         REG_RDI,
                                                         REG_R8,
                                                         REG_R9,
                                                         REG_R10,
                                                         REG_R11,
                                                         REG_R12,
                                                         REG_R13,
                                                         REG_R14,
                                                         REG_R15};
#endif

/// The operand of the SSE or AVX instruction that lies at `at`, in `code`; nothing: it is none, or
/// has no operand in memory.
[[nodiscard]] std::optional<vector_operand>
operand_of(std::span<const std::uint8_t> code, std::uintptr_t at, const x86_registers& registers);

/// The same of what a signal interrupted. Nothing on other machines.
[[nodiscard]] std::optional<vector_operand> interrupted_operand(const void* raw);

} // namespace tilesim::sim
