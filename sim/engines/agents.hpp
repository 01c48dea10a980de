// Who accesses memory, as the detector numbers them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/detector.hpp"
#include "sim/memory/engine.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tilesim::sim {

class race_report;

class agents {
public:
  agents(const context& c, detect::detector& d, race_report& r)
      : context_(c)
      , detector_(d)
      , races_(r) {}

  [[nodiscard]] static detect::agent_id of(const sim_thread& t);
  /// One agent for each place in the order of the host's work.
  [[nodiscard]] detect::agent_id of(const accessor& who);

private:
  const context& context_;
  detect::detector& detector_;
  race_report& races_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, detect::agent_id> host_;
};

} // namespace tilesim::sim
