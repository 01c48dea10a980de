// Commands for breakpoints and watched values.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/numbers.hpp"
#include "tools/cli/wording.hpp"
#include "tools/step/prompt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tilesim::tools::step {

std::string prompt::current_file() const {
  const auto& next = debugger_.here().next;
  return next && !next->frames.empty() ? next->frames.front().file : source_;
}

location prompt::parse_location(std::string_view text) const {
  location where = read_location(text);
  if (where.line && where.file.empty()) {
    where.file = current_file();
  }
  return where;
}

void prompt::refuse_missing_line(const location& where) {
  if (!where.line) {
    return;
  }
  const std::size_t lines = screen_.files.lines(where.file);
  if (lines != 0 && *where.line > lines) {
    throw command_error(fmt::format("{} has {}", where.file, counted(lines, "line")));
  }
}

/// A file that the program has no code from, not even of the host. Kernels that are compiled late
/// may come from any.
void prompt::refuse_missing_file(const debugger::stopping_line& found, const std::string& file) {
  const auto is_it = [&file](const std::string& path) {
    return path == file || path.ends_with("/" + file) || file.ends_with("/" + path);
  };
  if (!found.known && !found.files.empty() && !file.ends_with(".py") &&
      std::ranges::none_of(found.files, is_it)) {
    throw command_error(
        fmt::format("the program has no file {}; it has {}", file, fmt::join(found.files, ", ")));
  }
}

void prompt::add_breakpoint(std::string_view rest, bool once) {
  location where = parse_location(rest);
  std::string trouble;
  if (where.line) {
    refuse_missing_line(where);
    if (const auto found = debugger_.line_that_stops(where.file, *where.line)) {
      refuse_missing_file(*found, where.file);
      trouble = why_elsewhere(*found, where.file, *where.line);
      where.line = found->line.value_or(*where.line);
    }
  }
  const unsigned id = debugger_.add_breakpoint(where, std::string(rest), once);
  say(fmt::format("breakpoint {}: {}\n", id, rest));
  if (!trouble.empty()) {
    say(fmt::format("  {}\n", trouble));
  }
}

bool prompt::break_at(std::string_view rest) {
  const auto& next = debugger_.here().next;
  add_breakpoint(rest.empty() && next ? render_place(next->frames) : std::string(rest), false);
  return true;
}

bool prompt::break_once(std::string_view rest) {
  add_breakpoint(rest, true);
  return true;
}

bool prompt::watch(std::string_view rest) {
  if (rest.empty()) {
    throw command_error("watch takes an expression: watch bins[3]");
  }
  // A bare address is an int there.
  const std::string expression =
      is_address(rest) ? fmt::format("*(int*){}", rest) : std::string(rest);
  const unsigned id = debugger_.add_watch(expression, debugger_.frame());
  say(fmt::format("watch {}: {}\n", id, debugger_.find_stop(id)->text));
  return true;
}

const stop_point& prompt::stop_by_id(std::string_view text) const {
  const auto& all = debugger_.stops();
  const auto id = number<std::uint64_t>(text);
  const auto it = std::ranges::find_if(all, [&](const auto& s) { return id && s.id == *id; });
  if (it == all.end()) {
    throw command_error(fmt::format("no breakpoint has the number {}", text));
  }
  return *it;
}

bool prompt::remove(std::string_view rest) {
  if (rest.empty()) {
    debugger_.remove_stops();
  }
  for (auto [word, behind] = first_word(rest); !word.empty();
       std::tie(word, behind) = first_word(behind)) {
    debugger_.remove_stop(stop_by_id(word).id);
  }
  return true;
}

void prompt::switch_enabled(std::string_view rest, bool enabled) {
  if (rest.empty()) {
    throw command_error("wanted: numbers of breakpoints; 'info breakpoints' lists them");
  }
  for (auto [word, behind] = first_word(rest); !word.empty();
       std::tie(word, behind) = first_word(behind)) {
    debugger_.enable_stop(stop_by_id(word).id, enabled);
  }
}

bool prompt::enable(std::string_view rest) {
  switch_enabled(rest, true);
  return true;
}

bool prompt::disable(std::string_view rest) {
  switch_enabled(rest, false);
  return true;
}

} // namespace tilesim::tools::step
