// The reference enumerator: every execution of a litmus test that a model allows.
//
// Exact for the loops' bound, and simple enough to trust: traces of the threads x barrier instances
// x reads-from x order of fences x coherence, each candidate judged by the model's axioms. The
// yardstick for anything faster.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/shown_execution.hpp"
#include "memmodel/litmus/traces.hpp"
#include "memmodel/model.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tilesim::memmodel::litmus {

struct outcome_count {
  std::uint64_t executions = 0; ///< that may end so
  std::uint64_t unbuffered = 0; ///< of them, those in which no read takes from its own future
  bool racy = false;            ///< some of them have a race
};

struct result {
  const memmodel::model* model = nullptr;
  std::vector<observable> observables;                  ///< what `outcomes` is about
  std::map<std::vector<value>, outcome_count> outcomes; ///< final states of terminated executions

  /// Consistent and terminated: they differ in events, values, reads-from or the order of writes
  /// that have to be ordered, not in the order of fences alone. As `explore` counts.
  std::uint64_t executions = 0;
  std::uint64_t racy = 0;     ///< of them, those with a race
  std::uint64_t buffered = 0; ///< of them, those in which a read takes from its own future: load
                              ///< buffering
  std::uint64_t positive = 0; ///< (execution, final state) pairs that satisfy the condition
  std::uint64_t negative = 0; ///< and that do not

  /// A mixed-size race somewhere: the axioms constrain nothing, every outcome is allowed.  [PTX:
  /// mixed-size data races]
  bool mixed_size_race = false;
  /// A loop was cut: outcomes of longer runs are not among these.
  bool bound_reached = false;

  std::optional<shown_execution> satisfying;
  std::optional<shown_execution> violating;
  std::optional<shown_execution> racing;

  /// Whether every fair execution ends: nothing if a loop was cut that did more than spin.
  std::optional<bool> terminates;
  std::optional<shown_execution> hanging;

  /// The quantifier's answer: exists and ~exists: whether some execution satisfies the condition;
  /// forall: whether all do.
  [[nodiscard]] bool holds(quantifier q) const noexcept {
    return q == quantifier::forall ? negative == 0 && !mixed_size_race
                                   : positive > 0 || mixed_size_race;
  }
};

/// @throws limit_reached, program_error
[[nodiscard]] result enumerate(const test& t, const memmodel::model& m, const limits& l = {});

} // namespace tilesim::memmodel::litmus
