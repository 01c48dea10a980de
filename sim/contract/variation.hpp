// Which operations draw other unspecified values than those of the seed, for a run that is
// compared.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tilesim::sim {

/// How some operations draw other values than those of the seed. [tools/check/unspecified.hpp]
struct variation {
  enum class kind : std::uint8_t {
    none,
    complement, ///< every bit another: comparisons with zero and truth values turn over
    ones,       ///< all bits set: NaN, -1, true
    zeros,
    seed ///< those of another seed
  } how = kind::none;
  std::uint64_t seed = 0;
  std::vector<std::uintptr_t> sites = {}; ///< return addresses of the operations

  [[nodiscard]] bool concerns(const void* site) const noexcept;
};

} // namespace tilesim::sim
