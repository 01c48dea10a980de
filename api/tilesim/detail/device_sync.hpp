// Barriers, fences, clocks and traps of `__global__` code. Warps are in device_warp.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_access.hpp>
#include <tilesim/detail/device_warp.hpp>
#include <tilesim/detail/machine.hpp>
#include <tilesim/detail/ptx.hpp>

namespace tilesim::detail {

/// __trap(): ends the launch as an error of the program's own making.
[[noreturn]] TILESIM_EXPORT void trap() noexcept;
/// The running kernel asks for what this release does not have, by that name.
[[noreturn]] TILESIM_EXPORT void not_simulated(const char* what, const char* instead) noexcept;
TILESIM_EXPORT long long ticks() noexcept;

/// What the threads that meet at a barrier are asked.
enum class vote : unsigned char { none, count, all, any };
/// The block's barrier. What it gives: how many predicates were not zero, whether all were, or any.
TILESIM_EXPORT int block_barrier(vote how, int predicate) noexcept;
/// The block's barrier of that number, for `count` threads, 0: all. Whether the thread waits there.
TILESIM_EXPORT void named_barrier(unsigned number, unsigned count, bool waits) noexcept;
/// The thread arrives at its block's barrier, or its grid's: what it is to wait for.
TILESIM_EXPORT unsigned long long arrive_at_barrier(bool of_grid) noexcept;
TILESIM_EXPORT void wait_at_barrier(bool of_grid, unsigned long long arrived) noexcept;
/// The `count` threads of the block from number `first` on, which the running one is among, meet.
TILESIM_EXPORT void part_barrier(unsigned first, unsigned count) noexcept;
/// All threads of the grid, of a launch that is cooperative, meet.
TILESIM_EXPORT void grid_barrier() noexcept;
TILESIM_EXPORT bool launch_is_cooperative() noexcept;

/// Whether a kernel runs, and not the host's code.
[[nodiscard]] TILESIM_EXPORT bool in_kernel() noexcept;
/// Which of the two bodies of a function for host and device runs. A constant is the host's.
[[nodiscard]] constexpr bool in_device_code() noexcept {
  return !__builtin_is_constant_evaluated() && in_kernel();
}
/// Where a condition of a graph lies; ends the run where the handle is none.
[[nodiscard]] TILESIM_EXPORT unsigned* condition_of(unsigned long long handle) noexcept;

} // namespace tilesim::detail

/// What conditional nodes that come after the kernel are asked.
TILESIM_API void cudaGraphSetConditional(unsigned long long handle, unsigned int value) {
  ::tilesim::detail::atomic_store(::tilesim::detail::condition_of(handle),
                                  value,
                                  ::tilesim::detail::order::relaxed,
                                  ::tilesim::detail::scope::device);
}

TILESIM_API void __syncthreads() {
  ::tilesim::detail::block_barrier(::tilesim::detail::vote::none, 0);
}
TILESIM_API int __syncthreads_count(int predicate) {
  return ::tilesim::detail::block_barrier(::tilesim::detail::vote::count, predicate);
}
TILESIM_API int __syncthreads_and(int predicate) {
  return ::tilesim::detail::block_barrier(::tilesim::detail::vote::all, predicate);
}
TILESIM_API int __syncthreads_or(int predicate) {
  return ::tilesim::detail::block_barrier(::tilesim::detail::vote::any, predicate);
}

// Named barriers of a block, or of a part of it.
TILESIM_API void __barrier_sync(unsigned id) {
  ::tilesim::detail::named_barrier(id, 0, true);
}
TILESIM_API void __barrier_sync_count(unsigned id, unsigned threads) {
  ::tilesim::detail::named_barrier(id, threads, true);
}

// Clusters.
namespace tilesim::detail {
[[noreturn]] TILESIM_API void no_cluster(const char* what) {
  not_simulated(what, "let blocks work by themselves, or meet through global memory");
}
} // namespace tilesim::detail
TILESIM_API void __cluster_barrier_arrive() {
  ::tilesim::detail::no_cluster("a cluster's barrier (__cluster_barrier_arrive)");
}
TILESIM_API void __cluster_barrier_arrive_relaxed() {
  ::tilesim::detail::no_cluster("a cluster's barrier (__cluster_barrier_arrive_relaxed)");
}
TILESIM_API void __cluster_barrier_wait() {
  ::tilesim::detail::no_cluster("a cluster's barrier (__cluster_barrier_wait)");
}
TILESIM_API void* __cluster_map_shared_rank(const void* /*at*/, unsigned /*rank*/) {
  ::tilesim::detail::no_cluster("another block's shared memory (__cluster_map_shared_rank)");
}

TILESIM_API void __threadfence_block() {
  ::tilesim::detail::fence(::tilesim::detail::order::seq_cst, ::tilesim::detail::scope::block);
}
TILESIM_API void __threadfence() {
  ::tilesim::detail::fence(::tilesim::detail::order::seq_cst, ::tilesim::detail::scope::device);
}
TILESIM_API void __threadfence_system() {
  ::tilesim::detail::fence(::tilesim::detail::order::seq_cst, ::tilesim::detail::scope::system);
}

[[noreturn]] TILESIM_API void __trap() {
  ::tilesim::detail::trap();
}
TILESIM_API void __brkpt() {}
TILESIM_API void __prof_trigger(int) {}
TILESIM_API void __nanosleep(unsigned) {}
TILESIM_API long long clock64() {
  return ::tilesim::detail::ticks();
}
