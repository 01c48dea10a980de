// What a command line's sources are started as: a program that is compiled from them, or Python
// with the one that they are.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/cli/arguments.hpp"
#include "tools/cli/process.hpp"

#include <string>
#include <string_view>

namespace tilesim::tools {

struct program_start {
  std::string file;
  command_line words; ///< from the name that it sees as its own
};

/// True if the sources are a program in Python.
[[nodiscard]] bool is_python(const arguments& given);

/// What a program in Python says last, with its line's end, that has ended where it imports what is
/// not installed [api/python/tilesim/__main__.py]; empty: it has not.
[[nodiscard]] std::string missing_package(int status, std::string_view last_line);

/// $TILESIM_PYTHON, else the one that a person would start. Throws failure.
[[nodiscard]] std::string find_python();

/// Compiles what has changed. For a program in Python, the environment of this process is made the
/// one that it needs. Throws failure.
[[nodiscard]] program_start start_of(arguments given, bool verbose);

} // namespace tilesim::tools
