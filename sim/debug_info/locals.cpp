// Variables of a frame: the scopes around its place, and what they declare.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/locals.hpp"

#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/debug_locations.hpp"
#include "sim/debug_info/debug_types.hpp"
#include "sim/debug_info/frame_variables.hpp"
#include "sim/debug_info/own_memory.hpp"
#include "sim/debug_info/source_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <dwarf.h>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

namespace tilesim::sim::step {

namespace {

struct place_in_source {
  std::string file;
  int line = 0;
  int column = 0;
};

/// A scope of the user's own, and where in it the program stands.
struct user_scope {
  Dwarf_Die die;
  place_in_source here;
};

struct scopes_at {
  std::vector<user_scope> scopes = {}; ///< innermost first
  Dwarf_Die function = {};             ///< whose frame it is
  Dwarf_Addr pc = 0;                   ///< as the unit counts
  Dwarf_Addr bias = 0;
};

bool is_function(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool is_own(Dwarf_Die* function) {
  const char* file = dwarf_decl_file(function);
  return file != nullptr && is_own_file(file);
}

int number(Dwarf_Die* die, unsigned which) {
  Dwarf_Attribute attribute;
  Dwarf_Word n = 0;
  return dwarf_attr(die, which, &attribute) != nullptr && dwarf_formudata(&attribute, &n) == 0
             ? static_cast<int>(n)
             : 0;
}

place_in_source line_of(Dwarf_Die* unit, Dwarf_Addr pc) {
  place_in_source at;
  if (Dwarf_Line* line = dwarf_getsrc_die(unit, pc)) {
    const char* file = dwarf_linesrc(line, nullptr, nullptr);
    at.file = file != nullptr ? file : "";
    dwarf_lineno(line, &at.line);
    dwarf_linecol(line, &at.column);
  }
  return at;
}

/// Where an inlined function was called.
place_in_source call_of(Dwarf_Die* unit, Dwarf_Die* inlined) {
  place_in_source at;
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const auto index = static_cast<std::size_t>(number(inlined, DW_AT_call_file));
  if (dwarf_getsrcfiles(unit, &files, &count) == 0 && index < count) {
    const char* file = dwarf_filesrc(files, index, nullptr, nullptr);
    at.file = file != nullptr ? file : "";
  }
  at.line = number(inlined, DW_AT_call_line);
  at.column = number(inlined, DW_AT_call_column);
  return at;
}

/// The scopes around a return address; without any if there is no debug information.
scopes_at find_user_scopes(const void* site) {
  scopes_at found;
  const Dwarf_Addr address = reinterpret_cast<Dwarf_Addr>(site) - 1;
  Dwarf_Die* unit = unit_of(address, found.pc);
  if (unit == nullptr) {
    return found;
  }
  found.bias = address - found.pc;
  place_in_source here = line_of(unit, found.pc);
  std::vector<user_scope> inside; // those of the function that is being passed
  for (Dwarf_Die die : scopes_around(unit, found.pc)) {
    inside.push_back({die, here});
    if (!is_function(&die)) {
      continue;
    }
    if (!is_own(&die)) {
      found.scopes.insert(found.scopes.end(), inside.begin(), inside.end());
    }
    inside.clear();
    if (dwarf_tag(&die) == DW_TAG_subprogram) {
      found.function = die;
      break;
    }
    here = call_of(unit, &die);
  }
  return found;
}

const scopes_at& user_scopes(const void* site) {
  // Never destroyed: the stepper stays to the very end.
  static auto& cache = *new std::map<const void*, scopes_at>;
  const auto [it, is_new] = cache.try_emplace(site);
  if (is_new) {
    it->second = find_user_scopes(site);
  }
  return it->second;
}

// ------------------------------------------------------------------------- is it initialised
// already?

const std::vector<std::string>& lines_of(const std::string& file) {
  static auto& read = *new source_lines;
  return read.of(file);
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Just behind the word in the line.
std::size_t behind_word(std::string_view line, std::string_view word) {
  for (std::size_t i = line.find(word); i != std::string_view::npos; i = line.find(word, i + 1)) {
    const std::size_t end = i + word.size();
    if ((i == 0 || !is_word_character(line[i - 1])) &&
        (end == line.size() || !is_word_character(line[end]))) {
      return end;
    }
  }
  return std::string_view::npos;
}

/// True if the program stands in the variable's own initialiser: from its name to here there is no
/// end of the statement, and no parenthesis closes that was opened before, as for's does.
bool is_being_initialised(const std::string& name, int line, const place_in_source& here) {
  const std::vector<std::string>& text = lines_of(here.file);
  const auto first = static_cast<std::size_t>(line);
  const auto last = static_cast<std::size_t>(here.line);
  if (first == 0 || last < first || last > text.size()) {
    return false;
  }
  const std::size_t begin = behind_word(text[first - 1], name);
  if (begin == std::string::npos) {
    return false;
  }
  int depth = 0;
  for (std::size_t n = first; n <= last; ++n) {
    const std::string_view whole = text[n - 1];
    const std::size_t end =
        n == last && here.column > 0 ? static_cast<std::size_t>(here.column) - 1 : whole.size();
    for (std::size_t i = n == first ? begin : 0; i < std::min(end, whole.size()); ++i) {
      const char c = whole[i];
      depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
      if (depth < 0 || (c == ';' && depth == 0)) {
        return false;
      }
    }
  }
  return true;
}

// --------------------------------------------------------------------------------------- variables

/// What the compiler or the launch made for itself.
bool is_hidden(Dwarf_Die* die, std::string_view name) {
  return name.empty() || name.substr(0, 8) == "tilesim_" ||
         (dwarf_hasattr_integrate(die, DW_AT_artificial) != 0 && name != "this");
}

std::optional<variable> describe(Dwarf_Die die, const user_scope& scope) {
  const int tag = dwarf_tag(&die);
  const char* name = dwarf_diename(&die);
  Dwarf_Die type;
  if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) || name == nullptr ||
      is_hidden(&die, name) || dwarf_hasattr(&die, DW_AT_declaration) != 0 ||
      !type_of(&die, &type)) {
    return std::nullopt;
  }
  variable v;
  v.name = name;
  v.type = type_text(type);
  v.parameter = tag == DW_TAG_formal_parameter;
  int line = 0;
  dwarf_decl_line(&die, &line);
  v.line = static_cast<unsigned>(line);
  if (!v.parameter && line > scope.here.line) {
    return std::nullopt; // the program has not come there, or has left it in the last round
  }
  if (!v.parameter && is_being_initialised(v.name, line, scope.here)) {
    v.now.type.spelling = v.type;
    v.now.missing = "not yet initialised";
  }
  return v;
}

std::vector<Dwarf_Die> children_of(Dwarf_Die parent) {
  std::vector<Dwarf_Die> all;
  Dwarf_Die child;
  for (int more = dwarf_child(&parent, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    all.push_back(child);
  }
  return all;
}

bool origin_of(Dwarf_Die* die, Dwarf_Die* origin) {
  Dwarf_Attribute attribute;
  return dwarf_attr(die, DW_AT_abstract_origin, &attribute) != nullptr &&
         dwarf_formref_die(&attribute, origin) != nullptr;
}

/// The scope's entries. Those that a copy of a function does not repeat are its original's: static
/// variables, and what was optimised away.
std::vector<Dwarf_Die> declarations(Dwarf_Die scope) {
  std::vector<Dwarf_Die> all = children_of(scope);
  Dwarf_Die original;
  if (!origin_of(&scope, &original)) {
    return all;
  }
  std::set<Dwarf_Off> repeated;
  for (Dwarf_Die& die : all) {
    Dwarf_Die of;
    if (origin_of(&die, &of)) {
      repeated.insert(dwarf_dieoffset(&of));
    }
  }
  for (Dwarf_Die& die : children_of(original)) {
    if (!repeated.contains(dwarf_dieoffset(&die))) {
      all.push_back(die);
    }
  }
  return all;
}

void fill(variable& v, Dwarf_Die die, const frame_place& place) {
  static const auto& read = *new const memory_reader(&read_own_memory); // never destroyed
  Dwarf_Die type;
  if (!v.now.missing.empty() || !type_of(&die, &type)) {
    return;
  }
  std::string missing;
  const object_bytes object = locate(die, place, read, missing);
  if (missing.empty()) {
    v.now = make_value(type, object, read);
  } else {
    v.now.type.spelling = v.type;
    v.now.missing = missing;
  }
}

// ----------------------------------------------------------------------------------- by type alone

using path = std::vector<std::string>;

/// "app::limit" as its parts.
path parts_of(const std::string& name) {
  path parts(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.compare(i, 2, "::") == 0) {
      ++i;
      if (!parts.back().empty()) {
        parts.emplace_back();
      }
    } else {
      parts.back() += name[i];
    }
  }
  return parts;
}

/// The variable below `parent`. Namespaces may be left out: the user may stand in them.
bool named_variable(Dwarf_Die* parent, const path& name, std::size_t from, Dwarf_Die* result) {
  for (Dwarf_Die& child : children_of(*parent)) {
    const int tag = dwarf_tag(&child);
    const char* called = dwarf_diename(&child);
    const bool matches = called != nullptr && name[from] == called;
    const bool declares = tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
    if (declares && matches && from + 1 == name.size()) {
      *result = child;
      return true;
    }
    if (tag != DW_TAG_namespace) {
      continue;
    }
    if ((matches && from + 1 < name.size() && named_variable(&child, name, from + 1, result)) ||
        named_variable(&child, name, from, result)) {
      return true;
    }
  }
  return false;
}

/// The entry that defines what `declaration` declares: of a variable in a namespace, g++ has both.
Dwarf_Die definition_of(Dwarf_Die declaration, Dwarf_Die unit) {
  if (dwarf_hasattr(&declaration, DW_AT_location) != 0) {
    return declaration;
  }
  for (Dwarf_Die& die : children_of(unit)) {
    Dwarf_Attribute attribute;
    Dwarf_Die specified;
    if (dwarf_tag(&die) == DW_TAG_variable &&
        dwarf_attr(&die, DW_AT_specification, &attribute) != nullptr &&
        dwarf_formref_die(&attribute, &specified) != nullptr &&
        dwarf_dieoffset(&specified) == dwarf_dieoffset(&declaration)) {
      return die;
    }
  }
  return declaration;
}

} // namespace

std::vector<variable> variables(const frame_registers& frame) {
  const scopes_at& at = user_scopes(frame.pc);
  const frame_place place{&frame, at.function, at.pc, at.bias};
  std::vector<variable> all;
  for (const user_scope& scope : at.scopes) {
    for (Dwarf_Die& die : declarations(scope.die)) {
      if (auto v = describe(die, scope)) {
        fill(*v, die, place);
        all.push_back(std::move(*v));
      }
    }
  }
  return all;
}

std::vector<located_variable> located_variables(const frame_registers& frame,
                                                bool initialised_too) {
  static const auto& read = *new const memory_reader(&read_own_memory); // never destroyed
  const scopes_at& at = user_scopes(frame.pc);
  const frame_place place{&frame, at.function, at.pc, at.bias};
  std::vector<located_variable> all;
  std::size_t function = 0;
  for (const user_scope& scope : at.scopes) {
    for (Dwarf_Die& die : declarations(scope.die)) {
      const auto v = describe(die, scope);
      located_variable found;
      if (!v || (!initialised_too && !v->now.missing.empty()) || !type_of(&die, &found.type)) {
        continue;
      }
      std::string missing;
      found.object = locate(die, place, read, missing);
      if (missing.empty()) {
        found.name = v->name;
        found.parameter = v->parameter;
        found.function = function;
        all.push_back(std::move(found));
      }
    }
    Dwarf_Die die = scope.die;
    function += is_function(&die) ? 1U : 0U;
  }
  return all;
}

bool returns_object(const void* pc, std::size_t function) {
  for (const user_scope& scope : user_scopes(pc).scopes) {
    Dwarf_Die die = scope.die;
    if (!is_function(&die) || function-- != 0) {
      continue;
    }
    Dwarf_Die type;
    Dwarf_Die plain;
    if (!type_of(&die, &type) || dwarf_peel_type(&type, &plain) != 0) {
      return false;
    }
    const int tag = dwarf_tag(&plain);
    return tag == DW_TAG_pointer_type || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
  }
  return false;
}

namespace {

/// "app::" of what is declared in that namespace; static members' class likewise. g++ has the
/// definition outside of it.
std::string qualification_of(Dwarf_Die definition) {
  Dwarf_Attribute attribute;
  Dwarf_Die declaration;
  Dwarf_Die* scopes = nullptr; // itself first
  std::string text;
  if (dwarf_attr(&definition, DW_AT_specification, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &declaration) == nullptr) {
    declaration = definition;
  }
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  for (int i = 1; i < count; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    const char* const name = dwarf_diename(&scopes[i]);
    const bool qualifies = tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
                           tag == DW_TAG_class_type || tag == DW_TAG_union_type;
    if (is_function(&scopes[i])) {
      break;
    }
    if (qualifies && name != nullptr) {
      text.insert(0, fmt::format("{}::", name));
    }
  }
  std::free(scopes);
  return text;
}

/// Does it lie at an address of its own, in no frame?
bool is_static(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  return dwarf_attr(variable, DW_AT_location, &attribute) != nullptr &&
         dwarf_getlocation(&attribute, &operations, &count) == 0 && count != 0 &&
         (operations[0].atom == DW_OP_addr || operations[0].atom == DW_OP_addrx);
}

/// What holds variables that are in no frame: those of functions that do not wait are among them.
bool may_hold_statics(Dwarf_Die* die) {
  const int tag = dwarf_tag(die);
  const char* const file = dwarf_decl_file(die);
  return tag == DW_TAG_namespace || tag == DW_TAG_lexical_block || tag == DW_TAG_structure_type ||
         tag == DW_TAG_class_type ||
         (tag == DW_TAG_subprogram && (file == nullptr || !is_own_file(file)));
}

// NOLINTNEXTLINE(misc-no-recursion)
void collect_program_variables(Dwarf_Die parent,
                               const frame_place& place,
                               std::vector<located_variable>& all) {
  static const auto& read = *new const memory_reader(&read_own_memory); // never destroyed
  for (Dwarf_Die& die : children_of(parent)) {
    const char* name = dwarf_diename(&die);
    if (may_hold_statics(&die)) {
      collect_program_variables(die, place, all);
      continue;
    }
    located_variable found;
    const char* file = dwarf_decl_file(&die);
    if (dwarf_tag(&die) != DW_TAG_variable || name == nullptr || is_hidden(&die, name) ||
        (file != nullptr && is_own_file(file)) || !is_static(&die) || !type_of(&die, &found.type)) {
      continue;
    }
    std::string missing;
    found.object = locate(die, place, read, missing);
    if (missing.empty() && found.object.address) {
      found.name = qualification_of(die) + name;
      all.push_back(std::move(found));
    }
  }
}

} // namespace

const std::vector<located_variable>& program_variables() {
  static const auto& all = *new const std::vector<located_variable>([] {
    std::vector<located_variable> found;
    Dwarf_Addr bias = 0;
    Dwarf_Addr begin = 0;
    Dwarf_Addr end = 0;
    const frame_registers none;
    for (Dwarf_Die* unit : units_of_program(bias, begin, end)) {
      frame_place place{};
      place.frame = &none;
      place.bias = bias;
      collect_program_variables(*unit, place, found);
    }
    return found;
  }());
  return all;
}

namespace {

/// A declaration that is visible at a place.
struct visible_declaration {
  Dwarf_Die die;
  variable described;
};

/// Asked at every operation for the same few places and names.
const std::optional<visible_declaration>& declaration_at(const void* pc, std::string_view name) {
  using names = std::map<std::string, std::optional<visible_declaration>, std::less<>>;
  static auto& cache = *new std::unordered_map<const void*, names>;
  names& here = cache[pc];
  if (const auto known = here.find(name); known != here.end()) {
    return known->second;
  }
  std::optional<visible_declaration> found;
  for (const user_scope& scope : user_scopes(pc).scopes) {
    for (Dwarf_Die& die : declarations(scope.die)) {
      const char* called = dwarf_diename(&die);
      if (found || called == nullptr || name != called) {
        continue;
      }
      if (auto v = describe(die, scope)) {
        found = {die, std::move(*v)};
      }
    }
  }
  return here.emplace(std::string(name), std::move(found)).first->second;
}

} // namespace

bool is_variable(const void* pc, std::string_view name) {
  return declaration_at(pc, name).has_value();
}

std::optional<variable> variable_named(const frame_registers& frame, std::string_view name) {
  const auto& found = declaration_at(frame.pc, name);
  if (!found) {
    return std::nullopt;
  }
  const scopes_at& at = user_scopes(frame.pc);
  variable v = found->described;
  fill(v, found->die, {&frame, at.function, at.pc, at.bias});
  return v;
}

std::uintptr_t function_at(const void* pc) {
  static auto& cache = *new std::unordered_map<const void*, std::uintptr_t>;
  const auto [it, is_new] = cache.try_emplace(pc, 0);
  if (is_new) {
    scopes_at at = user_scopes(pc);
    Dwarf_Addr begin = 0;
    it->second = dwarf_lowpc(&at.function, &begin) == 0 ? at.bias + begin : 0;
  }
  return it->second;
}

std::optional<variable> global_variable(const void* site, const std::string& name) {
  frame_place place{};
  const Dwarf_Addr address = reinterpret_cast<Dwarf_Addr>(site) - 1;
  Dwarf_Die* unit = unit_of(address, place.pc);
  Dwarf_Die die;
  Dwarf_Die type;
  if (unit == nullptr || !named_variable(unit, parts_of(name), 0, &die) || !type_of(&die, &type)) {
    return std::nullopt;
  }
  const frame_registers none;
  place.frame = &none;
  place.bias = address - place.pc;
  variable v;
  v.name = name;
  v.type = type_text(type);
  int line = 0;
  dwarf_decl_line(&die, &line);
  v.line = static_cast<unsigned>(line);
  fill(v, definition_of(die, *unit), place);
  return v;
}

std::optional<value_type> declared_type(const void* site, const std::string& name) {
  const path parts = parts_of(name);
  Dwarf_Die found;
  Dwarf_Die type;
  for (const user_scope& scope : user_scopes(site).scopes) {
    Dwarf_Die die = scope.die;
    if (named_variable(&die, parts, 0, &found)) {
      return type_of(&found, &type) ? element_type(type) : std::nullopt;
    }
  }
  Dwarf_Addr relative = 0;
  Dwarf_Die* unit = unit_of(reinterpret_cast<Dwarf_Addr>(site) - 1, relative);
  return unit != nullptr && named_variable(unit, parts, 0, &found) && type_of(&found, &type)
             ? element_type(type)
             : std::nullopt;
}

} // namespace tilesim::sim::step
