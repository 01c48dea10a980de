// Statistics: an observer that counts.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"

#include <functional>
#include <memory>
#include <string>

namespace tilesim::sim {

/// Counts operations by name, the approximate ones among them, and bytes read and written; prints
/// them to standard error at the end, with what `engine` says of itself.
[[nodiscard]] std::unique_ptr<watcher> make_statistics(std::function<std::string()> engine);

} // namespace tilesim::sim
