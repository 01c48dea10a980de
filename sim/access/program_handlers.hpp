// Signal handlers of the program's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

/// Whether this thread runs a handler that hooked code has installed.
[[nodiscard]] bool in_program_handler() noexcept;

} // namespace tilesim::sim
