// CUDA's questions about address spaces, which libcu++'s headers call.
//
// There is one space here: every pointer is generic, and counts as one to global memory, even to a
// `__shared__` variable.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

inline unsigned int __isGlobal(const void* /*p*/) { return 1; }
inline unsigned int __isShared(const void* /*p*/) { return 0; }
inline unsigned int __isConstant(const void* /*p*/) { return 0; }
inline unsigned int __isLocal(const void* /*p*/) { return 0; }
inline unsigned int __isGridConstant(const void* /*p*/) { return 0; }

#define TILESIM_ADDRESS_SPACE(space)                                                               \
  inline size_t __cvta_generic_to_##space(const void* p) { return reinterpret_cast<size_t>(p); }  \
  inline void* __cvta_##space##_to_generic(size_t p) { return reinterpret_cast<void*>(p); }
TILESIM_ADDRESS_SPACE(global)
TILESIM_ADDRESS_SPACE(shared)
TILESIM_ADDRESS_SPACE(constant)
TILESIM_ADDRESS_SPACE(local)
TILESIM_ADDRESS_SPACE(grid_constant)
#undef TILESIM_ADDRESS_SPACE
