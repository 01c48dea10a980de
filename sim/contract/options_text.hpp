// Options as text: what $TILESIM_OPTIONS holds.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/options.hpp"

#include <stdexcept>
#include <string_view>

namespace tilesim::sim {

/// What was expected of the text, and what stands there.
class options_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Reads a JSON object. Throws options_error.
[[nodiscard]] options parse_options(std::string_view text);

/// Reads the JSON object in $TILESIM_OPTIONS, if set. A malformed one ends the process with a word
/// on what was expected (exit code 64).
[[nodiscard]] options options_from_environment();

} // namespace tilesim::sim
