// Message passing: a value, and a flag that says that it is there. Right with release and acquire.
// RELAXED_STORE, RELAXED_LOAD: one of the two weakened. WEAK: the message is no atomic, which races if they are.
// WAIT: who looks waits for the flag.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifdef RELAXED_STORE
constexpr auto to_tell = relaxed;
#else
constexpr auto to_tell = release;
#endif
#ifdef RELAXED_LOAD
constexpr auto to_look = relaxed;
#else
constexpr auto to_look = acquire;
#endif

__global__ void pass(int* message, int* flag, int* seen) {
  if (blockIdx.x == 0) {
#ifdef WEAK
    *message = 42;
#else
    shared(*message).store(42, relaxed);
#endif
    shared(*flag).store(1, to_tell);
    return;
  }
#ifdef WAIT
  while (shared(*flag).load(to_look) != 1) {
  }
  const bool there = true;
#else
  const bool there = shared(*flag).load(to_look) == 1;
#endif
  if (there) {
#ifdef WEAK
    *seen = *message;
#else
    *seen = shared(*message).load(relaxed);
#endif
  } else {
    *seen = -1;
  }
}

int main() {
  int* const message = zeros(1);
  int* const flag = zeros(1);
  int* const seen = zeros(1);
  pass<<<2, 1>>>(message, flag, seen);
  const int got = taken(seen, 1)[0];
  std::printf("%s\n", got == 42 ? "got it" : got == -1 ? "nothing yet" : "an old one");
  cudaFree(message);
  cudaFree(flag);
  cudaFree(seen);
  return got == 0 ? 1 : 0;
}
