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

} // namespace tilesim::sim
