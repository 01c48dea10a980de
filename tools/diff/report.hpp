// What a comparison with another machine found: data, before any of it is text or JSON.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/comparison_lines.hpp"
#include "tools/check/report.hpp"

#include <tilesim/report.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::tools::diff {

/// What is said of an element that differs, as the program writes it.
using element_verdict = sim::element_difference;

/// Why it could not be decided, and where.
struct open_decision {
  std::string why;
  std::vector<source_frame> frames;
};

/// Who wrote a byte last.
struct last_writer {
  std::string block; ///< "tile block (1,0,0)"; empty: not known
  std::vector<source_frame> at;
  std::optional<std::uint64_t> launch; ///< which of the program's, from 0
  std::string kernel;
};

struct differing_element {
  std::uint64_t index = 0;
  std::string here; ///< its bits, and the number that they are: "3f800000 (1)"
  std::string there;
  std::optional<std::uint64_t> ulps; ///< between them, of floating point
  last_writer writer;                ///< here
  std::string low;                   ///< between which numbers it may lie, if it has a bound
  std::string high;
  std::optional<std::uint64_t> allowed_ulps; ///< of the end that is farther off
  double part = 0;                           ///< how much of the bound it uses
  bool nan = false;                          ///< both are NaNs: which of them is left open
  std::optional<open_decision> open;         ///< nobody knows where it may lie
};

/// A page of which the recording has the hash alone, which is another here.
struct differing_page {
  std::uint64_t begin = 0; ///< bytes
  std::uint64_t end = 0;
  bool open = false;  ///< an allowed execution may give other bytes than here
  last_writer writer; ///< of its first byte here
};

struct differing_buffer {
  std::string name;
  std::string type;           ///< "f32"; empty: bytes
  std::uint64_t count = 0;    ///< of all its elements
  std::uint64_t elements = 0; ///< that differ,
  std::uint64_t open = 0;     ///< of which so many may or may not be right,
  std::uint64_t allowed = 0;  ///< and so many lie within their bounds
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs; ///< of them: from, to behind the last
  std::vector<element_verdict> kinds;                        ///< … of what kind all of it is
  bool runs_cut = false;                                     ///< there are more
  std::vector<differing_page> pages;                         ///< beside these elements
  std::uint64_t hash = 0;                 ///< of the whole buffer as the simulator has it
  bool varies = false;                    ///< in other schedules the simulator has others
  std::vector<differing_element> first;   ///< wrong ones; else open ones; else others
  std::optional<differing_element> worst; ///< of those within their bounds

  /// Elements and pages that no allowed execution gives; that may or may not be right.
  [[nodiscard]] std::uint64_t wrong() const noexcept;
  [[nodiscard]] std::uint64_t undecided() const noexcept;
};

/// What a launch began with was not the same: memory that the host wrote, or its size, or a value
/// that the launch passes.
struct differing_input {
  std::string name;
  std::uint64_t offset = 0; ///< bytes
  std::uint64_t bytes = 0;
  bool left =
      false; ///< not what the host wrote: what a launch left, which differed in hashes alone
  std::uint64_t size = 0;                  ///< of all the memory, in bytes
  std::optional<std::uint64_t> size_there; ///< where that is another
  std::optional<std::uint64_t> argument;   ///< a value: which, from 0
  std::string type;                        ///< of a value: "float"
  std::string here;                        ///< likewise
  std::string there;
};

/// All executions of a launch, or as many as were looked at.
struct all_ends {
  bool among = false;     ///< one of them leaves memory as it was there
  bool whole = false;     ///< they were all
  bool excluded = false;  ///< none leaves it so, by what each thread may do
  std::uint64_t ends = 0; ///< different contents of memory
  std::uint64_t executions = 0;
};

/// An operation with more than one right result took part.
struct inexact_operation {
  std::string why; ///< because_… of comparison_lines.hpp
  std::vector<source_frame> frames;

  /// Which of several threads comes first or last decides: another schedule may give others.
  [[nodiscard]] bool is_left_to_the_schedule() const noexcept;
};

/// A loaded value is used in another shape after a store over its place.
struct reloaded_value {
  std::vector<source_frame> load;
  std::vector<source_frame> store;
  std::vector<source_frame> use;
};

enum class verdict : unsigned char {
  same,
  allowed, ///< what differs lies within bounds that follow from the values that went in
  differs,
  other_input, ///< what came in was not the same: nobody is blamed
  undecided    ///< an operation with several right results took part, and how far they may be apart
               ///< is not known
};

/// "same", "within the bounds", "differs", "other input", "undecided".
[[nodiscard]] const char* name(verdict v) noexcept;

struct compared_launch {
  std::uint64_t number = 0; ///< in the program, from 0
  std::uint64_t first = 0;  ///< of the launches up to this one that were compared together
  std::string kernel;
  std::vector<source_frame> frames;
  std::uint64_t bytes = 0; ///< compared
  std::vector<differing_input> inputs;
  std::vector<differing_buffer> buffers;
  std::vector<inexact_operation> inexact;
  bool threads = false; ///< of a `__global__` kernel
  bool bounded = false; ///< bounds were derived
  bool printed = false; ///< it printed numbers that may be off
  bool ordered = false; ///< who comes first may decide its results
  bool olds = false;    ///< … if somebody looks at what updates have given
  bool summed = false;  ///< nobody does; some of what they have made is wrong
  bool depends = false; ///< something that is taken for exact depends on what was altered
  bool movable = false; ///< it computed some
  bool rounded = false; ///< so may some be that it has left in memory
  std::optional<open_decision> diverted; ///< a decision that errors may turn
  std::vector<reloaded_value> reloads;
  std::uint64_t explained_by = 0; ///< the seed of a schedule that gives these results; 0: none
  std::optional<all_ends> ends;   ///< where they have been looked at
  std::string unseen;             ///< why not, where they were to be

  [[nodiscard]] verdict judged() const noexcept;
  /// It computed numbers that may be off: what differs depends on them, or has their bounds by the
  /// chance of having their bytes.
  [[nodiscard]] bool needs_other_values() const noexcept;
  /// … of which it is not certain that they are exact.
  [[nodiscard]] bool needs_both_ends() const noexcept;
  /// It is undecided, and were not if nobody looks at what atomic updates have given.
  [[nodiscard]] bool waits_for_olds() const noexcept;
  /// No execution has to be looked for: what differs is the same in all of them.
  [[nodiscard]] bool is_settled() const noexcept;
  /// All executions have been looked at, and none gives these results.
  [[nodiscard]] bool is_no_execution() const noexcept;
  /// What was recorded is what another execution leaves than the one that ran here.
  [[nodiscard]] bool is_by_another() const noexcept;
  /// Threads store strongly to what others access, and not all executions could be looked at: those
  /// of a few schedules say nothing of which store comes last, and who reads which.
  [[nodiscard]] bool has_unseen_executions() const noexcept;
  /// It is undecided since nobody knows which executions there are.
  [[nodiscard]] bool waits_for_executions() const noexcept;
  /// Approximate, or combining in an open order: not an atomic update.
  [[nodiscard]] bool computes_inexactly() const noexcept;
};

/// From here on the two programs did not launch the same.
struct other_launch {
  std::uint64_t number = 0;
  std::string here; ///< "k<<<(4,1,1), (1,1,1)>>>"
  std::string there;
  std::vector<source_frame> frames;
};

/// The machine that a recording is of.
struct machine {
  std::string file; ///< the recording
  std::string device;
  std::string driver;
  std::string compiler;
  std::string flags;
};

struct report {
  std::uint64_t run = 0;  ///< of the recording, from 0
  std::uint64_t runs = 1; ///< how many it holds
  std::vector<std::string> sources;
  bool of_recordings = false; ///< two of them: nothing was simulated
  std::string command;        ///< what stands behind `tilesim diff`
  std::string step;           ///< the words behind `tilesim step` that stand at what differs
  machine other;
  std::vector<compared_launch> launches;
  std::optional<other_launch> parted;
  std::uint64_t launches_here = 0;
  std::uint64_t launches_there = 0;
  std::optional<std::string> printed_here;  ///< the first line that only the simulator printed
  std::optional<std::string> printed_there; ///< … only the other machine
  std::optional<int> status_here;           ///< nothing: it did not come to an end,
  std::optional<int> status_there;          ///< likewise
  std::vector<checked_finding> findings;    ///< defects, in the run that was compared
  std::string failed_here;          ///< what told that a kernel had failed, and none, or another
  std::string failed_there;         ///< way, on the other side; empty: none has
  std::string other_text;           ///< the recording is of another one: in words; empty: it is not
  std::vector<std::string> remarks; ///< what limits the comparison, a line each

  /// How many launches have it: of those that were compared together, each.
  [[nodiscard]] std::uint64_t count(verdict v) const noexcept;
  /// Also those that were compared together with others.
  [[nodiscard]] std::uint64_t launches_compared() const noexcept;
  /// So many there were to compare: those of the recording, of two of them the greater number.
  [[nodiscard]] std::uint64_t launches_to_compare() const noexcept;
  /// The first that is wrong, else the first that differs at all; nullptr: none.
  [[nodiscard]] const compared_launch* told_in_full() const noexcept;
  /// 0 they agree, 1 they differ or there are findings, 3 it could not be decided.
  [[nodiscard]] int exit_code() const noexcept;
  /// "agrees", "differs", "undecided".
  [[nodiscard]] const char* verdict_word() const noexcept;
  /// How much a person wants to see of it: what no execution gives before all else.
  [[nodiscard]] int urgency() const noexcept;
  /// The program's own exit status here: where there are findings tilesim gives another one in the
  /// place of 0. Nothing: it did not come to an end.
  [[nodiscard]] std::optional<int> own_status() const noexcept;
  /// A kernel failed on one side alone, or otherwise than on the other.
  [[nodiscard]] bool failed_otherwise() const noexcept;
};

/// "saxpy.cu:12:3" of the innermost frame, or "an unknown place".
[[nodiscard]] std::string place(const std::vector<source_frame>& frames);

/// "launch 3 (link)", "launches 1 to 3 (fill, mix, link)": of those that were compared together.
[[nodiscard]] std::string launches_name(const compared_launch& l);
/// "bytes 0 to 4 of x were not the same before the launch", "argument 2, a (float): 2.5 here, 2
/// there".
[[nodiscard]] std::string input_text(const differing_input& i);
/// "tile block (1,0,0) at saxpy.cu:12:3", and of which launch where there are several.
[[nodiscard]] std::string writer_text(const compared_launch& l, const last_writer& w);

/// What looking at a launch's executions came to, where that decided nothing; empty: there is
/// nothing to tell.
[[nodiscard]] std::string executions_text(const compared_launch& l);
/// "exit status 0 here, 3 there", where the programs ended otherwise; empty: they did not.
[[nodiscard]] std::string status_text(const report& r);
/// "data-race found here", "other lines printed": why the comparison differs although no launch
/// does; empty: it does not, or a launch does.
[[nodiscard]] std::string reason_beside_launches(const report& r);
/// "a kernel failed there, and none here: cudaFree returned cudaErrorIllegalAddress"; empty: there
/// is nothing to tell.
[[nodiscard]] std::string failed_text(const report& r);

/// What `break` of `tilesim step` takes to stand where the first wrong element of the launch that
/// is told in full was written, or else where that launch begins; empty: no launch differs.
[[nodiscard]] std::string stop_at_what_differs(const report& r);

/// Another schedule's run of the same program: where its results are others than in `of`, they
/// vary; where it has what the other machine had, that is explained. `seed`: of the schedule.
void note_varying(report& of, const report& other, std::uint64_t seed);

/// A run of the same program that computed other values within the bounds: what it derives counts
/// where it decides more, and where what differed depends on them.
void note_other_values(report& of, report other);
/// Runs in which atomic updates gave other values: where memory is the same in all of them, nobody
/// looks at these.
void note_other_olds(report& of, const std::vector<report>& others);
[[nodiscard]] bool nobody_looks(const compared_launch& at, const std::vector<report>& others);

/// The same, of a run that looked at all executions of one launch.
void note_ends(report& of, std::string_view lines);

/// Takes what the program wrote down [sim/compare/README.md]. Throws failure if it is not that.
void read_comparison(report& into, std::string_view lines);

/// The run that a person wants to see in full: the first of the most urgent ones.
[[nodiscard]] const report& most_urgent(const std::vector<report>& runs) noexcept;

/// Of all runs: 1 if one of them differs, else 3 if one could not be decided, else 0.
[[nodiscard]] int exit_code_of(const std::vector<report>& runs) noexcept;

// Writers, of a report for each run.
[[nodiscard]] std::string to_text(const std::vector<report>& runs);
[[nodiscard]] std::string to_json(const std::vector<report>& runs);
[[nodiscard]] std::string to_html(const std::vector<report>& runs);

} // namespace tilesim::tools::diff
