// The next multiple.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tilesim::sim {

[[nodiscard]] constexpr std::size_t round_up(std::size_t n, std::size_t to) noexcept {
  return (n + to - 1) / to * to;
}

} // namespace tilesim::sim
