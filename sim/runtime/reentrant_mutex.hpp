// A mutex that its owner may lock again, and that survives fork().
//
// std::recursive_mutex knows its owner by the kernel's number of the thread, which is another one
// in a process that fork() makes: a lock that was held at the fork could never be released there.
// The stepper's checkpoints are such processes.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <mutex>
#include <pthread.h>

namespace tilesim::sim {

class reentrant_mutex {
public:
  void lock() {
    // Only the owner itself can find itself here.
    if (depth_.load(std::memory_order_relaxed) != 0 &&
        pthread_equal(owner_.load(std::memory_order_relaxed), pthread_self()) != 0) {
      depth_.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    mutex_.lock();
    owner_.store(pthread_self(), std::memory_order_relaxed);
    depth_.store(1, std::memory_order_relaxed);
  }

  void unlock() {
    if (depth_.fetch_sub(1, std::memory_order_relaxed) == 1) {
      owner_.store(pthread_t{}, std::memory_order_relaxed);
      mutex_.unlock();
    }
  }

private:
  std::mutex mutex_;
  std::atomic<pthread_t> owner_{};
  std::atomic<unsigned> depth_ = 0;
};

} // namespace tilesim::sim
