// The type of elements as reports call it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <string>

namespace tilesim::sim::step {

/// "i32", "u64", "f16".
[[nodiscard]] inline std::string element_word(const value_type& type) {
  std::string word = name(type.kind);
  if (type.is_unsigned && word[0] == 'i' && type.kind != element::i1) {
    word[0] = 'u';
  }
  return word;
}

} // namespace tilesim::sim::step
