// What is to be done when a process launches for the first time.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"

#include <functional>
#include <memory>

namespace tilesim::sim {

/// Calls `action` where the first launch from now on begins.
[[nodiscard]] std::unique_ptr<watcher> make_first_launch(std::function<void()> action);

} // namespace tilesim::sim
