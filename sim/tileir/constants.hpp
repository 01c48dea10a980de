// The elements of a constant. [Tile IR bytecode, constants]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <cstdint>
#include <span>

namespace tilesim::tileir {

/// The bytes of a constant as elements of a type of numbers: one, which stands for all, or `count`.
class elements {
public:
  elements(std::span<const std::uint8_t> bytes, number of, std::size_t count) noexcept;

  /// False: there are neither one nor `count` of them.
  [[nodiscard]] bool fit() const noexcept { return fit_; }
  /// One stands for all.
  [[nodiscard]] bool splat() const noexcept { return splat_; }
  /// The bits of element i, and zeros above them.
  [[nodiscard]] std::uint64_t operator[](std::size_t i) const noexcept;

private:
  std::span<const std::uint8_t> bytes_;
  number of_;
  unsigned width_;
  bool splat_;
  bool fit_;
};

/// The value of a floating-point number's bits, exactly.
[[nodiscard]] double to_double(number of, std::uint64_t bits) noexcept;

} // namespace tilesim::tileir
