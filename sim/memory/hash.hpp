// Hashes of what is in memory: fast, not cryptographic, for comparing within one process.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilesim::sim {

[[nodiscard]] inline std::uint64_t mix(std::uint64_t hash, std::uint64_t value) noexcept {
  hash ^= value + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
  hash *= 0xff51afd7ed558ccdU;
  return hash ^ (hash >> 32U);
}

/// In front of functions that read any bytes, also what a sanitizer holds for nobody's.
#if defined(__SANITIZE_ADDRESS__)
#  define TILESIM_READS_ANY_BYTES __attribute__((no_sanitize_address))
#elif defined(__SANITIZE_THREAD__)
#  define TILESIM_READS_ANY_BYTES __attribute__((no_sanitize_thread))
#else
#  define TILESIM_READS_ANY_BYTES
#endif

TILESIM_READS_ANY_BYTES [[nodiscard]] inline std::uint64_t
hash_bytes(std::uint64_t hash, std::uintptr_t from, std::size_t bytes) noexcept {
  // Four at a time do not wait for one another.
  constexpr std::size_t lanes = 4;
  std::uint64_t lane[lanes] = {hash, ~hash, hash + 1, hash + 2};
  using word = std::uint64_t __attribute__((may_alias, aligned(1)));
  const auto* at = reinterpret_cast<const word*>(from);
  std::size_t left = bytes / sizeof(word);
  for (; left >= lanes; left -= lanes, at += lanes) {
    for (std::size_t i = 0; i < lanes; ++i) {
      lane[i] = (lane[i] ^ at[i]) * 0xff51afd7ed558ccdU;
      lane[i] ^= lane[i] >> 29U;
    }
  }
  for (; left > 0; --left, ++at) {
    lane[0] = mix(lane[0], *at);
  }
  const auto* byte = reinterpret_cast<const unsigned char*>(at);
  for (std::size_t i = 0; i < bytes % sizeof(word); ++i) {
    lane[1] = mix(lane[1], byte[i]);
  }
  return mix(mix(lane[0], lane[1]), mix(lane[2], lane[3]));
}

} // namespace tilesim::sim
