// What CUDA calls returned where a program was recorded.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu_backend/container/events.hpp"
#include "tools/diff/report.hpp"

#include <vector>

namespace tilesim::tools::diff {

/// The errors of a recording that a simulation is held against: a note each; one that tells that a
/// kernel failed there, unless the simulator has found why it would.
void note_errors(report& into, const std::vector<gpu::error_event>& there);

/// The same of two recordings: what one alone has.
void note_errors(report& into,
                 const std::vector<gpu::error_event>& here,
                 const std::vector<gpu::error_event>& there);

} // namespace tilesim::tools::diff
