// Writing, reading and comparing names of findings.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/selector.hpp"

#include <fmt/format.h>

#include <regex>

namespace tilesim::driver {
namespace {

bool is_known(const std::string& wanted) {
  for (std::size_t k = 0; k < finding_kinds; ++k)
    if (wanted == code(static_cast<finding_kind>(k)))
      return true;
  return false;
}

/// The path itself, or its end from a folder on.
bool names(const std::string& end, const std::string& path) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool is_at(const std::vector<source_frame>& frames, const selector::place& p) {
  return !frames.empty() && frames.front().line == p.line &&
         (names(p.file, frames.front().file) || names(frames.front().file, p.file));
}

} // namespace

bool selector::selects(const std::string& finding_code,
                       const std::vector<source_frame>& where,
                       const std::vector<source_frame>& other) const {
  if (finding_code != code)
    return false;
  switch (places.size()) {
  case 0:
    return true;
  case 1:
    return is_at(where, places[0]) || is_at(other, places[0]);
  default:
    return (is_at(where, places[0]) && is_at(other, places[1])) ||
           (is_at(where, places[1]) && is_at(other, places[0]));
  }
}

std::string name_finding(const std::string& code,
                         const std::vector<source_frame>& where,
                         const std::vector<source_frame>& other) {
  std::string text = code;
  const auto add = [&text](const std::vector<source_frame>& frames, char before) {
    if (!frames.empty())
      text += fmt::format("{}{}:{}", before, frames.front().file, frames.front().line);
  };
  add(where, '@');
  add(other, where.empty() ? '@' : '+');
  return text;
}

std::string to_string(const selector& s) {
  std::string text = s.code;
  for (const auto& p : s.places)
    text += fmt::format("{}{}:{}", &p == s.places.data() ? '@' : '+', p.file, p.line);
  return text;
}

std::optional<selector> parse_selector(std::string_view text) {
  selector s;
  const auto at = text.find('@');
  s.code = std::string(text.substr(0, at));
  if (!is_known(s.code))
    return {};
  if (at == std::string_view::npos)
    return s;
  static const std::regex form(R"((.+?):(\d{1,9})(?:\+(.+):(\d{1,9}))?)");
  const std::string places(text.substr(at + 1));
  std::smatch m;
  if (!std::regex_match(places, m, form))
    return {};
  const auto line = [](const std::string& digits) {
    return static_cast<unsigned>(std::stoul(digits));
  };
  s.places.push_back({m[1], line(m[2])});
  if (m[3].matched)
    s.places.push_back({m[3], line(m[4])});
  return s;
}

} // namespace tilesim::driver
