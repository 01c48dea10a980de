// CUDA's questions about address spaces, which libcu++'s headers call.
//
// Every pointer is generic. One to a `__shared__` variable is told by where it points, and counts
// its bytes from where its block's shared memory begins; any other one is to global memory.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <stddef.h>

namespace tilesim::detail {

/// Whether shared memory is there, and which byte of its block's that is; the running block's.
TILESIM_EXPORT bool is_shared(const void* p) noexcept;
TILESIM_EXPORT size_t shared_offset(const void* p) noexcept;
TILESIM_EXPORT void* shared_pointer(size_t offset) noexcept;

} // namespace tilesim::detail

inline unsigned int __isGlobal(const void* p) {
  return ::tilesim::detail::is_shared(p) ? 0 : 1;
}
inline unsigned int __isShared(const void* p) {
  return ::tilesim::detail::is_shared(p) ? 1 : 0;
}
inline unsigned int __isConstant(const void* /*p*/) {
  return 0;
}
inline unsigned int __isLocal(const void* /*p*/) {
  return 0;
}
inline unsigned int __isGridConstant(const void* /*p*/) {
  return 0;
}

#define TILESIM_ADDRESS_SPACE(space)                                                               \
  inline size_t __cvta_generic_to_##space(const void* p) {                                         \
    return reinterpret_cast<size_t>(p);                                                            \
  }                                                                                                \
  inline void* __cvta_##space##_to_generic(size_t p) {                                             \
    return reinterpret_cast<void*>(p);                                                             \
  }
TILESIM_ADDRESS_SPACE(global)
TILESIM_ADDRESS_SPACE(constant)
TILESIM_ADDRESS_SPACE(local)
TILESIM_ADDRESS_SPACE(grid_constant)
#undef TILESIM_ADDRESS_SPACE

inline size_t __cvta_generic_to_shared(const void* p) {
  return ::tilesim::detail::shared_offset(p);
}
inline void* __cvta_shared_to_generic(size_t p) {
  return ::tilesim::detail::shared_pointer(p);
}
