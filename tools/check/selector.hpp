// Naming a finding on the command line: "data-race@a.cu:23+a.cu:22".
//
// A report prints the name beside the replay string of a schedule, under which other findings may
// come first. Where two have one name they are told apart by columns: "crash@a.cu:23:7".
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

struct selector {
  struct place {
    std::string file; ///< its path, or the end of it
    unsigned line = 0;
    unsigned column = 0; ///< 0: any

    friend bool operator==(const place&, const place&) = default;
  };
  std::string code;
  std::vector<place> places; ///< of two accesses in conflict: both; empty: any

  /// Is it this finding? Which of two accesses comes first does not matter, nor where those stand
  /// who wait for ever: there is one such finding in a run, and the schedule says which of them is
  /// named.
  [[nodiscard]] bool selects(const std::string& finding_code,
                             const std::vector<source_frame>& where,
                             const std::vector<source_frame>& other) const {
    return closeness_of(finding_code, where, other) == closeness::same;
  }

  /// How near it is to what is named, where a run tells in other words what `explore` has found, or
  /// check a pair of lines: of each place one pair of accesses.
  enum class closeness : std::uint8_t {
    none,
    place, ///< one of the lines is the same,
    lines, ///< or all of them
    same
  };
  [[nodiscard]] closeness closeness_of(const std::string& finding_code,
                                       const std::vector<source_frame>& where,
                                       const std::vector<source_frame>& other) const;
};

/// "CODE", "CODE@FILE:LINE" or "CODE@FILE:LINE+FILE:LINE", each line with a ":COLUMN" or without.
/// Nothing if the text is none of these.
[[nodiscard]] std::optional<selector> parse_selector(std::string_view text);

/// What --finding has been given.
/// @throws failure
[[nodiscard]] selector wanted_finding(const std::string& text);

/// The name of a finding, with its lines, or with columns, too.
enum class name_with : std::uint8_t { lines, columns };
[[nodiscard]] std::string name_finding(const std::string& code,
                                       const std::vector<source_frame>& where,
                                       const std::vector<source_frame>& other,
                                       name_with what = name_with::lines);

/// The name of one of the findings of a report, which no other of them has: with columns where its
/// lines do not do.
template <class Finding>
[[nodiscard]] std::string name_among(const std::vector<Finding>& all, const Finding& f) {
  const std::string name = name_finding(f.code, f.where, f.other);
  const bool several = std::ranges::any_of(all, [&](const Finding& g) {
    return g.code == f.code && (g.where != f.where || g.other != f.other) &&
           (name_finding(g.code, g.where, g.other) == name ||
            name_finding(g.code, g.other, g.where) == name);
  });
  return several ? name_finding(f.code, f.where, f.other, name_with::columns) : name;
}

/// Blocks or threads that wait for ever.
[[nodiscard]] bool waits_for_ever(const std::string& code);

/// As it was read.
[[nodiscard]] std::string to_string(const selector& s);

} // namespace tilesim::tools
