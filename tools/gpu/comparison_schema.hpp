// What version of JSON `tilesim diff` writes and `tilesim gpu compact` reads [docs/diff.md].
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::tools::gpu_tool {

/// Raised when a field changes its meaning or goes away; new ones may come at any time.
inline constexpr int comparison_schema = 2;

} // namespace tilesim::tools::gpu_tool
