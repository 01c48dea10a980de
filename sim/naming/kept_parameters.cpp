// Finding arguments in what a launch keeps: the kernel's address, and behind it one after the
// other, each where its type wants it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/kept_parameters.hpp"

#include "sim/debug_info/code_frames.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/frame_variables.hpp"
#include "sim/debug_info/locals.hpp"

#include <tilesim/launch.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dwarf.h>

namespace tilesim::sim {

kept_parameters parameters_of(const detail::bound_kernel& kernel, const void* pc) {
  const auto* const kept = static_cast<const unsigned char*>(kernel.closure);
  std::uintptr_t function = 0;
  Dwarf_Addr relative = 0;
  Dwarf_Die* const unit = unit_of(reinterpret_cast<Dwarf_Addr>(pc) - 1, relative);
  if (unit == nullptr || kernel.closure_bytes < sizeof function) {
    return {};
  }
  std::memcpy(&function, kept, sizeof function);
  std::vector<Dwarf_Die> scopes = scopes_around(unit, relative);
  const auto subprogram = std::ranges::find_if(
      scopes, [](Dwarf_Die& die) { return dwarf_tag(&die) == DW_TAG_subprogram; });
  if (function != step::function_at(pc) || subprogram == scopes.end()) {
    return {};
  }
  kept_parameters found;
  std::size_t offset = sizeof function;
  Dwarf_Die child;
  for (int more = dwarf_child(&*subprogram, &child); more == 0;
       more = dwarf_siblingof(&child, &child)) {
    Dwarf_Die declared;
    Dwarf_Die type;
    if (dwarf_tag(&child) != DW_TAG_formal_parameter) {
      continue;
    }
    if (!step::type_of(&child, &declared) || dwarf_peel_type(&declared, &type) != 0) {
      return found;
    }
    const int tag = dwarf_tag(&type);
    const bool pointer = tag == DW_TAG_pointer_type;
    const std::size_t size = pointer || tag == DW_TAG_reference_type ? sizeof function
                             : tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type
                                 ? static_cast<std::size_t>(std::max(0, dwarf_bytesize(&type)))
                                 : 0;
    if (size == 0) {
      return found;
    }
    offset = (offset + size - 1) / size * size;
    if (offset + size > kernel.closure_bytes) {
      return found;
    }
    const char* const name = dwarf_diename(&child);
    found.list.push_back(
        {.name = name == nullptr ? "" : name, .type = type, .at = kept + offset, .bytes = size});
    offset += size;
  }
  found.whole = true;
  return found;
}

} // namespace tilesim::sim
