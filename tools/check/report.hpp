// What a check found in all its runs: data, before any of it is text, JSON or SARIF.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/run.hpp"
#include "tools/check/schedule.hpp"
#include "tools/check/selector.hpp"

#include <tilesim/report.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace tilesim::tools {

/// A schedule that shows a finding, and how much of it has happened by then.
struct witness {
  schedule which;
  std::uint64_t blocks = 0;       ///< of the launches in question, that have run; 0: unknown
  std::uint64_t turns = 0;        ///< that they have taken
  std::vector<sim::turn> history; ///< these turns; empty: unknown
  std::vector<sim::turn> parties; ///< a turn for each thread that the finding speaks of
  std::vector<sim::stale_choice> stale = {}; ///< the stale reads before it
  std::vector<stale_read> told = {};         ///< the last of them, in words

  /// Fewer stale reads, then fewer blocks, then fewer turns, then a shorter name of the schedule.
  [[nodiscard]] bool simpler_than(const witness& other) const;
  [[nodiscard]] std::size_t name_length() const;
};

/// A finding of all runs together: one for each kind and pair of source lines.
struct checked_finding {
  std::string code;
  bool note = false;
  std::string message;
  std::vector<std::string> details;
  std::string remedy;
  std::vector<source_frame> where;        ///< innermost first
  std::vector<source_frame> other;        ///< of two accesses in conflict: the other one's
  std::vector<source_frame> through = {}; ///< helpers that made the call, further in than `where`
  std::vector<source_frame> other_through = {};
  std::uint64_t count = 0;    ///< in all runs
  std::size_t schedules = 0;  ///< in how many of them
  witness shown;              ///< the simplest schedule that has shown it
  std::string replay;         ///< replays that one
  bool of_comparison = false; ///< of runs with each other: no run by itself shows it
  /// Round robin, if that has shown it: nothing but a shorter list of turns is simpler to go by.
  std::optional<witness> by_default = {};
  std::string suppressed_by; ///< "known.txt:3"; empty: not suppressed
  /// Of a race: in which ways it came about, how often each; one or none: there is no more to say.
  std::vector<finding_variant> variants = {};
  int known = -1; ///< the suppression that the simulator has recognised; -1: none
  /// A note that is a defect of programs whose results depend on the schedule.
  bool if_results_differ = false;
  /// Only processes have had it that the program has made: no list of turns names theirs, and the
  /// stepper is not in them.
  bool of_child = false;
};

/// What a run's report says of one, without how often it came.
[[nodiscard]] checked_finding reported_finding(const nlohmann::json& f);

/// How a run ended.
enum class run_end : unsigned char {
  ended,    ///< by itself, with status 0
  failed,   ///< by itself with another status, or by a signal
  stopped,  ///< by a finding after which nothing can follow
  limited,  ///< --timeout, --max-ops or another limit
  cancelled ///< Ctrl-C
};

/// "ended", "failed", …
[[nodiscard]] const char* name(run_end end) noexcept;

struct checked_run {
  schedule which;
  run_end end = run_end::ended;
  int status = 0; ///< of the program, if it ended by itself; 128 + n: signal n
  /// Its status is that of a process that the program has made, which a signal has ended.
  bool of_child = false;
  /// By a program that has failed: the last line on standard error, else of all; empty: nothing.
  std::string printed_last;
  std::uint64_t operations = 0;
  std::uint64_t judged = 0;
  /// It was stopped since its blocks did not come to an end, as far as that is not known already.
  bool endless = false;
};

struct check_report {
  std::vector<std::string> sources;
  std::string command;            ///< the command line behind `check`, without the check's options
  std::string program;            ///< the hash that replay strings carry
  bool of_library = false;        ///< of tilesim::check: there is no command
  std::size_t check_number = 0;   ///< which check of its process, from 1; 0: unknown
  std::vector<std::string> words; ///< the process's command line
  std::size_t planned = 0;        ///< schedules
  std::uint64_t seed = 0;         ///< that they were drawn from
  unsigned depth = 3;             ///< of pct
  std::string suppress;           ///< the file of findings that are known; empty: none
  bool strict = false;            ///< notes count, too
  bool weak = true;               ///< some schedules are weak
  std::optional<unsigned> preemptions; ///< every schedule with at most so many
  bool replayed = false;               ///< one schedule, which was given
  std::string input;                   ///< the file that was read as standard input; empty: none
  /// What is asked for: of findings that share their lines the nearest to it stands for all.
  std::optional<selector> wanted = {};
  std::vector<checked_run> runs; ///< one for each schedule that was tried
  std::vector<checked_finding> findings;
  std::vector<std::string> limits; ///< what kept the check from going further, a line each
  std::vector<std::string> remarks;

  /// Takes what one run reported.
  void add(const schedule& which, const program_run& run);
  /// Takes a finding that no run by itself has made: it came up in the last one, or another with
  /// its schedule. One of the same kind and places stands for it, if there is one.
  void add_compared(checked_finding f, const schedule& which);
  /// The last run, another than those before, shows one of this kind again. False if there is
  /// none.
  bool compared_again(const std::string& code);
  /// Takes a run that is none of the check's schedules: where it shows a known finding by less, its
  /// schedule replaces the finding's.
  void add_witness(const schedule& which, const program_run& run);

  /// Behind all runs: where results depend on the schedule, notes become defects that may be why.
  void judge_by_results();
  /// Behind all runs: where no list of turns shows a finding that round robin has shown, that does.
  void prefer_default();

  [[nodiscard]] std::uint64_t operations() const;
  [[nodiscard]] std::uint64_t judged() const;
  /// What was checked: "tilesim check a.cu", "tilesim::check histogram".
  [[nodiscard]] std::string subject() const;
  /// What makes the same check anywhere: a command line, or what to write in the source; empty of a
  /// replay.
  [[nodiscard]] std::string how_to_repeat() const;
  /// How a person replays a schedule: a command line, or what to write in the source.
  [[nodiscard]] std::string how_to_replay(const std::string& string) const;
  /// How near a finding is to what is wanted.
  [[nodiscard]] selector::closeness closeness_of(const checked_finding& f) const;
  /// What `--finding` takes: its kind and places. [selector.hpp]
  [[nodiscard]] std::string name_of(const checked_finding& f) const;
  /// The command line that stands at the finding in the stepper; empty if there is none.
  [[nodiscard]] std::string how_to_step(const checked_finding& f) const;

  /// Findings that are not suppressed.
  [[nodiscard]] std::size_t defects() const;
  [[nodiscard]] std::size_t notes() const;
  [[nodiscard]] std::size_t suppressed() const;
  /// How many runs ended so.
  [[nodiscard]] std::size_t count(run_end end) const;
  /// How many runs were of weak schedules.
  [[nodiscard]] std::size_t weak_runs() const;
  /// 0, 1, 3 or 66. [sim/contract/exit_codes.hpp]
  [[nodiscard]] int exit_code() const;
  /// The same in a word: "clean", "findings", "incomplete", "nothing checked", "program failed".
  [[nodiscard]] const char* verdict() const;

private:
  [[nodiscard]] std::string input_words() const;
  enum class maker : unsigned char { program, child };
  /// Takes what one process of a run reported. True if a limit was reached there.
  bool add_process(const schedule& which, const nlohmann::json& report, checked_run& to, maker by);
  void add_limit(const schedule& which, const nlohmann::json& finding, maker by);
  void add_children(const schedule& which, const std::vector<child_run>& children, checked_run& to);
  void merge(const nlohmann::json& finding, const schedule& which, maker by);
  void show(checked_finding& f, witness by) const;

  using key = std::tuple<std::string, std::string, std::string, std::string, int, bool>;
  [[nodiscard]] static key key_of(const checked_finding& f);
  std::map<key, std::size_t> by_place_;
  bool endless_told_ = false; ///< with all that there is to say
  /// A limit that schedules reached: told once, with the first of them.
  struct reached_limit {
    std::string fact;
    std::string first;
    std::string details;
    std::size_t line; ///< of `limits`
    std::uint64_t others = 0;
  };
  std::vector<reached_limit> reached_;
  std::vector<std::size_t> last_run_; ///< of each finding: the last run that had it
};

/// A finding's code: what could not be looked at, which is no fault of the program's.
[[nodiscard]] bool is_limit(const std::string& code);
/// A run's stale reads, or those before a finding, in words. [sim/contract/report_members.hpp]
[[nodiscard]] std::vector<stale_read> stale_reads_of(const nlohmann::json& list);
/// As a schedule has them.
[[nodiscard]] std::vector<sim::stale_choice> stale_choices_of(const nlohmann::json& text);

} // namespace tilesim::tools
