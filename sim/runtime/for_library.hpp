// Calls of the runtime that the program makes on the library's behalf.
//
// The library allocates through the program's operator new, and that may call cudaMallocManaged:
// natively nobody would have asked it for anything. So what it asks for is the library's own
// memory, which no kernel sees and nobody judges, and the rest of the runtime does nothing. What
// the program itself allocates by it is the program's, as ever. (A malloc that calls the runtime is
// beyond this, as it is natively: the runtime calls malloc.)
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/process/sections.hpp"

#include <cstddef>
#include <cuda_runtime.h>

namespace tilesim::sim {
class entry;
} // namespace tilesim::sim

namespace tilesim::sim::for_library {

/// Whether the runtime is being called on the library's behalf.
[[nodiscard]] inline bool asked() noexcept {
  return in_library();
}

/// Memory for the library: nothing is judged of it.
[[nodiscard]] cudaError_t allocate(void** out, std::size_t bytes) noexcept;

/// Gives such memory back, whoever calls. False: it is none.
[[nodiscard]] bool release(void* pointer) noexcept;

/// What frees memory of the program's, in a call of the function of that name.
using releasing = cudaError_t (*)(entry& call, void* pointer, bool host, const char* function);

/// The library gives back memory of the program's: by this when the program calls next, for the
/// library is in the midst of its work. `host`: by cudaFreeHost.
[[nodiscard]] cudaError_t
release_later(void* pointer, bool host, const void* site, releasing by) noexcept;

/// Does what has been put off.
void release_deferred();

} // namespace tilesim::sim::for_library
