// What the commands' texts share: colours for a terminal, and a number with its noun.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/counted.hpp"

namespace tilesim::tools {

/// Escape sequences: `off` ends what the others begin.
inline constexpr auto bold = "\033[1m";
inline constexpr auto red = "\033[1;31m";
inline constexpr auto yellow = "\033[1;33m";
inline constexpr auto cyan = "\033[1;36m";
inline constexpr auto green = "\033[1;32m";
inline constexpr auto off = "\033[0m";

using sim::counted;

} // namespace tilesim::tools
