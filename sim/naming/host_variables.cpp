// Finding a variable's declaration, and reading it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/naming/host_variables.hpp"

#include "sim/contract/counted.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/debug_info.hpp"
#include "sim/debug_info/layout.hpp"

#include <tilesim/annotations.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <dwarf.h>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

/// The address of a variable's place, as its unit counts, if it has a fixed one.
std::optional<Dwarf_Addr> fixed_place(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  if (operations->atom == DW_OP_addr) {
    return operations->number;
  }
  Dwarf_Attribute indexed; // clang++: in a table of addresses
  Dwarf_Addr address = 0;
  if (operations->atom != DW_OP_addrx ||
      dwarf_getlocation_attr(&attribute, operations, &indexed) != 0 ||
      dwarf_formaddr(&indexed, &address) != 0) {
    return std::nullopt;
  }
  return address;
}

struct found_variable {
  Dwarf_Die variable{};
  /// Whose static variable it is, and outwards from a local class's.
  std::vector<Dwarf_Die> functions;
};

/// The variable that begins at `place`, below `die`.
// NOLINTNEXTLINE(misc-no-recursion)
bool find_variable(Dwarf_Die* die, Dwarf_Addr place, found_variable& found) {
  Dwarf_Die child;
  for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    switch (dwarf_tag(&child)) {
    case DW_TAG_variable:
      if (fixed_place(&child) == place) {
        found.variable = child;
        return true;
      }
      break;
    case DW_TAG_subprogram:
      if (find_variable(&child, place, found)) {
        found.functions.push_back(child);
        return true;
      }
      break;
    case DW_TAG_class_type: // local ones have their functions' definitions inside
    case DW_TAG_structure_type:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
      if (find_variable(&child, place, found)) {
        return true;
      }
      break;
    default:
      break;
    }
  }
  return false;
}

enum class constants { no, too };

/// The words of its type, as "unsigned int"; empty for a const one where those do not count:
/// kernels may use its value.
std::string type_words(Dwarf_Die* variable, constants which = constants::no) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr_integrate(variable, DW_AT_type, &attribute) == nullptr) {
    return {};
  }
  for (Dwarf_Die* at = dwarf_formref_die(&attribute, &type); at != nullptr;
       at = dwarf_formref_die(&attribute, &type)) {
    if (dwarf_tag(at) == DW_TAG_const_type && which == constants::no) {
      return {};
    }
    if (const char* name = dwarf_diename(at)) {
      return name;
    }
    if (dwarf_attr(at, DW_AT_type, &attribute) == nullptr) {
      return {};
    }
  }
  return {};
}

/// Words and single other characters.
std::vector<std::string_view> tokens(std::string_view text) {
  const auto of_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t n = 1;
    while (of_word(text[i]) && i + n < text.size() && of_word(text[i + n])) {
      ++n;
    }
    if (std::isspace(static_cast<unsigned char>(text[i])) == 0) {
      all.push_back(text.substr(i, n));
    }
    i += n;
  }
  return all;
}

/// The column of a name in a line where it stands once, as a word; 0 where it does not.
int column_of(std::string_view name, std::string_view line) {
  int column = 0;
  for (const std::string_view word : tokens(line)) {
    if (word == name) {
      if (column != 0) {
        return 0;
      }
      column = static_cast<int>(word.data() - line.data()) + 1;
    }
  }
  return column;
}

/// Behind what ends the declaration before, in a text that ends in one; npos: that stands farther
/// ahead. The initialiser of another variable, `a{1}, b`, ends none.
std::size_t begin_of_declaration(std::string_view text) {
  for (std::size_t end = text.size(); end != 0;) {
    const std::size_t last = text.find_last_of(";{}", end - 1);
    if (last == std::string_view::npos) {
      break;
    }
    const std::size_t behind = text.find_first_not_of(" \t", last + 1);
    if (text[last] != '}' || behind == std::string_view::npos || text[behind] != ',') {
      return last + 1;
    }
    std::size_t depth = 0;
    end = last + 1;
    do {
      --end;
      depth += text[end] == '}' ? 1U : 0U;
      depth -= text[end] == '{' ? 1U : 0U;
    } while (depth != 0 && end != 0);
  }
  return std::string_view::npos;
}

/// What of the declaration stands before the name at a line and column; 0: clang++ tells none.
std::optional<std::string>
declared_before(const char* file, int line, int column, std::string_view name) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string text; static_cast<int>(lines.size()) < line && std::getline(in, text);) {
    lines.push_back(text.substr(0, text.find("//")));
  }
  if (line < 1 || static_cast<int>(lines.size()) < line) {
    return std::nullopt;
  }
  if (column == 0) {
    column = column_of(name, lines.back());
  }
  if (column < 1) {
    return std::nullopt;
  }
  constexpr std::size_t most_lines = 5;
  std::string before = lines.back().substr(0, static_cast<std::size_t>(column) - 1);
  lines.pop_back();
  for (std::size_t n = 0; begin_of_declaration(before) == std::string::npos && !lines.empty();
       ++n) {
    if (n == most_lines) {
      return std::nullopt;
    }
    if (lines.back().starts_with('#')) {
      break; // a directive ends nothing and begins nothing
    }
    before.insert(0, lines.back() + ' ');
    lines.pop_back();
  }
  const std::size_t begin = begin_of_declaration(before);
  return begin == std::string::npos ? before : before.substr(begin);
}

/// What stands before the name in the declaration of a variable or a function.
std::optional<std::string> declared_before(Dwarf_Die* declaration) {
  int line = 0;
  int column = 0;
  const char* file = dwarf_decl_file(declaration);
  const char* name = dwarf_diename(declaration);
  if (file == nullptr || dwarf_decl_line(declaration, &line) != 0) {
    return std::nullopt;
  }
  if (dwarf_decl_column(declaration, &column) != 0) {
    column = 0;
  }
  const std::string_view whole = name != nullptr ? name : "";
  return declared_before(file, line, column, whole.substr(0, whole.find('<')));
}

using words = std::vector<std::string_view>;

/// A class's or namespace's name in front of `::`, which no macro for CUDA's specifiers is.
bool qualifies(const words& all, std::size_t i) {
  return i + 2 < all.size() && all[i + 1] == ":" && all[i + 2] == ":";
}

/// Whether all words are C++'s own, names of classes that qualify, or in `also`: others may be
/// macros that hold a specifier.
template <std::size_t N>
bool all_plain(const words& all, const std::array<std::string_view, N>& plain, const words& also) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (std::ranges::find(plain, all[i]) == plain.end() &&
        std::ranges::find(also, all[i]) == also.end() && !qualifies(all, i)) {
      return false;
    }
  }
  return !all.empty();
}

constexpr auto words_of_variables = std::to_array<std::string_view>({"static",
                                                                     "const",
                                                                     "extern",
                                                                     "inline",
                                                                     "volatile",
                                                                     "alignas",
                                                                     "std",
                                                                     ":",
                                                                     "unsigned",
                                                                     "signed",
                                                                     "int",
                                                                     "long",
                                                                     "short",
                                                                     "char",
                                                                     "float",
                                                                     "double",
                                                                     "bool",
                                                                     "*"});
constexpr auto words_of_functions = std::to_array<std::string_view>(
    {"static",   "inline",   "extern", "\"",       "C",        "virtual",  "explicit", "constexpr",
     "friend",   "template", "class",  "typename", "const",    "volatile", "std",      ":",
     "unsigned", "signed",   "int",    "long",     "short",    "char",     "float",    "double",
     "bool",     "void",     "auto",   "*",        "&",        "<",        ">",        ",",
     "[",        "]",        "gnu",    "noinline", "nodiscard"});

/// Adds the names of a template's parameters, `class T`, among the words of a function.
void add_template_parameters(const words& function, words& to) {
  for (std::size_t i = 1; i < function.size(); ++i) {
    if (function[i - 1] == "class" || function[i - 1] == "typename" ||
        (i > 1 && function[i - 2] == "<")) {
      to.push_back(function[i]);
    }
  }
}

/// A function without a specifier of CUDA's: NVIDIA's compiler refuses its call by a kernel.
/// `before`: what of its declaration stands before the name. A lambda's is not known: what stands
/// there belongs to the variable that holds it.
bool is_host_function(Dwarf_Die* function, const std::string& before) {
  const char* const name = dwarf_diename(function);
  if (name != nullptr && std::string_view(name) == "main") {
    return true;
  }
  const words all = tokens(before);
  const std::string result = type_words(function);
  words also = tokens(result);
  add_template_parameters(all, also);
  return all_plain(all, words_of_functions, also);
}

bool declared_for_the_host(Dwarf_Addr place, constants which) {
  Dwarf_Addr bias = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (Dwarf_Die* unit : units_of_program(bias, begin, end)) {
    found_variable found;
    if (!find_variable(unit, place - bias, found)) {
      continue;
    }
    const std::string type = type_words(&found.variable, which);
    const auto before = declared_before(&found.variable);
    words also = tokens(type);
    // A static variable of a function that may be a kernel's is device memory.
    std::vector<std::string> functions; // the words point into them
    functions.reserve(found.functions.size());
    for (Dwarf_Die& function : found.functions) {
      const auto before_function = declared_before(&function);
      if (!before_function || !is_host_function(&function, *before_function)) {
        return false;
      }
      add_template_parameters(tokens(functions.emplace_back(*before_function)), also);
    }
    return !type.empty() && before && all_plain(tokens(*before), words_of_variables, also);
  }
  return false;
}

/// The program's own, which nobody can write; nullptr: another's.
const segment* constants_at(std::uintptr_t address) {
  static const auto& all = *new const std::vector<segment>([] {
    std::vector<segment> found = loaded_segments();
    std::erase_if(found, [](const segment& s) { return !s.of_program || s.writable; });
    return found;
  }());
  const auto of =
      std::ranges::find_if(all, [address](const segment& s) { return s.contains(address); });
  return of != all.end() ? &*of : nullptr;
}

/// The program's variable that begins at an address; nothing: no debug information tells of it.
std::optional<Dwarf_Die> declared_at(Dwarf_Addr place) {
  Dwarf_Addr bias = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (Dwarf_Die* unit : units_of_program(bias, begin, end)) {
    found_variable found;
    if (find_variable(unit, place - bias, found)) {
      return found.variable;
    }
  }
  return {};
}

/// Whether a variable is declared with such an alignment.
bool is_declared_aligned(Dwarf_Addr place, Dwarf_Word to) {
  auto variable = declared_at(place);
  Dwarf_Attribute attribute;
  Dwarf_Word alignment = 0;
  return variable && dwarf_attr_integrate(&*variable, DW_AT_alignment, &attribute) != nullptr &&
         dwarf_formudata(&attribute, &alignment) == 0 && alignment == to;
}

std::vector<address_range> variables_aligned(std::uintptr_t to) {
  std::vector<address_range> found;
  for_each_object_symbol([&](const char* /*name*/, std::uintptr_t begin, std::uintptr_t end) {
    // None is const. What stands first among the constants is aligned as they are, in every
    // program.
    if (begin % to == 0 && constants_at(begin) == nullptr && is_declared_aligned(begin, to)) {
      found.push_back({begin, end});
    }
  });
  return found;
}

} // namespace

std::string variable_text(std::uintptr_t address) {
  const auto [begin, end] = object_symbol_at(address);
  if (begin == end) {
    return {};
  }
  const std::string name = variable_name_at(begin);
  auto variable = declared_at(begin);
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (variable && dwarf_attr_integrate(&*variable, DW_AT_type, &attribute) != nullptr &&
      dwarf_formref_die(&attribute, &type) != nullptr) {
    return name + step::part_text(type, address - begin);
  }
  return address == begin ? name : fmt::format("{} + {}", name, counted(address - begin, "byte"));
}

std::optional<step::value_type> variable_element(std::uintptr_t begin) {
  auto variable = declared_at(begin);
  Dwarf_Die type;
  Dwarf_Die peeled;
  if (!variable || !step::type_of(&*variable, &type)) {
    return {};
  }
  while (dwarf_peel_type(&type, &peeled) == 0 && dwarf_tag(&peeled) == DW_TAG_array_type) {
    Dwarf_Die element;
    if (!step::type_of(&peeled, &element)) {
      return {};
    }
    type = element;
  }
  return step::element_type(type);
}

const std::vector<address_range>& managed_variables() {
  static const auto& all =
      *new const std::vector<address_range>(variables_aligned(TILESIM_MANAGED_ALIGNMENT));
  return all;
}

const std::vector<address_range>& constant_variables() {
  static const auto& all =
      *new const std::vector<address_range>(variables_aligned(TILESIM_CONSTANT_ALIGNMENT));
  return all;
}

bool is_host_variable(std::uintptr_t address) {
  struct known_variable {
    std::uintptr_t begin, end;
    bool of_host;
  };
  // Never destroyed: kernels may run to the very end. The last one first: they come in rows.
  static auto& known = *new std::vector<known_variable>;
  const auto it = std::ranges::find_if(
      known, [&](const known_variable& v) { return address >= v.begin && address < v.end; });
  if (it != known.end()) {
    std::iter_swap(known.begin(), it);
    return known.front().of_host;
  }
  const auto [begin, end] = object_symbol_at(address);
  const bool of_host = begin != end && declared_for_the_host(begin, constants::no);
  known.push_back(begin != end ? known_variable{begin, end, of_host}
                               : known_variable{address, address + 1, false});
  return of_host;
}

namespace {

/// The constant of the host's that a pointer to `begin` is one to; nothing if it is none for
/// certain.
address_range constant_behind(std::uintptr_t begin) {
  // Never destroyed: kernels may run to the very end. Programs give kernels few of them.
  static auto& known = *new std::map<std::uintptr_t, address_range>;
  const auto [place, is_new] = known.try_emplace(begin, address_range{begin, begin});
  address_range& range = place->second;
  if (const auto [first, end] = is_new ? object_symbol_at(begin) : std::pair(begin, begin);
      first != end) {
    range = declared_for_the_host(first, constants::too) ? address_range{first, end} : range;
  } else if (is_new) { // no variable: a literal, with its end
    const auto left = constants_at(begin)->end - begin;
    range.end += std::min(left, strnlen(reinterpret_cast<const char*>(begin), left) + 1);
  }
  return range;
}

} // namespace

bool is_constant(std::uintptr_t address) {
  return constants_at(address) != nullptr;
}

bool is_given_constant(const launch_state& launch, std::uintptr_t address) {
  const segment* const of = constants_at(address);
  if (of == nullptr || of->executable) {
    return false;
  }
  const auto* const closure = static_cast<const unsigned char*>(launch.kernel.closure);
  for (std::size_t i = 0; i + sizeof(void*) <= launch.kernel.closure_bytes; i += sizeof(void*)) {
    std::uintptr_t given = 0;
    std::memcpy(&given, closure + i, sizeof given);
    if (!of->contains(given)) {
      continue;
    }
    if (const address_range range = constant_behind(given);
        address >= range.begin && address < range.end) {
      return true;
    }
  }
  return false;
}

} // namespace tilesim::sim
