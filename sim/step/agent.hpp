// The stepper's agent in the program: stops it, answers questions, and forks checkpoints.
//
// By the protocol of docs/step-protocol.md, over the socket that $TILESIM_STEP names.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim::step {

/// Attaches the agent to the process's simulator if $TILESIM_STEP is set, and stops for the first
/// time. Before main.
void attach();

} // namespace tilesim::sim::step
