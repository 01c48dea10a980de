// Statistics: an observer that counts.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/observer.hpp"

#include <memory>

namespace tilesim::sim {

/// Counts operations by name, the approximate ones among them, and bytes read and written; prints
/// them to standard error at the end.
[[nodiscard]] std::unique_ptr<observer> make_statistics();

} // namespace tilesim::sim
