// Findings that a person has looked at and does not want to see: a file of `code file:line`.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/known_findings.hpp"
#include "tools/check/report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

/// One line of the file.
struct suppression {
  std::string at; ///< "known.txt:3"
  sim::known_finding what;
  bool used = false;
  bool built_in = false; ///< tilesim's own: nothing is said where it matches nothing

  [[nodiscard]] bool matches(const checked_finding& f) const {
    return what.matches(f.code, f.where, f.other);
  }
};

/// Reads a file's text: empty lines and what stands behind `#` are skipped. Throws printed_failure
/// (usage) for a line that is none, or an unknown code.
[[nodiscard]] std::vector<suppression> parse_suppressions(const std::string& file,
                                                          std::string_view text);

/// Adds what is known of NVIDIA's own headers, which no user can mend [docs/cccl.md].
void add_built_in(std::vector<suppression>& list);

/// The list as the simulator takes it among its options: what is suppressed hides nothing else.
void tell_simulator(const std::vector<suppression>& list, nlohmann::json& options);

/// Marks the findings that are suppressed, and adds a remark for each line that matched none.
void suppress(check_report& report, std::vector<suppression>& list);

} // namespace tilesim::tools
