// A run's report as JSON, for the process that started the run.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/run_counts.hpp"
#include "sim/execution/draws.hpp"
#include "sim/findings/host_copies.hpp"

#include <tilesim/report.hpp>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {

struct run_choices;  // sim/core/scheduler.hpp
struct turn_history; // likewise

/// What a run was, besides what it found.
struct run_facts {
  std::string how;                       ///< how_… [report_members.hpp]
  std::string schedule;                  ///< scheduler::describe()
  std::optional<std::string> unfollowed; ///< scheduler::unfollowed()
  std::uint64_t operations = 0;          ///< tile operations
  std::uint64_t steps = 0;               ///< memory operations before which another block could run
  std::uint64_t made = 0;                ///< operations and raw accesses
  std::string outside = {};              ///< what_it_did_outside() [outside.hpp]
  std::uint64_t judged = 0; ///< elements accessed by kernels that the race detector saw
  run_counts before = {};   ///< of these, what another process had done that has forked this one
  const turn_history* history = nullptr;    ///< scheduler::history(), with
  const run_choices* choices = nullptr;     ///< scheduler::choices(); nullptr: not asked for
  const host_copies* copies = nullptr;      ///< what the host got to see; nullptr: nothing
  const draws* drawn = nullptr;             ///< what was unspecified; nullptr: nothing
  std::string stale = {};                   ///< memory_engine::stale_reads()
  std::vector<stale_read> stale_reads = {}; ///< some of them
};

/// Its members: sim/contract/report_members.hpp.
[[nodiscard]] std::string to_json(const report& r, const run_facts& facts);

/// One of its findings.
[[nodiscard]] nlohmann::ordered_json to_json(const finding& f);

/// Writes it to a file, whole or not at all. A file that cannot be written is told on standard
/// error.
void write_report(const std::string& path, const report& r, const run_facts& facts);

} // namespace tilesim::sim
