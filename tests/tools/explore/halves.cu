// One block stores a number of which another reads a part: accesses that overlap in part are not explored, wherever
// the part begins.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

using half = cuda::atomic_ref<short, cuda::thread_scope_device>;
using wide = cuda::atomic_ref<long long, cuda::thread_scope_device>;

__global__ void halves(int* whole, int* seen) {
  if (blockIdx.x == 0) {
#if defined(WIDE) && defined(PLAIN)
    *reinterpret_cast<long long*>(whole) = 0x1'0000'0001;
#elif defined(WIDE)
    wide(*reinterpret_cast<long long*>(whole)).store(0x1'0000'0001, relaxed);
#else
    shared(*whole).store(0x10002, relaxed);
#endif
  } else {
#if defined(WIDE) && defined(PLAIN)
    *seen = whole[1];
#elif defined(WIDE)
    *seen = shared(whole[1]).load(relaxed);
#else
    *seen = half(reinterpret_cast<short*>(whole)[1]).load(relaxed);
#endif
  }
}

int main() {
  int* const whole = zeros(2);
  int* const seen = zeros(1);
  halves<<<2, 1>>>(whole, seen);
  cudaDeviceSynchronize();
  cudaFree(whole);
  cudaFree(seen);
}
