// Kernels by address.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <driver_types.h>

namespace tilesim::sim {

class entry;

/// The function's name as the source has it, `unknown` when nothing tells. Lives for ever.
[[nodiscard]] const char* kernel_name(const void* function, const char* unknown = "kernel");

/// cudaSuccess for an address of code; else CUDA's error, with a finding.
cudaError_t check_function(entry& call, const void* function, const char* api);

/// How many blocks with that many threads and bytes of shared memory a multiprocessor holds at
/// once.
[[nodiscard]] int blocks_per_multiprocessor(int threads, std::size_t shared);

} // namespace tilesim::sim
