// What elementwise operations make of enclosures.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/value_follower.hpp"
#include "sim/error_analysis/enclosure.hpp"

#include <tilesim/detail/machine.hpp>

#include <span>

namespace tilesim::sim::errors {

/// Of the result, which has been computed. `contracts`: the compiler may add a product that it does
/// not round. A tile without cells: all elements are points.
[[nodiscard]] enclosed_tile enclose_elementwise(const computation& how,
                                                const machine::out& result,
                                                std::span<const known_operand> operands,
                                                bool contracts,
                                                const because& why);

} // namespace tilesim::sim::errors
