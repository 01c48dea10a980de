// Who waits, runs or may go on, in words: blocks, or threads of blocks.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace tilesim::sim {

struct launch_state;
struct worker;

/// A thread of a launch, to be counted.
struct counted_thread {
  const launch_state* launch = nullptr;
  std::uint64_t linear = 0; ///< its number there
};

/// "block (0,0,0)": its block.
[[nodiscard]] std::string block_text_of(const counted_thread& t);

/// "3 blocks", "31 threads of block (0,0,0)", "64 threads of 2 blocks", "1 block and 4 threads of
/// block (0,0,0)": threads where a block has several.
[[nodiscard]] std::string count_text(const std::vector<counted_thread>& all);
[[nodiscard]] std::string count_text(const std::vector<const worker*>& all);

/// "thread" if each is one of several of its block, else "block".
[[nodiscard]] const char* noun_of(const std::vector<counted_thread>& all);
[[nodiscard]] const char* noun_of(const std::vector<const worker*>& all);

/// Which commands see more than this run does, of code that stands there: that of an interpreter
/// is compiled by nobody, with hooks or without.
[[nodiscard]] const char* see_all_accesses(const void* site);

/// The order in which they are told: by launch and number.
[[nodiscard]] std::tuple<std::uint64_t, std::uint64_t> in_order_of_launch(const worker* w);

} // namespace tilesim::sim
