// Two threads of the host hand a buffer on: one fills it, the other one launches a kernel that reads it. Repaired: the
// first fills it again when the second has waited for the kernel.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <condition_variable>
#include <mutex>
#include <thread>

__tile_global__ void sum(const int* data, int* out) {
  ct::store(out, sum_of(ct::load(data + ct::iota<ints<8>>()))); // @load
}

std::mutex lock;
std::condition_variable changed;
int turn = 0;

void wait_for(int which) {
  std::unique_lock<std::mutex> held(lock);
  changed.wait(held, [=] { return turn == which; });
}
void next() {
  const std::lock_guard<std::mutex> held(lock);
  ++turn;
  changed.notify_all();
}

int main() {
  int* data = managed(8);
  int* out = zeros(1);
  std::thread producer([=] {
    for (int round = 0; round < 3; ++round) {
      wait_for(2 * round);
      for (int i = 0; i < 8; ++i) {
        data[i] = i + round; // race: host-race with @load
      }
      next();
    }
  });
  for (int round = 0; round < 3; ++round) {
    wait_for(2 * round + 1);
    sum<<<1, 1>>>(data, out);
#ifndef RACY
    cudaDeviceSynchronize();
#endif
    next();
  }
  producer.join();
  return finish();
}
