// The host fills the buffer again from which an asynchronous copy is still reading.
// Repaired: it waits for an event behind the copy.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaEvent_t copied;
  cudaEventCreate(&copied);
  int *data = zeros(8), *source = nullptr;
  source = pinned(8);
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 8; ++i) {
      source[i] = turn; // race: host-race with @copy
    }
    cudaMemcpyAsync(data, source, 8 * sizeof(int), cudaMemcpyHostToDevice, stream); // @copy
#ifndef RACY
    cudaEventRecord(copied, stream);
    cudaEventSynchronize(copied);
#endif
  }
  return finish();
}
