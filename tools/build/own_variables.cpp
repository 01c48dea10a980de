// By what stands before a name in the program's text.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/build/own_variables.hpp"

#include "tools/cli/files.hpp"
#include "tools/cli/scanner.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <set>
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

/// "x" of "n::x" and of "n::x(int)".
std::string last_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? demangled.get() : symbol;
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

} // namespace tilesim::tools
