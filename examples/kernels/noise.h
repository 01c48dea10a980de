// Repeatable inputs for the programs in this folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

// Element i of sequence `seed`: a multiple of 1/128 in [-1, 1), so that every floating type here holds it.
inline float noise(std::size_t i, unsigned seed) {
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761U + seed * 40503U + 12345U;
  x ^= x >> 15;
  x *= 2246822519U;
  x ^= x >> 13;
  return static_cast<float>(static_cast<int>(x & 255U) - 128) / 128.0F;
}
