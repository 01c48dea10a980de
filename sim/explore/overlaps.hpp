// Work of the host's that may run at the same time as what has been explored before it.
//
// Launches that do not wait at the same time are explored one after the other. Where nothing orders
// them that is all there is to explore as long as they meet nowhere: whatever the one does is the
// same before, behind and beside the other. If they do meet, it is not, and the report says where.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/work_order.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::sim {
class context;
class lone_runs;
} // namespace tilesim::sim

namespace tilesim::sim::exploring {

class sharing;
struct explored_finding;

class byte_set {
public:
  void add(std::uintptr_t begin, std::uintptr_t end);
  void add(const void* begin, std::size_t bytes) {
    const auto at = reinterpret_cast<std::uintptr_t>(begin);
    add(at, at + bytes);
  }
  void add(const byte_set& other);
  void remove(std::uintptr_t begin, std::uintptr_t end);
  [[nodiscard]] bool empty() const noexcept { return ranges_.empty(); }
  /// The first byte that both have.
  [[nodiscard]] std::optional<std::uintptr_t> common(const byte_set& other) const;

private:
  std::map<std::uintptr_t, std::uintptr_t> ranges_; ///< begin: end; they do not touch each other
};

/// A launch, a copy or a fill, and what it accesses in any execution.
struct past_work {
  work_order order;
  const char* by = nullptr; ///< "cudaMemcpyAsync"; nullptr: a launch
  const void* site = nullptr;
  byte_set read;
  byte_set written;
};

/// Where work meets what was done before it, and nothing orders the two.
struct meeting_place {
  const past_work* with = nullptr;
  std::uintptr_t at = 0;
};

/// Work that has been done, by lanes.
class past_works {
public:
  void add(past_work w);
  /// Both access a byte, and one writes it.
  [[nodiscard]] std::optional<meeting_place> meets(const past_work& now) const;
  void freed(std::uintptr_t begin, std::size_t bytes);
  /// Without what is nothing to all that is to come: `precedes(order)`.
  template <class F>
  void forget(const F& precedes) {
    for (auto& [lane, all] : lanes_) {
      std::erase_if(all, [&](const past_work& w) { return precedes(w.order); });
    }
  }
  [[nodiscard]] std::size_t size() const noexcept;

private:
  std::map<std::uint32_t, std::vector<past_work>> lanes_; ///< each in its order
};

class overlaps {
public:
  /// That has been done.
  void add(context& c, past_work w);
  /// These launches have been explored, together.
  void add(context& c, const lone_runs& threads, const sharing& touched);
  /// Whoever accesses these bytes from now on accesses other memory.
  void freed(std::uintptr_t begin, std::size_t bytes) { past_.freed(begin, bytes); }

  /// The first meeting that is not explored, in words; empty: there was none since it was asked.
  [[nodiscard]] std::string take_told() { return std::exchange(told_, {}); }

private:
  void judge(context& c, const past_work& now);
  void keep(const context& c, past_work w);

  past_works past_;
  std::size_t kept_ = 0; ///< of the past, when it was looked at last what of it still counts
  std::string told_;
};

/// Deadlocks of these launches that work may end which is still to come: they are taken away. In
/// words; empty: there are none.
[[nodiscard]] std::string take_unproven_deadlocks(const context& c,
                                                  const lone_runs& threads,
                                                  std::vector<explored_finding>& findings);

/// The number of each thread's launch among these.
[[nodiscard]] std::vector<std::size_t> launch_numbers(const lone_runs& threads);

} // namespace tilesim::sim::exploring
