// The runtime's state is made with the first call and goes with its context.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/state.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/core/execution.hpp"

#include <chrono>
#include <mutex>
#include <thread>

namespace tilesim::sim {

runtime_state::runtime_state(context& c)
    : work(c) {
  c.exec->let_others_by(
      [&c] {
        return c.runtime != nullptr && c.runtime->mutex.is_awaited() &&
               !c.runtime->work.is_stepping();
      },
      [&c] {
        if (c.runtime != nullptr) {
          c.runtime->let_others(c);
        }
      });
}

void runtime_state::let_others(context& c) {
  // In the middle of a pass over the work others would find it half done.
  const unsigned locked = work.is_stepping() ? 0 : mutex.release();
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  mutex.lock_again(locked);
  if (locked != 0) {
    this_thread_uses_runtime(c);
  }
}

runtime_state& runtime_state::of(context& c) {
  // Two host threads may make their first call at once.
  static std::mutex making;
  const std::lock_guard lock(making);
  if (c.runtime == nullptr) {
    c.runtime = std::make_shared<runtime_state>(c);
  }
  return *c.runtime;
}

} // namespace tilesim::sim
