// A stream's kernels use memory from cudaMallocAsync, and so do copies; an event hands it to another stream, which frees it.
// No order is missing. Racy: a last kernel of the first stream, behind the event.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void increment(int* data) {
  const auto i = ct::iota<ints<8>>();
  ct::store(data + i, ct::load(data + i) + 1); // @store
}

int main() {
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEvent_t done;
  cudaEventCreate(&done);
  int* data = nullptr;
  int* result = pinned(8);
  cudaMallocAsync(&data, 8 * sizeof(int), first);
  cudaMemsetAsync(data, 0, 8 * sizeof(int), first);
  increment<<<1, 1, 0, first>>>(data);
  cudaEventRecord(done, first);
#ifdef RACY
  increment<<<1, 1, 0, first>>>(data);
#endif
  cudaStreamWaitEvent(second, done);
#ifndef RACY
  cudaMemcpyAsync(result, data, 8 * sizeof(int), cudaMemcpyDeviceToHost, second);
#endif
  cudaFreeAsync(data, second); // race: data-race with @store
  return finish();
}
