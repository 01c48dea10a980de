// What HTML pages of reports are made of: no script, nothing from elsewhere.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/markup.hpp" // IWYU pragma: export

#include <tilesim/report.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

/// The lines of source files, each file read once.
class html_sources {
public:
  /// Nothing if the file cannot be read.
  const std::vector<std::string>& lines(const std::string& file);

private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// The line of a place with its neighbours; empty if the source is not there.
[[nodiscard]] std::string excerpt(const source_frame& f, html_sources& files);

/// A heading and a line each; nothing without lines.
[[nodiscard]] std::string html_list(const char* title, const std::vector<std::string>& lines);

struct html_parts {
  std::string subject; ///< what the report is of, as text
  bool good = false;
  std::string verdict;    ///< a sentence, as text
  std::string extent;     ///< what was looked at, as text
  std::string body;       ///< as HTML
  std::string style = {}; ///< more rules of style
};
[[nodiscard]] std::string html_page(const html_parts& parts);

} // namespace tilesim::tools
