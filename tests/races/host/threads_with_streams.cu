// Two threads of the host work with a stream and a buffer each: correct, and neither is judged by what the other does.
// Racy: they read what their kernel writes before they wait for it.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <thread>

__tile_global__ void increment(int* data) {
  auto i = data + ct::iota<ints<8>>();
  ct::store(i, ct::load(i) + 1); // @store
}

void work(int* data) {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  int sum = 0;
  for (int round = 0; round < 20; ++round) {
    increment<<<1, 1, 0, stream>>>(data);
#ifdef RACY
    sum += data[round % 8]; // race: host-race with @store
#endif
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 8; ++i) {
      sum += data[i];
      data[i] += 1;
    }
  }
  std::printf("%d\n", sum > 0);
  cudaStreamDestroy(stream);
}

int main() {
  int* first = managed(8);
  int* second = managed(8);
  std::thread one(work, first);
  std::thread two(work, second);
  one.join();
  two.join();
  return finish();
}
