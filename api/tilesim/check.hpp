// Checking code from a test: tilesim::check runs a callable under several schedules and returns
// what `tilesim check` would report, as data.
//
// Link with tilesim::check, and compile kernels with tilesim_add_executable(… HOOKS …), so that raw
// accesses are seen.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/letters_begin.h>

#include <tilesim/detail/machine.hpp>
#include <tilesim/report.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim {

struct check_options {
  /// What replay strings belong to: one of another name is refused.
  ::std::string name = {};
  ::std::size_t schedules = 8;   ///< at least
  double seconds = 0;          ///< and further ones until so many have passed: how many these are
                               ///< depends on the machine
  ::std::size_t jobs = 0;        ///< runs at once, at most; 0: as many as there are processors
  /// Every schedule with at most so many preemptions at memory operations instead, and no more than
  /// `schedules` of them unless that is 0.
  ::std::optional<unsigned> preemptions = {};
  ::std::uint64_t seed = 0;      ///< what all schedules are drawn from
  unsigned depth = 3;          ///< of PCT schedules: how many ordered events a bug takes
  /// "ptx": from the eighth schedule on every third is weak: strong reads may take older writes, as the
  /// memory model allows. "sc": none is.
  ::std::string model = "ptx";
  double timeout = 0;          ///< seconds for all runs together; 0: no limit
  ::std::uint64_t max_ops = 0;   ///< tile operations in a run; 0: no limit
  ::std::string replay = {};     ///< only the schedule that this string names
  ::std::string suppress = {};   ///< a file of known findings
  bool keep_schedules = false; ///< look for no shorter schedules
  bool strict = false;         ///< notes count as findings
  bool leaks = false;          ///< memory that is never freed is an error, not a note
  /// Runs one schedule after the other in the caller's own process instead of in children. See
  /// check().
  bool in_process = false;
  bool keep_going = false;     ///< drop the elements of a bad access, and go on
  /// Runs as many as were asked for where one does not come to an end, too. Else, once there is one
  /// (a deadlock, a livelock, "no end in sight"), no more are begun when all together have made two
  /// million operations, and a remark says how many were to come.
  bool all_schedules = false;
};

/// A defect or a note of all runs together: one for each kind and pair of source lines.
struct check_finding {
  ::std::string code; ///< "data-race": docs/findings.md
  bool note = false;
  ::std::string message;
  ::std::vector<::std::string> details;
  ::std::string remedy;
  ::std::vector<source_frame> where; ///< innermost first
  ::std::vector<source_frame> other; ///< of two accesses in conflict: the other one's
  ::std::uint64_t count = 0;         ///< in all runs
  ::std::size_t schedules = 0;       ///< in how many of them
  ::std::string replay;              ///< for check_options::replay
  ::std::string suppressed_by;       ///< "known.txt:3"; empty: not suppressed
  ::std::vector<stale_read> stale_reads = {}; ///< that it takes; empty: it is sequentially consistent
};

namespace detail {
struct check_data; // of the library
} // namespace detail

/// What a check found. The data does not change any more; copies are cheap.
class TILESIM_EXPORT check_result {
public:
  explicit check_result(::std::shared_ptr<const detail::check_data> data);

  /// True if something was checked, wholly, and there is neither a finding nor a failure.
  [[nodiscard]] bool clean() const noexcept { return exit_code() == 0; }
  /// As the command's exit status: 0 clean, 1 findings, 3 a limit was reached or nothing was
  /// checked, 66 the callable itself failed.
  [[nodiscard]] int exit_code() const noexcept;
  /// "clean", "findings", "incomplete", "nothing checked", "program failed".
  [[nodiscard]] ::std::string verdict() const;

  [[nodiscard]] const ::std::vector<check_finding>& findings() const noexcept;
  /// How many findings of a kind there are that are not suppressed: count("data-race").
  [[nodiscard]] ::std::size_t count(::std::string_view code) const noexcept;

  [[nodiscard]] ::std::size_t planned() const noexcept;      ///< schedules that were to be run
  [[nodiscard]] ::std::size_t runs() const noexcept;         ///< that were
  [[nodiscard]] ::std::size_t failures() const noexcept;     ///< runs in which the callable failed
  [[nodiscard]] ::std::uint64_t operations() const noexcept; ///< tile operations in all runs
  [[nodiscard]] ::std::uint64_t judged() const noexcept;     ///< elements whose accesses were judged
  [[nodiscard]] const ::std::vector<::std::string>& limits() const noexcept;
  [[nodiscard]] const ::std::vector<::std::string>& remarks() const noexcept;

  /// The report as the command prints it, without colours, and its other forms. [docs/check.md]
  [[nodiscard]] ::std::string text() const;
  [[nodiscard]] ::std::string json() const;
  [[nodiscard]] ::std::string sarif() const;
  [[nodiscard]] ::std::string html() const;

private:
  ::std::shared_ptr<const detail::check_data> data_;
};

/// Runs `body` under several schedules, each time in a process of its own, forked from this one: a
/// kernel that deadlocks or leaves its memory is a finding and not the end of the caller, and what
/// `body` changes in memory stays there. It fails by throwing. What it prints is compared between
/// schedules and not shown.
///
/// With `in_process`, runs are made in the caller's process, one after the other: no fork, a debugger
/// stays in it, and a small body takes a fraction of the time. A finding that stops a run, a limit,
/// exit() and abort() in the calling thread end the run and not the process. But what `body` changes
/// in memory stays, so it has to begin each run in the same way; what the frames own that such an end
/// leaves is not freed, and locks that they hold stay locked; other threads have to be done when
/// `body` is; a crash of host code ends the caller, and nothing ends host code that runs for ever.
///
/// Nothing else is left behind in this process. Throws std::invalid_argument for options that are wrong,
/// a replay string of another name among them, and std::runtime_error where no process can be
/// started. After Ctrl-C the rest of the schedules is left out, and SIGINT is raised again.
[[nodiscard]] TILESIM_EXPORT check_result check(const ::std::function<void()>& body,
                                                const check_options& options = {});

} // namespace tilesim

#include <tilesim/detail/letters_end.h>
