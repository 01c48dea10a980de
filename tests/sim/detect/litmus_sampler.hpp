// Litmus tests, executed: one instruction after the other in some order, where each strong read
// takes one of the writes that the detector offers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/program.hpp"
#include "sim/detect/detector.hpp"
#include "sim/ops/rng.hpp"

#include <map>
#include <optional>
#include <vector>

namespace tilesim::litmus_sampler {

/// What keeps a test from being executed here: other devices than one, clusters, barriers, loops;
/// nullptr: nothing does.
[[nodiscard]] const char* obstacle(const memmodel::litmus::test& t);

struct outcome {
  std::vector<memmodel::litmus::value> state; ///< by all_observables()
  bool racy = false;
};

/// One execution, drawn.
[[nodiscard]] outcome sample(const memmodel::litmus::test& t, sim::rng& draw);

} // namespace tilesim::litmus_sampler
