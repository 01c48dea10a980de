// An open hash table: a key is claimed by compare-exchange, its value stands beside it. Racy: whoever finds the key reads the
// value at once, which its inserter may not have written. Repaired: the value is written first, and the key published with a release.
// run: hooks
// run: needs some seeds
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/atomic>

struct entry {
  int key;
  int value;
};

__global__ void insert_and_find(entry* table, int* out) {
  const int t = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  const cuda::atomic_ref<int, cuda::thread_scope_device> key(table[t / 2].key);
  if (t % 2 == 0) {
#ifdef RACY
    int none = 0;
    if (key.compare_exchange_strong(none, t + 1, cuda::memory_order_relaxed)) {
      table[t / 2].value = t * 10; // @value
    }
#else
    table[t / 2].value = t * 10;
    key.store(t + 1, cuda::memory_order_release);
#endif
  } else if (key.load(cuda::memory_order_acquire) == t) {
    out[t] = table[t / 2].value; // race: data-race with @value
  }
}

int main() {
  insert_and_find<<<8, 1>>>(zeros<entry>(4), zeros(8));
  return finish();
}
