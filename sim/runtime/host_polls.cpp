// What has been launched goes on while the host polls.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/host_polls.hpp"

#include "sim/core/context.hpp"
#include "sim/runtime/entry.hpp"

namespace tilesim::sim {

void let_work_go_on(const void* site) {
  if (!context::current().running_function) { // that must not call the runtime
    entry(site).state.work.advance();
  }
}

} // namespace tilesim::sim
