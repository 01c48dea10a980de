// Edges of a graph that lower the distance of their heads. Racy: the distance of the tail is read as if nobody lowered it
// meanwhile. Repaired: it is read atomically; an older value does no harm, for the rounds go on until none changes.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__global__ void relax(int* distance, int* changed, int vertices) {
  const int tail = blockIdx.x * blockDim.x + threadIdx.x;
  if (tail + 1 >= vertices) {
    return;
  }
#ifdef RACY
  const int here = distance[tail]; // @tail
#else
  const int here = cuda::atomic_ref<int, cuda::thread_scope_device>(distance[tail]).load(cuda::memory_order_relaxed);
#endif
  const int head = tail + 1;
  if (here < 1000 && atomicMin(&distance[head], here + 1) > here + 1) { // race: data-race with @tail
    atomicExch(changed, 1);
  }
}

int main() {
  std::vector<int> distances(8, 1000);
  distances[0] = 0;
  int* const distance = copied(distances);
  int* const changed = zeros(1);
  for (int i = 0; i < 8; ++i) {
    relax<<<2, 4>>>(distance, changed, 8);
  }
  return finish();
}
