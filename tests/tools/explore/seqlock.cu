// A seqlock: a writer changes two words between two counts; who reads the same even count twice has read both words of one version.
// NO_WRITER_FENCE, NO_READER_FENCE, RELAXED_END, RELAXED_BEGIN: one order weakened.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifdef RELAXED_END
constexpr auto to_end = relaxed;
#else
constexpr auto to_end = release;
#endif
#ifdef RELAXED_BEGIN
constexpr auto to_begin = relaxed;
#else
constexpr auto to_begin = acquire;
#endif

__global__ void look(int* count, int* words, int* seen) {
  if (blockIdx.x == 0) {
    shared(*count).store(1, relaxed);
#ifndef NO_WRITER_FENCE
    cuda::atomic_thread_fence(release, cuda::thread_scope_device);
#endif
    shared(words[0]).store(1, relaxed);
    shared(words[1]).store(1, relaxed);
    shared(*count).store(2, to_end);
    return;
  }
  const int begin = shared(*count).load(to_begin);
  const int a = shared(words[0]).load(relaxed);
  const int b = shared(words[1]).load(relaxed);
#ifndef NO_READER_FENCE
  cuda::atomic_thread_fence(acquire, cuda::thread_scope_device);
#endif
  const int end = shared(*count).load(relaxed);
  *seen = begin != end || begin % 2 != 0 ? -1 : a * 10 + b;
}

int main() {
  int* const count = zeros(1);
  int* const words = zeros(2);
  int* const seen = zeros(1);
  look<<<2, 1>>>(count, words, seen);
  const int got = taken(seen, 1)[0];
  cudaFree(count);
  cudaFree(words);
  cudaFree(seen);
  return got == -1 || got == 0 || got == 11 ? 0 : 1;
}
