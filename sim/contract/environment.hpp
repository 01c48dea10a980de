// The variables by which the tool tells a program how it is to run, and what two of them hold.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace tilesim::sim {

/// Options of the run, as JSON [options_text.hpp].
inline constexpr const char* options_variable = "TILESIM_OPTIONS";
/// The program is stepped: where the stepper listens [step_link].
inline constexpr const char* step_variable = "TILESIM_STEP";
/// It makes checks, one of which is stepped through [stepped_check].
inline constexpr const char* step_check_variable = "TILESIM_STEP_CHECK";

/// How a stepped program finds the stepper.
struct step_link {
  std::string socket; ///< of the abstract name space
  int page = -1;      ///< the descriptor of the page that both share; -1: there is none
};

/// Which of a program's calls of tilesim::check is stepped through.
struct stepped_check {
  std::size_t number = 0; ///< 0: none
  std::string program;    ///< the hash that replay strings of it name
};

namespace environment {

/// What stands in front of the first ';', and behind it.
inline std::string_view cut_at_semicolon(std::string_view& text) {
  const std::size_t end = std::min(text.find(';'), text.size());
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return front;
}

} // namespace environment

[[nodiscard]] inline std::string text_of(const step_link& l) {
  return l.socket + ';' + std::to_string(l.page);
}
[[nodiscard]] inline step_link read_step_link(std::string_view text) {
  step_link l;
  l.socket = environment::cut_at_semicolon(text);
  l.page = number<int>(text).value_or(-1);
  return l;
}

[[nodiscard]] inline std::string text_of(const stepped_check& c) {
  return std::to_string(c.number) + ';' + c.program;
}
[[nodiscard]] inline stepped_check read_stepped_check(std::string_view text) {
  stepped_check c;
  c.number = number<std::size_t>(environment::cut_at_semicolon(text)).value_or(0);
  c.program = text;
  return c;
}

} // namespace tilesim::sim
