// Where a variable is at a place of the program: DWARF's location expressions, computed for a
// frame.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/debug_types.hpp"
#include "sim/debug_info/frame_registers.hpp"

#include <elfutils/libdw.h>
#include <string>

namespace tilesim::sim::step {

struct frame_place {
  const frame_registers* frame;
  Dwarf_Die function; ///< whose frame it is; its frame base
  Dwarf_Addr pc;      ///< as the unit counts
  Dwarf_Addr bias;    ///< what addresses of the unit have to be moved by
};

/// The object of `variable`. With a reason in `missing` ("optimised out") if it is nowhere.
[[nodiscard]] object_bytes
locate(Dwarf_Die variable, const frame_place& at, const memory_reader& read, std::string& missing);

} // namespace tilesim::sim::step
