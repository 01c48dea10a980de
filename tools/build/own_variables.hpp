// Variables and functions of the device that several sources define, as nvcc lets them: without
// -rdc each source's are its own, and a header that defines one can be included by many.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace tilesim::tools {

/// The symbols that a linker finds defined more than once and that are of the device alone, as
/// `inputs`, the program's files, say. Empty if there are others, too. `output` is the linker's,
/// with the names as they are in objects.
[[nodiscard]] std::vector<std::string>
defined_by_several_sources(const std::string& output, const std::vector<std::string>& inputs);

/// What an object has that a linker takes one of where several have it: inline variables and
/// functions, and what is made of templates.
struct merged_symbols {
  std::set<std::string> variables;
  std::set<std::string> functions;
  std::set<std::string> missing; ///< and what it needs of others
};

/// As `nm -P` lists them.
[[nodiscard]] merged_symbols listed_symbols(const std::string& listing);

/// The variables of the device alone that several objects have, with what says whether they are
/// initialised.
[[nodiscard]] std::vector<std::string>
own_merged_symbols(const std::vector<merged_symbols>& objects,
                   const std::vector<std::string>& inputs);

/// The functions that several objects have. Each source's own use its own variables.
[[nodiscard]] std::vector<std::string> merged_functions(const std::vector<merged_symbols>& objects);

} // namespace tilesim::tools
