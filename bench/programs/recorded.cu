// What recording costs [bench/gpu.py]: the same program with and without the recorder.
//
//   recorded large     one launch of saxpy over 64M elements
//   recorded small     1000 launches that change one element, beside 1 GiB of memory
//   recorded yardsticks  what the device and the way to the host can do
//
// Prints `NAME… UNIT VALUE` lines. SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

static double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void must(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? 77 : 1);
  }
}

__global__ void saxpy(float a, const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] += a * x[i];
  }
}

__global__ void touch(float* y, unsigned i) {
  y[i] += 1;
}

/// Bytes a second, of one direction: the best of five.
static double rate(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  double best = 0;
  for (int i = 0; i < 5; ++i) {
    const double begin = now();
    must(cudaMemcpy(to, from, bytes, kind));
    must(cudaDeviceSynchronize());
    const double seconds = now() - begin;
    best = best > bytes / seconds ? best : bytes / seconds;
  }
  return best;
}

static void large() {
  constexpr unsigned n = 64U << 20U;
  std::vector<float> host(n);
  for (unsigned i = 0; i < n; ++i) {
    host[i] = static_cast<float>(i * 2654435761U) / 4294967296.0F; // no pattern that compresses
  }
  float* x = nullptr;
  float* y = nullptr;
  must(cudaMalloc(&x, n * sizeof(float)));
  must(cudaMalloc(&y, n * sizeof(float)));
  must(cudaMemcpy(x, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  must(cudaMemcpy(y, host.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const double begin = now();
  saxpy<<<n / 256, 256>>>(2.0F, x, y, n);
  must(cudaDeviceSynchronize());
  std::printf("recorded launches ms %.4f\n", 1000 * (now() - begin));
  must(cudaMemcpy(host.data(), y, n * sizeof(float), cudaMemcpyDeviceToHost));
}

static void small() {
  constexpr std::size_t bytes = std::size_t{1} << 30U;
  float* y = nullptr;
  must(cudaMalloc(&y, bytes));
  must(cudaMemset(y, 0, bytes));
  touch<<<1, 1>>>(y, 0);
  must(cudaDeviceSynchronize());
  const double begin = now();
  for (unsigned i = 0; i < 1000; ++i) {
    touch<<<1, 1>>>(y, i * 100'000);
  }
  must(cudaDeviceSynchronize());
  std::printf("recorded launches ms %.4f\n", 1000 * (now() - begin));
}

/// What the device and the way to the host can do: only of the program without the recorder.
static void yardsticks() {
  constexpr std::size_t bytes = std::size_t{1} << 30U;
  void* a = nullptr;
  void* b = nullptr;
  void* pinned = nullptr;
  must(cudaMalloc(&a, bytes));
  must(cudaMalloc(&b, bytes));
  must(cudaMallocHost(&pinned, bytes / 4));
  must(cudaMemset(a, 0, bytes));
  std::memset(pinned, 1, bytes / 4);
  // A copy reads and writes: twice its bytes.
  std::printf("recorded device GB/s %.1f\n", 2 * rate(b, a, bytes, cudaMemcpyDeviceToDevice) / 1e9);
  std::printf("recorded to_host GB/s %.1f\n",
              rate(pinned, a, bytes / 4, cudaMemcpyDeviceToHost) / 1e9);
}

int main(int count, char** words) {
  const char* const what = count > 1 ? words[1] : "";
  if (std::strcmp(what, "large") == 0) {
    large();
  } else if (std::strcmp(what, "small") == 0) {
    small();
  } else if (std::strcmp(what, "yardsticks") == 0) {
    yardsticks();
  } else {
    std::fprintf(stderr, "usage: recorded large|small|yardsticks\n");
    return 64;
  }
}
