// What the fake runtime's functions have in common [runtime.cpp].
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/fake_runtime/device.hpp"

#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>

namespace fake {

/// It is what cudaGetLastError gives from now on.
cudaError_t said(cudaError_t error);
/// What every call meets first. FAKE_CUDA: none, or old-driver.
[[nodiscard]] cudaError_t ready();
/// … if it may wait for the device, or ask for it: no stream may be captured then.
[[nodiscard]] cudaError_t ready_to_wait();

/// Null: there is no such stream. `per_thread`: the default one is the thread's own.
[[nodiscard]] stream* find(cudaStream_t s, bool per_thread = false);
/// Enqueues it, or makes it a node of the graph that the stream is captured into.
[[nodiscard]] cudaError_t submit(stream* s, std::function<void()> work);
/// Enqueues it; `waits`: the call returns when it is done.
cudaError_t does(stream* s, bool waits, std::function<void()> work);

/// Where a variable lies on the device; null: it is none.
[[nodiscard]] void* address_of_variable(const void* symbol);

} // namespace fake
