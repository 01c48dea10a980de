// Writing, reading and comparing names of findings.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/selector.hpp"

#include "sim/contract/printable.hpp"
#include "tools/cli/scanner.hpp"

#include <fmt/format.h>

#include <charconv>

namespace tilesim::driver {
namespace {

bool is_known(const std::string& wanted) {
  for (std::size_t k = 0; k < finding_kinds; ++k) {
    if (wanted == code(static_cast<finding_kind>(k))) {
      return true;
    }
  }
  return false;
}

/// The path itself, or its end from a folder on.
bool ends_in(const std::string& path, const std::string& end) {
  return path.ends_with(end) &&
         (path.size() == end.size() || path[path.size() - end.size() - 1] == '/');
}

bool is_at(const std::vector<source_frame>& frames, const selector::place& p) {
  if (frames.empty() || frames.front().line != p.line) {
    return false;
  }
  // A name may be given as reports print it, or as it is.
  const auto given = sim::bytes_of(p.file);
  const auto file = sim::bytes_of(frames.front().file);
  return ends_in(file, given) || ends_in(given, file);
}

/// ":LINE", in at most nine digits.
std::optional<unsigned> read_line(scanner& text) {
  constexpr std::size_t most = 9;
  unsigned line = 0;
  if (!text.literal(":")) {
    return {};
  }
  const auto digits = text.digits();
  if (digits.empty() || digits.size() > most) {
    return {};
  }
  std::from_chars(digits.data(), digits.data() + digits.size(), line);
  return line;
}

/// FILE:LINE, the whole of `text`. A file's name may hold colons.
std::optional<selector::place> whole_place(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) {
    return {};
  }
  scanner number(text.substr(colon));
  const auto line = read_line(number);
  if (!line || !number.at_end()) {
    return {};
  }
  return selector::place{std::string(text.substr(0, colon)), *line};
}

/// FILE:LINE or FILE:LINE+FILE:LINE, the first file as short as can be.
std::vector<selector::place> read_places(std::string_view text) {
  for (auto colon = text.find(':', 1); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    scanner behind(text.substr(colon));
    const auto line = read_line(behind);
    if (!line) {
      continue;
    }
    const selector::place first{std::string(text.substr(0, colon)), *line};
    if (behind.at_end()) {
      return {first};
    }
    if (!behind.literal("+")) {
      continue;
    }
    if (auto second = whole_place(behind.rest())) {
      return {first, std::move(*second)};
    }
  }
  return {};
}

} // namespace

bool selector::selects(const std::string& finding_code,
                       const std::vector<source_frame>& where,
                       const std::vector<source_frame>& other) const {
  if (finding_code != code) {
    return false;
  }
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
    if (!frames.empty()) {
      text += fmt::format("{}{}:{}", before, frames.front().file, frames.front().line);
    }
  };
  add(where, '@');
  add(other, where.empty() ? '@' : '+');
  return text;
}

std::string to_string(const selector& s) {
  std::string text = s.code;
  for (const auto& p : s.places) {
    text += fmt::format("{}{}:{}", &p == s.places.data() ? '@' : '+', p.file, p.line);
  }
  return text;
}

std::optional<selector> parse_selector(std::string_view text) {
  constexpr std::size_t longest = 65536; // two paths, each byte as \xHH: no report writes more
  if (text.size() > longest) {
    return {};
  }
  selector s;
  const auto at = text.find('@');
  s.code = std::string(text.substr(0, at));
  if (!is_known(s.code)) {
    return {};
  }
  if (at == std::string_view::npos) {
    return s;
  }
  s.places = read_places(text.substr(at + 1));
  if (s.places.empty()) {
    return {};
  }
  return s;
}

} // namespace tilesim::driver
