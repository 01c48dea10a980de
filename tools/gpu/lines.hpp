// The lines of a program's host code, for recordings to name the places of its calls.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tilesim::tools::gpu_tool {

/// Lines by offset of the code, from the program's debugging information, as text
/// (docs/recording.md): of files that are neither the system's nor under one of `foreign`. A file
/// of `sources` has the name that it has there. Empty: there is no such information.
[[nodiscard]] std::string line_table(const std::string& program,
                                     const std::vector<std::string>& sources,
                                     const std::vector<std::string>& foreign);

/// What is put behind a program, for the recorder in it to find.
[[nodiscard]] std::string behind_program(const std::string& table);

} // namespace tilesim::tools::gpu_tool
