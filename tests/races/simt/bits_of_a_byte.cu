// Flags of elements, eight to a byte. Racy: each thread sets its own bit by `|=`, which reads and writes those of its
// neighbours. Repaired: by atomicOr of the word.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void mark(unsigned* words) {
  const unsigned t = threadIdx.x + blockIdx.x * blockDim.x;
#ifdef RACY
  auto* const bytes = reinterpret_cast<unsigned char*>(words);
  bytes[t / 8] |= static_cast<unsigned char>(1U << (t % 8)); // race: data-race
#else
  atomicOr(words + t / 32, 1U << (t % 32));
#endif
}

int main() {
  mark<<<2, 32>>>(zeros<unsigned>(2));
  return finish();
}
