// Runs of a check in the order in which it asks for them, and beside the one that it waits for
// those that it will ask for next.
//
// What a check reports follows from the runs in their order alone: how many went on at once, and
// which ended first, is not to be seen in it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check/run.hpp"
#include "tools/check/schedule.hpp"

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tilesim::tools {

/// A run that a check wants.
struct wanted_run {
  schedule which;
  nlohmann::json options = {}; ///< of the simulator, besides the schedule's
  std::optional<std::chrono::steady_clock::time_point> deadline = {};
  bool show = false; ///< pass on what the program prints
};

class run_ahead {
public:
  run_ahead(run_request program, recorded_input input);

  /// At most so many at once; one until told.
  void set_jobs(std::size_t jobs) { jobs_ = jobs; }
  [[nodiscard]] std::size_t jobs() const { return jobs_; }

  /// What will be asked for behind the run that is asked for now: next(0), next(1), …; nothing: no
  /// more is known. Runs that have begun and are not among the first of them are dropped.
  using forecast = std::function<std::optional<wanted_run>(std::size_t n)>;
  void expect(forecast next);

  /// The run, wherever it stands. `tick` is called a few times a second.
  [[nodiscard]] program_run get(const wanted_run& run, const std::function<void()>& tick);

  /// True if it has begun already.
  [[nodiscard]] bool begun(const wanted_run& run) const;

private:
  void start(const wanted_run& run, const std::string& name);
  /// Begins as many of the expected ones as may go on at once.
  void fill();
  /// How far ahead of the one that is asked for.
  [[nodiscard]] std::size_t window() const { return jobs_ < 2 ? 0 : 2 * jobs_; }

  run_request program_;
  recorded_input input_;
  run_pool pool_;
  std::size_t jobs_ = 1;
  forecast next_;
  std::map<std::string, run_pool::number> begun_; ///< by their names
};

} // namespace tilesim::tools
