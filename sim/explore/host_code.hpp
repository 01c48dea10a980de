// A process in which the host's code goes on behind a final memory: waiting for it.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <sys/types.h>

namespace tilesim::sim::exploring {

/// Its status, as waitpid gives it. Nothing: it was ended, as `expired` said so and it did not come
/// to its end itself; while it `tells` what it has explored, it is let do so.
[[nodiscard]] std::optional<int> await_host_code(pid_t child,
                                                 const std::function<bool()>& expired,
                                                 const std::function<bool()>& tells);

} // namespace tilesim::sim::exploring
