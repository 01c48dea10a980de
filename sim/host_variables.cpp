// Finding a variable's declaration, and reading it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/host_variables.hpp"

#include "sim/debug_info.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <dwarf.h>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilesim::sim {

namespace {

/// The address of a variable's place, as its unit counts, if it has a fixed one.
std::optional<Dwarf_Addr> fixed_place(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &attribute) == nullptr ||
      dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1 ||
      operations->atom != DW_OP_addr) {
    return std::nullopt;
  }
  return operations->number;
}

/// The variable that begins at `place`, below `die`.
bool find_variable(Dwarf_Die* die, Dwarf_Addr place, Dwarf_Die& found) {
  Dwarf_Die child;
  for (int more = dwarf_child(die, &child); more == 0; more = dwarf_siblingof(&child, &child)) {
    switch (dwarf_tag(&child)) {
    case DW_TAG_variable:
      if (fixed_place(&child) == place) {
        found = child;
        return true;
      }
      break;
    case DW_TAG_subprogram: {
      // A static variable of another function may be a kernel's, which is device memory.
      const char* name = dwarf_diename(&child);
      if (name != nullptr && std::string_view(name) == "main" &&
          find_variable(&child, place, found)) {
        return true;
      }
      break;
    }
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

/// The words of its type, as "unsigned int"; empty for a const one: kernels may use its value.
std::string type_words(Dwarf_Die* variable) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr_integrate(variable, DW_AT_type, &attribute) == nullptr) {
    return {};
  }
  for (Dwarf_Die* at = dwarf_formref_die(&attribute, &type); at != nullptr;
       at = dwarf_formref_die(&attribute, &type)) {
    if (dwarf_tag(at) == DW_TAG_const_type) {
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

/// What of the declaration stands before the name at a line and column.
std::optional<std::string> declared_before(const char* file, int line, int column) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string text; static_cast<int>(lines.size()) < line && std::getline(in, text);) {
    lines.push_back(text.substr(0, text.find("//")));
  }
  if (line < 1 || static_cast<int>(lines.size()) < line || column < 1) {
    return std::nullopt;
  }
  constexpr std::size_t most_lines = 5;
  std::string before = lines.back().substr(0, static_cast<std::size_t>(column) - 1);
  lines.pop_back();
  for (std::size_t n = 0; before.find_last_of(";{}") == std::string::npos && !lines.empty(); ++n) {
    if (n == most_lines) {
      return std::nullopt;
    }
    if (lines.back().starts_with('#')) {
      break; // a directive ends nothing and begins nothing
    }
    before = lines.back() + ' ' + before;
    lines.pop_back();
  }
  return before.substr(before.find_last_of(";{}") + 1); // or all of it
}

bool declared_for_the_host(Dwarf_Addr place) {
  Dwarf_Addr bias = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  for (Dwarf_Die* unit : units_of_program(bias, begin, end)) {
    Dwarf_Die variable;
    if (!find_variable(unit, place - bias, variable)) {
      continue;
    }
    const std::string type = type_words(&variable);
    int line = 0;
    int column = 0;
    const char* file = dwarf_decl_file(&variable);
    if (type.empty() || file == nullptr || dwarf_decl_line(&variable, &line) != 0 ||
        dwarf_decl_column(&variable, &column) != 0) {
      return false;
    }
    const auto before = declared_before(file, line, column);
    if (!before) {
      return false;
    }
    constexpr std::array<std::string_view, 16> plain{"static",
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
                                                     "*"};
    const std::vector<std::string_view> words = tokens(*before);
    const std::vector<std::string_view> of_type = tokens(type);
    return !words.empty() && std::ranges::all_of(words, [&](std::string_view word) {
      return std::ranges::find(plain, word) != plain.end() ||
             std::ranges::find(of_type, word) != of_type.end();
    });
  }
  return false;
}

} // namespace

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
  const bool of_host = begin != end && declared_for_the_host(begin);
  known.push_back(begin != end ? known_variable{begin, end, of_host}
                               : known_variable{address, address + 1, false});
  return of_host;
}

} // namespace tilesim::sim
