// Races as findings: what the detector found, in words, one for each pair of places in the source.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/detect/detector.hpp"

#include <tilesim/launch.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tilesim::sim {

/// What the agents of a task are.
struct task_name {
  std::string kernel; ///< empty: no launch
  std::string by;     ///< "cudaMemcpy", "the host"
  dim3 grid{1, 1, 1};
  dim3 block{1, 1, 1};
  std::uint64_t launch = 0;
  const void* launch_site = nullptr;
  std::uint32_t lane = 0; ///< in the order of the host's work: of its stream
  bool host = false;
  std::optional<host_function> function; ///< of host code: the host's own if it is none
  bool threads = false;                  ///< a kernel of threads, not of tile blocks
  bool copies = false;                   ///< asynchronous ones of these
};

class race_report {
public:
  race_report(context& c, const detect::detector& d);
  ~race_report();
  race_report(const race_report&) = delete;
  race_report& operator=(const race_report&) = delete;

  /// Who the detector's next task is.
  void task_begins(task_name who);
  /// The store that is about to be judged writes these; nullptr: it is over.
  void stores(const void* values, std::size_t bytes_each);
  /// An operation of the detector's allocates or frees memory: by this function.
  void is_lifetime(detect::operation_id o, const char* by);
  /// An operation of the detector's is of another thread of the host's.
  void is_of_other_thread(detect::operation_id o);

  /// Whether races of accesses at this place may be ones that the person lets pass.
  [[nodiscard]] bool is_known(const void* site);
  /// Tells of a race, or counts it.
  void report(const detect::race& r);
  /// Whether the person lets a race pass: then it is reported and the byte goes on.
  [[nodiscard]] bool let_pass(const detect::race& r);

  // --- In words, of an operation of the detector's

  /// "relaxed store of device scope".
  [[nodiscard]] std::string what(detect::operation_id o) const;
  /// "tile block (3,0,0) of histogram".
  [[nodiscard]] std::string who(detect::operation_id o) const;
  /// What would forbid a read to pass over a write.
  [[nodiscard]] std::string what_forbids(detect::operation_id read,
                                         detect::operation_id passed) const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace tilesim::sim
