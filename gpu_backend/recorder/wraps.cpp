// In front of the CUDA runtime's functions: each does what the runtime's does, and is told.
//
// A program's calls get here by the linker's --wrap=NAME [wraps.def]. A function with a stream has
// two names: NAME, and NAME_ptsz (NAME_ptds without one) where the default stream is the thread's.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/real.hpp"
#include "gpu_backend/recorder/recorder.hpp"
#include "gpu_backend/recorder/surroundings.hpp"

#include <cstdlib>
#include <utility>

namespace tilesim::gpu {

namespace {

/// Calls the runtime; what fails is told.
template <class F>
cudaError_t called(const char* name, F&& real) {
  const cudaError_t error = std::forward<F>(real)();
  if (error != cudaSuccess && error != cudaErrorNotReady) {
    recorder::of_process().failed(name, error);
  }
  return error;
}

template <class F>
cudaError_t
allocates(const char* name, memory_kind kind, void** p, const std::size_t& bytes, F&& real) {
  const recorder::call c;
  if (!c.of_program()) {
    return real();
  }
  const cudaError_t error = called(name, real);
  if (error == cudaSuccess) {
    recorder::of_process().allocated(kind, *p, bytes);
  }
  return error;
}

template <class F>
cudaError_t frees(const char* name, const void* p, F&& real) {
  const recorder::call c;
  if (c.of_program()) {
    recorder::of_process().frees(p);
    return called(name, real);
  }
  return real();
}

/// A copy of rows; `waits`: it has been made when the call returns.
template <class F>
cudaError_t copies(const char* name,
                   const void* to,
                   std::size_t to_pitch,
                   const void* from,
                   std::size_t from_pitch,
                   std::size_t width,
                   std::size_t height,
                   bool waits,
                   F&& real) {
  const recorder::call c;
  if (!c.of_program()) {
    return real();
  }
  recorder& r = recorder::of_process();
  r.waited(waits ? 1 : 0); // it stands behind what was launched before
  const cudaError_t error = called(name, real);
  if (error != cudaSuccess) {
    return error;
  }
  cudaPointerAttributes source{};
  const bool from_host =
      cudaPointerGetAttributes(&source, from) != cudaSuccess || source.type != cudaMemoryTypeDevice;
  for (std::size_t row = 0; row < height; ++row) {
    const auto* const at = static_cast<const char*>(to) + (row * to_pitch);
    const auto* const source_at = static_cast<const char*>(from) + (row * from_pitch);
    r.written(at, width, from_host ? source_at : nullptr, name);
    r.copied_to_host(at, source_at, width, name);
  }
  if (waits) {
    r.waited();
  }
  return error;
}

template <class F>
cudaError_t fills(const char* name,
                  const void* to,
                  std::size_t pitch,
                  std::size_t width,
                  std::size_t height,
                  F&& real) {
  const recorder::call c;
  if (!c.of_program()) {
    return real();
  }
  const cudaError_t error = called(name, real);
  for (std::size_t row = 0; error == cudaSuccess && row < height; ++row) {
    recorder::of_process().written(
        static_cast<const char*>(to) + (row * pitch), width, nullptr, name);
  }
  return error;
}

template <class F>
cudaError_t launches(const char* name,
                     const void* kernel,
                     dim3 grid,
                     dim3 block,
                     std::size_t shared_bytes,
                     cudaStream_t stream,
                     F&& real) {
  const recorder::call c;
  if (!c.of_program()) {
    return real();
  }
  recorder& r = recorder::of_process();
  r.launches(r.symbol_of(kernel), grid, block, shared_bytes, stream, name);
  const cudaError_t error = called(name, real);
  r.launched(error);
  return error;
}

template <class F>
cudaError_t waits(const char* name, F&& real) {
  const recorder::call c;
  if (!c.of_program()) {
    return real();
  }
  const cudaError_t error = called(name, real);
  recorder::of_process().waited();
  return error;
}

void at_exit(int status, void* /*unused*/) {
  const recorder::call c;
  recorder::of_process().ends(status);
}

// Before the program's own constructors: its output is kept from its first byte.
[[gnu::constructor(101)]] void begin() {
  keep_output();
  on_exit(at_exit, nullptr);
}

} // namespace

} // namespace tilesim::gpu

using namespace tilesim::gpu; // NOLINT(google-build-using-namespace): what follows has C's names

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {

// --- Kernels and variables by name

void __real___cudaRegisterFunction(
    void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*);
void __wrap___cudaRegisterFunction(void** binary,
                                   const char* host,
                                   char* device,
                                   const char* symbol,
                                   int limit,
                                   uint3* tid,
                                   uint3* bid,
                                   dim3* block,
                                   dim3* grid,
                                   int* warp) {
  recorder::of_process().register_kernel(host, symbol);
  __real___cudaRegisterFunction(binary, host, device, symbol, limit, tid, bid, block, grid, warp);
}

void __real___cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int);
void __wrap___cudaRegisterVar(void** binary,
                              char* host,
                              char* device,
                              const char* name,
                              int external,
                              std::size_t bytes,
                              int constant,
                              int global) {
  recorder::of_process().register_variable(host, name, bytes);
  __real___cudaRegisterVar(binary, host, device, name, external, bytes, constant, global);
}

cudaError_t __real___cudaGetKernel(cudaKernel_t* handle, const void* host);
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* handle, const void* host) {
  const cudaError_t error = __real___cudaGetKernel(handle, host);
  if (error == cudaSuccess) {
    const recorder::call c;
    recorder::of_process().name_handle(*handle, host);
  }
  return error;
}

// --- Launches

#define TILESIM_LAUNCH(name)                                                                       \
  cudaError_t __real_##name(                                                                       \
      const void* f, dim3 grid, dim3 block, void** args, std::size_t shared, cudaStream_t s);      \
  cudaError_t __wrap_##name(                                                                       \
      const void* f, dim3 grid, dim3 block, void** args, std::size_t shared, cudaStream_t s) {     \
    return launches(#name, f, grid, block, shared, s, [&] {                                        \
      return __real_##name(f, grid, block, args, shared, s);                                       \
    });                                                                                            \
  }
TILESIM_LAUNCH(__cudaLaunchKernel)
TILESIM_LAUNCH(__cudaLaunchKernel_ptsz)
TILESIM_LAUNCH(cudaLaunchKernel)
TILESIM_LAUNCH(cudaLaunchKernel_ptsz)
TILESIM_LAUNCH(cudaLaunchCooperativeKernel)
TILESIM_LAUNCH(cudaLaunchCooperativeKernel_ptsz)
#undef TILESIM_LAUNCH

#define TILESIM_LAUNCH_EX(name)                                                                    \
  cudaError_t __real_##name(const cudaLaunchConfig_t* how, const void* f, void** args);            \
  cudaError_t __wrap_##name(const cudaLaunchConfig_t* how, const void* f, void** args) {           \
    return launches(                                                                               \
        #name, f, how->gridDim, how->blockDim, how->dynamicSmemBytes, how->stream, [&] {           \
          return __real_##name(how, f, args);                                                      \
        });                                                                                        \
  }
TILESIM_LAUNCH_EX(cudaLaunchKernelExC)
TILESIM_LAUNCH_EX(cudaLaunchKernelExC_ptsz)
#undef TILESIM_LAUNCH_EX

#define TILESIM_GRAPH_LAUNCH(name)                                                                 \
  cudaError_t __real_##name(cudaGraphExec_t graph, cudaStream_t s);                                \
  cudaError_t __wrap_##name(cudaGraphExec_t graph, cudaStream_t s) {                               \
    return launches(#name, nullptr, 0, 0, 0, s, [&] { return __real_##name(graph, s); });          \
  }
TILESIM_GRAPH_LAUNCH(cudaGraphLaunch)
TILESIM_GRAPH_LAUNCH(cudaGraphLaunch_ptsz)
#undef TILESIM_GRAPH_LAUNCH

// --- Memory

cudaError_t __wrap_cudaMalloc(void** p, std::size_t bytes) {
  return allocates(
      "cudaMalloc", memory_kind::device, p, bytes, [&] { return __real_cudaMalloc(p, bytes); });
}

cudaError_t __real_cudaMallocManaged(void** p, std::size_t bytes, unsigned flags);
cudaError_t __wrap_cudaMallocManaged(void** p, std::size_t bytes, unsigned flags) {
  return allocates("cudaMallocManaged", memory_kind::managed, p, bytes, [&] {
    return __real_cudaMallocManaged(p, bytes, flags);
  });
}

cudaError_t __wrap_cudaMallocHost(void** p, std::size_t bytes) {
  return allocates("cudaMallocHost", memory_kind::pinned, p, bytes, [&] {
    return __real_cudaMallocHost(p, bytes);
  });
}

cudaError_t __real_cudaHostAlloc(void** p, std::size_t bytes, unsigned flags);
cudaError_t __wrap_cudaHostAlloc(void** p, std::size_t bytes, unsigned flags) {
  return allocates("cudaHostAlloc", memory_kind::pinned, p, bytes, [&] {
    return __real_cudaHostAlloc(p, bytes, flags);
  });
}

cudaError_t __real_cudaHostRegister(void* p, std::size_t bytes, unsigned flags);
cudaError_t __wrap_cudaHostRegister(void* p, std::size_t bytes, unsigned flags) {
  return allocates("cudaHostRegister", memory_kind::registered, &p, bytes, [&] {
    return __real_cudaHostRegister(p, bytes, flags);
  });
}

cudaError_t
__real_cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t
__wrap_cudaMallocPitch(void** p, std::size_t* pitch, std::size_t width, std::size_t height) {
  std::size_t bytes = 0;
  return allocates("cudaMallocPitch", memory_kind::device, p, bytes, [&] {
    const cudaError_t error = __real_cudaMallocPitch(p, pitch, width, height);
    bytes = error == cudaSuccess ? *pitch * height : 0;
    return error;
  });
}

#define TILESIM_MALLOC_ASYNC(name)                                                                 \
  cudaError_t __real_##name(void** p, std::size_t bytes, cudaStream_t s);                          \
  cudaError_t __wrap_##name(void** p, std::size_t bytes, cudaStream_t s) {                         \
    return allocates(                                                                              \
        #name, memory_kind::device, p, bytes, [&] { return __real_##name(p, bytes, s); });         \
  }
TILESIM_MALLOC_ASYNC(cudaMallocAsync)
TILESIM_MALLOC_ASYNC(cudaMallocAsync_ptsz)
#undef TILESIM_MALLOC_ASYNC

cudaError_t __wrap_cudaFree(void* p) {
  return frees("cudaFree", p, [&] { return __real_cudaFree(p); });
}

cudaError_t __real_cudaFreeHost(void* p);
cudaError_t __wrap_cudaFreeHost(void* p) {
  return frees("cudaFreeHost", p, [&] { return __real_cudaFreeHost(p); });
}

cudaError_t __real_cudaHostUnregister(void* p);
cudaError_t __wrap_cudaHostUnregister(void* p) {
  return frees("cudaHostUnregister", p, [&] { return __real_cudaHostUnregister(p); });
}

#define TILESIM_FREE_ASYNC(name)                                                                   \
  cudaError_t __real_##name(void* p, cudaStream_t s);                                              \
  cudaError_t __wrap_##name(void* p, cudaStream_t s) {                                             \
    return frees(#name, p, [&] { return __real_##name(p, s); });                                   \
  }
TILESIM_FREE_ASYNC(cudaFreeAsync)
TILESIM_FREE_ASYNC(cudaFreeAsync_ptsz)
#undef TILESIM_FREE_ASYNC

// --- Copies and fills

cudaError_t __wrap_cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copies("cudaMemcpy", to, 0, from, 0, bytes, 1, true, [&] {
    return __real_cudaMemcpy(to, from, bytes, kind);
  });
}

cudaError_t
__real_cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t
__wrap_cudaMemcpy_ptds(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copies("cudaMemcpy", to, 0, from, 0, bytes, 1, true, [&] {
    return __real_cudaMemcpy_ptds(to, from, bytes, kind);
  });
}

cudaError_t __wrap_cudaMemcpyAsync(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
  return copies("cudaMemcpyAsync", to, 0, from, 0, bytes, 1, false, [&] {
    return __real_cudaMemcpyAsync(to, from, bytes, kind, s);
  });
}

cudaError_t __real_cudaMemcpyAsync_ptsz(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s);
cudaError_t __wrap_cudaMemcpyAsync_ptsz(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t s) {
  return copies("cudaMemcpyAsync", to, 0, from, 0, bytes, 1, false, [&] {
    return __real_cudaMemcpyAsync_ptsz(to, from, bytes, kind, s);
  });
}

cudaError_t __real_cudaMemcpy2D(void* to,
                                std::size_t to_pitch,
                                const void* from,
                                std::size_t from_pitch,
                                std::size_t width,
                                std::size_t height,
                                cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpy2D(void* to,
                                std::size_t to_pitch,
                                const void* from,
                                std::size_t from_pitch,
                                std::size_t width,
                                std::size_t height,
                                cudaMemcpyKind kind) {
  return copies("cudaMemcpy2D", to, to_pitch, from, from_pitch, width, height, true, [&] {
    return __real_cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
  });
}

cudaError_t __real_cudaMemcpy2DAsync(void* to,
                                     std::size_t to_pitch,
                                     const void* from,
                                     std::size_t from_pitch,
                                     std::size_t width,
                                     std::size_t height,
                                     cudaMemcpyKind kind,
                                     cudaStream_t s);
cudaError_t __wrap_cudaMemcpy2DAsync(void* to,
                                     std::size_t to_pitch,
                                     const void* from,
                                     std::size_t from_pitch,
                                     std::size_t width,
                                     std::size_t height,
                                     cudaMemcpyKind kind,
                                     cudaStream_t s) {
  return copies("cudaMemcpy2DAsync", to, to_pitch, from, from_pitch, width, height, false, [&] {
    return __real_cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, s);
  });
}

/// Where a variable's bytes lie on the device.
static const void* place_of(const void* symbol, std::size_t offset) {
  const recorder::call inside;
  void* address = nullptr;
  return cudaGetSymbolAddress(&address, symbol) == cudaSuccess
             ? static_cast<const char*>(address) + offset
             : nullptr;
}

cudaError_t __real_cudaMemcpyToSymbol(const void* symbol,
                                      const void* from,
                                      std::size_t bytes,
                                      std::size_t offset,
                                      cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpyToSymbol(const void* symbol,
                                      const void* from,
                                      std::size_t bytes,
                                      std::size_t offset,
                                      cudaMemcpyKind kind) {
  return copies("cudaMemcpyToSymbol", place_of(symbol, offset), 0, from, 0, bytes, 1, true, [&] {
    return __real_cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
  });
}

cudaError_t __real_cudaMemcpyFromSymbol(
    void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind);
cudaError_t __wrap_cudaMemcpyFromSymbol(
    void* to, const void* symbol, std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return copies("cudaMemcpyFromSymbol", to, 0, place_of(symbol, offset), 0, bytes, 1, true, [&] {
    return __real_cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
  });
}

cudaError_t __real_cudaMemset(void* to, int value, std::size_t bytes);
cudaError_t __wrap_cudaMemset(void* to, int value, std::size_t bytes) {
  return fills("cudaMemset", to, 0, bytes, 1, [&] { return __real_cudaMemset(to, value, bytes); });
}

cudaError_t __real_cudaMemset_ptds(void* to, int value, std::size_t bytes);
cudaError_t __wrap_cudaMemset_ptds(void* to, int value, std::size_t bytes) {
  return fills(
      "cudaMemset", to, 0, bytes, 1, [&] { return __real_cudaMemset_ptds(to, value, bytes); });
}

#define TILESIM_MEMSET_ASYNC(name)                                                                 \
  cudaError_t __real_##name(void* to, int value, std::size_t bytes, cudaStream_t s);               \
  cudaError_t __wrap_##name(void* to, int value, std::size_t bytes, cudaStream_t s) {              \
    return fills(#name, to, 0, bytes, 1, [&] { return __real_##name(to, value, bytes, s); });      \
  }
TILESIM_MEMSET_ASYNC(cudaMemsetAsync)
TILESIM_MEMSET_ASYNC(cudaMemsetAsync_ptsz)
#undef TILESIM_MEMSET_ASYNC

cudaError_t
__real_cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t
__wrap_cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return fills("cudaMemset2D", to, pitch, width, height, [&] {
    return __real_cudaMemset2D(to, pitch, value, width, height);
  });
}

// --- Streams

#define TILESIM_STREAM_DESTROY(name)                                                               \
  cudaError_t __real_##name(cudaStream_t s);                                                       \
  cudaError_t __wrap_##name(cudaStream_t s) {                                                      \
    const recorder::call c;                                                                        \
    if (c.of_program()) {                                                                          \
      recorder::of_process().forgets(s);                                                           \
    }                                                                                              \
    return __real_##name(s);                                                                       \
  }
TILESIM_STREAM_DESTROY(cudaStreamDestroy)
#undef TILESIM_STREAM_DESTROY

// --- Waiting

cudaError_t __real_cudaDeviceSynchronize();
cudaError_t __wrap_cudaDeviceSynchronize() {
  return waits("cudaDeviceSynchronize", [] { return __real_cudaDeviceSynchronize(); });
}

cudaError_t __wrap_cudaStreamSynchronize(cudaStream_t s) {
  return waits("cudaStreamSynchronize", [&] { return __real_cudaStreamSynchronize(s); });
}

cudaError_t __real_cudaStreamSynchronize_ptsz(cudaStream_t s);
cudaError_t __wrap_cudaStreamSynchronize_ptsz(cudaStream_t s) {
  return waits("cudaStreamSynchronize", [&] { return __real_cudaStreamSynchronize_ptsz(s); });
}

cudaError_t __real_cudaEventSynchronize(cudaEvent_t e);
cudaError_t __wrap_cudaEventSynchronize(cudaEvent_t e) {
  return waits("cudaEventSynchronize", [&] { return __real_cudaEventSynchronize(e); });
}

// --- Capture

#define TILESIM_CAPTURE(name, parameters, arguments, does)                                         \
  cudaError_t __real_##name parameters;                                                            \
  cudaError_t __wrap_##name parameters {                                                           \
    const recorder::call c;                                                                        \
    const cudaError_t error = __real_##name arguments;                                             \
    if (c.of_program() && error == cudaSuccess) {                                                  \
      recorder::of_process().does();                                                               \
    }                                                                                              \
    return error;                                                                                  \
  }
TILESIM_CAPTURE(cudaStreamBeginCapture,
                (cudaStream_t s, cudaStreamCaptureMode mode),
                (s, mode),
                begins_capture)
TILESIM_CAPTURE(cudaStreamBeginCapture_ptsz,
                (cudaStream_t s, cudaStreamCaptureMode mode),
                (s, mode),
                begins_capture)
TILESIM_CAPTURE(cudaStreamEndCapture,
                (cudaStream_t s, cudaGraph_t* graph),
                (s, graph),
                ends_capture)
TILESIM_CAPTURE(cudaStreamEndCapture_ptsz,
                (cudaStream_t s, cudaGraph_t* graph),
                (s, graph),
                ends_capture)
#undef TILESIM_CAPTURE

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
