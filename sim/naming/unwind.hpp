// The frames of whoever runs: fibers, which know where they end, and host code.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/locals.hpp"

#include <vector>

namespace tilesim::sim::step {

/// The frames of the running fiber or thread, innermost first, from the frame that `site` (a return
/// address) lies in outwards, as long as they have debug information. Frames of
/// tilesim's and the standard library's headers are left out; a fiber's entry ends the walk.
[[nodiscard]] std::vector<frame_registers> walk_frames(const void* site);

/// Where what the standard library does at `site` for the program stands: the user's call, or
/// `site` where it is not the standard library's, or called by tilesim's own headers.
[[nodiscard]] const void* calling_place(const void* site);

/// The place of the frame that walk_frames(site) would begin with, if that is known without
/// walking; nullptr if it is not.
[[nodiscard]] const void* innermost_place(const void* site);

} // namespace tilesim::sim::step
