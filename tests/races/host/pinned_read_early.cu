// The host reads what an asynchronous copy is still bringing. Repaired: it waits for the stream.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *data = zeros(8), *result = nullptr;
  result = pinned(8);
  cudaMemcpyAsync(result, data, 8 * sizeof(int), cudaMemcpyDeviceToHost, stream); // @copy
#ifndef RACY
  cudaStreamSynchronize(stream);
#endif
  std::printf("%d\n", result[7]); // race: host-race with @copy
  return finish();
}
