// A simulated thread: one tile block, or one thread of a SIMT block.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/control.hpp"
#include "sim/core/spin.hpp"
#include "sim/detect/work_order.hpp"

#include <tilesim/launch.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tilesim::sim {

class context;
class fiber;
class coming_read; // sim/memory/read_offers.hpp
struct sim_thread;
struct phased_barrier; // sim/core/thread_block.hpp
struct thread_block;   // sim/core/thread_block.hpp
struct trail_agent;
struct worker;

/// Which thread of a launch starts next.
struct next_start {
  std::uint64_t nth_block = 0; ///< of those that start, in their order
  machine::index3 block{};     ///< its indices, of one of which a thread has started
  machine::index3 thread{};
  std::uint32_t rank = 0; ///< the thread's number in its block

  [[nodiscard]] bool begins_block() const noexcept { return rank == 0; }
  void advance(const dim3& extents) noexcept {
    ++rank;
    if (++thread.x < extents.x) {
      return;
    }
    thread.x = 0;
    if (++thread.y < extents.y) {
      return;
    }
    thread.y = 0;
    if (++thread.z == extents.z) {
      thread.z = 0;
      rank = 0;
      ++nth_block;
    }
  }
};

/// A launch under way.
struct launch_state {
  std::uint64_t id = 0;
  detail::launch_config config{};
  kernel_kind kind{};
  detail::bound_kernel kernel{};
  const void* site = nullptr;
  std::uint64_t blocks = 0;
  std::uint64_t threads_per_block = 1;
  work_order order;               ///< among all work of the host
  std::uint32_t first_agent = 0;  ///< the detector's number of thread 0,
  std::uint32_t first_copier = 0; ///< and of its asynchronous copies; 0: there are none so far
  std::uint64_t started = 0;      ///< threads
  next_start next;
  thread_block* starting = nullptr; ///< of which some threads have started, and not all
  std::uint64_t ended = 0;
  std::vector<sim_thread*> at_grid_barrier; ///< one of each block that has come
  std::shared_ptr<phased_barrier>
      of_grid; ///< made when the first block arrives there, to wait later

  [[nodiscard]] std::uint64_t threads() const noexcept { return blocks * threads_per_block; }
};

/// The number of a block in its grid, or of a thread in its block: x first.
[[nodiscard]] constexpr std::uint64_t linear(const machine::index3& at,
                                             const dim3& extents) noexcept {
  return at.x + (std::uint64_t{extents.x} * (at.y + (std::uint64_t{extents.y} * at.z)));
}

/// Which thread it is, and where it waits for others of its block. All of this is looked at when
/// they meet, so it is one line of a cache.
struct thread_place {
  worker* self = nullptr;       ///< who runs it
  thread_block* team = nullptr; ///< its block; nullptr: a tile block
  machine::index3 thread{};
  std::uint32_t rank = 0;         ///< its number in its block, x first
  const void* meets_at = nullptr; ///< while it waits for others of its block: where,
  const char* meets_by = nullptr; ///< and by what: "__syncthreads"
  std::uint64_t meets_with = 0;   ///< and what it brings along
  std::uint64_t number = 0;       ///< in the order of starts: the scheduler's name for it
};
static_assert(sizeof(thread_place) == 64);

/// Which launch's, and which block's: the same for all threads of one.
struct thread_origin {
  context* owner = nullptr;
  launch_state* launch = nullptr;
  machine::index3 block{};
};

/// What comes of what it does.
struct thread_doings {
  bool at_entry = true;     ///< its kernel has not been entered yet
  bool knows_block = false; ///< it has read its block's index
  bool copies = false; ///< what it accesses plainly is accessed by an asynchronous copy of its own
  std::uint64_t copy_groups = 0; ///< asynchronous copies that it has committed by themselves
  /// The function of libc's that makes its raw accesses has told the engine of one.
  bool in_told_call = false;
  std::uint64_t operations = 0;      ///< tile operations so far: names an operation in a report
  std::uint64_t operations_then = 0; ///< when its turn began
  const void* site = nullptr;        ///< the last operation's return address
  std::uint64_t token = 0; ///< what waits for its last access, of an engine's that takes them
  std::uint64_t strong_reads = 0;       ///< elements; counted where reads may be stale
  std::uint64_t draws = 0;              ///< operations that have drawn what is left open
  mutable trail_agent* trail = nullptr; ///< what it has done, where that is followed
  /// Of raw accesses where they are made, which a library may do for the call that site names.
  const void* access = nullptr;
};

/// What it is about to do; and what of it is seldom looked at.
struct thread_prospects {
  const void* next_site = nullptr;      ///< under control: the operation that it is about to begin,
  const char* next_operation = nullptr; ///< and its name,
  step_kind next_kind{};                ///< and its kind
  const coming_read* next_read = nullptr; ///< and what it strongly reads; nullptr: nothing
  const void* next_access = nullptr;      ///< where it is made, as `access`
  std::uint64_t run_operation = 0; ///< under control: the last one's number in the run, from 1
  /// The exception that it has begun to throw: the host's memory, but its own.
  std::uintptr_t exception = 0;
  std::size_t exception_bytes = 0;
};

/// Of a thread, what is as it was when the thread begins.
struct thread_facts : thread_place, thread_origin, thread_doings, thread_prospects {
  fiber* stack = nullptr; ///< whose stack it runs on
};

struct sim_thread : thread_facts {
  spin_detector spin;

  /// Its block's number in the launch, x first.
  [[nodiscard]] std::uint64_t linear_block() const noexcept {
    return linear(block, launch->config.grid);
  }
  /// Its own number in the launch: block by block, x first.
  [[nodiscard]] std::uint64_t linear_thread() const noexcept {
    return (linear_block() * launch->threads_per_block) + rank;
  }

  /// "tile block (1,0,0)", with the thread for SIMT kernels.
  [[nodiscard]] std::string name() const;
};

} // namespace tilesim::sim
