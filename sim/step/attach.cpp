// Attaches the agent when the library is loaded into a program that is stepped.
//
// Linked last: the rest of the library is ready by then.
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/agent.hpp"

namespace {

[[gnu::constructor]] void attach_agent() {
  tilesim::sim::step::attach();
}

} // namespace
