// Raw accesses that the compiler reports.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/faults.hpp"

#include <cstddef>

namespace tilesim::sim {

/// `bytes` at `pointer` are about to be accessed by the instruction after `site`: checked against
/// the registry, shown to the observers, and a poll if it is one. Ends the run for a bad address.
void raw_access(const void* pointer,
                std::size_t bytes,
                access_kind kind,
                const void* site) noexcept;

} // namespace tilesim::sim
