// Mutants of a litmus test: one order or scope weakened, one fence left away. What a harness sees
// of the outcomes that only a mutant has says how much it can see at all.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/enumerate.hpp"

#include <set>
#include <string>
#include <vector>

namespace tilesim::tools {

struct mutant {
  std::string what; ///< "P0.1 release to relaxed": thread, instruction (from 0), change
  memmodel::litmus::test test;
};

/// Every mutant of a PTX test.
[[nodiscard]] std::vector<mutant> mutants_of(const memmodel::litmus::test& t);

using state_set = std::set<std::vector<memmodel::litmus::value>>;

/// Final states of a test (by all_observables) that a model allows.
struct allowed_states {
  state_set states;
  std::string limit;       ///< why there is no answer; empty: there is one
  bool everything = false; ///< a mixed-size race: the axioms constrain nothing
  bool cut = false;        ///< a loop was cut: longer runs may end in others
};
[[nodiscard]] allowed_states allowed_by(const memmodel::litmus::test& t, const memmodel::model& m);

/// States that a mutant allows and its original does not. None where one of them has no answer.
[[nodiscard]] state_set killing_states(const allowed_states& original, const allowed_states& of);

} // namespace tilesim::tools
