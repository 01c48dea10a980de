// Where operands of a finding come from: an unspecified value, such as a masked-out element of a
// load without padding, explains what an operation has made of it better than its numbers do.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilesim::sim {

/// Which elements of an operand of the operation under way depend on an unspecified value. Asked
/// where something is found, for it costs time.
[[nodiscard]] dependence dependence_of(const sim_thread& t, const machine::in& operand);

/// The same of a scalar of C++ that the program has taken out of a tile, of whatever type.
[[nodiscard]] dependence dependence_of_scalar(const sim_thread& t, std::int64_t value);

/// "the left operand depends" on such a value: the finding says from which operation it comes, and
/// what to do there instead of its own remedy, which takes the value for meant.
void tell_origin(finding_text& text, std::string_view who_depends, const dependence& d);

} // namespace tilesim::sim
