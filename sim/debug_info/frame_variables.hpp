// Where the variables of a frame lie: for who looks for an address among them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/debug_types.hpp"
#include "sim/debug_info/frame_registers.hpp"
#include "sim/debug_info/pointed_element.hpp"

#include <cstddef>
#include <elfutils/libdw.h>
#include <string>
#include <vector>

namespace tilesim::sim::step {

struct located_variable {
  std::string name;
  Dwarf_Die type{};
  object_bytes object;
  bool parameter = false;
  /// Whose it is: 0 the innermost of the program's own functions that are inlined at the place, and
  /// so on outwards.
  std::size_t function = 0;
};

/// The variables that are visible at the frame's place and are somewhere, innermost scope first;
/// what is being initialised is among them with `initialised_too` only.
[[nodiscard]] std::vector<located_variable> located_variables(const frame_registers& frame,
                                                              bool initialised_too);

/// What the function returns whose frame it is, or one inlined there (counted as above): true for a
/// pointer or a class.
[[nodiscard]] bool returns_object(const void* pc, std::size_t function);

/// What a pointer of this type points to.
[[nodiscard]] pointed_element element_behind(Dwarf_Die pointer);

/// Variables outside of functions, of the whole program: those of its own files.
[[nodiscard]] const std::vector<located_variable>& program_variables();

} // namespace tilesim::sim::step
