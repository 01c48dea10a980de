// A module as text, as NVIDIA's disassembler writes it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <string>

namespace tilesim::tileir {

struct print_options {
  /// Behind each operation, where it stands in the source: "// saxpy.py:12:8".
  bool places = false;
};

[[nodiscard]] std::string print(const module& m, const print_options& options = {});

/// A memory order, a scope, a mode of an atomic operation, a rounding: Tile IR's word.
[[nodiscard]] const char* order_name(unsigned order) noexcept;
[[nodiscard]] const char* scope_name(unsigned scope) noexcept;
[[nodiscard]] const char* mode_name(unsigned mode) noexcept;
[[nodiscard]] const char* rounding_name(unsigned rounding) noexcept;

} // namespace tilesim::tileir
