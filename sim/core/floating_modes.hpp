// The modes of floating point: how the thread that runs rounds, whether it flushes subnormal
// numbers, which exceptions trap.
//
// Calls preserve them, and so each fiber has its own: what a kernel sets is not the others', nor
// the host's. Kernels begin with those that a GPU has, whatever the host has set. The flags that
// say what has happened are no modes, and nobody's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

#if defined(__x86_64__)
struct floating_modes {
  std::uint32_t mxcsr = 0x1f80; ///< to nearest, subnormal numbers, no traps
  std::uint16_t x87 = 0x37f;    ///< the same, at full precision

  friend bool operator==(const floating_modes&, const floating_modes&) = default;
};

inline constexpr std::uint32_t mxcsr_flags = 0x3f;

[[nodiscard]] inline floating_modes current_floating_modes() noexcept {
  floating_modes m;
  asm volatile("fnstcw %0" : "=m"(m.x87));
  std::uint32_t with_flags = 0;
  asm volatile("stmxcsr %0" : "=m"(with_flags));
  m.mxcsr = with_flags & ~mxcsr_flags;
  // Nor do they stay on the stack, by which states of a thread are compared.
  asm volatile("movl $0, %0" : "=m"(with_flags));
  return m;
}

inline void set_floating_modes(const floating_modes& m) noexcept {
  if (current_floating_modes() != m) {
    __builtin_ia32_ldmxcsr(m.mxcsr);
    asm volatile("fldcw %0" : : "m"(m.x87));
  }
}
#elif defined(__aarch64__)
struct floating_modes {
  std::uint64_t fpcr = 0; ///< to nearest, subnormal numbers, no traps

  friend bool operator==(const floating_modes&, const floating_modes&) = default;
};

[[nodiscard]] inline floating_modes current_floating_modes() noexcept {
  floating_modes m;
  asm volatile("mrs %0, fpcr" : "=r"(m.fpcr));
  return m;
}

inline void set_floating_modes(const floating_modes& m) noexcept {
  if (current_floating_modes() != m) {
    asm volatile("msr fpcr, %0" : : "r"(m.fpcr));
  }
}
#else
#  error "tilesim runs on x86-64 and aarch64"
#endif

/// As a GPU has them, and kernels begin with them.
inline constexpr floating_modes kernel_floating_modes{};

} // namespace tilesim::sim
