// The files that a compiler or linker says it has read, as makefiles write them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::driver {

/// The prerequisites of the first rule of a makefile, as -MD and --dependency-file write it.
[[nodiscard]] std::vector<std::string> parse_dependencies(std::string_view makefile);

/// A rule that says `target` depends on `inputs`.
[[nodiscard]] std::string format_dependencies(const std::string& target,
                                              const std::vector<std::string>& inputs);

} // namespace tilesim::driver
