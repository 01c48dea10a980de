// Lines of JSON in a file: whole ones, also of a program that crashes.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <sys/types.h>

namespace tilesim::sim {

class line_file {
public:
  /// `what`: "the trace", for messages.
  line_file(int file, std::string what);

  /// Makes the file, which must not exist: a process that the program starts finds it there, and
  /// gets -1. Ends the process with a word on what is wrong (exit code 69) where it cannot be made.
  [[nodiscard]] static int create(const std::string& path);

  /// Nothing in a process that the program has started: the file is not its own. Ends the process
  /// (exit code 69) when it cannot be written.
  void write(const nlohmann::ordered_json& line);

  /// This process goes on in the place of one that had gone further: what that wrote behind this
  /// point has not happened.
  void go_on_here();

private:
  int file_;
  std::string what_;
  off_t at_ = 0;
  pid_t process_;
};

} // namespace tilesim::sim
