// Naming a finding on the command line: "data-race@a.cu:23+a.cu:22".
//
// A report prints the name beside the replay string of a schedule, under which other findings may
// come first.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/report.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver {

struct selector {
  struct place {
    std::string file; ///< its path, or the end of it
    unsigned line = 0;
  };
  std::string code;
  std::vector<place> places; ///< of two accesses in conflict: both; empty: any

  /// Is it this finding? Which of two accesses comes first does not matter.
  [[nodiscard]] bool selects(const std::string& finding_code,
                             const std::vector<source_frame>& where,
                             const std::vector<source_frame>& other) const;
};

/// The name of a finding.
[[nodiscard]] std::string name_finding(const std::string& code,
                                       const std::vector<source_frame>& where,
                                       const std::vector<source_frame>& other);

/// As it was read.
[[nodiscard]] std::string to_string(const selector& s);

/// "CODE", "CODE@FILE:LINE" or "CODE@FILE:LINE+FILE:LINE". Nothing if the text is none of these.
[[nodiscard]] std::optional<selector> parse_selector(std::string_view text);

} // namespace tilesim::driver
