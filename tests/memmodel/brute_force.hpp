// The memory model once more, in the most naive way: a second opinion on the library.
//
// Written from the text of the model alone: all reads-from times all orders of fences times all
// orders of writes, nothing left out early; relations are sets of pairs, closures are found by
// repetition, and each axiom is a loop. It includes nothing of memmodel/. SPDX-License-Identifier:
// Apache-2.0
#pragma once

#include "memmodel/random_program.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace tilesim::brute_force {

struct answer {
  /// Final states, the registers of each thread and then the locations: whether one of the
  /// executions that end so has a race.
  std::map<std::vector<std::int64_t>, bool> outcomes;
  /// That satisfy all axioms, and differ in more than the order of fences.
  std::uint64_t executions = 0;
  std::uint64_t racy = 0; ///< of them, those with a race
  bool mixed_size_race = false;
};

/// How many candidates there are, about: what ptx() costs.
[[nodiscard]] double cost(const random_programs::program& p);

/// By the axioms of the PTX memory consistency model.
[[nodiscard]] answer ptx(const random_programs::program& p);

/// Sequential consistency by running all interleavings on one memory. Counts no executions.
[[nodiscard]] answer interleavings(const random_programs::program& p);

} // namespace tilesim::brute_force
