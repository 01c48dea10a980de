// Blocks that go on for ever: what they do again and again.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/observer.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace tilesim::sim {

class context;

/// Counts accesses of memory by who makes them, where in the source and where in memory.
class busy_record final : public observer {
public:
  explicit busy_record(context& c)
      : context_(c) {}

  void memory(const memory_event& e) override;

  /// True if each of the threads that have done anything goes round a few places, and at one of
  /// them reads the same again and again, by a strong access: it waits. One that computes comes by
  /// many places, or sees what it reads change, or reads it weakly.
  [[nodiscard]] bool all_wait() const;

  /// A line for each of the first few threads, and for each the accesses that it makes most often.
  [[nodiscard]] std::vector<std::string> lines() const;

private:
  struct access_count {
    std::uint64_t times = 0;
    std::uint64_t value = 0; ///< behind the last one
    bool constant = true;    ///< it was the same behind all of them
    bool polls = false;      ///< by a strong read: what a kernel computes with, it reads weakly
  };
  struct thread_record {
    std::string name; ///< "tile block (0,0,0) of count"
    /// By site, address, size, whether it reads, whether it writes.
    std::map<std::tuple<const void*, std::uintptr_t, unsigned, bool, bool>, access_count> accesses;
  };

  context& context_;
  std::map<std::uint64_t, thread_record> threads_; ///< by number
};

} // namespace tilesim::sim
