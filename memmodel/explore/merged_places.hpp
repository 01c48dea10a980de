// Accesses that overlap in part: an exploration ends there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"
#include "memmodel/graph/place_table.hpp"

#include <fmt/format.h>

namespace tilesim::memmodel::explore {

/// What f gives.
/// @throws not_explored
template <class F>
auto exploring_whole_places(F f) {
  try {
    return f();
  } catch (const places_merged& m) {
    throw not_explored{
        fmt::format("accesses that overlap in part: {} bytes at {:#x} and {} at {:#x}",
                    m.first.size,
                    m.first.address,
                    m.second.size,
                    m.second.address)};
  }
}

} // namespace tilesim::memmodel::explore
