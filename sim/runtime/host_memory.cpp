// Host memory that kernels may use: pinned and registered.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"
#include "sim/naming/buffer_names.hpp"
#include "sim/runtime/allocate.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

using namespace tilesim::sim;

namespace {

constexpr unsigned alloc_flags =
    cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
constexpr unsigned register_flags = cudaHostRegisterPortable | cudaHostRegisterMapped |
                                    cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;

cudaError_t
allocate_host(entry& call, void** out, std::size_t size, unsigned flags, const char* function) {
  if ((flags & ~alloc_flags) != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {:#x} has bits that are no flags", function, flags));
  }
  const cudaError_t result = allocate(call, memory_kind::pinned, out, size, function);
  if (result == cudaSuccess && *out != nullptr) {
    call.state.host_flags[*out] = flags | cudaHostAllocMapped;
  }
  return result;
}

/// The live host allocation around a pointer; nullptr when it is none.
const allocation* host_allocation(entry& call, const void* pointer) {
  const allocation* a = call.sim.mem.find(pointer);
  const bool host = a != nullptr && a->live &&
                    (a->kind == memory_kind::pinned || a->kind == memory_kind::registered);
  return host ? a : nullptr;
}

} // namespace

cudaError_t cudaMallocHost(void** ptr, size_t size) {
  if (for_library::asked()) {
    return for_library::allocate(ptr, size);
  }
  TILESIM_ENTRY(call)
  return allocate_host(call, ptr, size, cudaHostAllocDefault, "cudaMallocHost");
}

cudaError_t cudaHostAlloc(void** pHost, size_t size, unsigned int flags) {
  if (for_library::asked()) {
    return for_library::allocate(pHost, size);
  }
  TILESIM_ENTRY(call)
  return allocate_host(call, pHost, size, flags, "cudaHostAlloc");
}

cudaError_t cudaFreeHost(void* ptr) {
  if (for_library::asked()) {
    return for_library::release_later(ptr, true, TILESIM_SITE, &release);
  }
  TILESIM_ENTRY(call)
  return release(call, ptr, true, "cudaFreeHost");
}

cudaError_t cudaHostRegister(void* ptr, size_t size, unsigned int flags) {
  TILESIM_ENTRY(call)
  if (ptr == nullptr || size == 0) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("cudaHostRegister: {} bytes at {}", size, describe_pointer(call, ptr)));
  }
  if ((flags & ~register_flags) != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaHostRegister: {:#x} has bits that are no flags", flags));
  }
  if (!call.sim.mem.register_range(ptr, size, with_callers(call.site))) {
    return call.misuse(cudaErrorHostMemoryAlreadyRegistered,
                       fmt::format("cudaHostRegister: {} bytes at {} overlap memory that is "
                                   "registered already",
                                   size,
                                   describe_pointer(call, ptr)));
  }
  names_of(call.sim).allocated(*call.sim.mem.find(ptr), nullptr);
  call.state.host_flags[ptr] = flags | cudaHostRegisterMapped;
  return call.ok();
}

cudaError_t cudaHostUnregister(void* ptr) {
  TILESIM_ENTRY(call)
  const allocation* a = host_allocation(call, ptr);
  if (a == nullptr || a->begin != reinterpret_cast<std::uintptr_t>(ptr)) {
    return call.misuse(
        cudaErrorHostMemoryNotRegistered,
        fmt::format("cudaHostUnregister: {} is not registered", describe_pointer(call, ptr)));
  }
  if (a->kind != memory_kind::registered) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaHostUnregister: {} was not registered", describe(call, *a)),
                       "use cudaFreeHost");
  }
  call.state.work.finish_all();
  names_of(call.sim).forget(*a);
  free_memory(call.sim, ptr, with_callers(call.site));
  call.state.host_flags.erase(ptr);
  return call.ok();
}

cudaError_t cudaHostGetDevicePointer(void** pDevice, void* pHost, unsigned int flags) {
  TILESIM_ENTRY(call)
  if (pDevice == nullptr || flags != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       pDevice == nullptr
                           ? "cudaHostGetDevicePointer: null pointer for the result"
                           : fmt::format("cudaHostGetDevicePointer: flags are {}, not 0", flags));
  }
  if (host_allocation(call, pHost) == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaHostGetDevicePointer: {} is neither pinned nor registered",
                                   describe_pointer(call, pHost)),
                       "allocate it with cudaMallocHost or register it with cudaHostRegister");
  }
  *pDevice = pHost;
  return call.ok();
}

cudaError_t cudaHostGetFlags(unsigned int* pFlags, void* pHost) {
  TILESIM_ENTRY(call)
  const allocation* a = host_allocation(call, pHost);
  if (pFlags == nullptr || a == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       pFlags == nullptr
                           ? "cudaHostGetFlags: null pointer for the result"
                           : fmt::format("cudaHostGetFlags: {} is neither pinned nor registered",
                                         describe_pointer(call, pHost)));
  }
  *pFlags = call.state.host_flags[reinterpret_cast<const void*>(a->begin)];
  return call.ok();
}
