// What the programs here include first: checks of calls and of results.
//
// Like the helper headers of public samples, it includes nothing of CUDA's and declares its
// functions only under the include guards of NVIDIA's headers, which the compiler's implicit
// cuda_runtime.h must define. SPDX-License-Identifier: Apache-2.0
#ifndef TILESIM_TESTS_HELPER_CHECKS_H
#define TILESIM_TESTS_HELPER_CHECKS_H

#include <stdio.h>
#include <stdlib.h>

#include <vector>

#ifdef __DRIVER_TYPES_H__
static const char* name_of(cudaError_t error) {
  return cudaGetErrorName(error);
}

template <typename Result>
void check_call(Result result, const char* call, const char* file, int line) {
  if (result) {
    fprintf(stderr,
            "%s:%d: %s = %d (%s): %s\n",
            file,
            line,
            call,
            static_cast<int>(result),
            name_of(result),
            cudaGetErrorString(result));
    exit(EXIT_FAILURE);
  }
}
#  define CHECK_CUDA(call) check_call((call), #  call, __FILE__, __LINE__)
#  define CHECK_LAUNCHES()                                                                         \
    do {                                                                                           \
      CHECK_CUDA(cudaGetLastError());                                                              \
      CHECK_CUDA(cudaDeviceSynchronize());                                                         \
    } while (0)
#endif

#ifdef __CUDA_RUNTIME_H__
// The device with the most multiprocessors on which programs may run.
inline int best_device() {
  int count = 0;
  CHECK_CUDA(cudaGetDeviceCount(&count));
  int best = -1, most = 0;
  for (int device = 0; device < count; ++device) {
    int mode = -1, multiprocessors = 0, major = 0, minor = 0;
    CHECK_CUDA(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device));
    CHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CHECK_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CHECK_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    if (mode != cudaComputeModeProhibited && major >= 8 && multiprocessors > most) {
      best = device;
      most = multiprocessors;
    }
  }
  if (best < 0) {
    check_call(cudaErrorInvalidValue, "best_device", __FILE__, __LINE__);
  }
  CHECK_CUDA(cudaSetDevice(best));
  int current = -1;
  CHECK_CUDA(cudaGetDevice(&current));
  return current;
}

// Device memory with what it holds, as programs keep it in a class of their own.
template <typename T>
struct device_array {
  explicit device_array(int count, T value = T())
      : device_array(std::vector<T>(count, value)) {}
  explicit device_array(const std::vector<T>& values)
      : size(static_cast<int>(values.size())) {
    CHECK_CUDA(cudaMalloc((void**)&data, size * sizeof(T)));
    CHECK_CUDA(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice));
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data); }

  std::vector<T> host() const {
    std::vector<T> values(size);
    CHECK_CUDA(cudaMemcpy(values.data(), data, size * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
  }

  T* data = nullptr;
  int size;
};
#endif

static int wrong_results = 0;
#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ++wrong_results;                                                                             \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                      \
    }                                                                                              \
  } while (0)

// The exit code of main.
inline int verdict(const char* program) {
  printf("%s: %s\n", program, wrong_results == 0 ? "right" : "WRONG");
  return wrong_results == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
