// Blocks wait for another thread of the host's, which calls the runtime before it lets them go on.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>
#include <thread>

__global__ void wait_for(int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_system> f(*flag);
  while (f.load(cuda::memory_order_acquire) == 0) {
  }
  *out = 5;
}

/// Which nobody sees without hooks.
__global__ void poll_plainly(const volatile int* flag, int* out) {
  while (*flag == 0) {
  }
  *out = 5;
}

__global__ void add(int* p) {
  *p += 1;
}

int main(int argc, char** /*argv*/) {
  int* flag = nullptr;
  int* out = nullptr;
  int* other = nullptr;
  cudaMallocManaged(&flag, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMalloc(&other, sizeof(int));
  cudaMemset(other, 0, sizeof(int));
  cudaDeviceSynchronize();
  *flag = 0;
  int seen = -1;
  std::thread helper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300)); // the other thread waits by now
    int device = -1;
    cudaGetDevice(&device);
    cudaStream_t own = nullptr;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    add<<<1, 1, 0, own>>>(other);
    cudaMemcpyAsync(&seen, other, sizeof(int), cudaMemcpyDeviceToHost, own);
    cudaStreamSynchronize(own);
    cudaStreamDestroy(own);
    const cuda::atomic_ref<int, cuda::thread_scope_system> f(*flag);
    f.store(1, cuda::memory_order_release);
  });
  if (argc == 1) {
    wait_for<<<1, 1>>>(flag, out);
  } else {
    poll_plainly<<<1, 1>>>(flag, out);
  }
  const cudaError_t waited = cudaDeviceSynchronize();
  helper.join();
  int got = 0;
  cudaMemcpy(&got, out, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s, %d, %d\n", cudaGetErrorName(waited), got, seen);
  cudaFree(flag);
  cudaFree(out);
  cudaFree(other);
}
