// The runtime's state is made with the first call and goes with its context.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/state.hpp"

namespace tilesim::sim {

runtime_state& runtime_state::of(context& c) {
  // Two host threads may make their first call at once.
  static std::mutex making;
  const std::lock_guard lock(making);
  if (c.runtime == nullptr) {
    c.runtime = std::make_shared<runtime_state>(c);
  }
  return *c.runtime;
}

} // namespace tilesim::sim
