// Host functions of two streams write one place. Repaired: the second stream waits for an event of the first.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

void once(void* data) {
  *static_cast<int*>(data) = 1; // @first
}

int main() {
  cudaStream_t first, second;
  cudaEvent_t done;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&done);
  int* data = managed(1);
  cudaLaunchHostFunc(first, once, data);
#ifndef RACY
  cudaEventRecord(done, first);
  cudaStreamWaitEvent(second, done, 0);
#endif
  cudaLaunchHostFunc(
      second,
      [](void* p) {
        *static_cast<int*>(p) = 2; // race: host-race with @first
      },
      data);
#ifdef RACY
  std::printf("expect: of the stream created at host_functions_of_two_streams.cu:14 and weak store by host function\n");
  std::printf("expect: weak store by the host function at host_functions_of_two_streams.cu:2\n");
  std::printf("expect: to fix: use one stream for both, or let one wait for an event of the other's\n");
#endif
  cudaEventDestroy(done);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return finish();
}
