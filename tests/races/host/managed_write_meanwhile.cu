// The host prepares the next input in the memory that a kernel still reads. Repaired: the host waits first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void use(const int* input, int* out) {
  ct::store(out + ct::iota<ints<8>>(), ct::load(input + ct::iota<ints<8>>())); // @load
}

int main() {
  int *input = nullptr, *out = zeros(8);
  input = managed(8);
  for (int i = 0; i < 8; ++i) {
    input[i] = i;
  }
  for (int turn = 0; turn < 2; ++turn) {
    use<<<1, 1>>>(input, out);
#ifndef RACY
    cudaDeviceSynchronize();
#endif
    for (int i = 0; i < 8; ++i) {
      input[i] += 1; // race: host-race with @load
    }
  }
  return finish();
}
