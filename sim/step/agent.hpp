// The stepper's agent in the program: stops it, answers questions, and forks checkpoints.
//
// Protocol (docs/step.md): JSON lines over the socket named in $TILESIM_STEP. A process says
// "hello", then each stop; while it stands it answers requests; "go" sends it on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim::step {

/// Attaches the agent to the process's simulator if $TILESIM_STEP is set, and stops for the first
/// time. Before main.
void attach();

} // namespace tilesim::sim::step
