// Runs ahead of those that a check waits for.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/ahead.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "tools/cli/schedule_options.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

/// Two runs of one name are the same run.
std::string name_of(const wanted_run& run) {
  return to_string(run.which) + ' ' + sim::json_text(run.options);
}

} // namespace

run_ahead::run_ahead(run_request program, recorded_input input)
    : program_(std::move(program))
    , input_(std::move(input))
    , pool_(input_) {}

void run_ahead::expect(forecast next) {
  next_ = std::move(next);
  std::set<std::string> names;
  for (std::size_t n = 0; next_ && n <= window(); ++n) {
    const auto run = next_(n);
    if (!run) {
      break;
    }
    names.insert(name_of(*run));
  }
  std::erase_if(begun_, [&](const auto& entry) {
    if (names.contains(entry.first)) {
      return false;
    }
    pool_.drop(entry.second);
    return true;
  });
}

program_run run_ahead::get(const wanted_run& run, const std::function<void()>& tick) {
  const auto name = name_of(run);
  if (!begun_.contains(name)) {
    pool_.await_room(jobs_, tick);
    start(run, name);
  }
  fill();
  auto result = pool_.finish(begun_.at(name), tick, [this] { fill(); });
  begun_.erase(name);
  return result;
}

bool run_ahead::begun(const wanted_run& run) const {
  return begun_.contains(name_of(run));
}

void run_ahead::start(const wanted_run& run, const std::string& name) {
  auto request = program_;
  request.options = run.options;
  set_options(run.which, request.options);
  if (run.deadline) {
    const std::chrono::duration<double> left = *run.deadline - std::chrono::steady_clock::now();
    request.options["timeout"_option] = std::max(0.01, left.count());
  }
  request.deadline = run.deadline;
  request.show = run.show;
  begun_.emplace(name, pool_.start(std::move(request)));
}

void run_ahead::fill() {
  if (program_.body_here != nullptr) {
    return; // one at a time, when it is asked for
  }
  // Of a search whose order changes with what comes to light, those that come later are kept.
  for (std::size_t n = 0; next_ && n < window() && pool_.running() < jobs_; ++n) {
    if (begun_.size() > 2 * window()) {
      return;
    }
    const auto run = next_(n);
    if (!run || interrupt_watch::requested()) {
      return;
    }
    if (const auto name = name_of(*run); !begun_.contains(name)) {
      start(*run, name);
    }
  }
}

} // namespace tilesim::tools
