// Union-find: roots are hooked below smaller ones by atomicMin while others walk up. Racy: the walk reads parents plainly.
// Repaired: by atomic loads.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

__device__ int root_of(int* parent, int v) {
  for (;;) {
#ifdef RACY
    const int up = parent[v]; // race: data-race with @hook
#else
    const int up = cuda::atomic_ref<int, cuda::thread_scope_device>(parent[v]).load(cuda::memory_order_relaxed);
#endif
    if (up == v) {
      return v;
    }
    v = up;
  }
}

__global__ void join(int* parent) {
  const int t = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  int a = root_of(parent, t);
  int b = root_of(parent, t + 1);
  while (a != b) {
    if (a < b) {
      const int c = a;
      a = b;
      b = c;
    }
    const int before = atomicMin(&parent[a], b); // @hook
    if (before == a) {
      return;
    }
    a = root_of(parent, before);
    b = root_of(parent, b);
  }
}

int main() {
  join<<<2, 4>>>(copied(counting(9)));
  return finish();
}
