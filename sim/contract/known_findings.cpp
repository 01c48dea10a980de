// Matching findings with a list of known ones.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/known_findings.hpp"

#include "sim/contract/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fnmatch.h>

namespace tilesim::sim {

namespace {

bool glob(const std::string& pattern, const std::string& text) {
  return fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool frame_matches(const std::string& pattern, const source_frame& f) {
  const auto place = fmt::format("{}:{}", bytes_of(f.file), f.line);
  for (std::size_t at = 0; at != std::string::npos;) {
    if (glob(pattern, place.substr(at))) {
      return true;
    }
    at = place.find('/', at);
    at = at == std::string::npos ? at : at + 1;
  }
  return false;
}

} // namespace

bool known_finding::matches_code(std::string_view finding_code) const {
  return glob(code, std::string(finding_code));
}

bool known_finding::matches_place(const std::vector<source_frame>& frames) const {
  // As bytes: \xHH of a printed name means something else in a pattern.
  return std::ranges::any_of(
      frames, [&](const source_frame& f) { return frame_matches(bytes_of(place), f); });
}

bool known_finding::matches(std::string_view finding_code,
                            const std::vector<source_frame>& where,
                            const std::vector<source_frame>& other) const {
  if (!matches_code(finding_code)) {
    return false;
  }
  if (where.empty() && other.empty()) {
    return place == "*";
  }
  return matches_place(where) || matches_place(other);
}

int first_match(const std::vector<known_finding>& list,
                std::string_view finding_code,
                const std::vector<source_frame>& where,
                const std::vector<source_frame>& other) {
  const auto at = std::ranges::find_if(
      list, [&](const known_finding& k) { return k.matches(finding_code, where, other); });
  return at == list.end() ? -1 : static_cast<int>(at - list.begin());
}

} // namespace tilesim::sim
