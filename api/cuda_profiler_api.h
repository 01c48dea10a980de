// <cuda_profiler_api.h>: there is no profiler, so nothing begins and nothing ends.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef TILESIM_CUDA_PROFILER_API_H
#define TILESIM_CUDA_PROFILER_API_H

#include <driver_types.h>

#pragma GCC visibility push(default)
extern "C" {
// sim/runtime/device.cpp
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
} // extern "C"
#pragma GCC visibility pop

#endif
