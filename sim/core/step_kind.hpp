// What kind of operation a thread is about to begin.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim {

enum class step_kind : std::uint8_t {
  compute, ///< one of the machine's that accesses no memory
  memory,  ///< one of the machine's that does
  raw,     ///< an access that is none of the machine's: `p[i]`, an atomic of `__global__` code
};

} // namespace tilesim::sim
