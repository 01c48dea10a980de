// Memory that the host program asks the driver for, as cuTile does for its tables of arrays.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace tilesim::sim {
class context;
} // namespace tilesim::sim

namespace tilesim::driver_stand_in {

/// Whoever asks may keep it longer than the check during which he does: it belongs to no run.
/// nullptr: there is none left.
[[nodiscard]] void* take_memory(std::size_t bytes);
/// False: it has not been taken.
bool give_memory_back(void* address);
/// The run's copies and kernels may use what has been taken.
void show_memory(sim::context& c);

} // namespace tilesim::driver_stand_in
