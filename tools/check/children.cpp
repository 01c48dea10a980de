// Files beside a report.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/children.hpp"

#include "sim/contract/child_reports.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/contract/run_counts.hpp"
#include "tools/cli/files.hpp"
#include "tools/cli/number_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <system_error>
#include <thread>
#include <utility>

namespace tilesim::tools {
namespace {

namespace fs = std::filesystem;

struct child_file {
  std::string path;
  pid_t process = 0;
  std::uint64_t begun = 0;

  [[nodiscard]] bool is_report() const { return process != 0; }
};

/// "….child-PROCESS-TIME", the innermost of several; other files of theirs have no process.
child_file parsed(const std::string& path) {
  child_file file{.path = path};
  const auto mark = path.rfind(sim::child_report_mark);
  const auto name = std::string_view(path).substr(mark + std::strlen(sim::child_report_mark));
  const auto dash = name.find('-');
  if (dash != std::string_view::npos) {
    const auto process = number<pid_t>(name.substr(0, dash));
    const auto begun = number<std::uint64_t>(name.substr(dash + 1));
    if (process && begun) {
      file.process = *process;
      file.begun = *begun;
    }
  }
  return file;
}

std::vector<child_file> files_beside(const std::string& report) {
  std::vector<child_file> files;
  const std::string begin = report + sim::child_report_mark;
  std::error_code none;
  for (fs::directory_iterator i(fs::path(report).parent_path(), none), end; i != end;
       i.increment(none)) {
    if (auto path = i->path().string(); path.starts_with(begin)) {
      files.push_back(parsed(path));
    }
  }
  std::ranges::sort(files, {}, [](const auto& f) { return std::pair(f.begun, f.process); });
  return files;
}

/// One that has ended may be there until somebody asks for its status.
bool is_alive(pid_t process) {
  const auto stat = read_file(fmt::format("/proc/{}/stat", process));
  const auto name_ends = stat ? stat->rfind(") ") : std::string::npos;
  return name_ends != std::string::npos && name_ends + 2 < stat->size() &&
         (*stat)[name_ends + 2] != 'Z' && (*stat)[name_ends + 2] != 'X';
}

std::vector<child_run> reports_now(const std::string& report) {
  std::vector<child_run> children;
  for (const auto& file : files_beside(report)) {
    if (!file.is_report()) {
      continue;
    }
    const auto text = read_file(file.path);
    auto json = text ? sim::parse_json(*text) : nlohmann::json{};
    if (!json.is_object()) {
      continue;
    }
    child_run child{.report = std::move(json)};
    child.runs = child.report.at(sim::in_report::how) == sim::in_report::how_running &&
                 is_alive(file.process);
    child.signal = add_counts(child.report, sim::child_counts_path(file.path));
    children.push_back(std::move(child));
  }
  return children;
}

} // namespace

// Whom nobody waits for may be about to end.
std::vector<child_run> children_beside(const std::string& report) {
  constexpr int looks = 100;
  constexpr auto pause = std::chrono::milliseconds(10);
  auto children = reports_now(report);
  for (int i = 0; i < looks && std::ranges::any_of(children, &child_run::runs); ++i) {
    std::this_thread::sleep_for(pause);
    children = reports_now(report);
  }
  return children;
}

bool any_child_stopped(const std::string& report) {
  return std::ranges::any_of(files_beside(report), [](const auto& file) {
    const auto text = file.is_report() ? read_file(file.path) : std::nullopt;
    const auto json = text ? sim::parse_json(*text) : nlohmann::json{};
    return json.is_object() && json.at(sim::in_report::how) == sim::in_report::how_stopped;
  });
}

void remove_children_beside(const std::string& report) noexcept {
  try {
    for (const auto& file : files_beside(report)) {
      std::error_code none;
      fs::remove(file.path, none);
    }
  } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): they stay
  }
}

int add_counts(nlohmann::json& report, const std::string& path) {
  sim::run_counts counts;
  const auto bytes = read_file(path);
  if (!bytes || bytes->size() != sizeof counts) {
    return 0;
  }
  std::memcpy(&counts, bytes->data(), sizeof counts);
  if (!report.is_null() && report.at(sim::in_report::how) == sim::in_report::how_running) {
    const auto& before = report.at(sim::in_report::before);
    const auto fill_in = [&](const char* what, std::uint64_t all) {
      const auto others = before.at(what).get<std::uint64_t>();
      report[what] = all > others ? all - others : 0;
    };
    fill_in(sim::in_report::operations, counts.operations);
    fill_in(sim::in_report::judged, counts.judged);
    fill_in(sim::in_report::made, counts.made);
    fill_in(sim::in_report::steps, counts.steps);
  }
  return static_cast<int>(counts.signal);
}

} // namespace tilesim::tools
