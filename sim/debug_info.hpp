// This process's debug information, and which compilation unit an address belongs to.
//
// source_site.cpp asks for lines, runtime/parameter_types.cpp for a kernel's parameters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

namespace tilesim::sim {

/// The unit that describes `address`; nullptr when there is no debug information for it.
/// `relative` becomes the address as the unit counts it.
[[nodiscard]] Dwarf_Die* unit_of(Dwarf_Addr address, Dwarf_Addr& relative);

} // namespace tilesim::sim
