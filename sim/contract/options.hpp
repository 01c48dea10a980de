// What a person sets for a run. Options come first, the environment carries them to the program.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/known_findings.hpp"
#include "sim/contract/schedule_string.hpp"
#include "sim/contract/variation.hpp"
#include "sim/ops/elementwise.hpp"

#include <tilesim/report.hpp>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {

/// options::contract, without a table: a product and a sum are fused wherever they may be.
inline constexpr const char* contract_by_rule = "rule";

/// A set of kinds of findings, by their number.
using reported_kinds = std::bitset<finding_kinds>;

/// Every kind but the notes.
[[nodiscard]] constexpr reported_kinds reported_by_default() noexcept {
  unsigned long long bits = 0;
  for (unsigned k = 0; k < finding_kinds; ++k) {
    const bool note = class_of(static_cast<finding_kind>(k)) == finding_class::note;
    bits |= note ? 0 : 1ULL << k;
  }
  return {bits};
}
static_assert(finding_kinds <= 64);

struct options {
  std::string schedule = "round-robin"; ///< or "random", "bursts", "pct", "turns"
  std::vector<turn> turns = {};         ///< of turns
  bool record = false;                  ///< keep the schedule's history, for findings
  bool choices = false;              ///< of turns: no preemption behind them, and tell what could
                                     ///< have been chosen instead [schedulers/choices.cpp]
  std::uint64_t seed = 0;            ///< of the schedule
  std::optional<std::uint64_t> fill; ///< of unspecified values and orders, if not `seed`
  variation vary = {};               ///< some of them are others
  std::string trail;   ///< where to write what was done from the first of them on; empty: nowhere
  std::string against; ///< the trail of a run that this one is compared with; empty: none
  unsigned depth = 3;  ///< of pct
  std::uint64_t steps = 4096; ///< of pct: memory operations that are expected
  bool at_once = false;       ///< of pct: who waited may go on in the next turn
  /// Strong reads may take older writes than the newest, as the memory model allows: drawn from the
  /// seed,
  bool weak = false;
  std::vector<stale_choice> stale = {}; ///< or these do
  bool by_hand = false;                 ///< or whoever steps through the run says it
  bool launches_wait = false;           ///< launches begin where the host waits for any
  bool random_order = false; ///< of reductions, scans and products of matrices; else fixed
  ops::arithmetic arithmetic = ops::arithmetic::page; ///< where page and hardware differ
  std::uint64_t max_ops = 0; ///< stop after so many tile operations; 0: no limit
  /// So many operations and raw accesses in which no block has ended end the run, whatever the
  /// blocks do; 0: no number does. Nothing: only blocks that are seen to wait end it.
  std::optional<std::uint64_t> idle_ops = {};
  std::uint64_t polls = std::uint64_t{1}
                        << 20; ///< how often a block may poll in vain that may give up by itself
  double stall = 60;       ///< seconds in which no block does anything that is seen; 0: no limit
  double timeout = 0;      ///< seconds; 0: no limit
  bool races = false;      ///< follow every access with the race detector
  bool leaks = false;      ///< memory that is never freed is a defect
  bool keep_going = false; ///< drop the elements of a bad access, and go on
  std::string report;      ///< where to write what was found, as JSON; empty: nowhere
  std::string counts;      ///< a file that is told what was done [run_counts.hpp]; empty: none
  /// The process that has started the first one of the program's, and reads also what those tell
  /// that the program makes [child_reports.hpp]; 0: these tell nobody.
  std::uint64_t reader = 0;
  bool quiet = false;      ///< findings go to the report alone, the exit status is the program's
  bool repeatable = false; ///< no turn ends by the clock
  bool stats = false;      ///< print a line of statistics at the end
  std::string trace;       ///< where to write the run as it happens [sim/trace]; empty: nowhere
  std::uint64_t trace_events = 120'000; ///< at most so many operations and arrows between them
  std::size_t trace_elements = 256;     ///< of a result, at most
  std::uint64_t trace_around = 0; ///< an operation that is kept, with those around it; 0: none
  std::string modules; ///< files of Tile IR whose kernels are run, one a line; empty: the program's
  std::string feed; ///< launches of another machine [launch_feed.hpp], to compare with; empty: none
  std::string comparison;            ///< where to write what differed [sim/compare]
  std::string compare_bounds;        ///< launches, "0,3", of which also bounds are derived
  bool compare_contracts = false;    ///< … where products and sums may have been fused
  bool compare_approximates = false; ///< … and quotients, roots and functions be approximate
  std::string compare_left;          ///< where is kept what these launches left in memory, …
  std::uint64_t compare_altered = 0; ///< … or was by another run, in which nothing was altered:
                                     ///< here this is, an `altered_values`
  bool compare_details = false;      ///< also who wrote what differs, and elements' types
  /// The launch, from 1, or the last of several together, whose end there is looked for among those
  /// of all its executions; 0: none. Launches before it are not run: their ends are known.
  std::uint64_t compare_ends = 0;
  /// Products and sums are fused: by this table [sum_table.hpp], or contract_by_rule; empty: none
  /// is.
  std::string contract;
  std::size_t device_memory = std::size_t{16} << 30; ///< bytes
  unsigned multiprocessors = 132;
  std::size_t stack_bytes = std::size_t{256} << 20; ///< reserved for one block's stack
  reported_kinds reported = reported_by_default();
  std::vector<known_finding> known = {}; ///< findings that the person lets pass

  [[nodiscard]] bool reports(finding_kind kind) const noexcept {
    return reported[static_cast<std::size_t>(kind)];
  }
};

} // namespace tilesim::sim
