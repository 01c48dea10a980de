// Device and managed memory: allocate, free, ask.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/allocate.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/memory/engine.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <algorithm>

using namespace tilesim::sim;

namespace tilesim::sim {

cudaError_t allocate(entry& call,
                     memory_kind kind,
                     void** out,
                     std::size_t size,
                     const char* function,
                     const CUstream_st* ordered) {
  if (out == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: null pointer for the result", function));
  }
  *out = nullptr;
  if (size == 0) {
    return call.ok();
  }
  if (ordered == nullptr || ordered->capturing == nullptr) {
    if (const cudaError_t e = refuse_unsafe(call, function)) {
      return e;
    }
  }
  const noted_allocation noted = note_allocation(call.site, static_cast<const void*>(out));
  *out = call.sim.mem.allocate(kind, size, noted.site);
  if (*out != nullptr) {
    names_of(call.sim).allocated(*call.sim.mem.find(*out), noted.by);
  }
  if (*out != nullptr) {
    const allocation& a = *call.sim.mem.find(*out);
    call.sim.exec->watchers().tell([&a](watcher& w) { w.allocated(a); });
  }
  return *out != nullptr ? call.ok() : call.error(cudaErrorMemoryAllocation);
}

void free_memory(context& c, void* pointer, const void* site) {
  if (const allocation* a = c.mem.find(pointer); a != nullptr) {
    c.exec->memory().freed(a->begin, a->size);
    c.exec->watchers().tell([a](watcher& w) { w.freed(*a); });
  }
  c.mem.release(pointer, site);
}

cudaError_t check_release(entry& call, void* pointer, bool host, const char* function) {
  const allocation* a = call.sim.mem.find(pointer);
  const char* other = host ? "cudaFree" : "cudaFreeHost";
  if (a == nullptr) {
    const bool device = call.sim.mem.in_arena(reinterpret_cast<std::uintptr_t>(pointer));
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {} was not allocated by the CUDA runtime",
                                   function,
                                   describe_pointer(call, pointer)),
                       device ? ""
                              : "free memory with the function that belongs to its allocation");
  }
  if (!a->live) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: freed twice: {}", function, describe(call, *a)),
                       "free it once");
  }
  if (const auto first = call.state.being_freed.find(pointer);
      first != call.state.being_freed.end()) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: freed twice: {}, freed in a stream at {}",
                                   function,
                                   describe(call, *a),
                                   place(first->second)),
                       "free it once");
  }
  if (call.state.heap.live.contains(reinterpret_cast<const void*>(a->begin))) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {} is of the device's heap", function, describe(call, *a)),
                       "free what a kernel has allocated in a kernel");
  }
  if (a->begin != reinterpret_cast<std::uintptr_t>(pointer)) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {} is not where the allocation begins",
                                   function,
                                   describe_pointer(call, pointer)),
                       "pass the pointer that the allocation gave");
  }
  const bool right = host ? a->kind == memory_kind::pinned
                          : a->kind == memory_kind::device || a->kind == memory_kind::managed;
  if (!right) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: {} is not freed by this function", function, describe(call, *a)),
        a->kind == memory_kind::registered ? "use cudaHostUnregister"
                                           : fmt::format("use {}", other));
  }
  return cudaSuccess;
}

bool release_of_graph(runtime_state& state, const void* pointer) {
  const auto found = state.graphs.memory.find(pointer);
  if (found == state.graphs.memory.end()) {
    return false;
  }
  if (found->second.of.expired()) {
    state.graphs.memory.erase(found);
    return false;
  }
  found->second.allocated = false; // it is the graph's, which may allocate it again
  return true;
}

cudaError_t release(entry& call, void* pointer, bool host, const char* function) {
  if (pointer == nullptr || for_library::release(pointer)) {
    return call.ok();
  }
  if (const cudaError_t e = check_release(call, pointer, host, function)) {
    return e;
  }
  if (const cudaError_t e = refuse_unsafe(call, function)) {
    return e;
  }
  if (release_of_graph(call.state, pointer)) {
    return call.ok();
  }
  if (call.state.stream_ordered.erase(pointer) != 0) {
    // "The driver assumes that all accesses are complete."  [CUDA: stream ordered memory allocator]
    const allocation* a = call.sim.mem.find(pointer);
    call.sim.exec->memory().lifetime(
        {.at = call.sim.host_place, .by = function}, with_callers(call.site), a->begin, a->size);
  } else {
    call.state.work.finish_all(); // CUDA waits for kernels that may still use the memory
  }
  free_memory(call.sim, pointer, with_callers(call.site));
  call.state.host_flags.erase(pointer);
  return call.ok();
}

} // namespace tilesim::sim

cudaError_t cudaMalloc(void** devPtr, size_t size) {
  if (for_library::asked()) {
    return for_library::allocate(devPtr, size);
  }
  TILESIM_ENTRY(call)
  return allocate(call, memory_kind::device, devPtr, size, "cudaMalloc");
}

cudaError_t cudaMallocPitch(void** devPtr, size_t* pitch, size_t width, size_t height) {
  TILESIM_ENTRY(call)
  if (pitch == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaMallocPitch: null pointer for the pitch");
  }
  *pitch = height == 0 ? 0 : (width + row_alignment - 1) / row_alignment * row_alignment;
  return allocate(call, memory_kind::device, devPtr, *pitch * height, "cudaMallocPitch");
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitchedDevPtr, cudaExtent extent) {
  TILESIM_ENTRY(call)
  if (pitchedDevPtr == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaMalloc3D: null pointer for the result");
  }
  const std::size_t pitch = (extent.width + row_alignment - 1) / row_alignment * row_alignment;
  *pitchedDevPtr = {nullptr, pitch, extent.width, extent.height};
  return allocate(call,
                  memory_kind::device,
                  &pitchedDevPtr->ptr,
                  pitch * extent.height * extent.depth,
                  "cudaMalloc3D");
}

cudaError_t cudaMallocManaged(void** devPtr, size_t size, unsigned int flags) {
  if (for_library::asked()) {
    return for_library::allocate(devPtr, size);
  }
  TILESIM_ENTRY(call)
  if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("cudaMallocManaged: flags are {}, not cudaMemAttachGlobal or cudaMemAttachHost",
                    flags));
  }
  return allocate(call, memory_kind::managed, devPtr, size, "cudaMallocManaged");
}

cudaError_t cudaFree(void* devPtr) {
  if (for_library::asked()) {
    return for_library::release_later(devPtr, false, TILESIM_SITE, &release);
  }
  TILESIM_ENTRY(call)
  return release(call, devPtr, false, "cudaFree");
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  TILESIM_ENTRY(call)
  if (free == nullptr || total == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaMemGetInfo: null pointer for a result");
  }
  *total = call.sim.mem.capacity();
  *free = *total - std::min(*total, call.sim.mem.used());
  return call.ok();
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* ptr) {
  TILESIM_ENTRY(call)
  if (attributes == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaPointerGetAttributes: null pointer for the result");
  }
  void* const pointer = const_cast<void*>(ptr);
  const allocation* a = call.sim.mem.find(ptr);
  *attributes = {};
  if (a == nullptr || !a->live) {
    attributes->type = cudaMemoryTypeUnregistered;
    attributes->device = cudaInvalidDeviceId;
    attributes->hostPointer = pointer;
    return call.ok();
  }
  attributes->device = 0;
  attributes->devicePointer = pointer;
  attributes->hostPointer = a->kind == memory_kind::device ? nullptr : pointer;
  attributes->type = a->kind == memory_kind::device    ? cudaMemoryTypeDevice
                     : a->kind == memory_kind::managed ? cudaMemoryTypeManaged
                                                       : cudaMemoryTypeHost;
  return call.ok();
}

namespace {

/// Hints on managed memory change nothing here, but must be given for managed memory.
cudaError_t hint(entry& call, const void* pointer, std::size_t count, const char* function) {
  const allocation* a = call.sim.mem.find(pointer);
  if (a == nullptr || !a->live || a->kind != memory_kind::managed) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: {} is not managed memory", function, describe_pointer(call, pointer)),
        "use it on memory from cudaMallocManaged");
  }
  if (!a->contains(reinterpret_cast<std::uintptr_t>(pointer), count)) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: {} bytes run past the end of {}", function, count, describe(call, *a)));
  }
  return call.ok();
}

} // namespace

cudaError_t cudaMemPrefetchAsync(const void* devPtr,
                                 size_t count,
                                 cudaMemLocation /*location*/,
                                 unsigned int /*flags*/,
                                 cudaStream_t /*stream*/) {
  TILESIM_ENTRY(call)
  return hint(call, devPtr, count, "cudaMemPrefetchAsync");
}

cudaError_t cudaMemAdvise(const void* devPtr,
                          size_t count,
                          cudaMemoryAdvise /*advice*/,
                          cudaMemLocation /*location*/) {
  TILESIM_ENTRY(call)
  return hint(call, devPtr, count, "cudaMemAdvise");
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t /*stream*/,
                                     void* devPtr,
                                     size_t length,
                                     unsigned int /*flags*/) {
  TILESIM_ENTRY(call)
  return hint(call, devPtr, length, "cudaStreamAttachMemAsync");
}
