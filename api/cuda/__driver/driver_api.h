// What CCCL's headers ask of the CUDA driver is answered by the simulator's runtime, whether or not
// the machine has a driver: their own header loads libcuda.so.1.
//
// A function that is not here says CUDA_ERROR_NOT_SUPPORTED, which they throw as a
// cuda::cuda_error.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <initializer_list>

namespace tilesim::detail {

template <class T>
T* address_of(CUdeviceptr p) noexcept {
  return reinterpret_cast<T*>(p);
}

inline int driver_device_name(char* name, int most, CUdevice device) {
  cudaDeviceProp all{};
  const cudaError_t e = cudaGetDeviceProperties(&all, device);
  if (e == cudaSuccess && most > 0) {
    ::std::strncpy(name, all.name, static_cast<::std::size_t>(most) - 1);
    name[most - 1] = 0;
  }
  return e;
}

inline int driver_total_memory(::std::size_t* bytes, CUdevice device) {
  cudaDeviceProp all{};
  const cudaError_t e = cudaGetDeviceProperties(&all, device);
  *bytes = all.totalGlobalMem;
  return e;
}

inline int driver_pointer_attribute(void* out, CUpointer_attribute which, CUdeviceptr p) {
  cudaPointerAttributes all{};
  const cudaError_t e = cudaPointerGetAttributes(&all, address_of<void>(p));
  if (e != cudaSuccess) {
    return e;
  }
  if (all.type == cudaMemoryTypeUnregistered) {
    return cudaErrorInvalidValue;
  }
  switch (which) {
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    *static_cast<CUmemorytype*>(out) =
        all.type == cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    break;
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    *static_cast<void**>(out) = all.devicePointer;
    break;
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    *static_cast<void**>(out) = all.hostPointer;
    break;
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    *static_cast<int*>(out) = all.type == cudaMemoryTypeManaged ? 1 : 0;
    break;
  case CU_POINTER_ATTRIBUTE_MAPPED:
    *static_cast<int*>(out) = 1;
    break;
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    *static_cast<int*>(out) = all.device;
    break;
  case CU_POINTER_ATTRIBUTE_CONTEXT:
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: // nobody's
    *static_cast<void**>(out) = nullptr;
    break;
  }
  return cudaSuccess;
}

inline int
driver_pointer_attributes(unsigned count, CUpointer_attribute* which, void** out, CUdeviceptr p) {
  int e = cudaSuccess;
  for (unsigned i = 0; i < count && e == cudaSuccess; ++i) {
    e = driver_pointer_attribute(out[i], which[i], p);
  }
  return e;
}

template <class F>
void* erased(F* f) noexcept {
  return reinterpret_cast<void*>(f);
}

// --- Functions of the driver's by their names; nullptr: not there.

/// Of devices, of which there is one.
inline void* driver_device_function(const char* name) noexcept {
  const auto is = [name](const char* other) { return ::std::strcmp(name, other) == 0; };
  if (is("cuInit")) {
    return erased(+[](unsigned) -> int { return 0; });
  }
  if (is("cuDriverGetVersion")) {
    return erased(&cudaDriverGetVersion);
  }
  if (is("cuDeviceGetCount")) {
    return erased(&cudaGetDeviceCount);
  }
  if (is("cuDeviceGet")) {
    return erased(+[](CUdevice* device, int ordinal) -> int {
      *device = ordinal;
      return ordinal == 0 ? cudaSuccess : cudaErrorInvalidDevice;
    });
  }
  if (is("cuDeviceGetAttribute")) {
    return erased(+[](int* value, int which, CUdevice device) -> int {
      return cudaDeviceGetAttribute(value, static_cast<cudaDeviceAttr>(which), device);
    });
  }
  if (is("cuDeviceGetName")) {
    return erased(&driver_device_name);
  }
  if (is("cuDeviceTotalMem")) {
    return erased(&driver_total_memory);
  }
  return nullptr;
}

/// Of contexts: there is one.
inline void* driver_context_function(const char* name) noexcept {
  const auto is = [name](const char* other) { return ::std::strcmp(name, other) == 0; };
  static int the_context = 0;
  if (is("cuDevicePrimaryCtxRetain")) {
    return erased(+[](void** context, CUdevice) -> int {
      *context = &the_context;
      return 0;
    });
  }
  if (is("cuCtxPopCurrent") || is("cuCtxGetCurrent")) {
    return erased(+[](void** context) -> int {
      *context = &the_context;
      return 0;
    });
  }
  if (is("cuDevicePrimaryCtxRelease") || is("cuCtxPushCurrent")) {
    return erased(+[](void*) -> int { return 0; });
  }
  if (is("cuDevicePrimaryCtxGetState")) {
    return erased(+[](CUdevice, unsigned* flags, int* active) -> int {
      *flags = 0;
      *active = 1;
      return 0;
    });
  }
  if (is("cuCtxGetDevice")) {
    return erased(&cudaGetDevice);
  }
  if (is("cuStreamGetDevice")) {
    return erased(+[](CUstream, CUdevice* device) -> int {
      *device = 0;
      return 0;
    });
  }
  return nullptr;
}

/// Of streams, which are the runtime's.
inline void* driver_stream_function(const char* name) noexcept {
  const auto is = [name](const char* other) { return ::std::strcmp(name, other) == 0; };
  if (is("cuStreamCreateWithPriority")) {
    return erased(+[](CUstream* s, unsigned flags, int priority) -> int {
      return cudaStreamCreateWithPriority(s, flags, priority);
    });
  }
  if (is("cuStreamDestroy")) {
    return erased(+[](CUstream s) -> int { return cudaStreamDestroy(s); });
  }
  if (is("cuStreamSynchronize")) {
    return erased(+[](CUstream s) -> int { return cudaStreamSynchronize(s); });
  }
  if (is("cuStreamQuery")) {
    return erased(+[](CUstream s) -> int { return cudaStreamQuery(s); });
  }
  if (is("cuStreamGetPriority")) {
    return erased(
        +[](CUstream s, int* priority) -> int { return cudaStreamGetPriority(s, priority); });
  }
  if (is("cuStreamWaitEvent")) {
    return erased(+[](CUstream s, CUevent e, unsigned flags) -> int {
      return cudaStreamWaitEvent(s, e, flags);
    });
  }
  if (is("cuLaunchHostFunc")) {
    return erased(
        +[](CUstream s, CUhostFn f, void* data) -> int { return cudaLaunchHostFunc(s, f, data); });
  }
  return nullptr;
}

/// Of events.
inline void* driver_event_function(const char* name) noexcept {
  const auto is = [name](const char* other) { return ::std::strcmp(name, other) == 0; };
  if (is("cuEventCreate")) {
    return erased(
        +[](CUevent* e, unsigned flags) -> int { return cudaEventCreateWithFlags(e, flags); });
  }
  if (is("cuEventDestroy")) {
    return erased(+[](CUevent e) -> int { return cudaEventDestroy(e); });
  }
  if (is("cuEventRecord")) {
    return erased(+[](CUevent e, CUstream s) -> int { return cudaEventRecord(e, s); });
  }
  if (is("cuEventSynchronize")) {
    return erased(+[](CUevent e) -> int { return cudaEventSynchronize(e); });
  }
  if (is("cuEventQuery")) {
    return erased(+[](CUevent e) -> int { return cudaEventQuery(e); });
  }
  if (is("cuEventElapsedTime")) {
    return erased(+[](float* ms, CUevent from, CUevent to) -> int {
      return cudaEventElapsedTime(ms, from, to);
    });
  }
  return nullptr;
}

/// Of memory.
inline void* driver_memory_function(const char* name) noexcept {
  const auto is = [name](const char* other) { return ::std::strcmp(name, other) == 0; };
  if (is("cuMemcpyAsync")) {
    return erased(+[](CUdeviceptr to, CUdeviceptr from, ::std::size_t bytes, CUstream s) -> int {
      return cudaMemcpyAsync(
          address_of<void>(to), address_of<const void>(from), bytes, cudaMemcpyDefault, s);
    });
  }
  if (is("cuMemsetD8Async")) {
    return erased(+[](CUdeviceptr to, unsigned char value, ::std::size_t n, CUstream s) -> int {
      return cudaMemsetAsync(address_of<void>(to), value, n, s);
    });
  }
  if (is("cuMemAllocHost")) {
    return erased(+[](void** p, ::std::size_t bytes) -> int { return cudaMallocHost(p, bytes); });
  }
  if (is("cuMemFreeHost")) {
    return erased(+[](void* p) -> int { return cudaFreeHost(p); });
  }
  if (is("cuMemAllocManaged")) {
    return erased(+[](CUdeviceptr* p, ::std::size_t bytes, unsigned flags) -> int {
      return cudaMallocManaged(reinterpret_cast<void**>(p), bytes, flags);
    });
  }
  if (is("cuMemFree")) {
    return erased(+[](CUdeviceptr p) -> int { return cudaFree(address_of<void>(p)); });
  }
  if (is("cuMemFreeAsync")) {
    return erased(
        +[](CUdeviceptr p, CUstream s) -> int { return cudaFreeAsync(address_of<void>(p), s); });
  }
  if (is("cuPointerGetAttribute")) {
    return erased(&driver_pointer_attribute);
  }
  if (is("cuPointerGetAttributes")) {
    return erased(&driver_pointer_attributes);
  }
  return nullptr;
}

/// cuGetProcAddress.
inline int driver_get(const char* name,
                      void** function,
                      int /*version*/,
                      unsigned long long /*flags*/,
                      CUdriverProcAddressQueryResult* found) noexcept {
  *function = nullptr;
  for (const auto& find : {&driver_device_function,
                           &driver_context_function,
                           &driver_stream_function,
                           &driver_event_function,
                           &driver_memory_function}) {
    *function = *function == nullptr ? find(name) : *function;
  }
  if (*function == nullptr) {
    *function = reinterpret_cast<void*>(+[]() -> int { return CUDA_ERROR_NOT_SUPPORTED; });
  }
  *found = CU_GET_PROC_ADDRESS_SUCCESS;
  return CUDA_SUCCESS;
}

inline void* driver_library(const char* /*name*/, int /*flags*/) noexcept {
  return reinterpret_cast<void*>(&driver_get);
}
inline void* driver_symbol(void* library, const char* /*name*/) noexcept {
  return library;
}

} // namespace tilesim::detail

// They call it as `::dlopen`.
#define dlopen tilesim::detail::driver_library
#define dlsym tilesim::detail::driver_symbol
#if __has_include_next(<cuda/__driver/driver_api.h>)
#include_next <cuda/__driver/driver_api.h>
#endif
#undef dlopen
#undef dlsym
