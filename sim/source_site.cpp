// Source places through libdw.
//
// Debug information is read only when somebody asks for a place. A site is a return address, so the
// call stands in the instruction before it.
// SPDX-License-Identifier: Apache-2.0
#include "sim/source_site.hpp"

#include "sim/call_chain.hpp"
#include "sim/debug_info.hpp"
#include "sim/headline.hpp"
#include "sim/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

namespace tilesim::sim {

namespace {

std::string demangled(const char* linkage_name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(linkage_name, nullptr, nullptr, &status), std::free};
  return status == 0 ? text.get() : linkage_name;
}

/// The function's name with its template arguments, without its parameter list.
std::string function_name(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(&die, which, &attribute) != nullptr) {
      std::string name = demangled(dwarf_formstring(&attribute));
      int depth = 0;
      for (std::size_t i = 0; i < name.size(); ++i) {
        depth += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (depth == 0 && name[i] == '(' && name.compare(i, 11, "(anonymous ") != 0) {
          name.resize(i);
          break;
        }
      }
      // A function template's demangled name begins with its return type.
      int open = 0;
      for (std::size_t i = 0; i < name.size(); ++i) {
        open += name[i] == '<' ? 1 : name[i] == '>' ? -1 : 0;
        if (open == 0 && name[i] == ' ') {
          name.erase(0, i + 1);
          break;
        }
      }
      return name;
    }
  }
  const char* plain = dwarf_diename(&die);
  return plain != nullptr ? plain : "";
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

void push(std::vector<source_frame>& frames,
          const char* file,
          int line,
          int column,
          std::string function) {
  if (file == nullptr || is_own_file(file)) {
    return;
  }
  source_frame f;
  f.file = shown(file);
  f.line = static_cast<unsigned>(line);
  f.column = static_cast<unsigned>(column);
  f.function = std::move(function);
  frames.push_back(std::move(f));
}

std::vector<source_frame> resolve_uncached(const void* address) {
  std::vector<source_frame> frames;
  Dwarf_Addr pc = 0;
  Dwarf_Die* unit = unit_of(reinterpret_cast<Dwarf_Addr>(address) - 1, pc);
  if (unit == nullptr) {
    return frames;
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
    push(frames, at.file, at.line, at.column, function_name(scope));
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
    push(frames, at.file, at.line, at.column, "");
  }
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

std::vector<source_frame> resolve(const void* site) {
  if (site == nullptr) {
    return {};
  }
  return chain_of(site) != nullptr ? frames_from_headline(site) : resolve_code(site);
}

std::string place(const void* site) {
  const std::vector<source_frame> frames = resolve(site);
  return frames.empty() ? "an unknown place"
                        : fmt::format("{}:{}", frames.front().file, frames.front().line);
}

} // namespace tilesim::sim
