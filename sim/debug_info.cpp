// Debug information through libdw, loaded when first asked for.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info.hpp"

#include <unistd.h>

namespace tilesim::sim {

namespace {

Dwfl* process_modules() {
  static char* debug_path = nullptr;
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                           .find_debuginfo = dwfl_standard_find_debuginfo,
                                           .section_address = nullptr,
                                           .debuginfo_path = &debug_path};
  static Dwfl* const modules = [] {
    Dwfl* dwfl = dwfl_begin(&callbacks);
    if (dwfl != nullptr) {
      dwfl_linux_proc_report(dwfl, getpid());
      dwfl_report_end(dwfl, nullptr, nullptr);
    }
    return dwfl;
  }();
  return modules;
}

} // namespace

Dwarf_Die* unit_of(Dwarf_Addr address, Dwarf_Addr& relative) {
  Dwfl* dwfl = process_modules();
  Dwfl_Module* module = dwfl != nullptr ? dwfl_addrmodule(dwfl, address) : nullptr;
  if (module == nullptr) {
    return nullptr;
  }
  Dwarf_Addr bias = 0;
  // g++ writes a table of addresses; clang does not, and then the units are asked one by one.
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
  if (unit == nullptr) {
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr &&
           dwarf_haspc(unit, address - bias) != 1) {
    }
  }
  relative = address - bias;
  return unit;
}

} // namespace tilesim::sim
