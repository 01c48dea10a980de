// Debug information through libdw, loaded when first asked for.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/debug_info.hpp"

#include "sim/contract/kernel_names.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/auxv.h>
#include <unistd.h>

namespace tilesim::sim {

namespace {

/// A path as /proc/self/maps has it, which writes a newline as \012.
std::string unescaped(std::string_view name) {
  constexpr std::string_view newline = "\\012";
  std::string path;
  while (!name.empty()) {
    const bool escaped = name.starts_with(newline);
    path += escaped ? '\n' : name.front();
    name.remove_prefix(escaped ? newline.size() : 1);
  }
  return path;
}

int find_elf(Dwfl_Module* module,
             void** user,
             const char* name,
             Dwarf_Addr base,
             char** file_name,
             Elf** elf) {
  const int found = dwfl_linux_proc_find_elf(module, user, name, base, file_name, elf);
  if (found >= 0 || *elf != nullptr || *file_name != nullptr) {
    return found;
  }
  const std::string path = unescaped(name);
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC); // NOLINT: open's signature
  if (file >= 0) {
    *file_name = strdup(path.c_str());
  }
  return file;
}

Dwfl* process_modules() {
  static char* debug_path = nullptr;
  static const Dwfl_Callbacks callbacks = {.find_elf = find_elf,
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
  // g++ writes a table of addresses; clang does not, and then the units are asked one by one. Where
  // objects of both are linked, libdw takes what the table leaves out for its neighbour's.
  Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias);
  if (unit != nullptr && dwarf_haspc(unit, address - bias) != 1) {
    unit = nullptr;
  }
  if (unit == nullptr) {
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr &&
           dwarf_haspc(unit, address - bias) != 1) {
    }
  }
  relative = address - bias;
  return unit;
}

std::vector<Dwarf_Die*> units_of_program(Dwarf_Addr& bias, Dwarf_Addr& begin, Dwarf_Addr& end) {
  std::vector<Dwarf_Die*> units;
  Dwfl* dwfl = process_modules();
  Dwfl_Module* module = dwfl != nullptr ? dwfl_addrmodule(dwfl, getauxval(AT_ENTRY)) : nullptr;
  if (module == nullptr) {
    return units;
  }
  dwfl_module_info(module, nullptr, &begin, &end, nullptr, nullptr, nullptr, nullptr);
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    units.push_back(unit);
  }
  begin -= bias;
  end -= bias;
  return units;
}

void for_each_object_symbol(
    const std::function<void(const char*, std::uintptr_t, std::uintptr_t)>& f) {
  Dwfl* dwfl = process_modules();
  Dwfl_Module* module = dwfl != nullptr ? dwfl_addrmodule(dwfl, getauxval(AT_ENTRY)) : nullptr;
  const int count = module == nullptr ? 0 : dwfl_module_getsymtab(module);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr begin = 0; // as it is loaded
    const char* name =
        dwfl_module_getsym_info(module, i, &symbol, &begin, nullptr, nullptr, nullptr);
    if (name != nullptr && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT) {
      f(name, begin, begin + symbol.st_size);
    }
  }
}

std::string function_symbol_at(const void* code) {
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  Dwfl* dwfl = process_modules();
  Dwfl_Module* module = dwfl != nullptr ? dwfl_addrmodule(dwfl, address) : nullptr;
  GElf_Sym symbol;
  GElf_Off offset = 0;
  const char* const name =
      module == nullptr
          ? nullptr
          : dwfl_module_addrinfo(module, address, &offset, &symbol, nullptr, nullptr, nullptr);
  return name != nullptr && offset == 0 ? name : "";
}

std::pair<std::uintptr_t, std::uintptr_t> object_symbol_at(std::uintptr_t address) {
  std::pair<std::uintptr_t, std::uintptr_t> found;
  for_each_object_symbol([&](const char* /*name*/, std::uintptr_t begin, std::uintptr_t end) {
    if (address >= begin && address < end) {
      found = {begin, end};
    }
  });
  return found;
}

std::string variable_name_at(std::uintptr_t begin) {
  std::string text;
  for_each_object_symbol([&](const char* name, std::uintptr_t at, std::uintptr_t end) {
    if (at == begin && at != end) { // behind a point: which one, of several of a name
      text = demangled(std::string(name, std::strcspn(name, ".")));
    }
  });
  return text;
}

bool is_own_file(std::string_view file) {
  constexpr std::array<std::string_view, 5> parts{
      "api/tilesim/", "api/cuda", "api/crt/", "include/tilesim-cuda/", "include/c++/"};
  return std::ranges::any_of(
      parts, [file](std::string_view part) { return file.find(part) != std::string_view::npos; });
}

} // namespace tilesim::sim
