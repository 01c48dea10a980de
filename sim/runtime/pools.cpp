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
#include "sim/runtime/capture_rules.hpp"
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

/// From here on, or up to here, in the order of a stream, the memory's contents are nobody's.
std::function<launch_id()>
lifetime(const entry& call, const void* at, std::size_t bytes, const char* function) {
  return [&c = call.sim,
          begin = reinterpret_cast<std::uintptr_t>(at),
          bytes,
          site = with_callers(call.site),
          function] {
    c.exec->memory().lifetime({.at = &c.current_work, .by = function}, site, begin, bytes);
    return launch_id{0};
  };
}

} // namespace

cudaError_t tilesim::sim::allocate_async(
    entry& call, void** out, std::size_t size, cudaStream_t stream, const char* function) {
  const auto [in, refused] = find_for_work(call, stream, function);
  if (refused != cudaSuccess) {
    return refused;
  }
  const cudaError_t e = allocate(call, memory_kind::device, out, size, function, in);
  if (e != cudaSuccess || *out == nullptr) {
    return e;
  }
  call.state.stream_ordered.insert(*out);
  piece what{.type = cudaGraphNodeTypeMemAlloc,
             .start = lifetime(call, *out, size, function),
             .dropped = {},
             .parameters = {}};
  if (in->capturing != nullptr) {
    auto memory = std::make_shared<graph_allocation>(graph_allocation{.at = *out, .bytes = size});
    call.state.graphs.memory[*out] = {memory};
    what.parameters = keep_parameters(std::move(memory));
  }
  call.state.work.append(*in, std::move(what));
  return call.ok();
} // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): shared pointers own what is kept

namespace {

/// A node that frees what another has allocated.
cudaError_t free_in_graph(entry& call, void* pointer, CUstream_st& stream, const char* function) {
  const auto found = call.state.graphs.memory.find(pointer);
  auto memory = found == call.state.graphs.memory.end() ? nullptr : found->second.of.lock();
  if (memory == nullptr) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: {} is not memory of a graph", function, describe_pointer(call, pointer)),
        "a graph frees what a node of a graph has allocated");
  }
  auto freed = std::make_shared<graph_allocation>(
      graph_allocation{.at = pointer, .bytes = memory->bytes, .freed = memory});
  call.state.work.append(stream,
                         {.type = cudaGraphNodeTypeMemFree,
                          .start = lifetime(call, pointer, memory->bytes, function),
                          .dropped = {},
                          .parameters = keep_parameters(std::move(freed))});
  return call.ok();
} // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): shared pointers own what is kept

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

cudaError_t
tilesim::sim::free_async(entry& call, void* pointer, cudaStream_t handle, const char* function) {
  const auto [stream, refused] = find_for_work(call, handle, function);
  if (refused != cudaSuccess) {
    return refused;
  }
  if (pointer == nullptr || for_library::release(pointer)) {
    return call.ok();
  }
  if (stream->capturing != nullptr) {
    return free_in_graph(call, pointer, *stream, function);
  }
  if (const cudaError_t e = check_release(call, pointer, false, function)) {
    return e;
  }
  const allocation a = *call.sim.mem.find(pointer);
  const auto end = lifetime(call, pointer, a.size, function);
  if (release_of_graph(call.state, pointer)) {
    call.state.work.append(*stream, {.type = {}, .start = end, .dropped = {}, .parameters = {}});
    return call.ok();
  }
  call.state.stream_ordered.erase(pointer);
  const void* const site = with_callers(call.site);
  call.state.being_freed[pointer] = site;
  const auto start = [&c = call.sim, &state = call.state, end, pointer, site] {
    state.being_freed.erase(pointer);
    end();
    free_memory(c, pointer, site);
    return launch_id{0};
  };
  call.state.work.append(*stream, {.type = {}, .start = start, .dropped = {}, .parameters = {}});
  return call.ok();
}

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
    return for_library::release_later(devPtr, false, TILESIM_SITE, &release);
  }
  TILESIM_ENTRY(call)
  return free_async(call, devPtr, hStream, "cudaFreeAsync");
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
