// tilesim::explore: the exploration of the command line on a callable of the caller's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/exploration.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "tools/check/called.hpp"
#include "tools/check/run.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/numbers.hpp"
#include "tools/cli/resources.hpp"
#include "tools/cli/terminal.hpp"
#include "tools/explore/report.hpp"
#include "tools/explore/running.hpp"

#include <tilesim/detail/checked_run.hpp>
#include <tilesim/explore.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace tilesim {

using namespace sim::option_literals;

struct detail::explore_data {
  tools::explore_report report;
  std::vector<explored_state> states;
  std::vector<check_finding> findings;
};

namespace {

constexpr std::size_t most_bound = 64;

using tools::library_section;

/// A file without a name, which children write to.
class report_memory {
public:
  report_memory()
      : file_(memfd_create("explored", MFD_CLOEXEC)) {
    if (file_ < 0) {
      throw std::runtime_error(
          fmt::format("tilesim::explore: memfd_create: {}", std::strerror(errno)));
    }
  }
  ~report_memory() { close(file_); }
  report_memory(const report_memory&) = delete;
  report_memory& operator=(const report_memory&) = delete;

  /// As processes see it that were forked from this one.
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

private:
  int file_;
};

/// In the process that was forked to explore, and in those that it forks for each memory.
int run_body(const std::function<std::string()>& body,
             const std::string& options,
             const sim::exploration_order& order) {
  setenv(sim::exploration_variable, sim::to_text(order).c_str(), 1);
  detail::begin_checked_run(options.c_str());
  const int status = tools::call("tilesim::explore", [&body] {
    const std::string returned = body();
    detail::tell_returned(returned.data(), returned.size());
  });
  detail::end_checked_run();
  return status;
}

void refuse_wrong(const explore_options& o) {
  const auto refuse = [](const std::string& what) {
    throw std::invalid_argument("tilesim::explore: " + what);
  };
  if (o.model != "ptx" && o.model != "sc") {
    refuse(fmt::format("model is ptx or sc, not '{}'", o.model));
  }
  if (!(o.seconds >= 0 && o.seconds <= tools::most_seconds)) {
    refuse("seconds has to be from 0 to 1e9");
  }
  if (o.bound && o.sample != 0) {
    refuse("sample draws from all executions: leave out bound");
  }
  if (o.bound && (o.model == "sc" || *o.bound > most_bound)) {
    refuse(o.model == "sc" ? "bound bounds stale reads, and under the model sc there are none"
                           : fmt::format("bound has to be from 0 to {}", most_bound));
  }
}

sim::exploration_order order_of(const explore_options& o) {
  return {.sequential = o.model == "sc",
          .load_buffering = o.load_buffering && !o.bound && o.sample == 0,
          .reduction = o.reduction,
          .symmetry = o.symmetry,
          .bound = o.bound,
          .samples = o.sample,
          .seed = o.seed,
          .jobs = o.jobs == 0 ? tools::usable_processors() : o.jobs,
          .seconds = o.seconds,
          .observe = o.observe,
          .report = {}};
}

/// A process that is forked to run the callable has told what it has come to, or nothing.
void read_told(tools::explore_report& report,
               const tools::program_run& run,
               const std::string& text,
               bool observed,
               const sim::exploration_progress& page) {
  const auto told = sim::read_ordered_json(text);
  if (told.is_object()) {
    report.read(told, observed);
    return;
  }
  report.complete = false;
  report.why =
      run.killed ? tools::why_killed(page, tools::interrupt_watch::requested())
      : run.status != 0
          ? fmt::format("the callable ends with status {} before it waits for a kernel", run.status)
          : "nothing to explore: the callable has waited for no kernel";
}

std::string bytes_from(const std::string& hexadecimal) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2) {
    out.push_back(static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16)));
  }
  return out;
}

explored_state state_of(const tools::explored_state& s) {
  explored_state out{.values = {},
                     .printed = s.printed,
                     .status = s.status,
                     .executions = s.executions,
                     .load_buffering = s.buffered,
                     .replay = s.replay,
                     .returned = bytes_from(s.returned)};
  for (const auto& [name, values] : s.values.items()) {
    for (const auto& v : values) {
      out.values[name].push_back(v.is_string() ? v.get<std::string>() : sim::json_text(v));
    }
  }
  return out;
}

check_finding finding_of(const tools::explored_finding& f) {
  check_finding told = tools::finding_of(f);
  told.count = f.executions;
  return told;
}

std::shared_ptr<const detail::explore_data> explored_data(const std::function<std::string()>& body,
                                                          const explore_options& o) {
  auto data = std::make_shared<detail::explore_data>();
  tools::explore_report& report = data->report;
  report.of_library = true;
  report.source = report.command = o.name.empty() ? "(no name)" : o.name;
  // That of a check of the same name, which takes replay strings.
  report.program = tools::hash_bytes("tilesim::check " + o.name).substr(0, 16);
  report.sequential = o.model == "sc";
  report.bound = o.bound;
  report.samples = o.sample;
  const report_memory memory;
  sim::exploration_order order = order_of(o);
  report.load_buffering = order.load_buffering;
  order.report = memory.path();
  const report_memory progress;
  order.progress = progress.path();
  const sim::progress_page page(order.progress);
  tools::run_request request;
  request.body = [&](const std::string& options) { return run_body(body, options, order); };
  request.options = nlohmann::json::object();
  request.options["quiet"_option] = true;
  request.options["repeatable"_option] = true;
  tools::limit_time(request, o.seconds, *page);
  tools::recorded_input input{.bytes = {}, .ended = true};
  const tools::interrupt_watch watch;
  const tools::program_run run = run_checked(request, input, {});
  read_told(report, run, tools::read_file(memory.path()).value_or(""), !o.observe.empty(), *page);
  if (const auto unknown = report.first_unknown(o.observe); unknown && report.executions != 0) {
    throw std::invalid_argument("tilesim::explore: " + *unknown);
  }
  std::ranges::transform(report.states, std::back_inserter(data->states), state_of);
  std::ranges::transform(report.findings, std::back_inserter(data->findings), [](const auto& f) {
    return finding_of(f);
  });
  return data;
}

} // namespace

explore_result::explore_result(std::shared_ptr<const detail::explore_data> data)
    : data_(std::move(data)) {}

int explore_result::exit_code() const noexcept {
  return data_->report.exit_code();
}

bool explore_result::complete() const noexcept {
  return data_->report.complete;
}

bool explore_result::within_bound() const noexcept {
  return data_->report.within_bound;
}

const std::string& explore_result::why() const noexcept {
  return data_->report.why;
}

std::uint64_t explore_result::executions() const noexcept {
  return data_->report.executions;
}

const std::vector<explored_state>& explore_result::states() const noexcept {
  return data_->states;
}

const std::vector<check_finding>& explore_result::findings() const noexcept {
  return data_->findings;
}

std::size_t explore_result::count(std::string_view code) const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(data_->findings, [&](const auto& f) { return f.code == code; }));
}

std::string explore_result::text() const {
  const library_section inside;
  return tools::without_colours(to_text(data_->report));
}

std::string explore_result::json() const {
  const library_section inside;
  return to_json(data_->report);
}

explore_result detail::explore_bytes(const std::function<std::string()>& body,
                                     const explore_options& options) {
  const library_section inside;
  refuse_wrong(options);
  try {
    explore_result result(explored_data(body, options));
    if (tools::interrupt_watch::requested()) {
      std::raise(SIGINT);
    }
    return result;
  } catch (const tools::failure& f) {
    throw std::runtime_error(fmt::format("tilesim::explore: {}", f.what()));
  }
}

} // namespace tilesim
