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

/// A read that was given an older write.
struct stale_access {
  std::string name; ///< as a schedule has it
  detect::operation_id read = 0;
  detect::write_name given;
  detect::write_name passed; ///< the newest write
  std::uintptr_t address = 0;
  std::string place; ///< what lies there, where that was looked for
  std::uint32_t bytes = 0;
  std::uint64_t value = 0;  ///< that it was given,
  std::uint64_t newest = 0; ///< and that was passed over
  std::size_t between = 0;  ///< further writes that were passed over
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
  /// Who read what, what was passed over, and what would forbid that.
  [[nodiscard]] stale_read explain(const stale_access& s) const;

private:
  struct impl;
  std::unique_ptr<impl> impl_;
};

} // namespace tilesim::sim
