// Dependencies by value: which reads settle a write, whatever the others return.
//
// A set of a run's reads settles a write of it if every run of the thread in which these reads
// return the same performs it, too: a write of the same value to the same place, with the same
// order and scope. A branch whose two ways do the same, or a product with 0, thus asks for no read.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/traces.hpp"

#include <map>
#include <utility>
#include <vector>

namespace tilesim::memmodel::litmus {

class grounds {
public:
  /// Of traces that outlive it.
  explicit grounds(const thread_traces& all)
      : all_(all) {}

  /// The smallest sets that settle event `write` of a trace of the thread; all that it depends on
  /// as written if there are more than `most_reads` of those.
  [[nodiscard]] const std::vector<read_set>&
  of(std::uint32_t thread, const trace& run, std::uint32_t write);

  static constexpr int most_reads = 12;

private:
  const thread_traces& all_;
  std::map<std::pair<const trace*, std::uint32_t>, std::vector<read_set>> known_;
};

} // namespace tilesim::memmodel::litmus
