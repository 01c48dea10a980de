// Threads of a block that meet: at the block's barrier, and warp by warp.
//
// A thread that comes waits until all are there whom it waits for, and then all go on. One that
// ends is waited for no longer.  [PTX: barrier.sync; CUDA C++ Programming Guide: Independent Thread
// Scheduling]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_warp.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace tilesim::sim {

struct sim_thread;
class context;

/// What a person calls them, in the order of detail::vote and of detail::warp_operation.
inline constexpr std::array barrier_names{
    "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"};
/// The block's barrier, to which threads may come from different places.  [PTX: barrier without
/// .aligned]
inline constexpr const char* unaligned_barrier_name = "barrier.sync";
inline constexpr const char* grid_barrier_name = "grid_group::sync";
inline constexpr std::array warp_names{"__syncwarp",
                                       "__ballot_sync",
                                       "__all_sync",
                                       "__any_sync",
                                       "__shfl_sync",
                                       "__shfl_up_sync",
                                       "__shfl_down_sync",
                                       "__shfl_xor_sync",
                                       "__match_any_sync",
                                       "__match_all_sync",
                                       "__reduce_add_sync",
                                       "__reduce_min_sync",
                                       "__reduce_max_sync",
                                       "__reduce_min_sync",
                                       "__reduce_max_sync",
                                       "__reduce_and_sync",
                                       "__reduce_or_sync",
                                       "__reduce_xor_sync",
                                       "__activemask"};

/// What a barrier has counted.
struct barrier_count {
  std::uint32_t threads = 0;
  std::uint32_t in_favour = 0; ///< whose predicate was not zero
};

/// The running thread, of a block of threads, comes to its block's barrier; goes on when all have.
barrier_count meet_block(sim_thread& t, const void* site, const char* what, bool in_favour);

/// Whether the thread stands for its block where one of each block is asked: the first that lives.
[[nodiscard]] bool stands_for_block(const sim_thread& t);

/// The same of a part of its block: of the `count` threads from number `first` on.
void meet_part(
    sim_thread& t, const void* site, const char* what, std::uint32_t first, std::uint32_t count);

/// The running thread takes part in an operation of its warp; goes on when all lanes that its mask
/// names have come.
void meet_warp(sim_thread& t, const void* site, const char* what, detail::warp_request& r);

/// The running thread, of a cooperative launch, comes to its grid's barrier. Its block meets first,
/// one of it then meets those of the others, and the block meets again.
void meet_grid(sim_thread& t, const void* site, const char* what);

/// The mask that a thread has given which waits for lanes of its warp; nothing: it waits otherwise.
[[nodiscard]] std::optional<std::uint32_t> mask_of_meeting(const sim_thread& t);

/// Whether two calls stand at one place in the source.
[[nodiscard]] bool is_one_place(const void* a, const void* b);

/// Whether two threads that wait do so at one place in the source.
[[nodiscard]] bool meet_at_one_place(const sim_thread& a, const sim_thread& b);

/// What the running thread does next is an operation of its block's or warp's: who watches or
/// holds the reins is asked, and limits are looked at. Ends the run where there is no such thread.
[[nodiscard]] sim_thread& begin_meeting(const void* site, const char* what);

/// Whether the running thread runs alone, to be explored.
[[nodiscard]] bool is_explored(const sim_thread& t);

/// It does, and what it does takes more than that.
void refuse_to_explore(sim_thread& t,
                       const void* site,
                       const std::string& what,
                       const char* why = "who takes part is a matter of turns");

/// The running thread is of no block: ends the run. `what` uses one.
[[noreturn]] void refuse_without_block(const void* site, const std::string& what);

} // namespace tilesim::sim
