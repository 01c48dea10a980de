// A host function fills memory of the host that main then reads: it runs whenever its stream comes to it, and what is
// ordered after it is the stream's work, not main's. Repaired: main waits for the stream.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

void fill(void* data) {
  *static_cast<int*>(data) = 42; // @fill
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* data = managed(1);
  cudaLaunchHostFunc(stream, fill, data);
#ifndef RACY
  cudaStreamSynchronize(stream);
#endif
  const int seen = *data; // race: host-race with @fill
#ifdef RACY
  std::printf("expect: weak load by the host and weak store by host function \n");
  std::printf("expect: fill of the stream created at host_function_and_main.cu:13\n");
  std::printf("expect: to fix: let the host wait for the stream first (cudaStreamSynchronize, cudaDeviceSynchronize)\n");
#endif
  std::printf("%d\n", seen);
  cudaStreamDestroy(stream);
  return finish();
}
