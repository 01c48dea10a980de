// tilesim::check: the check of the command line on a callable of the caller's.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check_html.hpp"
#include "tools/check_json.hpp"
#include "tools/check_loop.hpp"
#include "tools/check_text.hpp"
#include "tools/failure.hpp"
#include "tools/files.hpp"
#include "tools/number_checks.hpp"
#include "tools/suppressions.hpp"
#include "tools/terminal.hpp"

#include <tilesim/check.hpp>
#include <tilesim/detail/checked_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace tilesim {

struct detail::check_data {
  driver::check_report report;
  bool strict = false;
  std::vector<check_finding> findings;
};

namespace {

check_finding finding_of(const driver::checked_finding& f) {
  return {.code = f.code,
          .note = f.note,
          .message = f.message,
          .details = f.details,
          .remedy = f.remedy,
          .where = f.where,
          .other = f.other,
          .count = f.count,
          .schedules = f.schedules,
          .replay = f.replay,
          .suppressed_by = f.suppressed_by};
}

/// In the process that was forked for a run. What is printed there is compared, so the same run
/// prints the same.
int run_body(const std::function<void()>& body, const std::string& options) {
  detail::begin_checked_run(options.c_str());
  int status = 0;
  try {
    body();
  } catch (const std::exception& e) {
    fmt::print(stderr, "tilesim::check: the callable has thrown: {}\n", e.what());
    status = 1;
  } catch (...) {
    fmt::print(stderr, "tilesim::check: the callable has thrown\n");
    status = 1;
  }
  detail::end_checked_run();
  return status;
}

driver::check_settings settings_of(const check_options& o) {
  if (o.schedules == 0 || o.depth == 0 || !(o.timeout >= 0 && o.timeout <= driver::most_seconds))
    throw std::invalid_argument("tilesim::check: schedules and depth have to be at least 1, and "
                                "timeout from 0 to 1e9 seconds");
  return {.schedules = o.schedules,
          .seed = o.seed,
          .depth = o.depth,
          .timeout = o.timeout,
          .replay = o.replay,
          .input = {},
          .keep_schedules = o.keep_schedules,
          .show_first = false,
          .show_progress = false};
}

driver::run_request request_of(const std::function<void()>& body, const check_options& o) {
  driver::run_request r;
  r.body = [&body](const std::string& options) { return run_body(body, options); };
  r.options = nlohmann::json::object();
  if (o.max_ops != 0)
    r.options["max_ops"] = o.max_ops;
  return r;
}

std::vector<driver::suppression> known_findings(const check_options& o) {
  if (o.suppress.empty())
    return {};
  const auto text = driver::read_file(o.suppress);
  if (!text)
    throw driver::failure(driver::exit_usage, fmt::format("{}: cannot be read", o.suppress));
  return driver::parse_suppressions(o.suppress, *text);
}

std::shared_ptr<const detail::check_data> checked(const std::function<void()>& body,
                                                  const check_options& o) {
  auto data = std::make_shared<detail::check_data>();
  data->strict = o.strict;
  auto known = known_findings(o);
  driver::check_report subject;
  subject.of_library = true;
  subject.command = o.name.empty() ? "(no name)" : o.name;
  subject.sources = {subject.command};
  subject.program = driver::hash_bytes("tilesim::check " + o.name).substr(0, 16);
  auto request = request_of(body, o);
  tell_simulator(known, request.options);
  data->report = run_check(settings_of(o), std::move(request), std::move(subject));
  driver::suppress(data->report, known);
  std::ranges::transform(data->report.findings, std::back_inserter(data->findings), finding_of);
  return data;
}

} // namespace

check_result::check_result(std::shared_ptr<const detail::check_data> data)
    : data_(std::move(data)) {}

int check_result::exit_code() const noexcept {
  return data_->report.exit_code(data_->strict);
}

std::string check_result::verdict() const {
  return data_->report.verdict(data_->strict);
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
  return data_->report.count(driver::run_end::failed);
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
  return driver::without_colours(to_text(data_->report, data_->strict));
}

std::string check_result::json() const {
  return to_json(data_->report, data_->strict);
}

std::string check_result::sarif() const {
  return to_sarif(data_->report, data_->strict);
}

std::string check_result::html() const {
  return to_html(data_->report, data_->strict);
}

check_result check(const std::function<void()>& body, const check_options& options) {
  try {
    check_result result(checked(body, options));
    if (driver::interrupt_watch::requested())
      std::raise(SIGINT);
    return result;
  } catch (const driver::failure& f) {
    if (f.code() == driver::exit_usage)
      throw std::invalid_argument(fmt::format("tilesim::check: {}", f.what()));
    throw std::runtime_error(fmt::format("tilesim::check: {}", f.what()));
  }
}

} // namespace tilesim
