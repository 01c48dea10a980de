// Masks of memory operations, as a front door gives them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

/// Whether element i is accessed. One element stands for all; nullptr: all are.
[[nodiscard]] inline bool is_active(const machine::in* mask, std::size_t i) noexcept {
  return mask == nullptr ||
         static_cast<const std::uint8_t*>(mask->data)[mask->type->count == 1 ? 0 : i] != 0;
}

} // namespace tilesim::sim
