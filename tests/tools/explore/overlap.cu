// Launches that may run at the same time as one that is explored before them, as they do not wait at the same time.
// APART: they meet nowhere; MEETS: they do; COPY: a launch meets a copy; COPIED: a copy meets a launch; WAITS: one waits for
// what comes later in the other stream; EVENT: an event orders what meets; SYNC: the host waits for a stream in between.
// REUSED: what the one has accessed is freed, and allocated again.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void change(int* p, int by) {
  if (blockIdx.x == 0) {
    shared(p[0]).fetch_add(by, relaxed);
  } else {
    p[1] = shared(p[0]).load(relaxed);
  }
}
__global__ void wait(int* p) {
  while (shared(p[0]).load(relaxed) < 3) {
  }
}

int main() {
  int* const left = zeros(4);
  int* const right = zeros(4);
  cudaStream_t one;
  cudaStream_t other;
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaEvent_t done;
  cudaEventCreate(&done);
  change<<<2, 1, 0, one>>>(left, 1);
#ifdef WAITS
  wait<<<1, 1, 0, other>>>(left);
#else
  change<<<2, 1, 0, other>>>(right, 10);
#endif
#ifdef SYNC
  cudaStreamSynchronize(other);
#endif
#ifdef COPY
  cudaMemcpyAsync(right + 2, left, 4, cudaMemcpyDeviceToDevice, one);
  change<<<2, 1, 0, other>>>(right + 2, 20);
#elif defined(COPIED)
  change<<<2, 1, 0, one>>>(left, 2);
  cudaMemcpyAsync(right, left, 4, cudaMemcpyDeviceToDevice, one);
#elif defined(MEETS)
  change<<<2, 1, 0, one>>>(right, 2);
#elif defined(EVENT)
  cudaEventRecord(done, other);
  cudaStreamWaitEvent(one, done, 0);
  change<<<2, 1, 0, one>>>(right, 2);
#elif defined(SYNC)
  change<<<2, 1, 0, other>>>(right, 2);
#else
  change<<<2, 1, 0, one>>>(left, 2);
#endif
#ifdef REUSED
  cudaFreeAsync(left, one);
  int* again = nullptr;
  cudaMallocAsync(&again, 4 * sizeof(int), other);
  cudaMemsetAsync(again, 0, 4 * sizeof(int), other);
  change<<<2, 1, 0, other>>>(again, 5);
  cudaFreeAsync(again, other);
  std::printf("%d\n", taken(right, 1)[0]);
  cudaFree(right);
  return 0;
#endif
  const std::vector<int> l = taken(left, 2);
  const std::vector<int> r = taken(right, 2);
  std::printf("%d %d %d %d\n", l[0], l[1], r[0], r[1]);
  cudaFree(left);
  cudaFree(right);
}
