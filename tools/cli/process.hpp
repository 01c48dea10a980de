// Starting other programs: never through a shell.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace tilesim::tools {

using command_line = std::vector<std::string>;

/// What stands between blanks; nothing is evaluated.
[[nodiscard]] command_line words_at_blanks(const std::string& text);

struct process_result {
  int status = 0;     ///< the exit status; 128 + n when signal n ended it
  std::string output; ///< standard output and standard error, as they came
};

/// Runs a program to its end, its standard input empty. `tick` is called a few times a second.
/// Throws failure when it cannot be started.
process_result run_process(const command_line& command, const std::function<void()>& tick = {});

/// Runs a program with this process's own standard streams and returns its status.
int run_attached(const command_line& command);

/// A program whose runs are compared with each other: how it is started.
struct repeatable_start {
  std::string program;
  command_line words;                           ///< from the name that it sees as its own
  std::vector<std::pair<int, int>> descriptors; ///< of this process, and which they are there
  bool own_group = false;                       ///< a Ctrl-C at the terminal is not for it
};

/// Starts it with this process's environment, SIGPIPE as usual, and, where that is allowed, the
/// same addresses in every run, for programs that print them. Throws failure when it cannot be
/// started.
[[nodiscard]] pid_t start_repeatable(const repeatable_start& start);

/// Replaces this process. `arguments` includes the name that the program sees as its own.
[[noreturn]] void become(const std::string& program, const command_line& arguments);

/// The path of a program: as given if it holds a slash, else from $PATH.
[[nodiscard]] std::optional<std::string> find_program(const std::string& name);

/// The command as one would type it.
[[nodiscard]] std::string to_string(const command_line& command);

} // namespace tilesim::tools
