// Barriers, warp functions, clocks and traps of `__global__` code.
//
// This release runs a block's threads one after another: what needs them side by side ends the run
// with a finding that says so (sim/runtime/device_functions.cpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_access.hpp>
#include <tilesim/detail/machine.hpp>

namespace tilesim::detail {

/// Ends the run: `name` needs the threads of a block side by side.
[[noreturn]] TILESIM_EXPORT void unsupported_in_kernel(const char* name) noexcept;
/// __trap(): ends the launch as an error of the program's own making.
[[noreturn]] TILESIM_EXPORT void trap() noexcept;
TILESIM_EXPORT long long ticks() noexcept;

} // namespace tilesim::detail

#define TILESIM_NEEDS_BLOCK(declaration, name)                                                     \
  [[noreturn]] TILESIM_API declaration {                                                           \
    ::tilesim::detail::unsupported_in_kernel(name);                                                \
  }
TILESIM_NEEDS_BLOCK(void __syncthreads(), "__syncthreads")
TILESIM_NEEDS_BLOCK(int __syncthreads_count(int), "__syncthreads_count")
TILESIM_NEEDS_BLOCK(int __syncthreads_and(int), "__syncthreads_and")
TILESIM_NEEDS_BLOCK(int __syncthreads_or(int), "__syncthreads_or")
TILESIM_NEEDS_BLOCK(void __syncwarp(unsigned = 0xffffffffU), "__syncwarp")
TILESIM_NEEDS_BLOCK(int __any_sync(unsigned, int), "__any_sync")
TILESIM_NEEDS_BLOCK(int __all_sync(unsigned, int), "__all_sync")
TILESIM_NEEDS_BLOCK(unsigned __ballot_sync(unsigned, int), "__ballot_sync")
TILESIM_NEEDS_BLOCK(unsigned __activemask(), "__activemask")
TILESIM_NEEDS_BLOCK(unsigned __reduce_add_sync(unsigned, unsigned), "__reduce_add_sync")
TILESIM_NEEDS_BLOCK(unsigned __reduce_min_sync(unsigned, unsigned), "__reduce_min_sync")
TILESIM_NEEDS_BLOCK(unsigned __reduce_max_sync(unsigned, unsigned), "__reduce_max_sync")
#undef TILESIM_NEEDS_BLOCK

#define TILESIM_NEEDS_WARP(name, type)                                                             \
  template <class T>                                                                               \
  [[noreturn]] TILESIM_API T name(unsigned, T, type, int = 32) {                                   \
    ::tilesim::detail::unsupported_in_kernel(#name);                                               \
  }
TILESIM_NEEDS_WARP(__shfl_sync, int)
TILESIM_NEEDS_WARP(__shfl_up_sync, unsigned)
TILESIM_NEEDS_WARP(__shfl_down_sync, unsigned)
TILESIM_NEEDS_WARP(__shfl_xor_sync, int)
#undef TILESIM_NEEDS_WARP

template <class T>
[[noreturn]] TILESIM_API unsigned __match_any_sync(unsigned, T) {
  ::tilesim::detail::unsupported_in_kernel("__match_any_sync");
}

TILESIM_API void __threadfence_block() {
  ::tilesim::detail::fence(::tilesim::detail::order::seq_cst, ::tilesim::detail::scope::block);
}
TILESIM_API void __threadfence() {
  ::tilesim::detail::fence(::tilesim::detail::order::seq_cst, ::tilesim::detail::scope::device);
}
TILESIM_API void __threadfence_system() {
  ::tilesim::detail::fence(::tilesim::detail::order::seq_cst, ::tilesim::detail::scope::system);
}

[[noreturn]] TILESIM_API void __trap() {
  ::tilesim::detail::trap();
}
TILESIM_API void __brkpt() {}
TILESIM_API void __prof_trigger(int) {}
TILESIM_API void __nanosleep(unsigned) {}
TILESIM_API long long clock64() {
  return ::tilesim::detail::ticks();
}
