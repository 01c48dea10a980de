// The low bytes of a value.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::memmodel::explore {

[[nodiscard]] constexpr std::uint64_t low_bytes(std::uint64_t value, std::uint32_t bytes) noexcept {
  return bytes >= sizeof value ? value : value & ((std::uint64_t{1} << (8 * bytes)) - 1);
}

} // namespace tilesim::memmodel::explore
