// Blocks of threads: what the threads of one have in common, and where they meet.
//
// A block is there from the start of its first thread to the end of its last.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/thread.hpp"

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim {

struct block_memory; // sim/memory/block_memory.hpp

/// Threads of a block that wait for one another.
struct meeting_point {
  std::vector<sim_thread*> waiting; ///< in the order in which they came
};

/// A block's, with what it counts.
struct block_barrier : meeting_point {
  std::uint32_t in_favour = 0; ///< of those that have come, whose predicate was not zero
  bool one_place = true;       ///< they have come to the same call
};

/// A part's, of threads that follow one another: a tile of several warps.
struct part_barrier : meeting_point {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// What those who have arrived at a barrier had done by then, as the memory engine knows it.
struct done_before {
  done_before() = default;
  virtual ~done_before() = default;
  done_before(const done_before&) = delete;
  done_before& operator=(const done_before&) = delete;
};

/// Where the first lane of a warp has come to a barrier to which all lanes come together.
struct lane_arrival {
  const void* site = nullptr; ///< nullptr: none has
  std::uint32_t rank = 0;
};

/// One whose threads may arrive without waiting, and wait later: a named barrier of PTX's, a
/// cooperative group's. It goes through phases.
struct phased_barrier : meeting_point {
  std::uint32_t number = 0;     ///< which of its block's
  std::uint32_t expected = 0;   ///< arrivals in this phase, in threads; 0: all that have not ended
  std::uint32_t arrived = 0;    ///< so far; where all are expected, of those that have not ended
  std::uint64_t phase = 0;      ///< how many are over
  std::vector<std::uint8_t> by; ///< who has, by number: 0, or how
  std::vector<bool> warps;      ///< whose arrival counts, where so many threads are expected
  std::vector<lane_arrival> aligned;       ///< by warp, in this phase
  std::shared_ptr<const done_before> done; ///< by those that did not wait
  std::shared_ptr<const done_before> last; ///< of the phase before
};

constexpr std::uint32_t warp_size = 32;

struct thread_block {
  launch_state* launch = nullptr;
  std::uint64_t number = 0;         ///< in its launch, x first
  std::uint64_t serial = 0;         ///< another one for each of the run's, from 1
  std::vector<sim_thread*> members; ///< by number; nullptr: has not begun, or has ended
  std::uint32_t begun = 0;
  std::uint32_t ended = 0;
  block_memory* memory = nullptr; ///< nullptr: it has come by no __shared__ variable

  block_barrier barrier;
  std::vector<meeting_point> warps; ///< made when threads of a warp first meet
  std::uint32_t gathering = 0;      ///< threads of them that ask who is active
  std::vector<part_barrier> parts;  ///< made when threads of one first meet
  std::list<phased_barrier> phased; ///< likewise

  [[nodiscard]] std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(members.size());
  }
  [[nodiscard]] bool is_whole() const noexcept { return begun == size(); }
};

/// Threads of a block have met: what each did before it comes before what any of them does after.
struct meeting {
  const thread_block& block;
  std::span<sim_thread* const> threads; ///< in the order of their numbers
  bool all = false;                     ///< the block's, but for those that have ended
  bool warp = false;                    ///< a whole warp's, likewise
  bool grid = false;                    ///< one of each block of a grid, `block` is the last one's
  const void* site = nullptr;           ///< of the last one to come
  const char* what = "";                ///< "__syncthreads"
};

/// "threads 0..31, 64 and 96..127": numbers in order.
[[nodiscard]] std::string ranges_text(std::span<const std::uint32_t> numbers);

} // namespace tilesim::sim
