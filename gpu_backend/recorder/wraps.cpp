// In front of the CUDA runtime's functions: each does what the runtime's does, and is told.
// Kernels, launches, streams, errors and the end; memory is wraps_memory.cpp's.
//
// A program's calls get here by the linker's --wrap=NAME [wraps.def]. A function with a stream has
// two names: NAME, and NAME_ptsz (NAME_ptds without one) where the default stream is the thread's.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/real.hpp"
#include "gpu_backend/recorder/surroundings.hpp"
#include "gpu_backend/recorder/wrap_calls.hpp"

#include <cstdlib>
#include <utility>

namespace tilesim::gpu {

namespace {

launch_event described(const char* by, dim3 grid, dim3 block, std::size_t shared_bytes) {
  return {.number = 0,
          .symbol = {},
          .grid = {grid.x, grid.y, grid.z},
          .block = {block.x, block.y, block.z},
          .cluster = {},
          .shared_bytes = shared_bytes,
          .stream = 0,
          .by = by,
          .place = {}};
}

template <class F>
cudaError_t launches(
    const void* kernel, void** arguments, launch_event event, const stream_key& stream, F&& real) {
  const call c;
  if (!c.of_program()) {
    return real();
  }
  recorder& r = recorder::of_process();
  event.symbol = kernel == nullptr ? std::string() : r.symbol_of(kernel);
  const std::string name = event.by;
  const bool runs_now = r.launches(event, stream);
  arguments_event passed = runs_now ? r.passed(kernel, arguments) : arguments_event();
  const cudaError_t error = called(name.c_str(), real);
  if (error == cudaSuccess && runs_now) {
    r.launched(std::move(event), std::move(passed), stream);
  }
  return error;
}

template <class F>
cudaError_t waits(const char* name, F&& real) {
  call c;
  if (!c.of_program()) {
    return real();
  }
  const cudaError_t error = called(name, [&] { return c.while_others_go_on(real); });
  recorder::of_process().waited(); // also where a kernel has failed
  return error;
}

void ends(int status) {
  if (in_recorded_process()) {
    const call c;
    recorder::of_process().ends(status);
  }
}

void at_exit(int status, void* /*unused*/) {
  ends(status);
}

// Before the program's own constructors: its output is kept from its first byte.
[[gnu::constructor(101)]] void begin(int /*count*/, char** words) {
  run_several(words);
  this_process_is_recorded();
  static_cast<void>(recorder::of_process()); // who passes output on shares what it keeps
  keep_output([](const std::string& output, int signal) {
    recorder::of_process().is_left_alone(output, signal);
  });
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

void __real___cudaRegisterManagedVar(
    void**, void**, char*, const char*, int, std::size_t, int, int);
void __wrap___cudaRegisterManagedVar(void** binary,
                                     void** host,
                                     char* device,
                                     const char* name,
                                     int external,
                                     std::size_t bytes,
                                     int constant,
                                     int global) {
  recorder::of_process().register_managed(host, name, bytes);
  __real___cudaRegisterManagedVar(binary, host, device, name, external, bytes, constant, global);
}

cudaError_t __real___cudaGetKernel(cudaKernel_t* handle, const void* host);
cudaError_t __wrap___cudaGetKernel(cudaKernel_t* handle, const void* host) {
  return told(
      "__cudaGetKernel",
      nothing,
      [&] { return __real___cudaGetKernel(handle, host); },
      [&](recorder& r) { r.name_handle(*handle, host); });
}

// --- Launches

#define TILESIM_LAUNCH(name, per_thread)                                                           \
  cudaError_t __real_##name(                                                                       \
      const void* f, dim3 grid, dim3 block, void** args, std::size_t shared, cudaStream_t s);      \
  cudaError_t __wrap_##name(                                                                       \
      const void* f, dim3 grid, dim3 block, void** args, std::size_t shared, cudaStream_t s) {     \
    return launches(f, args, described(#name, grid, block, shared), key_of(s, per_thread), [&] {   \
      return __real_##name(f, grid, block, args, shared, s);                                       \
    });                                                                                            \
  }
TILESIM_LAUNCH(__cudaLaunchKernel, false)
TILESIM_LAUNCH(__cudaLaunchKernel_ptsz, true)
TILESIM_LAUNCH(cudaLaunchKernel, false)
TILESIM_LAUNCH(cudaLaunchKernel_ptsz, true)
TILESIM_LAUNCH(cudaLaunchCooperativeKernel, false)
TILESIM_LAUNCH(cudaLaunchCooperativeKernel_ptsz, true)
#undef TILESIM_LAUNCH

static launch_event described(const char* by, const cudaLaunchConfig_t& how) {
  launch_event e = tilesim::gpu::described(by, how.gridDim, how.blockDim, how.dynamicSmemBytes);
  for (unsigned i = 0; i < how.numAttrs; ++i) {
    if (how.attrs[i].id == cudaLaunchAttributeClusterDimension) {
      const auto& cluster = how.attrs[i].val.clusterDim;
      e.cluster = {cluster.x, cluster.y, cluster.z};
    }
  }
  return e;
}

#define TILESIM_LAUNCH_EX(name, per_thread)                                                        \
  cudaError_t __real_##name(const cudaLaunchConfig_t* how, const void* f, void** args);            \
  cudaError_t __wrap_##name(const cudaLaunchConfig_t* how, const void* f, void** args) {           \
    const auto real = [&] { return __real_##name(how, f, args); };                                 \
    return how == nullptr                                                                          \
               ? real()                                                                            \
               : launches(f, args, described(#name, *how), key_of(how->stream, per_thread), real); \
  }
TILESIM_LAUNCH_EX(cudaLaunchKernelExC, false)
TILESIM_LAUNCH_EX(cudaLaunchKernelExC_ptsz, true)
#undef TILESIM_LAUNCH_EX

#define TILESIM_GRAPH_LAUNCH(name, per_thread)                                                     \
  cudaError_t __real_##name(cudaGraphExec_t graph, cudaStream_t s);                                \
  cudaError_t __wrap_##name(cudaGraphExec_t graph, cudaStream_t s) {                               \
    return launches(                                                                               \
        nullptr, nullptr, tilesim::gpu::described(#name, 0, 0, 0), key_of(s, per_thread), [&] {    \
          return __real_##name(graph, s);                                                          \
        });                                                                                        \
  }
TILESIM_GRAPH_LAUNCH(cudaGraphLaunch, false)
TILESIM_GRAPH_LAUNCH(cudaGraphLaunch_ptsz, true)
#undef TILESIM_GRAPH_LAUNCH

// --- Streams and capture

cudaError_t __real_cudaStreamDestroy(cudaStream_t s);
cudaError_t __wrap_cudaStreamDestroy(cudaStream_t s) {
  return told(
      "cudaStreamDestroy",
      nothing,
      [&] { return __real_cudaStreamDestroy(s); },
      [&](recorder& r) { r.forgets(s); });
}

#define TILESIM_HOST_FUNCTION(name, per_thread)                                                    \
  cudaError_t __real_##name(cudaStream_t s, cudaHostFn_t f, void* data);                           \
  cudaError_t __wrap_##name(cudaStream_t s, cudaHostFn_t f, void* data) {                          \
    return told(                                                                                   \
        #name,                                                                                     \
        nothing,                                                                                   \
        [&] { return __real_##name(s, f, data); },                                                 \
        [&](recorder& r) { r.goes_on(key_of(s, per_thread)); });                                   \
  }
TILESIM_HOST_FUNCTION(cudaLaunchHostFunc, false)
TILESIM_HOST_FUNCTION(cudaLaunchHostFunc_ptsz, true)
#undef TILESIM_HOST_FUNCTION

#define TILESIM_CAPTURE(name, per_thread)                                                          \
  cudaError_t __real_cudaStreamBegin##name(cudaStream_t s, cudaStreamCaptureMode mode);            \
  cudaError_t __wrap_cudaStreamBegin##name(cudaStream_t s, cudaStreamCaptureMode mode) {           \
    return told(                                                                                   \
        "cudaStreamBegin" #name,                                                                   \
        [](recorder& r) { r.waited(); },                                                           \
        [&] { return __real_cudaStreamBegin##name(s, mode); },                                     \
        [&](recorder& r) { r.begins_capture(key_of(s, per_thread)); });                            \
  }                                                                                                \
  cudaError_t __real_cudaStreamEnd##name(cudaStream_t s, cudaGraph_t* graph);                      \
  cudaError_t __wrap_cudaStreamEnd##name(cudaStream_t s, cudaGraph_t* graph) {                     \
    const call c;                                                                                  \
    if (!c.of_program()) {                                                                         \
      return __real_cudaStreamEnd##name(s, graph);                                                 \
    }                                                                                              \
    const cudaError_t error =                                                                      \
        called("cudaStreamEnd" #name, [&] { return __real_cudaStreamEnd##name(s, graph); });       \
    recorder::of_process().ends_capture(key_of(s, per_thread)); /* broken ones end, too */         \
    return error;                                                                                  \
  }
TILESIM_CAPTURE(Capture, false)
TILESIM_CAPTURE(Capture_ptsz, true)
#undef TILESIM_CAPTURE

// --- Waiting, and asking

#define TILESIM_WAITS(name, parameters, arguments)                                                 \
  cudaError_t __real_##name parameters;                                                            \
  cudaError_t __wrap_##name parameters {                                                           \
    return waits(#name, [&] { return __real_##name arguments; });                                  \
  }
TILESIM_WAITS(cudaDeviceSynchronize, (), ())
TILESIM_WAITS(cudaStreamSynchronize, (cudaStream_t s), (s))
TILESIM_WAITS(cudaStreamSynchronize_ptsz, (cudaStream_t s), (s))
TILESIM_WAITS(cudaEventSynchronize, (cudaEvent_t e), (e))
#undef TILESIM_WAITS

#define TILESIM_ASKS(name, parameters, arguments)                                                  \
  cudaError_t __real_##name parameters;                                                            \
  cudaError_t __wrap_##name parameters {                                                           \
    return told(                                                                                   \
        #name, nothing, [&] { return __real_##name arguments; }, [](recorder& r) { r.waited(); }); \
  }
TILESIM_ASKS(cudaStreamQuery, (cudaStream_t s), (s))
TILESIM_ASKS(cudaStreamQuery_ptsz, (cudaStream_t s), (s))
TILESIM_ASKS(cudaEventQuery, (cudaEvent_t e), (e))
#undef TILESIM_ASKS

cudaError_t __real_cudaDeviceReset();
cudaError_t __wrap_cudaDeviceReset() {
  return told(
      "cudaDeviceReset",
      [](recorder& r) { r.resets(); },
      [] { return __real_cudaDeviceReset(); },
      [](recorder& r) { r.has_reset(); });
}

// --- Errors: what the recorder's own calls leave is none of the program's

cudaError_t __wrap_cudaGetLastError() {
  const call c;
  return c.of_program() ? take_error() : __real_cudaGetLastError();
}

cudaError_t __real_cudaPeekAtLastError();
cudaError_t __wrap_cudaPeekAtLastError() {
  const call c;
  return c.of_program() ? peek_error() : __real_cudaPeekAtLastError();
}

// --- Ends that no handler sees

[[noreturn]] void __real__exit(int status);
[[noreturn]] void __wrap__exit(int status) {
  ends(status);
  __real__exit(status);
}
[[noreturn]] void __real__Exit(int status);
[[noreturn]] void __wrap__Exit(int status) {
  ends(status);
  __real__Exit(status);
}
[[noreturn]] void __real_quick_exit(int status);
[[noreturn]] void __wrap_quick_exit(int status) {
  ends(status);
  __real_quick_exit(status);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
