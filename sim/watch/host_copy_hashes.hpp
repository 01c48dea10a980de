// Hashes of what is copied to the host, for runs that are held against each other.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/watcher.hpp"
#include "sim/findings/host_copies.hpp"

#include <memory>

namespace tilesim::sim {

/// Adds each copy from simulated memory to the host to `to`.
[[nodiscard]] std::unique_ptr<watcher> make_host_copy_hashes(host_copies& to);

} // namespace tilesim::sim
