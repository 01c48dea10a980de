// A message and its flag, both atomic. Right: the flag is released and acquired. Weakened: relaxed, and the flag may be
// seen before the message.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

#ifdef WEAKENED
constexpr auto stored = ct::memory_order::relaxed;
constexpr auto loaded = ct::memory_order::relaxed;
#else
constexpr auto stored = ct::memory_order::release;
constexpr auto loaded = ct::memory_order::acquire;
#endif
constexpr auto relaxed = ct::memory_order::relaxed;
constexpr auto device = ct::thread_scope::device;

__tile_global__ void pass(int* message, int* flag, int* seen) {
  if (ct::bid().x == 0) {
    ct::atomic_store<relaxed, device>(message, 42);
    ct::atomic_store<stored, device>(flag, 1);
  } else {
    while (ct::atomic_load<loaded, device>(flag) == 0) {
    }
    ct::store(seen, ct::atomic_load<relaxed, device>(message)); // stale
  }
}

int main() {
  int* const message = zeros(1);
  int* const flag = zeros(1);
  int* const seen = zeros(1);
  pass<<<2, 1>>>(message, flag, seen);
  const int got = taken(seen, 1)[0];
  cudaFree(message);
  cudaFree(flag);
  std::printf("%s\n", got == 42 ? "the message" : "an old message");
  return got == 42 ? 0 : 1;
}
