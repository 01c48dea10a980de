// From pageable memory an asynchronous copy reads at the call, so the buffer may be filled again. Racy: the buffer
// has been registered, and is read later.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* data = zeros(8);
  std::vector<int> source(8);
#ifdef RACY
  cudaHostRegister(source.data(), 8 * sizeof(int), cudaHostRegisterDefault);
#endif
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < 8; ++i) {
      source[i] = turn; // race: host-race with @copy
    }
    cudaMemcpyAsync(data, source.data(), 8 * sizeof(int), cudaMemcpyHostToDevice, stream); // @copy
  }
  cudaDeviceSynchronize();
#ifdef RACY
  cudaHostUnregister(source.data());
#endif
  return finish();
}
