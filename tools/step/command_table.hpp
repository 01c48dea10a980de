// Which commands the prompt has.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace tilesim::tools::step {

class prompt;

struct prompt_command {
  // What else is to be known of one.
  static constexpr unsigned neither = 0;
  static constexpr unsigned repeats = 1; ///< on Enter
  static constexpr unsigned moves = 2;   ///< the program

  const char* name;
  const char* abbreviation; ///< besides every unambiguous beginning; may be empty
  const char* arguments;
  const char* summary;
  const char* details; ///< more for `help NAME`
  unsigned traits;
  bool (prompt::*run)(std::string_view rest);
};

[[nodiscard]] std::span<const prompt_command> all_commands() noexcept;

/// By its name, its abbreviation, the beginning of its name or gdb's name for it. Throws
/// command_error.
[[nodiscard]] const prompt_command& find_command(std::string_view word);

/// What a line begins with: "x" of "x/16 p".
[[nodiscard]] std::string_view command_word(std::string_view line) noexcept;

} // namespace tilesim::tools::step
