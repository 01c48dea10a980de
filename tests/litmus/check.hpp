// Holds a litmus file to the expectations that stand in it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tilesim::litmus_tests {

/// What is wrong with a litmus file, a line each, as "file:line:column: error: …"; nothing if every
/// expectation holds. A file that says too little to be a test is wrong as well: it needs a
/// comment, a condition, an expectation of ptx with a verdict on the condition and on races, and
/// the name of the test. `file` is for the messages, and its stem is that name.
[[nodiscard]] std::vector<std::string> problems(const std::string& file, std::string_view text);

} // namespace tilesim::litmus_tests
