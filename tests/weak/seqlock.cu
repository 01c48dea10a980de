// A seqlock of two words: the writer makes the number odd, writes both, makes it even; a reader takes what it has read
// between two looks at the same even number. Right: fences as Boehm has them (MSPC 2012). Weakened: the reader's fence before
// its second look is missing, so that it may look before it has read.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void run(int* number, int* words, int* seen) {
  const shared count(*number), low(words[0]), high(words[1]);
  if (blockIdx.x == 0) {
    count.store(1, cuda::memory_order_relaxed);
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    low.store(7, cuda::memory_order_relaxed);
    high.store(7, cuda::memory_order_relaxed);
    count.store(2, cuda::memory_order_release);
  } else {
    for (int tries = 0; tries < 4; ++tries) {
      const int before = count.load(cuda::memory_order_acquire);
      const int a = low.load(cuda::memory_order_relaxed);
      const int b = high.load(cuda::memory_order_relaxed);
#ifndef WEAKENED
      cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
#endif
      const int after = count.load(cuda::memory_order_relaxed); // stale
      if (before == after && before % 2 == 0) {
        seen[0] = a;
        seen[1] = b;
        return;
      }
    }
  }
}

int main() {
  int* const number = zeros(1);
  int* const words = zeros(2);
  int* const seen = zeros(2);
  run<<<2, 1>>>(number, words, seen);
  const std::vector<int> got = taken(seen, 2);
  cudaFree(number);
  cudaFree(words);
  const bool right = got[0] == got[1];
  std::printf("%s\n", right ? "one snapshot" : "a torn one");
  return right ? 0 : 1;
}
