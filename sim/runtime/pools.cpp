// Stream-ordered allocation, and the one memory pool that there is.
//
// An allocation is there at once; a free waits for its stream. Both are work of the stream: who
// uses the memory elsewhere has to be ordered after the one and before the other.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/memory/engine.hpp"
#include "sim/runtime/allocate.hpp"
#include "sim/runtime/copy.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <cstring>

using namespace tilesim::sim;

/// A pool has no state of its own: attributes are remembered for who asks.
struct CUmemPoolHandle_st {
  unsigned long long release_threshold = 0;
};

namespace {

CUmemPoolHandle_st default_pool;

cudaError_t unsupported(entry& call, const char* function) {
  call.sim.found.add(
      with_callers(call.site),
      {.kind = finding_kind::unsupported,
       .message = fmt::format("{}: only the device's default pool is simulated", function),
       .remedy = "use cudaDeviceGetDefaultMemPool"});
  return call.error(cudaErrorNotSupported);
}

cudaError_t allocate_async(
    entry& call, void** out, std::size_t size, cudaStream_t stream, const char* function) {
  CUstream_st* const in = find_stream(call, stream, function);
  if (in == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  const cudaError_t e = allocate(call, memory_kind::device, out, size, function);
  if (e != cudaSuccess || *out == nullptr) {
    return e;
  }
  call.state.stream_ordered.insert(*out);
  call.state.work.append(
      *in, [&c = call.sim, at = *out, size, site = with_callers(call.site), function] {
        c.exec->memory().lifetime({.at = &c.current_work, .by = function},
                                  site,
                                  reinterpret_cast<std::uintptr_t>(at),
                                  size);
        return launch_id{0};
      });
  return call.ok();
}

cudaError_t the_pool(entry& call, cudaMemPool_t* out, int device, const char* function) {
  if (out == nullptr || device != 0) {
    return call.misuse(
        out == nullptr ? cudaErrorInvalidValue : cudaErrorInvalidDevice,
        fmt::format(
            "{}: {}", function, out == nullptr ? "null pointer for the result" : "no such device"));
  }
  *out = &default_pool;
  return call.ok();
}

} // namespace

cudaError_t cudaMallocAsync(void** devPtr, size_t size, cudaStream_t hStream) {
  if (for_library::asked()) {
    return for_library::allocate(devPtr, size);
  }
  TILESIM_ENTRY(call)
  return allocate_async(call, devPtr, size, hStream, "cudaMallocAsync");
}

cudaError_t
cudaMallocFromPoolAsync(void** ptr, size_t size, cudaMemPool_t memPool, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  if (memPool != &default_pool) {
    return call.misuse(cudaErrorInvalidValue, "cudaMallocFromPoolAsync: no memory pool");
  }
  return allocate_async(call, ptr, size, stream, "cudaMallocFromPoolAsync");
}

cudaError_t cudaFreeAsync(void* devPtr, cudaStream_t hStream) {
  if (for_library::asked()) {
    return for_library::release_later(devPtr, false, TILESIM_SITE);
  }
  TILESIM_ENTRY(call)
  CUstream_st* stream = find_stream(call, hStream, "cudaFreeAsync");
  if (stream == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (devPtr == nullptr || for_library::release(devPtr)) {
    return call.ok();
  }
  if (const cudaError_t e = check_release(call, devPtr, false, "cudaFreeAsync")) {
    return e;
  }
  call.state.stream_ordered.erase(devPtr);
  const allocation* a = call.sim.mem.find(devPtr);
  call.state.being_freed[devPtr] = with_callers(call.site);
  call.state.work.append(
      *stream, [&c = call.sim, &state = call.state, a = *a, site = with_callers(call.site)] {
        state.being_freed.erase(reinterpret_cast<const void*>(a.begin));
        c.exec->memory().lifetime(
            {.at = &c.current_work, .by = "cudaFreeAsync"}, site, a.begin, a.size);
        free_memory(c, reinterpret_cast<void*>(a.begin), site);
        return launch_id{0};
      });
  return call.ok();
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* memPool, int device) {
  TILESIM_ENTRY(call)
  return the_pool(call, memPool, device, "cudaDeviceGetDefaultMemPool");
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* memPool, int device) {
  TILESIM_ENTRY(call)
  return the_pool(call, memPool, device, "cudaDeviceGetMemPool");
}

cudaError_t cudaDeviceSetMemPool(int /*device*/, cudaMemPool_t memPool) {
  TILESIM_ENTRY(call)
  return memPool == &default_pool ? call.ok() : unsupported(call, "cudaDeviceSetMemPool");
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* /*memPool*/, const cudaMemPoolProps* /*poolProps*/) {
  TILESIM_ENTRY(call)
  return unsupported(call, "cudaMemPoolCreate");
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t /*memPool*/) {
  TILESIM_ENTRY(call)
  return unsupported(call, "cudaMemPoolDestroy");
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  TILESIM_ENTRY(call)
  if (memPool != &default_pool || value == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaMemPoolSetAttribute: no pool, or no value");
  }
  if (attr == cudaMemPoolAttrReleaseThreshold) {
    std::memcpy(&default_pool.release_threshold, value, sizeof default_pool.release_threshold);
  }
  return call.ok();
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t memPool, cudaMemPoolAttr attr, void* value) {
  TILESIM_ENTRY(call)
  if (memPool != &default_pool || value == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaMemPoolGetAttribute: no pool, or null pointer for the result");
  }
  if (attr <= cudaMemPoolReuseAllowInternalDependencies) {
    const int reuse = 1;
    std::memcpy(value, &reuse, sizeof reuse);
    return call.ok();
  }
  const unsigned long long bytes = attr == cudaMemPoolAttrReleaseThreshold
                                       ? default_pool.release_threshold
                                       : call.sim.mem.used();
  std::memcpy(value, &bytes, sizeof bytes);
  return call.ok();
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t /*memPool*/, size_t /*minBytesToKeep*/) {
  TILESIM_ENTRY(call)
  return call.ok();
}
