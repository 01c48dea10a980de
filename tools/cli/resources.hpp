// What of this machine a process may use: processors and memory, as containers and groups allow.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tilesim::tools {

/// How many processors this process may use: those of its affinity, and no more than the quota of
/// its control group; at least one.
[[nodiscard]] std::size_t usable_processors(const std::string& root = "");

/// Bytes that programs can take now without making others swap; the largest number if nobody knows.
/// `root` is where /proc and /sys lie.
[[nodiscard]] std::uint64_t available_memory(const std::string& root = "");

} // namespace tilesim::tools
