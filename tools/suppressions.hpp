// Findings that a person has looked at and does not want to see: a file of `code file:line`.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/check_report.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver {

/// One line of the file. `code` and `place` are globs of `*`, `?` and `[…]`.
struct suppression {
  std::string at; ///< "known.txt:3"
  std::string code;
  std::string place; ///< "file:line", or "*"
  bool used = false;

  /// True if the code matches, and the place one of the finding's: of either side, or of a caller.
  /// A file matches by its whole path or by the end of it: `a.cu:3` is `src/a.cu:3`, too.
  [[nodiscard]] bool matches(const checked_finding& f) const;
};

/// Reads a file's text: empty lines and what stands behind `#` are skipped. Throws printed_failure
/// (usage) for a line that is none, or an unknown code.
[[nodiscard]] std::vector<suppression> parse_suppressions(const std::string& file,
                                                          std::string_view text);

/// Marks the findings that are suppressed, and adds a remark for each line that matched none.
void suppress(check_report& report, std::vector<suppression>& list);

} // namespace tilesim::driver
