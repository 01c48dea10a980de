// Atomic read-modify-write on one cell.  [memory operations: atomic read-modify-write]
//
// The atomicity is the memory engine's; here is only what the new value is.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/ops/elementwise.hpp"

#include <tilesim/detail/machine.hpp>

namespace tilesim::sim::ops {

/// The cell becomes the new value.
using rmw_function = void (*)(void* cell, const void* argument) noexcept;

/// The function of a mode on a kind of cell; nullptr where there is none. `max` and `min` of an
/// unsigned type are umax and umin. Integers wrap. Under arithmetic::hardware, addf of f32 makes
/// subnormal operands and results +0, as measured.
[[nodiscard]] rmw_function find_rmw(machine::rmw_mode mode,
                                    element kind,
                                    machine::signedness sign,
                                    arithmetic how = arithmetic::page) noexcept;

/// True if a + b is not representable in the signed integer type, which is undefined by the page.
[[nodiscard]] bool
add_overflows(element kind, machine::signedness sign, const void* a, const void* b) noexcept;

} // namespace tilesim::sim::ops
