// Which parameters an entry may write through.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/tileir/module.hpp"

#include <cstddef>
#include <set>

namespace tilesim::interpreter {

/// The numbers of the parameters that some store or atomic operation gets its addresses from.
/// Pointers that the entry itself reads from memory are nobody's.
[[nodiscard]] std::set<std::size_t> written_parameters(const tileir::entry& e);

} // namespace tilesim::interpreter
