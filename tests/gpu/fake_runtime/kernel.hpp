// Kernels of a program that meets the fake runtime: written, registered and launched as nvcc's
// stubs do it.
//
//   FAKE_KERNEL(twice, (float* out, int n), (out, n)) { … }     defines it
//   FAKE_LAUNCH(twice, grid, block, shared, stream)(out, n);     twice<<<grid, block, shared,
//   stream>>>
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cuda_runtime_api.h>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

namespace fake {

/// A launch's arguments, taken when it is enqueued: what then runs on the device.
using binder = std::function<void()> (*)(void** arguments);

/// What runs where the program calls `host`, and how many bytes its parameters have.
void define(const void* host, binder bind, std::vector<std::size_t> parameters);

template <class... T>
std::vector<std::size_t> sizes_of(void (* /*body*/)(T...)) {
  return {sizeof(T)...};
}

/// The launch that runs in this thread.
dim3 grid();

template <class F>
const void* address_of(F* function) {
  return reinterpret_cast<const void*>(function);
}

template <class... T>
std::function<void()> bound(void (*body)(T...), void** arguments) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::tuple<T...> values(*static_cast<T*>(arguments[I])...);
    return [body, values] { std::apply(body, values); };
  }
  (std::index_sequence_for<T...>{});
}

} // namespace fake

// What nvcc's stubs call.
extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, void* stream);
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream);
cudaError_t __cudaGetKernel(cudaKernel_t* handle, const void* host);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel,
                               dim3 grid,
                               dim3 block,
                               void** arguments,
                               std::size_t shared,
                               cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel,
                                    dim3 grid,
                                    dim3 block,
                                    void** arguments,
                                    std::size_t shared,
                                    cudaStream_t stream);
void** __cudaRegisterFatBinary(void* binary);
void __cudaRegisterFatBinaryEnd(void** binary);
void __cudaRegisterFunction(void** binary,
                            const char* host,
                            char* device,
                            const char* symbol,
                            int limit,
                            uint3* tid,
                            uint3* bid,
                            dim3* block,
                            dim3* grid,
                            int* warp);
void __cudaRegisterVar(void** binary,
                       char* host,
                       char* device,
                       const char* name,
                       int external,
                       std::size_t bytes,
                       int constant,
                       int global);
void __cudaRegisterManagedVar(void** binary,
                              void** host,
                              char* device,
                              const char* name,
                              int external,
                              std::size_t bytes,
                              int constant,
                              int global);
}

namespace fake {

/// The program's one binary, registered before its first kernel.
void** binary();

struct registered {
  registered(const void* host,
             const char* symbol,
             binder bind,
             std::vector<std::size_t> parameters) {
    define(host, bind, std::move(parameters));
    __cudaRegisterFunction(binary(),
                           static_cast<const char*>(host),
                           const_cast<char*>(symbol),
                           symbol,
                           -1,
                           nullptr,
                           nullptr,
                           nullptr,
                           nullptr,
                           nullptr);
  }
};

/// Of the program's launches: `NAME_ptsz` where the default stream is the thread's.
template <class... T>
void call_stub(const void* host, T... values) {
  dim3 blocks;
  dim3 threads;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  if (__cudaPopCallConfiguration(&blocks, &threads, &shared, &stream) != cudaSuccess) {
    return;
  }
  cudaKernel_t kernel = nullptr;
  if (__cudaGetKernel(&kernel, host) != cudaSuccess) {
    return;
  }
  void* arguments[] = {&values..., nullptr}; // NOLINT(modernize-avoid-c-arrays): C's interface
#ifdef FAKE_PER_THREAD
  static_cast<void>(__cudaLaunchKernel_ptsz(kernel, blocks, threads, arguments, shared, stream));
#else
  static_cast<void>(__cudaLaunchKernel(kernel, blocks, threads, arguments, shared, stream));
#endif
}

} // namespace fake

#define FAKE_KERNEL(name, parameters, arguments)                                                   \
  static void name##_on_device parameters;                                                         \
  [[gnu::noinline]] static void __device_stub__##name parameters {                                 \
    std::apply(                                                                                    \
        [](auto... values) {                                                                       \
          fake::call_stub(fake::address_of(&__device_stub__##name), values...);                    \
        },                                                                                         \
        std::make_tuple arguments);                                                                \
  }                                                                                                \
  static const fake::registered name##_registered(                                                 \
      fake::address_of(&__device_stub__##name),                                                    \
      #name,                                                                                       \
      [](void** values) { return fake::bound(&name##_on_device, values); },                        \
      fake::sizes_of(&name##_on_device));                                                          \
  static void name##_on_device parameters

#define FAKE_LAUNCH(name, grid, block, shared, stream)                                             \
  if (__cudaPushCallConfiguration(grid, block, shared, stream) == 0)                               \
  __device_stub__##name
