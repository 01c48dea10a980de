// Names of types, as a person writes them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/type_names.hpp"

#include <cctype>
#include <cstddef>

namespace tilesim::sim::step {

namespace {

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t i = text.find(what); i != std::string::npos; i = text.find(what, i)) {
    text.replace(i, what.size(), with);
    i += with.size();
  }
}

} // namespace

std::string class_text(std::string_view name) {
  std::string text(name);
  for (const std::string_view hidden : {"cuda::tiles::", "__1::", "__cxx11::"}) {
    replace_all(text, hidden, "");
  }
  while (text.find("> >") != std::string::npos) {
    replace_all(text, "> >", ">>");
  }
  replace_all(text, " *", "*");
  replace_all(text, " &", "&");
  // 8UL and 8u are 8.
  for (std::size_t i = 1; i < text.size();) {
    const bool suffix = text[i] == 'U' || text[i] == 'L' || text[i] == 'u' || text[i] == 'l';
    std::size_t digits = i;
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(text[digits - 1])) != 0) {
      --digits;
    }
    const bool is_number =
        digits != i && digits > 0 && (text[digits - 1] == '<' || text[digits - 1] == ' ');
    if (suffix && is_number) {
      text.erase(i, 1);
    } else {
      ++i;
    }
  }
  replace_all(text, "extents<unsigned int, ", "shape<");
  replace_all(text, "extents<unsigned int>", "shape<>");
  return text;
}

std::string base_text(std::string_view name) {
  std::string text(name);
  if (text.size() > 4 && text != "unsigned int" && text.substr(text.size() - 4) == " int") {
    text.erase(text.size() - 4);
  }
  constexpr std::string_view last = " unsigned";
  if (text.size() > last.size() && text.substr(text.size() - last.size()) == last) {
    text = "unsigned " + text.substr(0, text.size() - last.size());
  }
  return text;
}

} // namespace tilesim::sim::step
