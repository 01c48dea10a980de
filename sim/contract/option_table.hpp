// Every option of a run, in one table: its name on the command line, its key in $TILESIM_OPTIONS,
// what it takes, and the member that it sets. The tool declares and checks its options by it; the
// program reads them by it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace tilesim::sim {

enum class option_type : unsigned char {
  flag,
  count,
  seconds,
  seconds_or_never, ///< 0, too
  bytes,            ///< a count, also such as 512M on the command line
  seed,             ///< a count or random
  schedule,
  arithmetic,
  order,
  undefined_kinds, ///< all, or a list of codes
  note_kinds,
  path, ///< of any bytes [printable.hpp]
  turns,
  stale,
  variation,
  known
};

using option_member = std::variant<bool options::*,
                                   unsigned options::*,
                                   std::uint64_t options::*,
                                   std::optional<std::uint64_t> options::*,
                                   double options::*,
                                   std::string options::*,
                                   std::vector<turn> options::*,
                                   std::vector<stale_choice> options::*,
                                   variation options::*,
                                   ops::arithmetic options::*,
                                   reported_kinds options::*,
                                   std::vector<known_finding> options::*>;

struct option_range {
  std::uint64_t least = 0;
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

struct option_row {
  const char* name; ///< empty: the tool sets it, no person does
  const char* key;  ///< in the JSON object
  option_type takes;
  option_member member;
  const char* help;
  bool of_check = false;   ///< `check` has it, too: it chooses schedules and limits itself
  option_range taken = {}; ///< of a count or bytes: what lies outside is set to the next within
  /// Likewise: what lies outside is refused on the command line. Nothing: as `taken`.
  std::optional<option_range> given = {};

  [[nodiscard]] constexpr option_range person() const { return given.value_or(taken); }
};

// clang-format off
inline constexpr std::array option_table{
    option_row{"--schedule",        "schedule",        option_type::schedule, &options::schedule, "the order of blocks: round-robin (default), random, bursts or pct"},
    option_row{"--depth",           "depth",           option_type::count,    &options::depth,    "of pct: how many ordered events a bug takes (3)", false, {1, 1U << 16U}, option_range{1, 99}},
    option_row{"--steps",           "steps",           option_type::count,    &options::steps,    "of pct: how many memory operations to expect (4096)", false, {1}, option_range{1, std::uint64_t{1} << 40U}},
    option_row{"--seed",            "seed",            option_type::seed,     &options::seed,     "of the schedule, unspecified values and random orders: a number or random"},
    option_row{"--arith",           "arith",           option_type::arithmetic, &options::arithmetic, "where reference and hardware differ: page (default) or hardware", true},
    option_row{"--order",           "order",           option_type::order,    &options::random_order, "in which reductions, scans and mma combine: fixed (default) or random", true},
    option_row{"--max-ops",         "max_ops",         option_type::count,    &options::max_ops,  "stop after so many tile operations", true},
    option_row{"--idle-ops",        "idle_ops",        option_type::count,    &options::idle_ops, "stop after so many operations and raw accesses in which no block has ended", true},
    option_row{"--polls",           "polls",           option_type::count,    &options::polls,    "how often a block may poll in vain that may give up by itself (1048576)", true, {2, std::uint64_t{1} << 48U}},
    option_row{"--stall",           "stall",           option_type::seconds_or_never, &options::stall, "stop when no block has done anything that is seen for so many seconds (60; 0: never)"},
    option_row{"--timeout",         "timeout",         option_type::seconds,  &options::timeout,  "stop after so many seconds"},
    option_row{"--no-ub",           "no_ub",           option_type::undefined_kinds, &options::reported, "say nothing of undefined behaviour: of any kind, or --no-ub=KIND,KIND", true},
    option_row{"--notes",           "notes",           option_type::note_kinds, &options::reported, "say also what is no defect: every kind of note, or --notes=KIND,KIND", true},
    option_row{"--races",           "races",           option_type::flag,     &options::races,    "report data races: 'check' finds all, 'run' those of raw accesses (p[i]) with --hooks alone"},
    option_row{"--leaks",           "leaks",           option_type::flag,     &options::leaks,    "memory that is never freed is an error, not a note", true},
    option_row{"--keep-going",      "keep_going",      option_type::flag,     &options::keep_going, "drop the elements of a bad access, and go on", true},
    option_row{"--stats",           "stats",           option_type::flag,     &options::stats,    "print a line of statistics at the end"},
    option_row{"--device-memory",   "device_memory",   option_type::bytes,    &options::device_memory, "memory of the simulated device, such as 512M or 16G", true},
    option_row{"--stack-bytes",     "stack_bytes",     option_type::bytes,    &options::stack_bytes, "address space for one block's stack, 256M unless told, at least 64K; a thread of a __global__ kernel has an eighth, at least 8M of it", true, {std::uint64_t{64} << 10U}},
    option_row{"--multiprocessors", "multiprocessors", option_type::count,    &options::multiprocessors, "multiprocessors that the device reports", true, {2}},
    // The tool's own.
    option_row{"", "turns",          option_type::turns,     &options::turns,          "of turns: who runs"},
    option_row{"", "weak",           option_type::flag,      &options::weak,           "strong reads may take older writes, drawn from the seed"},
    option_row{"", "stale",          option_type::stale,     &options::stale,          "the strong reads that take older writes"},
    option_row{"", "by_hand",        option_type::flag,      &options::by_hand,        "what strong reads take can be chosen"},
    option_row{"", "launches_wait",  option_type::flag,      &options::launches_wait,  "launches begin where the host waits for any"},
    option_row{"", "record",         option_type::flag,      &options::record,         "keep the schedule's history, for findings"},
    option_row{"", "choices",        option_type::flag,      &options::choices,        "of turns: tell what could have been chosen instead"},
    option_row{"", "fill",           option_type::count,     &options::fill,           "seed of unspecified values and random orders, if not the seed"},
    option_row{"", "vary",           option_type::variation, &options::vary,           "some unspecified values are others"},
    option_row{"", "trail",          option_type::path,      &options::trail,          "where to write what was done from the first of them on"},
    option_row{"", "against",        option_type::path,      &options::against,        "the trail of a run that this one is compared with"},
    option_row{"", "at_once",        option_type::flag,      &options::at_once,        "of pct: who waited may go on in the next turn"},
    option_row{"", "known",          option_type::known,     &options::known,          "findings that the person lets pass"},
    option_row{"", "report",         option_type::path,      &options::report,         "where to write what was found, as JSON"},
    option_row{"", "counts",         option_type::path,      &options::counts,         "a file that is told what was done"},
    option_row{"", "reader",         option_type::count,     &options::reader,         "the process that reads the report, and those of processes that the program makes"},
    option_row{"", "quiet",          option_type::flag,      &options::quiet,          "findings go to the report alone"},
    option_row{"", "repeatable",     option_type::flag,      &options::repeatable,     "no turn ends by the clock"},
    option_row{"", "trace",          option_type::path,      &options::trace,          "where to write the run as it happens"},
    option_row{"", "trace_events",   option_type::count,     &options::trace_events,   "at most so many operations and arrows between them"},
    option_row{"", "trace_elements", option_type::count,     &options::trace_elements, "of a result, at most"},
    option_row{"", "trace_around",   option_type::count,     &options::trace_around,   "an operation that is kept, with those around it"},
    option_row{"", "modules",        option_type::path,      &options::modules,        "files of Tile IR whose kernels are run, one a line"},
    option_row{"", "feed",           option_type::path,      &options::feed,           "launches of another machine, to compare with"},
    option_row{"", "comparison",     option_type::path,      &options::comparison,     "where to write what differed"},
    option_row{"", "compare_bounds", option_type::path,      &options::compare_bounds, "launches of which it is derived how far they may be off: 0,3"},
    option_row{"", "compare_contracts", option_type::flag,   &options::compare_contracts, "products and sums may have been fused there"},
    option_row{"", "compare_approximates", option_type::flag,   &options::compare_approximates, "arithmetic may have been made approximate there"},
    option_row{"", "contract",       option_type::path,      &options::contract,       "which products and sums are fused: a table of them, or rule"},
    option_row{"", "compare_left",   option_type::path,      &options::compare_left,   "where is kept what these launches leave in memory"},
    option_row{"", "compare_altered", option_type::count,    &options::compare_altered, "it was kept by another run; in this one something is altered, by number (altered_values.hpp)"},
    option_row{"", "compare_ends",   option_type::count,     &options::compare_ends,   "a launch whose end is looked for among those of all its executions"},
    option_row{"", "compare_details", option_type::flag,     &options::compare_details, "also who wrote it, and elements' types"},
};
// clang-format on

/// The row of a key; null without one.
[[nodiscard]] constexpr const option_row* option_of(std::string_view key) noexcept {
  const auto* const row = std::ranges::find(option_table, key, &option_row::key);
  return row == option_table.end() ? nullptr : row;
}

inline namespace option_literals {

/// A key as the tool writes it down: "races"_option does not compile where the table has no such
/// row. (Asked without pointers: under -fsanitize=undefined g++ 13 takes an inline variable's
/// address for one that may be null.)
consteval const char* operator""_option(const char* key, std::size_t size) {
  return std::ranges::count(option_table, std::string_view{key, size}, &option_row::key) != 0
             ? key
             : throw "no option of this key";
}

} // namespace option_literals

/// Those that a person may ask for; the tool also asks for "turns", lists of turns.
inline constexpr std::array<std::string_view, 4> option_schedules{
    "round-robin", "random", "bursts", "pct"};
inline constexpr std::array<std::string_view, 2> option_arithmetics{"page", "hardware"};
inline constexpr std::array<std::string_view, 2> option_orders{"fixed", "random"};

/// The codes of the kinds of findings that an option takes.
[[nodiscard]] inline std::vector<std::string_view> option_codes(option_type type) {
  const auto wanted =
      type == option_type::note_kinds ? finding_class::note : finding_class::undefined;
  std::vector<std::string_view> result;
  for (std::size_t k = 0; k < finding_kinds; ++k) {
    const auto kind = static_cast<finding_kind>(k);
    if (class_of(kind) == wanted) {
      result.emplace_back(code(kind));
    }
  }
  return result;
}

} // namespace tilesim::sim
