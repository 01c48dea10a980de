// The variable by which a program that records is told where to: of whoever starts it, too
// (tools/diff).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::gpu {

inline constexpr const char* recording_variable = "TILESIM_RECORD"; ///< the recording's file

} // namespace tilesim::gpu
