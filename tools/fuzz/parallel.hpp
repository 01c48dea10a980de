// The same for many, on all processors.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/resources.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tilesim::tools::fuzz {

/// f(0) … f(count - 1), several at a time. The first exception is thrown on when all that had begun
/// have ended; no others begin.
template <class F>
void in_parallel(std::size_t count, std::size_t jobs, const F& f) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr first;
  std::mutex mutex;
  {
    std::vector<std::jthread> workers;
    for (std::size_t j = 0; j < std::min(jobs == 0 ? usable_processors() : jobs, count); ++j) {
      workers.emplace_back([&] {
        for (std::size_t i = next++; i < count; i = next++) {
          try {
            f(i);
          } catch (...) {
            const std::scoped_lock lock(mutex);
            if (!first) {
              first = std::current_exception();
            }
            next = count;
          }
        }
      });
    }
  }
  if (first) {
    std::rethrow_exception(first);
  }
}

} // namespace tilesim::tools::fuzz
