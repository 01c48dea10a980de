// Inline PTX: what the tool makes of `asm volatile("mov.u32 %0, %%laneid;" : "=r"(x));`, a call
//     ::tilesim::detail::run_ptx("mov.u32 %0, %%laneid;", ::tilesim::detail::ptx_out(x))
// which the simulator reads once and performs for the running thread (sim/ptx).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstdint>
#include <type_traits>

namespace tilesim::detail {

/// An operand: its bits, and where they go; nullptr: it is read alone.
struct ptx_operand {
  void* to;
  unsigned bytes;
  ::std::uint64_t bits; ///< a narrower number's are those of its value
};

/// Performs the instructions. Ends the run where it does not know one.
TILESIM_EXPORT void
perform_ptx(const char* text, const ptx_operand* operands, unsigned count) noexcept;

template <class T>
TILESIM_API ptx_operand ptx_in(T value) {
  static_assert(sizeof(T) <= 8, "tilesim knows operands of inline PTX of up to 8 bytes");
  ::std::uint64_t bits = 0;
  if constexpr (::std::is_integral_v<T> && ::std::is_signed_v<T>) {
    bits = static_cast<::std::uint64_t>(static_cast<::std::int64_t>(value));
  } else {
    __builtin_memcpy(&bits, &value, sizeof(T));
  }
  return {nullptr, sizeof(T), bits};
}
template <class T>
TILESIM_API ptx_operand ptx_out(T& place) {
  static_assert(sizeof(T) <= 8, "tilesim knows operands of inline PTX of up to 8 bytes");
  return {&place, sizeof(T), 0};
}
/// Read and written.
template <class T>
TILESIM_API ptx_operand ptx_both(T& place) {
  ptx_operand made = ptx_in<T>(place);
  made.to = &place;
  return made;
}

template <class... Operands>
TILESIM_API void run_ptx(const char* text, Operands... operands) {
  const ptx_operand all[] = {operands..., {nullptr, 0, 0}};
  perform_ptx(text, all, static_cast<unsigned>(sizeof...(operands)));
}

} // namespace tilesim::detail
