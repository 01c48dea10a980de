// __shared__ variables of kernels, by the program's symbols.
//
// Without hooks nobody sees them accessed, and the host compiler takes them for each thread's own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/shared_variables.hpp"

#include "sim/debug_info/debug_info.hpp"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace tilesim::sim {

namespace {

/// Without what stands in a last pair of brackets: "k<int>" is "k".
std::string_view without_last(std::string_view text, char open, char close) {
  if (!text.ends_with(close)) {
    return text;
  }
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    depth += text[i] == close ? 1 : text[i] == open ? -1 : 0;
    if (depth == 0) {
      return text.substr(0, i);
    }
  }
  return text;
}

/// "k" of "void ns::k<int>".
std::string_view last_name(std::string_view function) {
  function = without_last(function, '<', '>');
  const auto before = function.find_last_of(": *&");
  return before == std::string_view::npos ? function : function.substr(before + 1);
}

std::string demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), std::free};
  return status == 0 ? text.get() : "";
}

const std::vector<local_variable>& thread_local_variables() {
  static const std::vector<local_variable> all = [] {
    std::vector<local_variable> found;
    for_each_thread_local_symbol([&](const char* symbol) {
      if (auto v = local_variable_of(demangled(symbol)); !v.function.empty()) {
        found.push_back(std::move(v));
      }
    });
    return found;
  }();
  return all;
}

} // namespace

local_variable local_variable_of(std::string_view demangled) {
  const auto at = demangled.rfind("::");
  if (at == std::string_view::npos) {
    return {};
  }
  const std::string_view function = without_last(demangled.substr(0, at), '(', ')');
  return {std::string(last_name(function)), std::string(demangled.substr(at + 2))};
}

std::vector<std::string> shared_variables_of(std::string_view kernel) {
  std::vector<std::string> names;
  for (const local_variable& v : thread_local_variables()) {
    if (v.function == last_name(kernel) && std::ranges::find(names, v.name) == names.end()) {
      names.push_back(v.name);
    }
  }
  return names;
}

} // namespace tilesim::sim
