// Writing, reading and comparing names of findings.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/selector.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/contract/frames_text.hpp"
#include "sim/contract/printable.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/numbers.hpp"
#include "tools/cli/scanner.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace tilesim::tools {
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
  if (frames.empty() || frames.front().line != p.line ||
      (p.column != 0 && frames.front().column != p.column)) {
    return false;
  }
  // A name may be given as reports print it, or as it is.
  const auto given = sim::bytes_of(p.file);
  const auto file = sim::bytes_of(frames.front().file);
  return ends_in(file, given) || ends_in(given, file);
}

/// ":LINE" or ":COLUMN", in at most nine digits.
std::optional<unsigned> read_number(scanner& text) {
  constexpr std::size_t most = 9;
  unsigned number = 0;
  if (!text.literal(":")) {
    return {};
  }
  const auto digits = text.digits();
  if (digits.empty() || digits.size() > most) {
    return {};
  }
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::string text_of(const selector::place& p) {
  return sim::place_text(p.file, p.line, p.column);
}

/// Every FILE:LINE or FILE:LINE:COLUMN that `text` begins with, the file as short as can be first,
/// and what is left behind it. A file's name may hold colons.
template <class F>
void for_each_place(std::string_view text, const F& wanted) {
  for (auto colon = text.find(':', 1); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    scanner behind(text.substr(colon));
    const auto line = read_number(behind);
    if (!line) {
      continue;
    }
    selector::place p{.file = std::string(text.substr(0, colon)), .line = *line};
    scanner further = behind;
    if (const auto column = read_number(further); column && *column != 0) {
      p.column = *column;
      behind = further;
    }
    if (wanted(p, behind)) {
      return;
    }
  }
}

/// The whole of `text`.
std::optional<selector::place> whole_place(std::string_view text) {
  std::optional<selector::place> found;
  for_each_place(text, [&](const selector::place& p, const scanner& behind) {
    if (behind.at_end()) {
      found = p;
    }
    return found.has_value();
  });
  return found;
}

/// A place, or two with a + between.
std::vector<selector::place> read_places(std::string_view text) {
  std::vector<selector::place> found;
  for_each_place(text, [&](const selector::place& first, scanner behind) {
    if (behind.at_end()) {
      found = {first};
    } else if (behind.literal("+")) {
      if (auto second = whole_place(behind.rest())) {
        found = {first, std::move(*second)};
      }
    }
    return !found.empty();
  });
  return found;
}

} // namespace

bool waits_for_ever(const std::string& code) {
  return code == tilesim::code(finding_kind::deadlock) ||
         code == tilesim::code(finding_kind::livelock);
}

selector::closeness selector::closeness_of(const std::string& finding_code,
                                           const std::vector<source_frame>& where,
                                           const std::vector<source_frame>& other) const {
  if (finding_code != code) {
    return closeness::none;
  }
  if (waits_for_ever(code) || places.empty()) {
    return closeness::same;
  }
  const auto all_are_at = [&](const place& first, const place& second) {
    return (is_at(where, first) && is_at(other, second)) ||
           (is_at(where, second) && is_at(other, first));
  };
  const auto any_is_at = [&](const place& p) { return is_at(where, p) || is_at(other, p); };
  std::vector<place> lines = places;
  for (place& p : lines) {
    p.column = 0;
  }
  if (places.size() == 1) {
    return any_is_at(places[0])  ? closeness::same
           : any_is_at(lines[0]) ? closeness::lines
                                 : closeness::none;
  }
  return all_are_at(places[0], places[1])             ? closeness::same
         : all_are_at(lines[0], lines[1])             ? closeness::lines
         : any_is_at(lines[0]) || any_is_at(lines[1]) ? closeness::place
                                                      : closeness::none;
}

std::string name_finding(const std::string& code,
                         const std::vector<source_frame>& where,
                         const std::vector<source_frame>& other,
                         name_with what) {
  std::string text = code;
  const auto add = [&](const std::vector<source_frame>& frames, char before) {
    if (!frames.empty()) {
      text += before;
      text += text_of({.file = frames.front().file,
                       .line = frames.front().line,
                       .column = what == name_with::columns ? frames.front().column : 0});
    }
  };
  add(where, '@');
  add(other, where.empty() ? '@' : '+');
  return text;
}

std::string to_string(const selector& s) {
  std::string text = s.code;
  for (const auto& p : s.places) {
    text += (&p == s.places.data() ? '@' : '+') + text_of(p);
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

selector wanted_finding(const std::string& text) {
  auto s = parse_selector(text);
  if (!s) {
    throw failure(exit_usage,
                  fmt::format("--finding takes the name of a finding, such as data-race@a.cu:12 or "
                              "data-race@a.cu:12+a.cu:15, not '{}'",
                              shortened(text)));
  }
  return std::move(*s);
}

} // namespace tilesim::tools
