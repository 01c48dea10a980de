// Reads and writes make's syntax: blanks separate, a backslash escapes, a dollar is doubled.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/dependencies.hpp"

#include <filesystem>
#include <set>

namespace tilesim::tools {

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

std::vector<std::string> include_folders(const std::string& source,
                                         const std::vector<std::string>& words) {
  std::vector<std::string> folders{std::filesystem::path(source).parent_path().string()};
  for (const std::string_view option : {"-iquote", "-I", "-isystem", "-idirafter"}) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == option && i + 1 < words.size()) {
        folders.push_back(words[++i]);
      } else if (words[i].starts_with(option) && words[i] != option) {
        folders.push_back(words[i].substr(option.size()));
      }
    }
  }
  return folders;
}

namespace {

namespace fs = std::filesystem;

/// `file` as it is named below `folder`; empty: it does not lie there.
std::string below(const fs::path& folder, const fs::path& file) {
  auto name = file.lexically_relative(folder.empty() ? fs::path(".") : folder);
  return name.empty() || *name.begin() == ".." || name == "." ? std::string() : name.string();
}

} // namespace

std::vector<std::string> absent_headers(const std::vector<std::string>& inputs,
                                        const std::vector<std::string>& folders) {
  std::vector<fs::path> searched;
  searched.reserve(folders.size());
  for (const auto& folder : folders) {
    searched.push_back(fs::path(folder).lexically_normal());
  }
  std::set<std::string> absent;
  std::error_code error; // what cannot be looked at, the preprocessor cannot read
  for (const auto& input : inputs) {
    const auto file = fs::path(input).lexically_normal();
    for (std::size_t at = 1; at < searched.size(); ++at) {
      const auto name = below(searched[at], file);
      for (std::size_t before = 0; before < at && !name.empty(); ++before) {
        if (const auto other = searched[before] / name; !fs::exists(other, error)) {
          absent.insert(other.string());
        }
      }
    }
  }
  return {absent.begin(), absent.end()};
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

} // namespace tilesim::tools
