// Which functions of a program are kernels, as far as its text shows.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/lexer.hpp"

#include <string_view>
#include <unordered_set>

namespace tilesim::driver {

class kernel_names {
public:
  explicit kernel_names(const lexed& source);

  /// "tile", "simt", or "unknown" where the name is declared as both or as neither: an enumerator
  /// of tilesim::kernel_kind.
  [[nodiscard]] std::string_view kind_of(std::string_view name) const;

private:
  using names = std::unordered_set<std::string_view>;

  void scan(const lexed& source, const std::vector<token>& tokens);

  names tile_, simt_;
  // Macros that stand for a specifier: #define KERNEL static __tile_global__ void
  names tile_specifiers_{"__tile_global__"}, simt_specifiers_{"__global__"};
};

} // namespace tilesim::driver
