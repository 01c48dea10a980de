// This process's debug information, and which compilation unit an address belongs to.
//
// source_site.cpp asks for lines, runtime/parameter_types.cpp for a kernel's parameters,
// step/locals.cpp for variables.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim {

/// The unit that describes `address`; nullptr when there is no debug information for it.
/// `relative` becomes the address as the unit counts it.
[[nodiscard]] Dwarf_Die* unit_of(Dwarf_Addr address, Dwarf_Addr& relative);

/// All units of the program itself, without its libraries. `bias` becomes what their addresses have
/// to be moved by, `begin` and `end` the range of the program's addresses, as the units count.
[[nodiscard]] std::vector<Dwarf_Die*>
units_of_program(Dwarf_Addr& bias, Dwarf_Addr& begin, Dwarf_Addr& end);

/// Where the variable of the program itself that holds an address begins and ends, as the linker
/// knows it; nothing between them if there is none.
[[nodiscard]] std::pair<std::uintptr_t, std::uintptr_t> object_symbol_at(std::uintptr_t address);

/// Calls f with where each variable of the program itself begins and ends, as the linker knows it.
void for_each_object_symbol(
    const std::function<void(const char* name, std::uintptr_t begin, std::uintptr_t end)>& f);

/// The linkage name of the function that begins at an address; empty: none is known there.
[[nodiscard]] std::string function_symbol_at(const void* code);

/// The name of the variable of the program itself that begins at an address, "app::counts"; else
/// empty.
[[nodiscard]] std::string variable_name_at(std::uintptr_t begin);

/// The scopes that hold `pc` (as the unit counts), innermost first, up to the function whose code
/// it is and what that is nested in.
[[nodiscard]] std::vector<Dwarf_Die> scopes_around(Dwarf_Die* unit, Dwarf_Addr pc);

/// True for files whose frames are tilesim's own: the user wants the line that called them.
[[nodiscard]] bool is_own_file(std::string_view file);

} // namespace tilesim::sim
