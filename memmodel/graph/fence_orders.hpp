// The orders of an execution's sequentially consistent fences that a model allows.
//
// Two fences that are morally strong have to be ordered, one way or the other. Most are ordered
// already: by causality, or since the other way would break an axiom wherever else fences stand.
// Only what is left open is tried both ways, so that neither many fences nor the proof that there
// is no order for them costs all permutations.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/model.hpp"

#include <cstdint>
#include <functional>

namespace tilesim::memmodel {

enum class fence_orders : std::uint8_t {
  all,
  /// Of orders that agree in all that has no race any more one is enough: they have the same last
  /// writes.
  telling
};

/// Calls f for each of them, with what `r` derives from it; false: f has ended it. `r` has what
/// reads-from adds.
bool for_each_fence_order(
    execution& x, relations& r, const model& m, fence_orders which, const std::function<bool()>& f);

} // namespace tilesim::memmodel
