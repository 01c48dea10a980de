// Words of orders and scopes: PTX's, and those of C++ and cuda::tiles. Whoever reads or writes one
// of these languages takes them from here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace tilesim::memmodel {

/// As PTX spells it.  [PTX: .sem]
[[nodiscard]] constexpr const char* ptx_word(memory_order o) noexcept {
  constexpr const char* words[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
  return words[static_cast<std::size_t>(o)];
}

/// [PTX: .scope]
[[nodiscard]] constexpr const char* ptx_word(scope s) noexcept {
  constexpr const char* words[] = {"cta", "cluster", "gpu", "sys"};
  return words[static_cast<std::size_t>(s)];
}

/// As C++ spells it, and cuda::tiles as far as it has them.
[[nodiscard]] constexpr const char* cpp_word(memory_order o) noexcept {
  constexpr const char* words[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "seq_cst"};
  return words[static_cast<std::size_t>(o)];
}

/// As cuda::tiles spells it, which has no clusters.
[[nodiscard]] constexpr const char* cpp_word(scope s) noexcept {
  constexpr const char* words[] = {"block", "device", "device", "system"};
  return words[static_cast<std::size_t>(s)];
}

/// Which of these has that word; nothing: none has.
template <class T>
[[nodiscard]] constexpr std::optional<T> with_word(std::string_view text,
                                                   const char* (*word_of)(T) noexcept,
                                                   std::initializer_list<T> among) noexcept {
  for (const T t : among) {
    if (word_of(t) == text) {
      return t;
    }
  }
  return {};
}

} // namespace tilesim::memmodel
