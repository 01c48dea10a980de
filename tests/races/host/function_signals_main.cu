// A stream's host function tells main that the stream has come so far, by a promise, a condition variable and an atomic
// variable in turn: correct orders. Racy: main does not look before it reads.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

__tile_global__ void fill(int* data) {
  ct::store(data + ct::iota<ints<8>>(), ct::iota<ints<8>>()); // @store
}

struct signals {
  std::promise<void> promise;
  std::mutex mutex;
  std::condition_variable changed;
  bool filled = false;
  std::atomic<int> flag = 0;
};

void by_promise(void* s) {
  static_cast<signals*>(s)->promise.set_value();
}
void by_condition(void* s) {
  auto& all = *static_cast<signals*>(s);
  {
    const std::lock_guard lock(all.mutex);
    all.filled = true;
  }
  all.changed.notify_one();
}
void by_flag(void* s) {
  static_cast<signals*>(s)->flag.store(1, std::memory_order_release);
}

int main() {
  int* data = managed(8);
  signals all;
#ifdef RACY
  fill<<<1, 1>>>(data);
  cudaLaunchHostFunc(nullptr, by_promise, &all);
  std::printf("%d\n", data[3]); // race: host-race with @store
#else
  fill<<<1, 1>>>(data);
  cudaLaunchHostFunc(nullptr, by_promise, &all);
  all.promise.get_future().wait();
  std::printf("%d\n", data[3]);

  fill<<<1, 1>>>(data);
  cudaLaunchHostFunc(nullptr, by_condition, &all);
  {
    std::unique_lock lock(all.mutex);
    all.changed.wait(lock, [&] { return all.filled; });
  }
  std::printf("%d\n", data[4]);

  fill<<<1, 1>>>(data);
  cudaLaunchHostFunc(nullptr, by_flag, &all);
  while (all.flag.load(std::memory_order_acquire) == 0) {
  }
  std::printf("%d\n", data[5]);
#endif
  cudaDeviceSynchronize();
  return finish();
}
