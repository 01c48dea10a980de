// A type by its name: the scopes around a place, then its file, then the others of the program.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/types_by_name.hpp"

#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/debug_types.hpp"

#include <dwarf.h>
#include <map>
#include <string>
#include <unordered_map>

namespace tilesim::sim::step {

namespace {

bool names_type(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type || tag == DW_TAG_base_type;
}

bool holds_types(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type;
}

/// "app::point" is "point" behind "app::".
std::string_view behind(std::string_view name, std::string_view scope) {
  const bool is_in = name.size() > scope.size() + 2 && name.starts_with(scope) &&
                     name.substr(scope.size(), 2) == "::";
  return is_in ? name.substr(scope.size() + 2) : std::string_view();
}

/// Below `parent`, first of all its own. Whoever is only declared is passed over.
// NOLINTNEXTLINE(misc-no-recursion)
std::optional<Dwarf_Die> find_type(Dwarf_Die parent, std::string_view name) {
  std::optional<Dwarf_Die> deeper;
  Dwarf_Die child;
  for (int more = dwarf_child(&parent, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    const int tag = dwarf_tag(&child);
    const char* const text = dwarf_diename(&child);
    const std::string_view called = text != nullptr ? text : "";
    if (names_type(tag) && called == name && dwarf_hasattr(&child, DW_AT_declaration) == 0) {
      return child;
    }
    if (deeper || !holds_types(tag)) {
      continue;
    }
    const auto rest = behind(name, called);
    deeper = rest.empty() ? std::nullopt : find_type(child, rest);
    if (!deeper) {
      deeper = find_type(child, name);
    }
  }
  return deeper;
}

/// Of a copy of a function, what it is a copy of: types are there.
std::optional<Dwarf_Die> original_of(Dwarf_Die scope) {
  Dwarf_Attribute attribute;
  Dwarf_Die original;
  const bool is_copy = dwarf_attr(&scope, DW_AT_abstract_origin, &attribute) != nullptr &&
                       dwarf_formref_die(&attribute, &original) != nullptr;
  return is_copy ? std::optional(original) : std::nullopt;
}

std::optional<Dwarf_Die> look_up(const void* site, std::string_view name) {
  if (name.starts_with("::")) {
    name.remove_prefix(2);
  }
  Dwarf_Addr pc = 0;
  if (Dwarf_Die* unit = unit_of(reinterpret_cast<Dwarf_Addr>(site) - 1, pc)) {
    for (const Dwarf_Die& scope : scopes_around(unit, pc)) {
      auto found = find_type(scope, name);
      if (const auto original = original_of(scope); !found && original) {
        found = find_type(*original, name);
      }
      if (found) {
        return found;
      }
    }
    if (auto found = find_type(*unit, name)) {
      return found;
    }
  }
  Dwarf_Addr bias = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (Dwarf_Die* unit : units_of_program(bias, begin, end)) {
    if (auto found = find_type(*unit, name)) {
      return found;
    }
  }
  return std::nullopt;
}

} // namespace

std::optional<named_type> type_named(const void* site, std::string_view name) {
  // Never destroyed: the stepper stays to the very end. A condition asks at every operation.
  using names = std::map<std::string, std::optional<named_type>, std::less<>>;
  static auto& cache = *new std::unordered_map<const void*, names>;
  names& here = cache[site];
  if (const auto known = here.find(name); known != here.end()) {
    return known->second;
  }
  const auto found = look_up(site, name);
  auto type = found ? std::optional(make_named_type(*found)) : std::nullopt;
  return here.emplace(std::string(name), std::move(type)).first->second;
}

} // namespace tilesim::sim::step
