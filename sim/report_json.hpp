// A run's report as JSON, for the process that started the run.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/host_copies.hpp"

#include <tilesim/report.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace tilesim::sim {

/// What a run was, besides what it found.
struct run_facts {
  std::string how;      ///< "ended", "stopped" by a finding, "interrupted"; "running": the
                        ///< report is of a run that is not over, or died
  std::string schedule; ///< scheduler::describe()
  std::optional<std::string> unfollowed; ///< scheduler::unfollowed()
  std::uint64_t operations = 0;          ///< tile operations
  std::uint64_t steps = 0;               ///< memory operations before which another block could run
  std::uint64_t judged = 0;            ///< elements accessed by kernels that the race detector saw
  const host_copies* copies = nullptr; ///< what the host got to see; nullptr: nothing
};

/// {"how", "schedule", "unfollowed" (if it is known), "operations", "steps", "judged", "findings":
/// [{"code", "severity", "message", "details", "remedy", "count", "where": [{"file", "line",
/// "column", "function"}], "other": as where, "blocks", "turns", "shown_by", "parties": as in
/// finding_history, "variants": [{"what", "count"}], "known": -1 or the number in the option of
/// that name}], "copies": [{"function", "bytes", "hash", "where"}], "later_copies": a hash}
[[nodiscard]] std::string to_json(const report& r, const run_facts& facts);

/// Writes it to a file, whole or not at all. A file that cannot be written is told on standard
/// error.
void write_report(const std::string& path, const report& r, const run_facts& facts);

} // namespace tilesim::sim
