// Streams and events around kernels: asynchronous copies, order between streams, timing, memory of
// several kinds, host functions.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;
using i32x64 = ct::tile<int, ct::shape<64>>;

__tile_global__ void add(int* data, int value) {
  auto i = static_cast<int>(ct::bid().x) * 64 + ct::iota<i32x64>();
  ct::store(data + i, ct::load(data + i) + value);
}

__tile_global__ void sum_into(int* total, const int* a, const int* b) {
  auto i = ct::iota<i32x64>();
  ct::atomic_add(total + ct::zeros<i32x64>(),
                 ct::load(a + i) * ct::load(b + i),
                 ct::memory_order_relaxed_t{},
                 ct::thread_scope_device_t{});
}

struct timer {
  cudaEvent_t start, stop;
  timer() {
    CHECK_CUDA(cudaEventCreate(&start));
    CHECK_CUDA(cudaEventCreateWithFlags(&stop, cudaEventBlockingSync));
  }
  ~timer() {
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
  }
  template <typename F>
  float milliseconds(int repeats, F f, cudaStream_t stream = 0) {
    CHECK_CUDA(cudaEventRecord(start, stream));
    for (int i = 0; i < repeats; ++i) {
      f();
    }
    CHECK_CUDA(cudaEventRecord(stop, stream));
    CHECK_CUDA(cudaEventSynchronize(stop));
    float time = -1;
    CHECK_CUDA(cudaEventElapsedTime(&time, start, stop));
    return time / repeats;
  }
};

static void CUDART_CB note(void* where) {
  ++*static_cast<int*>(where);
}

int main() {
  const int n = 256;
  cudaStream_t first, second;
  CHECK_CUDA(cudaStreamCreate(&first));
  CHECK_CUDA(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));

  int *pinned, *a, *b, *total;
  CHECK_CUDA(cudaMallocHost(&pinned, n * sizeof(int)));
  CHECK_CUDA(cudaMalloc(&a, n * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&total, sizeof(int)));
  *total = 5; // before any work: not every device lets the host in while it works
  CHECK_CUDA(cudaMallocAsync(&b, n * sizeof(int), second));
  for (int i = 0; i < n; ++i) {
    pinned[i] = i;
  }
  CHECK_CUDA(cudaMemcpyAsync(a, pinned, n * sizeof(int), cudaMemcpyHostToDevice, first));
  CHECK_CUDA(cudaMemsetAsync(b, 0, n * sizeof(int), second));
  add<<<n / 64, 1, 0, first>>>(a, 1);
  add<<<n / 64, 1, 0, second>>>(b, 2);
  cudaEvent_t filled;
  CHECK_CUDA(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  CHECK_CUDA(cudaEventRecord(filled, second));
  CHECK_CUDA(cudaStreamWaitEvent(first, filled, 0));
  sum_into<<<1, 1, 0, first>>>(total, a, b);
  CHECK_CUDA(cudaMemcpyAsync(pinned, a, n * sizeof(int), cudaMemcpyDeviceToHost, first));
  int notes = 0;
  CHECK_CUDA(cudaLaunchHostFunc(first, note, &notes));
  CHECK_CUDA(cudaStreamSynchronize(first));
  EXPECT(cudaStreamQuery(first) == cudaSuccess && cudaEventQuery(filled) == cudaSuccess);
  CHECK_CUDA(cudaDeviceSynchronize());
  EXPECT(*total == 5 + 64 * 65 && notes == 1);
  EXPECT(pinned[0] == 1 && pinned[255] == 256);

  const float once = timer().milliseconds(
      3, [&] { add<<<n / 64, 1, 0, second>>>(b, 1); }, second);
  EXPECT(once >= 0);
  int last = 0;
  CHECK_CUDA(cudaMemcpyAsync(&last, b + n - 1, sizeof(int), cudaMemcpyDeviceToHost, second));
  CHECK_CUDA(cudaStreamSynchronize(second));
  EXPECT(last == 5);

  CHECK_CUDA(cudaMemcpy(a, b, n * sizeof(int), cudaMemcpyDeviceToDevice));
  CHECK_CUDA(cudaMemcpy2D(pinned, 8, a, 16, 8, 16, cudaMemcpyDeviceToHost));
  EXPECT(pinned[31] == 5);
  CHECK_CUDA(cudaEventDestroy(filled));
  CHECK_CUDA(cudaFreeAsync(b, second));
  CHECK_CUDA(cudaFree(a));
  CHECK_CUDA(cudaFree(total));
  CHECK_CUDA(cudaFreeHost(pinned));
  CHECK_CUDA(cudaStreamDestroy(first));
  CHECK_CUDA(cudaStreamDestroy(second));

  EXPECT(cudaGetLastError() == cudaSuccess && cudaPeekAtLastError() == cudaSuccess);
  CHECK_CUDA(cudaDeviceSynchronize());
  CHECK_CUDA(cudaDeviceReset());
  return verdict("streams_and_events");
}
