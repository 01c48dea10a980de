// Explores the launches of the process's program, if that is asked for: all their executions, and
// the host's code behind them for each memory that they end in.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace tilesim::sim {

class context;

namespace exploring {

/// As $TILESIM_EXPLORE says; without it nothing. [sim/contract/exploration.hpp]
void attach(context& c);

/// What the explored program has returned, which belongs to the state that it ends in.
void tell_returned(std::string_view bytes);

} // namespace exploring

} // namespace tilesim::sim
