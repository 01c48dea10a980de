// The scheduler that options name.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/scheduler.hpp"

#include <utility>

namespace tilesim::sim {

namespace {

std::unique_ptr<scheduler> make_strategy(const options& o) {
  if (o.schedule == "random") {
    return make_random(o.seed);
  }
  if (o.schedule == "bursts") {
    return make_bursts(o.seed);
  }
  if (o.schedule == "pct") {
    return make_pct(o.seed, o.depth, o.steps, o.at_once);
  }
  return o.schedule == "turns" ? make_replay(o.turns) : make_round_robin();
}

} // namespace

std::unique_ptr<scheduler> make_scheduler(const options& o) {
  if (o.choices) {
    return make_choosing(o.turns);
  }
  auto strategy = make_strategy(o);
  return o.record ? make_recording(std::move(strategy)) : std::move(strategy);
}

} // namespace tilesim::sim
