// tilesim::check: the check of the command line on a callable of the caller's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/environment.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/standard_error.hpp"
#include "tools/check/called.hpp"
#include "tools/check/html.hpp"
#include "tools/check/json.hpp"
#include "tools/check/loop.hpp"
#include "tools/check/suppressions.hpp"
#include "tools/check/text.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/numbers.hpp"
#include "tools/cli/terminal.hpp"

#include <tilesim/check.hpp>
#include <tilesim/detail/checked_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tilesim {

using namespace sim::option_literals;

struct detail::check_data {
  tools::check_report report;
  std::vector<check_finding> findings;
};

namespace {

using tools::library_section;

check_finding finding_of(const tools::checked_finding& f) {
  check_finding told = tools::finding_of(f);
  told.count = f.count;
  told.schedules = f.schedules;
  told.suppressed_by = f.suppressed_by;
  told.stale_reads = f.shown.told;
  return told;
}

int call(const std::function<void()>& body) {
  return tools::call("tilesim::check", body);
}

/// In the process that was forked for a run.
int run_body(const std::function<void()>& body, const std::string& options) {
  detail::begin_checked_run(options.c_str());
  const int status = call(body);
  detail::end_checked_run();
  return status;
}

/// In this process.
tools::body_end run_body_here(const std::function<void()>& body, const std::string& options) {
  const auto calls = [](void* given) {
    return call(*static_cast<const std::function<void()>*>(given));
  };
  const auto end = detail::run_checked_here(
      options.c_str(), calls, const_cast<std::function<void()>*>(&body)); // NOLINT: void*
  return {end.status, end.signal, end.interrupted};
}

// What all runs together may do where one does not come to an end: a livelock takes up to a million
// operations to be told so.
constexpr std::uint64_t enough_of_endless = 2'000'000;

tools::check_settings settings_of(const check_options& o) {
  const auto is_time = [](double s) { return s >= 0 && s <= tools::most_seconds; };
  if ((o.schedules == 0 && !o.preemptions) || o.depth == 0 || !is_time(o.timeout) ||
      !is_time(o.seconds)) {
    throw std::invalid_argument("tilesim::check: schedules and depth have to be at least 1, and "
                                "timeout and seconds from 0 to 1e9");
  }
  if (o.model != "ptx" && o.model != "sc") {
    throw std::invalid_argument(
        fmt::format("tilesim::check: model is ptx or sc, not '{}'", o.model));
  }
  return {.schedules = o.schedules,
          .operations_if_endless = o.all_schedules ? 0 : enough_of_endless,
          .to_run_all = "check_options::all_schedules",
          .seconds = o.seconds,
          .jobs = o.in_process ? 1 : o.jobs,
          .preemptions = o.preemptions,
          .resume = {},
          .seed = o.seed,
          .depth = o.depth,
          .weak = o.model == "ptx",
          .timeout = o.timeout,
          .replay = o.replay,
          .input = {},
          .keep_schedules = o.keep_schedules,
          .show_first = false,
          .show_progress = false};
}

tools::run_request request_of(const std::function<void()>& body, const check_options& o) {
  tools::run_request r;
  if (o.in_process) {
    r.body_here = [&body](const std::string& options) { return run_body_here(body, options); };
  } else {
    r.body = [&body](const std::string& options) { return run_body(body, options); };
  }
  r.options = nlohmann::json::object();
  r.options["leaks"_option] = o.leaks;
  r.options["keep_going"_option] = o.keep_going;
  if (o.max_ops != 0) {
    r.options["max_ops"_option] = o.max_ops;
  }
  return r;
}

std::vector<tools::suppression> known_findings(const check_options& o) {
  if (o.suppress.empty()) {
    return {};
  }
  const auto text = tools::read_text(o.suppress);
  if (!text) {
    throw tools::failure(exit_usage, fmt::format("{}: cannot be read", o.suppress));
  }
  return tools::parse_suppressions(o.suppress, *text);
}

/// The command line of this process, with a first word by which it can be started.
std::vector<std::string> own_words() {
  std::vector<std::string> words;
  const auto line = tools::read_file("/proc/self/cmdline").value_or("");
  for (std::size_t at = 0; at < line.size();) {
    const auto end = std::min(line.find('\0', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  std::error_code none;
  if (!words.empty() && words[0].find('/') == std::string::npos) {
    words[0] = std::filesystem::read_symlink("/proc/self/exe", none).string();
  }
  return words;
}

/// The check that `tilesim step --program` wants to stand in. Others make one run, so that the
/// program comes there soon; where it wants none, all are made as always.
sim::stepped_check wanted_by_stepper() {
  const char* given = std::getenv(sim::step_check_variable);
  return given == nullptr ? sim::stepped_check{} : sim::read_stepped_check(given);
}

[[noreturn]] void step_into(const std::function<void()>& body,
                            const sim::stepped_check& wanted,
                            const std::string& program) {
  if (!wanted.program.empty() && wanted.program != program) {
    sim::print_error(
        "tilesim::check: the replay string belongs to a check of another name than the one "
        "that comes as number {} here\n",
        wanted.number);
    std::fflush(nullptr);
    _exit(exit_usage);
  }
  detail::begin_stepped_run();
  const int status = call(body);
  detail::end_checked_run();
  std::fflush(nullptr);
  _exit(status);
}

std::shared_ptr<const detail::check_data> checked(const std::function<void()>& body,
                                                  const check_options& given) {
  static std::atomic<std::size_t> calls = 0;
  const auto number = ++calls;
  auto o = given;
  auto data = std::make_shared<detail::check_data>();
  auto known = known_findings(o);
  tools::add_built_in(known);
  tools::check_report subject;
  subject.of_library = true;
  subject.strict = o.strict;
  subject.command = o.name.empty() ? "(no name)" : o.name;
  subject.sources = {subject.command};
  subject.program = tools::hash_bytes("tilesim::check " + o.name).substr(0, 16);
  subject.check_number = number;
  subject.words = own_words();
  if (const auto wanted = wanted_by_stepper(); wanted.number == number) {
    step_into(body, wanted, subject.program);
  } else if (wanted.number != 0) {
    o.schedules = 1;
    o.seconds = 0;
    o.preemptions.reset();
    o.keep_schedules = true;
  }
  auto request = request_of(body, o);
  tell_simulator(known, request.options);
  data->report = run_check(settings_of(o), std::move(request), std::move(subject));
  tools::suppress(data->report, known);
  std::ranges::transform(data->report.findings,
                         std::back_inserter(data->findings),
                         [](const auto& f) { return finding_of(f); });
  return data;
}

} // namespace

check_result::check_result(std::shared_ptr<const detail::check_data> data)
    : data_(std::move(data)) {}

int check_result::exit_code() const noexcept {
  return data_->report.exit_code();
}

std::string check_result::verdict() const {
  const library_section inside;
  return data_->report.verdict();
}

const std::vector<check_finding>& check_result::findings() const noexcept {
  return data_->findings;
}

std::size_t check_result::count(std::string_view code) const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(
      data_->findings, [&](auto& f) { return f.code == code && f.suppressed_by.empty(); }));
}

std::size_t check_result::planned() const noexcept {
  return data_->report.planned;
}

std::size_t check_result::runs() const noexcept {
  return data_->report.runs.size();
}

std::size_t check_result::failures() const noexcept {
  return data_->report.count(tools::run_end::failed);
}

std::uint64_t check_result::operations() const noexcept {
  return data_->report.operations();
}

std::uint64_t check_result::judged() const noexcept {
  return data_->report.judged();
}

const std::vector<std::string>& check_result::limits() const noexcept {
  return data_->report.limits;
}

const std::vector<std::string>& check_result::remarks() const noexcept {
  return data_->report.remarks;
}

std::string check_result::text() const {
  const library_section inside;
  return tools::without_colours(to_text(data_->report));
}

std::string check_result::json() const {
  const library_section inside;
  return to_json(data_->report);
}

std::string check_result::sarif() const {
  const library_section inside;
  return to_sarif(data_->report);
}

std::string check_result::html() const {
  const library_section inside;
  return to_html(data_->report);
}

check_result check(const std::function<void()>& body, const check_options& options) {
  const library_section inside;
  try {
    check_result result(checked(body, options));
    if (tools::interrupt_watch::requested()) {
      std::raise(SIGINT);
    }
    return result;
  } catch (const tools::failure& f) {
    if (f.code() == exit_usage) {
      throw std::invalid_argument(fmt::format("tilesim::check: {}", f.what()));
    }
    throw std::runtime_error(fmt::format("tilesim::check: {}", f.what()));
  }
}

} // namespace tilesim
