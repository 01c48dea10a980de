// Frames of return addresses through libdw.
//
// Debug information is read only when somebody asks for a place. A site is a return address, so the
// call stands in the instruction before it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/code_frames.hpp"

#include "sim/contract/kernel_names.hpp"
#include "sim/contract/printable.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/function_names.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

namespace tilesim::sim {

namespace {

/// The function's name with its template arguments, without its parameter list.
std::string function_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(&die, which, &attribute) != nullptr) {
      return without_signature(demangled(dwarf_formstring(&attribute)));
    }
  }
  const char* plain = dwarf_diename(&die);
  return plain != nullptr ? plain : "";
}

/// "std::thread::thread": without template arguments. A function of a local type's has no name that
/// the linker knows, which function_name() looks for.
std::string qualified_name(Dwarf_Die declaration) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Die further;
    if (dwarf_attr(&declaration, which, &attribute) != nullptr &&
        dwarf_formref_die(&attribute, &further) != nullptr) {
      declaration = further;
    }
  }
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  const std::unique_ptr<Dwarf_Die, void (*)(void*)> owner(scopes, std::free);
  std::string text;
  for (int i = count; i-- > 0;) {
    const char* const name =
        dwarf_tag(&scopes[i]) == DW_TAG_compile_unit ? nullptr : dwarf_diename(&scopes[i]);
    if (name != nullptr && std::string_view(name) != "__cxx11") {
      text += (text.empty() ? "" : "::") + std::string(name, std::strcspn(name, "<"));
    }
  }
  return text;
}

struct place_in_line_table {
  const char* file = nullptr;
  int line = 0;
  int column = 0;
};

/// A path as a person in the current folder would write it, and as reports hold it.
std::string shown(const char* file) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path path(file);
  if (error || !path.is_absolute()) {
    return printable(file);
  }
  std::filesystem::path near = path.lexically_relative(here);
  return printable(near.empty() || *near.begin() == ".." ? file : near.string());
}

/// A function that is inlined at an address, or whose code it is, and where in it that is.
struct function_frame {
  place_in_line_table at;
  Dwarf_Die* scope = nullptr; ///< nullptr: not known
};

/// Calls f with each, innermost first, those of libraries' headers, too.
template <class F>
void for_each_function(const void* address, F f) {
  Dwarf_Addr pc = 0;
  Dwarf_Die* unit = unit_of(reinterpret_cast<Dwarf_Addr>(address) - 1, pc);
  if (unit == nullptr) {
    return;
  }
  place_in_line_table at;
  if (Dwarf_Line* line = dwarf_getsrc_die(unit, pc)) {
    at.file = dwarf_linesrc(line, nullptr, nullptr);
    dwarf_lineno(line, &at.line);
    dwarf_linecol(line, &at.column);
  }
  const std::vector<Dwarf_Die> scopes = scopes_around(unit, pc);
  // From the innermost scope out: a function or an inlined call ends a frame; the call's own place
  // is where the next frame out stands.
  for (Dwarf_Die scope : scopes) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) {
      continue;
    }
    f(function_frame{at, &scope});
    if (tag == DW_TAG_subprogram) {
      break;
    }
    Dwarf_Attribute attribute;
    Dwarf_Word file_index = 0;
    Dwarf_Word line = 0;
    Dwarf_Word column = 0;
    if (dwarf_attr(&scope, DW_AT_call_file, &attribute) != nullptr) {
      dwarf_formudata(&attribute, &file_index);
    }
    if (dwarf_attr(&scope, DW_AT_call_line, &attribute) != nullptr) {
      dwarf_formudata(&attribute, &line);
    }
    if (dwarf_attr(&scope, DW_AT_call_column, &attribute) != nullptr) {
      dwarf_formudata(&attribute, &column);
    }
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    at = {};
    if (dwarf_getsrcfiles(unit, &files, &file_count) == 0 && file_index < file_count) {
      at.file = dwarf_filesrc(files, file_index, nullptr, nullptr);
    }
    at.line = static_cast<int>(line);
    at.column = static_cast<int>(column);
  }
  if (scopes.empty()) {
    f(function_frame{at, nullptr});
  }
}

std::vector<source_frame> resolve_uncached(const void* address) {
  std::vector<source_frame> frames;
  for_each_function(address, [&](const function_frame& f) {
    if (f.at.file == nullptr || is_own_file(f.at.file)) {
      return;
    }
    source_frame& frame = frames.emplace_back();
    frame.file = shown(f.at.file);
    frame.line = static_cast<unsigned>(f.at.line);
    frame.column = static_cast<unsigned>(f.at.column);
    frame.function = f.scope == nullptr ? "" : function_name(*f.scope);
  });
  return frames;
}

} // namespace

const std::vector<source_frame>& resolve_code(const void* address) {
  // Never destroyed: reports are written at the very end.
  static auto& cache = *new std::map<const void*, std::vector<source_frame>>;
  const auto [it, is_new] = cache.try_emplace(address);
  if (is_new) {
    it->second = resolve_uncached(address);
  }
  return it->second;
}

std::string library_call_in_code(const void* site) {
  std::vector<const void*> calls{site};
  if (const call_chain* chain = chain_of(site)) {
    calls = chain->calls;
  }
  std::string called;
  bool among_users = false;
  for (const void* const pc : calls) {
    for_each_function(pc, [&](const function_frame& f) {
      among_users = among_users || f.at.file == nullptr || !is_own_file(f.at.file);
      if (!among_users && f.scope != nullptr) {
        called = qualified_name(*f.scope);
      }
    });
    if (among_users) {
      break;
    }
  }
  return called.starts_with("std::") ? called : "";
}

} // namespace tilesim::sim
