// Finds litmus files and runs them in parallel.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/litmus/suite.hpp"

#include "sim/contract/counted.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <filesystem>
#include <mutex>
#include <thread>

namespace tilesim::tools {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> litmus_files_below(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(
           folder, fs::directory_options::skip_permission_denied, error);
       !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    if (at->path().extension() == ".litmus" && at->is_regular_file()) {
      files.push_back(at->path().lexically_normal().string());
    }
  }
  if (error) {
    throw failure(exit_usage, fmt::format("{}: cannot be listed: {}", folder, error.message()));
  }
  std::ranges::sort(files);
  return files;
}

/// The path of a file below a folder, with '/'.
std::string below(const std::string& file, const std::string& folder) {
  return fs::path(file).lexically_relative(fs::path(folder).lexically_normal()).generic_string();
}

/// What the workers share.
struct work {
  const std::vector<suite_file>& files;
  const litmus_request& request;
  std::vector<std::optional<litmus_report>> reports;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stop = false;
  std::mutex mutex;
  std::condition_variable news;
  std::size_t done = 0;
  std::exception_ptr error;

  void run() {
    try {
      for (std::size_t i = next++; i < files.size() && !stop; i = next++) {
        litmus_report report = run_litmus(files[i].path, request, files[i].row);
        const std::lock_guard lock(mutex);
        reports[i] = std::move(report);
        ++done;
        news.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      news.notify_one();
    }
  }

  /// Hands out the reports in order as they come.
  void deliver(const std::function<void(const litmus_report&)>& take) {
    using namespace std::chrono_literals;
    progress line("tilesim: litmus");
    for (std::size_t i = 0; i < files.size();) {
      std::unique_lock lock(mutex);
      news.wait_for(lock, 100ms, [&] { return error || reports[i]; });
      if (error) {
        return;
      }
      const std::string how_far =
          fmt::format("tilesim: {} of {} done,", done, sim::counted(files.size(), "test"));
      auto report = std::exchange(reports[i], std::nullopt);
      lock.unlock();
      if (!report) {
        line.tick(how_far);
        continue;
      }
      line.erase();
      take(*report);
      ++i;
    }
  }
};

} // namespace

std::vector<suite_file> files_named(const std::vector<std::string>& words) {
  std::vector<suite_file> out;
  for (const auto& word : words) {
    std::error_code error;
    if (!fs::exists(word, error)) {
      throw failure(exit_usage, fmt::format("{}: no such file or folder", word));
    }
    if (!fs::is_directory(word, error)) {
      out.push_back({word, nullptr});
      continue;
    }
    const auto files = litmus_files_below(word);
    if (files.empty()) {
      throw failure(exit_usage, fmt::format("{}: there is no *.litmus in this folder", word));
    }
    for (const auto& file : files) {
      out.push_back({file, nullptr});
    }
  }
  return out;
}

void expect_of(std::vector<suite_file>& files,
               const std::string& folder,
               const expected_table& table) {
  std::size_t used = 0;
  for (suite_file& f : files) {
    const auto found = table.find(below(f.path, folder));
    if (found == table.end()) {
      continue;
    }
    f.row = &found->second;
    ++used;
  }
  if (used == table.size()) {
    return;
  }
  std::string missing;
  for (const auto& entry : table) {
    const expected_row& row = entry.second;
    if (std::ranges::find(files, &row, &suite_file::row) == files.end()) {
      missing += fmt::format(
          "{}:{}: error: there is no {} in {}\n", row.table, row.line, row.test, folder);
    }
  }
  throw printed_failure(exit_input, missing);
}

void suite_counts::add(const litmus_report& r) {
  ++tests;
  if (r.failed) {
    ++failed;
  } else if (r.differs()) {
    ++differ;
  } else if (r.limit_reached()) {
    ++limits;
  } else if (r.claims.empty()) {
    ++without_expectation;
  } else {
    ++as_expected;
  }
}

int suite_counts::exit_code() const {
  return failed > 0   ? exit_input
         : differ > 0 ? exit_findings
         : limits > 0 ? exit_incomplete
                      : exit_clean;
}

std::string suite_counts::text() const {
  std::string out = sim::counted(tests, "test") + ":";
  const auto part = [&](std::size_t n, std::string_view one, std::string_view many) {
    if (n > 0) {
      out += fmt::format("{}{} {}", out.back() == ':' ? " " : ", ", n, n == 1 ? one : many);
    }
  };
  part(as_expected, "as expected", "as expected");
  part(differ, "differs", "differ");
  part(without_expectation, "without an expectation", "without an expectation");
  part(limits, "reached a limit", "reached a limit");
  part(failed, "does not parse", "do not parse");
  return out;
}

void run_suite(const std::vector<suite_file>& files,
               const litmus_request& request,
               unsigned jobs,
               const std::function<void(const litmus_report&)>& take) {
  work shared{files, request, {}, {}, {}, {}, {}, 0, nullptr};
  shared.reports.resize(files.size());
  std::vector<std::jthread> workers;
  for (std::size_t i = 0; i < std::min<std::size_t>(jobs, files.size()); ++i) {
    workers.emplace_back([&] { shared.run(); });
  }
  try {
    shared.deliver(take);
  } catch (...) {
    shared.stop = true;
    throw;
  }
  shared.stop = true;
  workers.clear(); // joins
  if (shared.error) {
    std::rethrow_exception(shared.error);
  }
}

} // namespace tilesim::tools
