// The files that a compiler or linker says it has read, as makefiles write them, and those that it
// would have read instead.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::tools {

/// The prerequisites of the first rule of a makefile, as -MD and --dependency-file write it.
[[nodiscard]] std::vector<std::string> parse_dependencies(std::string_view makefile);

/// The folders in which a preprocessor looks for the headers of `source`, in their order: beside
/// it, then what `words` give it by -iquote, -I, -isystem and -idirafter.
[[nodiscard]] std::vector<std::string> include_folders(const std::string& source,
                                                       const std::vector<std::string>& words);

/// Files that are not there and that a preprocessor with these folders would read in the place of
/// one of `inputs`, or may, if they were: what it has made is to be made again once one is. Not
/// told: those beside a header that includes by quotes, and those in place of the compiler's own.
[[nodiscard]] std::vector<std::string> absent_headers(const std::vector<std::string>& inputs,
                                                      const std::vector<std::string>& folders);

/// A rule that says `target` depends on `inputs`.
[[nodiscard]] std::string format_dependencies(const std::string& target,
                                              const std::vector<std::string>& inputs);

} // namespace tilesim::tools
