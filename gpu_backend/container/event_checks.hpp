// What a recording's events say of each other: one that no program can have left is told.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/events.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace tilesim::gpu {

/// Goes through events in their order.
class event_checks {
public:
  /// Why the next event cannot stand there: "memory 3 is freed, and there is none of this number".
  /// Empty: it can.
  [[nodiscard]] std::string wrong_with(const event& e);
  /// The same of what lies in chunks of so many bytes: an event points to nothing else.
  [[nodiscard]] static std::string wrong_content(const event& e,
                                                 const std::vector<std::uint64_t>& chunks);

private:
  struct known_memory {
    std::uint64_t bytes = 0;
    bool live = true;
  };

  // Of each event; of those that are not named nothing is known.
  [[nodiscard]] static std::string check(const auto& /*e*/) { return {}; }
  [[nodiscard]] std::string check(const run_event& e);
  [[nodiscard]] std::string check(const memory_event& e);
  [[nodiscard]] std::string check(const freed_event& e);
  [[nodiscard]] std::string check(const host_write_event& e) const;
  [[nodiscard]] std::string check(const content_event& e) const;
  [[nodiscard]] std::string check(const launch_event& e);
  [[nodiscard]] std::string check(const observed_event& e);
  [[nodiscard]] std::string check(const copy_event& e) const;
  [[nodiscard]] std::string check(const pages_event& e) const;
  [[nodiscard]] std::string check(const arguments_event& e);

  /// The bytes that an event tells of lie in memory that there is.
  [[nodiscard]] std::string check_range(const auto& e, bool live) const;

  bool machine_ = false;
  std::unordered_map<std::uint64_t, known_memory> memories_; ///< of the run, by number
  std::uint64_t launches_ = 0;                               ///< of the run, that have begun
  std::uint64_t observed_ = 0;                               ///< of them, from the first on
  std::uint64_t passed_ = 0;                                 ///< of them, with arguments
};

} // namespace tilesim::gpu
