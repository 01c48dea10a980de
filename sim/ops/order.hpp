// In which order reductions, scans and products of matrices combine, where the page leaves it open.
//
// docs/order.md is the description for users.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilesim::sim::ops {

struct combining_order {
  bool random = false;    ///< else the documented fixed order
  std::uint64_t seed = 0; ///< of the random order: each seed stands for one
};

} // namespace tilesim::sim::ops
