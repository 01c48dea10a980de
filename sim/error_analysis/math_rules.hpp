// What mathematical functions that plain C++ code calls make of enclosures.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/error_analysis/enclosure.hpp"
#include "sim/error_analysis/math_calls.hpp"

#include <array>

namespace tilesim::sim::errors {

/// What the function may give of operands that lie in these enclosures, if it is off as far as is
/// documented: of a function of one the second is not looked at.
/// [CUDA C++ Programming Guide, Mathematical Functions, maximum errors]
[[nodiscard]] enclosure enclose_function(const math_function& f,
                                         element kind,
                                         const std::array<enclosure, 2>& operands,
                                         const because& why);

} // namespace tilesim::sim::errors
