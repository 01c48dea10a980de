// What the readers of litmus tests say of a text that they refuse.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/reader.hpp"

#include <fmt/format.h>

#include <string>

namespace tilesim::memmodel::litmus {

/// "line:column: message"; "" if the text is read.
inline std::string refusal(const std::string& text) {
  try {
    (void)read_test(text);
  } catch (const syntax_error& e) {
    return fmt::format("{}:{}: {}", e.at.line, e.at.column, e.message);
  }
  return "";
}

} // namespace tilesim::memmodel::litmus
