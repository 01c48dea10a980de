// What every allocating and freeing function does.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/allocations.hpp"

#include <cstddef>
#include <driver_types.h>

struct CUstream_st;

namespace tilesim::sim {

class context;
class entry;
class runtime_state;

/// Rows of pitched memory begin at multiples of this, as an H200 has it.
inline constexpr std::size_t row_alignment = 512;

/// Allocates into *out; size 0 gives a null pointer and success. `ordered`: in the order of this
/// stream.
cudaError_t allocate(entry& call,
                     memory_kind kind,
                     void** out,
                     std::size_t size,
                     const char* function,
                     const CUstream_st* ordered = nullptr);

/// Gives back what begins at `pointer`, when nobody uses it any more.
void free_memory(context& c, void* pointer, const void* site);

/// Says what is wrong with freeing `pointer`, not null, as pinned host memory (`host`), or as
/// device or managed memory.
cudaError_t check_release(entry& call, void* pointer, bool host, const char* function);

/// Allocates and frees in the order of a stream.
cudaError_t allocate_async(
    entry& call, void** out, std::size_t size, cudaStream_t stream, const char* function);
cudaError_t free_async(entry& call, void* pointer, cudaStream_t handle, const char* function);

/// Memory of a graph is only marked: false for other memory.
bool release_of_graph(runtime_state& state, const void* pointer);

/// Frees pinned host memory (`host`), or device and managed memory.
cudaError_t release(entry& call, void* pointer, bool host, const char* function);

} // namespace tilesim::sim
