// The CUDA runtime's functions over a device that is none [device.hpp]: as far as the recorder and
// its tests call them, with the errors and the order that NVIDIA's documentation gives them. Here:
// kernels, variables, the device, errors.
//
// None of them calls one of another file: as in a library that is linked already, the linker's
// --wrap sees nothing of what they do.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu/fake_runtime/runtime.hpp"

#include "gpu/fake_runtime/kernel.hpp"

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace fake {

namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local dim3 running_grid;
bool unloaded = false;

struct kernel {
  std::string symbol;
  binder bind = nullptr;
  std::vector<std::size_t> parameters; ///< bytes of each
};

struct variable {
  void* host = nullptr; ///< its shadow; of a managed one, where its address is kept
  bool managed = false;
  std::size_t bytes = 0;
  void* address = nullptr; ///< once it has been used
};

struct configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
};

std::map<const void*, kernel>& kernels() {
  static auto* const all = new std::map<const void*, kernel>;
  return *all;
}

std::vector<variable>& variables() {
  static auto* const all = new std::vector<variable>;
  return *all;
}

thread_local std::vector<configuration> configurations;

cudaError_t launch(const void* function_or_handle,
                   dim3 grid,
                   dim3 block,
                   void** arguments,
                   cudaStream_t s,
                   bool per_thread) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return said(error);
  }
  const auto by_function = kernels().find(function_or_handle);
  const kernel* found = by_function != kernels().end() ? &by_function->second : nullptr;
  for (const auto& [host, k] : kernels()) {
    found = &k == function_or_handle ? &k : found;
  }
  if (found == nullptr || found->bind == nullptr) {
    return said(cudaErrorInvalidDeviceFunction);
  }
  if (grid.x == 0 || block.x == 0 || block.x > 1024) {
    return said(cudaErrorInvalidConfiguration);
  }
  return said(submit(find(s, per_thread), [grid, body = found->bind(arguments)] {
    running_grid = grid;
    body();
  }));
}

void unload() {
  unloaded = true;
}

} // namespace

cudaError_t said(cudaError_t error) {
  if (error != cudaSuccess) {
    last_error = error;
  }
  return error;
}

cudaError_t ready() {
  static const char* const given = std::getenv("FAKE_CUDA");
  if (unloaded) {
    return cudaErrorCudartUnloading;
  }
  if (given != nullptr && given == std::string_view("none")) {
    return cudaErrorNoDevice;
  }
  if (given != nullptr && given == std::string_view("old-driver")) {
    return cudaErrorInsufficientDriver;
  }
  if (device::one().faulted()) {
    return cudaErrorIllegalAddress;
  }
  for (variable& v : variables()) { // a module is initialised by the first call
    if (v.managed && v.address == nullptr) {
      v.address = device::one().allocate(memory::managed, v.bytes);
      *static_cast<void**>(v.host) = v.address;
    }
  }
  return cudaSuccess;
}

cudaError_t ready_to_wait() {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return error;
  }
  if (device::one().any_capture()) {
    device::one().break_captures();
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

stream* find(cudaStream_t s, bool per_thread) {
  device& d = device::one();
  if (s == cudaStreamLegacy || (s == nullptr && !per_thread)) {
    return &d.legacy();
  }
  if (s == cudaStreamPerThread || s == nullptr) {
    return &d.of_this_thread();
  }
  auto* const found = reinterpret_cast<stream*>(s);
  return d.is_stream(found) ? found : nullptr;
}

cudaError_t submit(stream* s, std::function<void()> work) {
  device& d = device::one();
  if (s == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (s->capture != nullptr) {
    s->capture->nodes.push_back(std::move(work));
    return s->capture_is_broken ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
  }
  if (s == &d.legacy() && d.any_capture()) {
    d.break_captures();
    return cudaErrorStreamCaptureImplicit;
  }
  static_cast<void>(d.put(*s, std::move(work)));
  return cudaSuccess;
}

cudaError_t does(stream* s, bool waits, std::function<void()> work) {
  cudaError_t error = waits ? ready_to_wait() : ready();
  if (error == cudaSuccess) {
    error = submit(s, std::move(work));
  }
  if (error == cudaSuccess && waits) {
    device::one().wait(device::one().last_of(*s));
    error = device::one().faulted() ? cudaErrorIllegalAddress : cudaSuccess;
  }
  return said(error);
}

void* address_of_variable(const void* symbol) {
  for (variable& v : variables()) {
    if (v.host != symbol) {
      continue;
    }
    if (v.address == nullptr) {
      v.address = device::one().allocate(memory::device, v.bytes);
      if (v.address != nullptr) {
        device::one().as_device([&] { std::memcpy(v.address, v.host, v.bytes); });
      }
    }
    return v.address;
  }
  return nullptr;
}

void define(const void* host, binder bind, std::vector<std::size_t> parameters) {
  kernels()[host].bind = bind;
  kernels()[host].parameters = std::move(parameters);
}

dim3 grid() {
  return running_grid;
}

void** binary() {
  static void** const one = [] {
    void** const made = __cudaRegisterFatBinary(nullptr);
    __cudaRegisterFatBinaryEnd(made);
    return made;
  }();
  return one;
}

} // namespace fake

using namespace fake; // NOLINT(google-build-using-namespace): what follows has C's names

// NOLINTBEGIN(bugprone-reserved-identifier): NVIDIA's names
extern "C" {

// --- Kernels and variables

void** __cudaRegisterFatBinary(void* /*binary*/) {
  static void* one = nullptr;
  std::atexit(unload);
  return &one;
}
void __cudaRegisterFatBinaryEnd(void** /*binary*/) {}

void __cudaRegisterFunction(void** /*binary*/,
                            const char* host,
                            char* /*device*/,
                            const char* symbol,
                            int /*limit*/,
                            uint3* /*tid*/,
                            uint3* /*bid*/,
                            dim3* /*block*/,
                            dim3* /*grid*/,
                            int* /*warp*/) {
  kernels()[host].symbol = symbol;
}

void __cudaRegisterVar(void** /*binary*/,
                       char* host,
                       char* /*device*/,
                       const char* /*name*/,
                       int /*external*/,
                       std::size_t bytes,
                       int /*constant*/,
                       int /*global*/) {
  variables().push_back({.host = host, .managed = false, .bytes = bytes});
}

void __cudaRegisterManagedVar(void** /*binary*/,
                              void** host,
                              char* /*device*/,
                              const char* /*name*/,
                              int /*external*/,
                              std::size_t bytes,
                              int /*constant*/,
                              int /*global*/) {
  variables().push_back({.host = static_cast<void*>(host), .managed = true, .bytes = bytes});
}

cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* host) {
  const auto found = kernels().find(host);
  if (found == kernels().end()) {
    return said(cudaErrorInvalidDeviceFunction);
  }
  *handle = reinterpret_cast<cudaKernel_t>(&found->second);
  return cudaSuccess;
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations.empty()) {
    return said(cudaErrorMissingConfiguration);
  }
  const configuration c = configurations.back();
  configurations.pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<void**>(stream) = c.stream;
  return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(
    cudaKernel_t f, dim3 grid, dim3 block, void** args, std::size_t /*shared*/, cudaStream_t s) {
  return launch(f, grid, block, args, s, false);
}
cudaError_t __cudaLaunchKernel_ptsz(
    cudaKernel_t f, dim3 grid, dim3 block, void** args, std::size_t /*shared*/, cudaStream_t s) {
  return launch(f, grid, block, args, s, true);
}

#define FAKE_LAUNCHES(name, per_thread)                                                            \
  cudaError_t name(                                                                                \
      const void* f, dim3 grid, dim3 block, void** args, std::size_t /*shared*/, cudaStream_t s) { \
    return launch(f, grid, block, args, s, per_thread);                                            \
  }
FAKE_LAUNCHES(cudaLaunchKernel, false)
FAKE_LAUNCHES(cudaLaunchKernel_ptsz, true)
FAKE_LAUNCHES(cudaLaunchCooperativeKernel, false)
FAKE_LAUNCHES(cudaLaunchCooperativeKernel_ptsz, true)

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* how, const void* f, void** args) {
  return launch(f, how->gridDim, how->blockDim, args, how->stream, false);
}
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* how, const void* f, void** args) {
  return launch(f, how->gridDim, how->blockDim, args, how->stream, true);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return said(error);
  }
  *address = address_of_variable(symbol);
  return said(*address == nullptr ? cudaErrorInvalidSymbol : cudaSuccess);
}

// --- The device

cudaError_t cudaDeviceSynchronize() {
  const cudaError_t error = ready_to_wait();
  if (error == cudaSuccess) {
    device::one().wait_for_all();
  }
  return said(error == cudaSuccess && device::one().faulted() ? cudaErrorIllegalAddress : error);
}
cudaError_t cudaDeviceReset() {
  const cudaError_t error = ready_to_wait();
  if (error == cudaSuccess) {
    device::one().wait_for_all();
    device::one().reset();
  }
  return said(error);
}
cudaError_t cudaGetDevice(int* to) {
  *to = 0;
  return said(ready());
}
cudaError_t cudaSetDevice(int number) {
  const cudaError_t error = ready();
  return said(error == cudaSuccess && number != 0 ? cudaErrorInvalidDevice : error);
}
cudaError_t cudaFuncGetParamInfo(const void* function,
                                 std::size_t index,
                                 std::size_t* offset,
                                 std::size_t* bytes) {
  const auto found = kernels().find(function);
  if (found == kernels().end() || index >= found->second.parameters.size()) {
    return said(cudaErrorInvalidValue);
  }
  *offset = 8 * index;
  *bytes = found->second.parameters[index];
  return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* to, int /*number*/) {
  *to = {};
  std::strcpy(to->name, "Fake GPU");
  to->major = 9;
  return said(ready());
}
cudaError_t cudaRuntimeGetVersion(int* to) {
  *to = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* to) {
  *to = ready() == cudaErrorInsufficientDriver ? 12020 : CUDART_VERSION;
  return cudaSuccess;
}

// --- Errors

cudaError_t cudaGetLastError() {
  const cudaError_t error = device::one().faulted() ? cudaErrorIllegalAddress : last_error;
  last_error = cudaSuccess;
  return error;
}
cudaError_t cudaPeekAtLastError() {
  return device::one().faulted() ? cudaErrorIllegalAddress : last_error;
}
const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define TILESIM_CUDA_ERROR(name, value, string)                                                    \
  case name:                                                                                       \
    return #name;
#include <tilesim/detail/cuda_errors.def>
#undef TILESIM_CUDA_ERROR
  }
  return "unrecognized error code";
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
