// Types of the program, by the names that it has for them at a place.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <optional>
#include <string_view>

namespace tilesim::sim::step {

/// A typedef, a class or an enumeration that is visible at `site` (a return address), innermost
/// scope first; namespaces and classes around it may be left out. What no other file of the program
/// has a name for either is nothing: compilers describe only types that something uses.
[[nodiscard]] std::optional<named_type> type_named(const void* site, std::string_view name);

} // namespace tilesim::sim::step
