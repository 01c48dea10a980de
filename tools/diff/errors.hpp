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

/// Of a recording without a launch: throws failure (3) where a call says that there was no device,
/// or no driver for it. `where`: of the recording.
void refuse_idle(const machine& where, const std::vector<gpu::error_event>& errors);

} // namespace tilesim::tools::diff
