// By what stands before a name in the program's text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/own_variables.hpp"

#include "tools/cli/files.hpp"
#include "tools/cli/scanner.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>

namespace tilesim::tools {

namespace {

/// The names in a linker's complaints: ld's, gold's and lld's.
std::set<std::string> twice_defined(std::string_view output) {
  std::set<std::string> names;
  for (const std::string_view before :
       {"multiple definition of `", "multiple definition of '", "duplicate symbol: "}) {
    for (auto at = output.find(before); at != std::string_view::npos;
         at = output.find(before, at + 1)) {
      const auto begin = at + before.size();
      const auto end = output.find_first_of("'\n", begin);
      names.emplace(output.substr(begin, end - begin));
    }
  }
  return names;
}

std::string demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z")) {
    return symbol; // which may be a type's: "v" is void
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : symbol;
}

/// "x" of "n::x" and of "n::x(int)".
std::string last_name(const std::string& symbol) {
  std::string name = demangled(symbol);
  name = name.substr(0, name.find_first_of("(<["));
  const auto colons = name.rfind("::");
  return colons == std::string::npos ? name : name.substr(colons + 2);
}

/// Is there a declaration of that name for the device alone? A declaration begins behind what ends
/// the one before.
bool declares_for_device(std::string_view text, const std::string& name) {
  const auto has = [](std::string_view where, std::string_view word) {
    return where.find(word) != std::string_view::npos;
  };
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at != 0 && is_name(text[at - 1])) || (end < text.size() && is_name(text[end]))) {
      continue;
    }
    const auto before = at == 0 ? std::string_view::npos : text.find_last_of(";{}", at - 1);
    const auto begin = before == std::string_view::npos ? 0 : before + 1;
    const std::string_view declaration = text.substr(begin, at - begin);
    if ((has(declaration, "__device__") || has(declaration, "__constant__") ||
         has(declaration, "__managed__")) &&
        !has(declaration, "__host__") && !has(declaration, "__global__")) {
      return true;
    }
  }
  return false;
}

/// "x" of "n::x<int>", of "s<int>::x" and of what says whether they are initialised. Empty: a
/// function's own variable, the standard library's, or none.
std::string name_of_merged(const std::string& symbol) {
  std::string name = demangled(symbol);
  constexpr std::string_view guard = "guard variable for ";
  if (name.starts_with(guard)) {
    name.erase(0, guard.size());
  }
  if (name.find_first_of("( ") < name.find('<') || name.find(")::") != std::string::npos ||
      name.starts_with("std::")) {
    return {};
  }
  std::size_t depth = 0;
  std::string last;
  for (const char c : name) {
    depth += c == '<' ? 1 : 0;
    if (depth == 0 && c == ':') {
      last.clear();
    } else if (depth == 0) {
      last += c;
    }
    depth -= c == '>' && depth != 0 ? 1 : 0;
  }
  return last;
}

/// Those of several objects.
std::vector<std::string> in_several(const std::vector<merged_symbols>& objects,
                                    std::set<std::string> merged_symbols::*which) {
  std::map<std::string, std::size_t> counts;
  for (const merged_symbols& object : objects) {
    for (const std::string& name : object.*which) {
      ++counts[name];
    }
  }
  std::vector<std::string> names;
  for (const auto& counted : counts) {
    const std::string& name = counted.first;
    if (counted.second > 1 && std::ranges::none_of(objects, [&](const merged_symbols& object) {
          return object.missing.contains(name);
        })) {
      names.push_back(name);
    }
  }
  return names;
}

} // namespace

std::vector<std::string> defined_by_several_sources(const std::string& output,
                                                    const std::vector<std::string>& inputs) {
  const std::set<std::string> names = twice_defined(output);
  std::set<std::string> of_device;
  for (const std::string& input : inputs) {
    if (of_device.size() == names.size()) {
      break;
    }
    const std::string text = read_file(input).value_or("");
    for (const std::string& name : names) {
      if (declares_for_device(text, last_name(name))) {
        of_device.insert(name);
      }
    }
  }
  return of_device.size() == names.size()
             ? std::vector<std::string>(of_device.begin(), of_device.end())
             : std::vector<std::string>();
}

merged_symbols listed_symbols(const std::string& listing) {
  merged_symbols all;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos || blank + 1 == line.size()) {
      continue;
    }
    const std::string name = line.substr(0, blank);
    switch (line[blank + 1]) {
    case 'u':
    case 'V':
      all.variables.insert(name);
      break;
    case 'W':
    case 'n': // a group's name that is no function's: of constructors, which are two
      all.functions.insert(name);
      break;
    case 'U':
    case 'v':
    case 'w':
      all.missing.insert(name);
      break;
    default:
      break;
    }
  }
  return all;
}

std::vector<std::string> own_merged_symbols(const std::vector<merged_symbols>& objects,
                                            const std::vector<std::string>& inputs) {
  std::map<std::string, std::vector<std::string>> several; // by the name in the text
  for (const std::string& symbol : in_several(objects, &merged_symbols::variables)) {
    if (std::string name = name_of_merged(symbol); !name.empty()) {
      several[name].push_back(symbol);
    }
  }
  std::vector<std::string> own;
  for (const std::string& input : inputs) {
    if (several.empty()) {
      break;
    }
    const std::string text = read_file(input).value_or("");
    std::erase_if(several, [&](const auto& one) {
      const bool is_own = declares_for_device(text, one.first);
      if (is_own) {
        own.insert(own.end(), one.second.begin(), one.second.end());
      }
      return is_own;
    });
  }
  return own;
}

std::vector<std::string> merged_functions(const std::vector<merged_symbols>& objects) {
  return in_several(objects, &merged_symbols::functions);
}

} // namespace tilesim::tools
