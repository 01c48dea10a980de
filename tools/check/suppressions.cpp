// Reading suppressions and matching them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/suppressions.hpp"

#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/arguments.hpp"
#include "tools/cli/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

std::vector<std::string> codes() {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < finding_kinds; ++k) {
    all.emplace_back(code(static_cast<finding_kind>(k)));
  }
  return all;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const auto begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos) {
      break;
    }
    const auto end = std::min(line.find_first_of(" \t\r", begin), line.size());
    words.emplace_back(line.substr(begin, end - begin));
    at = end;
  }
  return words;
}

[[noreturn]] void refuse(const std::string& at, const std::string& why) {
  throw printed_failure(exit_usage, fmt::format("{}: error: {}\n", at, why));
}

void check_code(const std::string& at, const std::string& wanted) {
  const auto known = codes();
  const sim::known_finding pattern{wanted, "*"};
  if (std::ranges::any_of(known, [&](auto& c) { return pattern.matches_code(c); })) {
    return;
  }
  const auto near = nearest(wanted, known);
  refuse(at,
         fmt::format("'{}' is no kind of finding; {}docs/findings.md has them all",
                     wanted,
                     near ? fmt::format("did you mean '{}'? ", *near) : ""));
}

} // namespace

std::vector<suppression> parse_suppressions(const std::string& file, std::string_view text) {
  std::vector<suppression> list;
  for (unsigned number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    const auto words = words_of(line.substr(0, line.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) {
      continue;
    }
    const auto at = fmt::format("{}:{}", file, number);
    if (words.size() != 2 || (words[1] != "*" && words[1].find(':') == std::string::npos)) {
      refuse(at,
             "expected a kind of finding and a place, such as 'data-race histogram.cu:23' or "
             "'deadlock *'");
    }
    check_code(at, words[0]);
    list.push_back({.at = at, .what = {words[0], sim::printable(words[1])}});
  }
  return list;
}

void add_built_in(std::vector<suppression>& list) {
  // The merge of the last elements reads one behind a tile, of the block's own, and drops it.
  list.push_back({.at = "tilesim",
                  .what = {"uninitialised-read", "cub/block/block_merge_sort.cuh:*"},
                  .built_in = true});
}

void tell_simulator(const std::vector<suppression>& list, nlohmann::json& options) {
  if (list.empty()) {
    return;
  }
  auto& known = options["known"_option] = nlohmann::json::array();
  for (const auto& s : list) {
    known.push_back({s.what.code, s.what.place});
  }
}

void suppress(check_report& report, std::vector<suppression>& list) {
  for (auto& f : report.findings) {
    for (auto& s : list) {
      if (s.matches(f)) {
        s.used = true;
        if (f.suppressed_by.empty()) {
          f.suppressed_by = s.at;
        }
      }
    }
  }
  for (const auto& s : list) {
    if (!s.used && !s.built_in) {
      report.remarks.push_back(
          fmt::format("{}: '{} {}' suppresses nothing", s.at, s.what.code, s.what.place));
    }
  }
}

} // namespace tilesim::tools
