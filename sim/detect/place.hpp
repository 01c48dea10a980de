// Where agents run, as far as scopes ask.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/detect/clock.hpp"

namespace tilesim::sim::detect {

/// Where an agent runs, as far as scopes ask. There is one device.
struct place {
  agent_id block = 0; ///< number of the first agent of its block; the host is one block
  bool alone = true;  ///< its block has no other agent
  bool host = false;
  bool fences = false; ///< it may perform fences: blocks of tile kernels cannot
};

[[nodiscard]] constexpr bool holds_device(memmodel::scope s) noexcept {
  return s == memmodel::scope::gpu || s == memmodel::scope::sys;
}

/// Whether the scopes of two strong operations include each other's agents.  [PTX: morally strong]
[[nodiscard]] constexpr bool
mutual(const place& a, memmodel::scope sa, const place& b, memmodel::scope sb) noexcept {
  if (a.host != b.host) {
    return sa == memmodel::scope::sys && sb == memmodel::scope::sys;
  }
  return a.block == b.block || (holds_device(sa) && holds_device(sb));
}

} // namespace tilesim::sim::detect
