// Reads and writes make's syntax: blanks separate, a backslash escapes, a dollar is doubled.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/dependencies.hpp"

namespace tilesim::driver {

std::vector<std::string> parse_dependencies(std::string_view makefile) {
  std::vector<std::string> files;
  std::string word;
  const auto finish = [&] {
    if (!word.empty()) {
      files.push_back(std::move(word));
    }
    word.clear();
  };
  const auto colon = makefile.find(": ");
  auto at = colon == std::string_view::npos ? makefile.size() : colon + 1;
  for (; at < makefile.size() && makefile[at] != '\n'; ++at) {
    const char c = makefile[at];
    const char next = at + 1 < makefile.size() ? makefile[at + 1] : '\0';
    if (c == '\\' && next == '\n') {
      finish();
      ++at;
    } else if ((c == '\\' && (next == ' ' || next == '#' || next == '\\')) ||
               (c == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (c == ' ' || c == '\t') {
      finish();
    } else {
      word += c;
    }
  }
  finish();
  return files;
}

std::string format_dependencies(const std::string& target, const std::vector<std::string>& inputs) {
  const auto escaped = [](const std::string& path) {
    std::string text;
    for (const char c : path) {
      if (c == ' ' || c == '#') {
        text += '\\';
      } else if (c == '$') {
        text += '$';
      }
      text += c;
    }
    return text;
  };
  std::string text = escaped(target) + ":";
  for (const auto& input : inputs) {
    text += " \\\n  " + escaped(input);
  }
  return text + '\n';
}

} // namespace tilesim::driver
