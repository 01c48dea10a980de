// Where an expression finds names, types and memory.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/expressions/value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilesim::sim::step {

/// Where an expression finds names and memory.
class environment {
public:
  environment() = default;
  virtual ~environment() = default;
  environment(const environment&) = delete;
  environment& operator=(const environment&) = delete;

  /// A variable, a buffer, or `$block`-like quantity (with its dollar sign); nothing if unknown.
  [[nodiscard]] virtual std::optional<value> lookup(std::string_view name) = 0;
  /// What there is instead of a name that nothing has: "outs[0], outs[1]"; empty if nothing is
  /// similar.
  [[nodiscard]] virtual std::string similar(std::string_view /*name*/) { return {}; }
  /// A type of the program's: "myint", "app::point". Nothing if none has the name.
  [[nodiscard]] virtual std::optional<named_type> type_named(std::string_view /*name*/) {
    return std::nullopt;
  }
  /// Copies memory out. False if some of it may not be read.
  [[nodiscard]] virtual bool read(std::uintptr_t address, std::size_t bytes, void* to) = 0;
  /// Adds to a whole expression's value what is known of its elements besides their bits.
  virtual void annotate(value& /*v*/) {}
};

} // namespace tilesim::sim::step
