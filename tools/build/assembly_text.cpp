// Reading a compiler's assembly text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/assembly_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace tilesim::tools {
namespace {

bool of_symbol(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '$';
}

std::string_view trimmed(std::string_view s) {
  const auto first = s.find_first_not_of(" \t");
  const auto last = s.find_last_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : s.substr(first, last - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// "name" of "name:" at a line's beginning.
std::string_view label_of(std::string_view line) {
  if (line.empty() || !of_symbol(line.front())) {
    return {};
  }
  const auto end = line.find(':');
  if (end == std::string_view::npos) {
    return {};
  }
  for (const char c : line.substr(0, end)) {
    if (!of_symbol(c)) {
      return {};
    }
  }
  return line.substr(0, end);
}

std::string_view first_word(std::string_view operands) {
  return trimmed(operands.substr(0, operands.find(',')));
}

} // namespace

instruction instruction_of(std::string_view line) {
  if (line.empty() || (line.front() != '\t' && line.front() != ' ')) {
    return {};
  }
  line = trimmed(line);
  const auto space = line.find_first_of(" \t");
  const auto name = line.substr(0, space);
  auto rest = space == std::string_view::npos ? std::string_view() : line.substr(space);
  if (rest.find('"') == std::string_view::npos) {
    rest = rest.substr(0, rest.find('#'));
  }
  return {name, trimmed(rest)};
}

std::vector<std::string_view> symbols_of(std::string_view text) {
  std::vector<std::string_view> found;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    // A register, a kind of relocation, a number.
    if (c == '%' || c == '@' || std::isdigit(static_cast<unsigned char>(c)) != 0) {
      for (++i; i < text.size() && of_symbol(text[i]);) {
        ++i;
      }
    } else if (of_symbol(c) && c != '$') { // $: a value
      const auto begin = i;
      for (++i; i < text.size() && of_symbol(text[i]);) {
        ++i;
      }
      if (i - begin > 1 || c != '.') {
        found.push_back(text.substr(begin, i - begin));
      }
    } else {
      ++i;
    }
  }
  return found;
}

assembly_text::assembly_text(std::string_view text)
    : lines(lines_of(text)) {
  std::unordered_set<std::string_view> typed;
  std::string_view section = ".text";
  std::string_view open; // the function that is being read
  function current;
  unsigned descriptions = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (const auto name = label_of(lines[i]); !name.empty()) {
      labels.insert({name, {i, section}});
      if (typed.contains(name)) {
        open = name;
        current = {.label = i};
        descriptions = 0;
      }
      continue;
    }
    if (section.starts_with(".debug") && lines[i].find("section") == std::string_view::npos) {
      continue;
    }
    const auto [name, operands] = instruction_of(lines[i]);
    if (name == ".type" && operands.ends_with("@function")) {
      typed.insert(first_word(operands));
    } else if (name == ".section") {
      section = first_word(operands);
    } else if (name == ".text" || name == ".data" || name == ".bss") {
      section = name;
    } else if (name == ".globl" || name == ".weak") {
      shown.insert(first_word(operands));
    } else if (name == ".file" && !operands.empty() && operands.front() != '"') {
      const auto space = operands.find_first_of(" \t");
      files.insert({operands.substr(0, space), trimmed(operands.substr(space))});
      std::size_t number = 0;
      std::from_chars(operands.data(), operands.data() + space, number);
      last_file = std::max(last_file, number);
    } else if (name == ".cfi_startproc") {
      current.begin = i;
      ++descriptions;
    } else if (name == ".cfi_endproc") {
      current.end = i;
    } else if (name == ".size" && first_word(operands) == open && !open.empty()) {
      current.size = i;
    }
    // g++ says the size last, clang++ the end of the frame.
    if (!open.empty() && current.size != 0 && current.end > current.begin) {
      current.size = std::max(current.size, current.end + 1);
      if (descriptions == 1) {
        functions.insert({open, current});
      }
      open = {};
    }
  }
}

std::vector<std::string_view> assembly_text::calls(const function& f) const {
  std::vector<std::string_view> called;
  for (std::size_t i = f.begin; i < f.end; ++i) {
    const auto [name, operands] = instruction_of(lines[i]);
    const bool jump = name.starts_with('j') || name == "notrack";
    if (!jump && !name.starts_with("call")) {
      continue;
    }
    if (operands.find('*') != std::string_view::npos) {
      called.emplace_back("*");
      continue;
    }
    const auto names = symbols_of(operands);
    if (names.empty()) {
      called.emplace_back("*");
    } else if (!jump || !names.front().starts_with(".L")) {
      called.push_back(names.front());
    }
  }
  return called;
}

} // namespace tilesim::tools
