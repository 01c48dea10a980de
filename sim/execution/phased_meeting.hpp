// Barriers at which a thread may arrive without waiting: PTX's named ones, and cooperative groups
// whose threads arrive at once and wait later.
//
// A barrier goes through phases; one is over when all arrivals have come that it expects. What the
// threads had done by their arrivals comes before what those do that have waited.  [PTX: barrier]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace tilesim::sim {

struct sim_thread;

/// PTX's barriers of a block.  [PTX: barrier, "a logical barrier resource … with value 0 through
/// 15"]
inline constexpr std::uint32_t named_barriers = 16;

/// How a thread comes to a named barrier.
enum class coming : std::uint8_t { sync, arrive };

/// The running thread comes to its block's barrier of that number: `count` threads are expected, a
/// multiple of a warp's; 0: all of the block. Goes on at once, or when the phase is over.
/// `aligned`: all come to one place.
void meet_named(sim_thread& t,
                const void* site,
                std::uint32_t number,
                std::uint32_t count,
                coming how,
                bool aligned);

/// The running thread arrives at the barrier of its block, or of its grid, where it will wait
/// later: the phase that it is to wait for.
[[nodiscard]] std::uint64_t arrive_in_block(sim_thread& t, const void* site);
[[nodiscard]] std::uint64_t arrive_in_grid(sim_thread& t, const void* site);
/// It waits until that phase is over.
void wait_in_block(sim_thread& t, const void* site, std::uint64_t phase);
void wait_in_grid(sim_thread& t, const void* site, std::uint64_t phase);

/// "32 of 64 threads have come", of a thread that waits at a barrier with a number; else empty.
[[nodiscard]] std::string arrivals_at_meeting(const sim_thread& t);

} // namespace tilesim::sim
