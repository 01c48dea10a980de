// Local variables of a stopped kernel, from the compiler's debug information (libdw).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/frame_registers.hpp"
#include "sim/debug_info/variable.hpp"
#include "sim/expressions/value.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim::step {

/// The variables and parameters visible at the frame's place, innermost scope first; those of
/// functions inlined there that are the user's own included, tilesim's own frames left out. What is
/// declared on a later line is left out; what is being initialised, optimised away or not
/// accessible says so in `now.missing`. Large tiles and arrays are left unread.
[[nodiscard]] std::vector<variable> variables(const frame_registers& frame);

/// Is there one of this name at the place of a return address?
[[nodiscard]] bool is_variable(const void* pc, std::string_view name);
/// The first of `variables` that has the name, read alone.
[[nodiscard]] std::optional<variable> variable_named(const frame_registers& frame,
                                                     std::string_view name);

/// Where the function begins that a return address lies in: what tells its frames from others'. 0
/// without debug information.
[[nodiscard]] std::uintptr_t function_at(const void* pc);

/// A variable outside of functions, in the source file that `site` (a return address) lies in:
/// "limit", "app::limit". Enclosing namespaces may be left out. Nothing if there is none.
[[nodiscard]] std::optional<variable> global_variable(const void* site, const std::string& name);

/// The variable `name` of a function of the program at `site`, by its type alone: what `int* bins`
/// points to. For naming buffers after the variables that hold them.
[[nodiscard]] std::optional<value_type> declared_type(const void* site, const std::string& name);

} // namespace tilesim::sim::step
