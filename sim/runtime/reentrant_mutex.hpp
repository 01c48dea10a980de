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
    if (!mutex_.try_lock()) {
      waiting_.fetch_add(1, std::memory_order_relaxed);
      mutex_.lock();
      waiting_.fetch_sub(1, std::memory_order_relaxed);
    }
    owner_.store(pthread_self(), std::memory_order_relaxed);
    depth_.store(1, std::memory_order_relaxed);
  }

  /// Whether another thread waits for it.
  [[nodiscard]] bool is_awaited() const noexcept {
    return waiting_.load(std::memory_order_relaxed) != 0;
  }

  void unlock() {
    if (depth_.fetch_sub(1, std::memory_order_relaxed) == 1) {
      owner_.store(pthread_t{}, std::memory_order_relaxed);
      mutex_.unlock();
    }
  }

  /// Lets others lock it, however often its owner has; gives how often that was. Of another's, or
  /// of nobody's, nothing: 0.
  unsigned release() {
    if (depth_.load(std::memory_order_relaxed) == 0 ||
        pthread_equal(owner_.load(std::memory_order_relaxed), pthread_self()) == 0) {
      return 0;
    }
    const unsigned depth = depth_.exchange(0, std::memory_order_relaxed);
    owner_.store(pthread_t{}, std::memory_order_relaxed);
    mutex_.unlock();
    return depth;
  }
  /// As it was before release() gave `depth`.
  void lock_again(unsigned depth) {
    if (depth == 0) {
      return;
    }
    lock();
    depth_.store(depth, std::memory_order_relaxed);
  }

private:
  std::mutex mutex_;
  std::atomic<pthread_t> owner_{};
  std::atomic<unsigned> depth_ = 0;
  std::atomic<unsigned> waiting_ = 0;
};

} // namespace tilesim::sim
