// Findings that a person has looked at and lets pass: which kind, and where.
//
// The command line reads the list and marks what it covers; the simulator goes by the same list, so
// that what is passed over hides nothing else.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

/// `code` and `place` are globs of `*`, `?` and `[…]`.
struct known_finding {
  std::string code;
  std::string place; ///< "file:line", or "*"

  /// True if the code matches, and the place one of the finding's: of either side, or of a caller.
  /// A file matches by its whole path or by the end of it: `a.cu:3` is `src/a.cu:3`, too.
  [[nodiscard]] bool matches(std::string_view finding_code,
                             const std::vector<source_frame>& where,
                             const std::vector<source_frame>& other) const;

  [[nodiscard]] bool matches_code(std::string_view finding_code) const;
  /// True if one of the frames is the place.
  [[nodiscard]] bool matches_place(const std::vector<source_frame>& frames) const;
};

/// The first of the list that matches; -1: none.
[[nodiscard]] int first_match(const std::vector<known_finding>& list,
                              std::string_view finding_code,
                              const std::vector<source_frame>& where,
                              const std::vector<source_frame>& other);

} // namespace tilesim::sim
