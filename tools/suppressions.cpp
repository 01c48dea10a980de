// Reading suppressions and matching them.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/suppressions.hpp"

#include "tools/arguments.hpp"
#include "tools/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fnmatch.h>

namespace tilesim::driver {
namespace {

bool glob(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool place_matches(const std::string& pattern, const source_frame& f) {
  const auto place = fmt::format("{}:{}", f.file, f.line);
  for (std::size_t at = 0; at != std::string::npos;) {
    if (glob(pattern, place.substr(at)))
      return true;
    at = place.find('/', at);
    at = at == std::string::npos ? at : at + 1;
  }
  return false;
}

std::vector<std::string> codes() {
  std::vector<std::string> all;
  for (std::size_t k = 0; k < finding_kinds; ++k)
    all.emplace_back(code(static_cast<finding_kind>(k)));
  return all;
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < line.size();) {
    const auto begin = line.find_first_not_of(" \t\r", at);
    if (begin == std::string_view::npos)
      break;
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
  if (std::ranges::any_of(known, [&](auto& c) { return glob(wanted, c); }))
    return;
  const auto near = nearest(wanted, known);
  refuse(at,
         fmt::format("'{}' is no kind of finding; {}docs/findings.md has them all",
                     wanted,
                     near ? fmt::format("did you mean '{}'? ", *near) : ""));
}

} // namespace

bool suppression::matches(const checked_finding& f) const {
  if (!glob(code, f.code))
    return false;
  if (f.where.empty() && f.other.empty())
    return place == "*";
  const auto here = [&](const source_frame& s) { return place_matches(place, s); };
  return std::ranges::any_of(f.where, here) || std::ranges::any_of(f.other, here);
}

std::vector<suppression> parse_suppressions(const std::string& file, std::string_view text) {
  std::vector<suppression> list;
  for (unsigned number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    const auto words = words_of(line.substr(0, line.find('#')));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty())
      continue;
    const auto at = fmt::format("{}:{}", file, number);
    if (words.size() != 2 || (words[1] != "*" && words[1].find(':') == std::string::npos))
      refuse(at,
             "expected a kind of finding and a place, such as 'data-race histogram.cu:23' or "
             "'deadlock *'");
    check_code(at, words[0]);
    list.push_back({at, words[0], words[1]});
  }
  return list;
}

void suppress(check_report& report, std::vector<suppression>& list) {
  for (auto& f : report.findings)
    for (auto& s : list)
      if (s.matches(f)) {
        s.used = true;
        if (f.suppressed_by.empty())
          f.suppressed_by = s.at;
      }
  for (const auto& s : list)
    if (!s.used)
      report.remarks.push_back(
          fmt::format("{}: '{} {}' suppresses nothing", s.at, s.code, s.place));
}

} // namespace tilesim::driver
