// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/kernel_names.hpp"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace tilesim::sim {

std::string demangled(const std::string& linkage_name) {
  if (!linkage_name.starts_with("_Z")) {
    return linkage_name; // which the function below may take for a type's
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text{
      abi::__cxa_demangle(linkage_name.c_str(), nullptr, nullptr, &status), std::free};
  return status == 0 ? text.get() : linkage_name;
}

std::string kernel_name(const std::string& symbol) {
  const std::string text = demangled(symbol);
  if (text == symbol) {
    return symbol;
  }
  // "void my::saxpy<float>(float*, (my::kind)1)": outside of brackets, up to the parameters.
  std::string name;
  int depth = 0;
  for (const char c : text) {
    if (c == '(' && depth == 0 && !name.empty()) {
      break;
    }
    depth -= c == '>' ? 1 : 0;
    if (depth == 0 && c != '<' && c != '>') {
      if (c == ' ' || c == ':') {
        name.clear();
      } else {
        name += c;
      }
    }
    depth += c == '<' ? 1 : 0;
  }
  return name;
}

} // namespace tilesim::sim
