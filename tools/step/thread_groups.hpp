// Threads of a block that stand at the same: told as one; and blocks that do.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "tools/step/protocol.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tilesim::tools::step {

struct thread_group {
  protocol::live_thread first;
  std::vector<std::uint64_t> numbers; ///< in their block, in order
  std::vector<std::uint64_t> blocks;  ///< theirs, in order: several where they are folded
  std::uint64_t fewest_operations = 0;
  std::uint64_t most_operations = 0;

  /// "threads 1..255 of block (0,0,0)"; of one alone its own name; of several blocks' "tile blocks
  /// 0..199", by the numbers that the prompt takes for blocks.
  [[nodiscard]] std::string name() const;
};

/// In the order of their first threads. Who stands here is told alone, and so are tile blocks.
[[nodiscard]] std::vector<thread_group> grouped(const std::vector<protocol::live_thread>& threads);

/// Those of several blocks of a launch that do the same, as one.
[[nodiscard]] std::vector<thread_group> folded(std::vector<thread_group> groups);

} // namespace tilesim::tools::step
