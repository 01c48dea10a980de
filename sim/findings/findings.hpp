// Where findings go: collected, grouped by place, and told to the person at once.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/known_findings.hpp"
#include "sim/contract/schedule_string.hpp"

#include <tilesim/report.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::sim {

/// Everything that a finding needs but its place, which is the return address of the call that
/// found it: resolved to file and line only here.
struct finding_text {
  finding_kind kind{};
  std::string message;
  std::vector<std::string> details = {};
  std::string remedy = {};
  finding::level severity = finding::level::defect;
  bool if_results_differ = false; ///< as in finding
  /// What tells findings of one kind and place apart; empty: what the message begins with, up to a
  /// colon.
  std::string group = {};
  /// Of two accesses in conflict: the other one's return address.
  const void* other = nullptr;
  /// In which of several ways; empty: there is one. [finding_variant]
  std::string variant = {};
  /// Which threads did it, the earlier one first; empty: the running one.
  std::vector<turn> parties = {};
  /// What it speaks of had come about when everyone slept: what they did later led nowhere.
  bool asleep = false;
  /// The memory that it speaks of, where host code comes to it: who wrote there last is of
  /// interest.
  struct extent {
    std::uintptr_t address = 0;
    std::size_t bytes = 0; ///< 0: none
  };
  extent memory = {};
};

class findings {
public:
  /// Records a finding at `site` (a return address; nullptr: no place) and, the first time for this
  /// kind and place, prints it to standard error. Runs go on: see stop().
  /// Returns its number in all().findings.
  std::size_t add(const void* site, finding_text text);

  /// Counts a finding once more.
  void again(std::size_t number) { ++report_.findings[number].count; }
  /// Counts it once more in one of its ways.
  void again(std::size_t number, std::size_t variant) {
    again(number);
    ++report_.findings[number].variants[variant].count;
  }
  /// The number of a way that add() has been told.
  [[nodiscard]] std::size_t variant(std::size_t number, const std::string& what) const;

  /// True if add() has been called for this very site and kind, with at least this severity: counts
  /// it once more. For findings that a program may make in every turn of a loop.
  bool
  repeated(const void* site, finding_kind kind, finding::level severity = finding::level::note);

  /// True if add() has been called for this very site and kind.
  [[nodiscard]] bool has(const void* site, finding_kind kind) const {
    return by_site_.contains({site, kind});
  }

  /// add(), then ends the run, printing the summary. For what a GPU would not survive either.
  [[noreturn]] void stop(const void* site, finding_text text);

  [[nodiscard]] const report& all() const noexcept { return report_; }

  /// The site of the finding that stop() has been called for; nullptr: none, or without a place.
  [[nodiscard]] const void* stopped_at() const noexcept { return stopped_at_; }

  /// Prints nothing.
  bool quiet = false;

  /// What the person lets pass: found, counted apart and marked, not left out.
  std::vector<known_finding> known;

  /// Called with a how_… [report_members.hpp] when there is news for the report: a new finding, and
  /// that the run is over.
  std::function<void(const char* how)> tell;

  /// Called by stop() when all has been told. Does not return.
  std::function<void()> leave;

  /// Called by stop() before anything else.
  std::function<void(const void* site, finding_kind kind)> stopping;

  /// Called for every new finding when it has been told, with what it was told by.
  std::function<void(const void* site, const finding_text&)> noticed;

  /// Asked for the schedule so far when a finding is new, if set.
  std::function<finding_history(const finding_text&)> history;

  /// Asked, likewise, for the stale reads before it.
  std::function<std::vector<stale_read>()> stale;

  /// The closing lines on standard error: one per kind, with counts. Nothing when clean.
  void print_summary() const;

  /// All so far is another's to tell: the same will be told anew.
  void forget() noexcept;

private:
  report report_;
  const void* stopped_at_ = nullptr;
  std::map<std::pair<const void*, finding_kind>, std::size_t> by_site_;
  using place_key = std::tuple<finding_kind, std::string, unsigned, unsigned, std::string, int>;
  /// By kind, file, line, column, what the message begins with, and what it is known as.
  std::map<place_key, std::size_t> by_place_;
};

} // namespace tilesim::sim
