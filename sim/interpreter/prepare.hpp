// From an entry as bytecode says it to one that runs.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"

#include <memory>

namespace tilesim::interpreter {

class program;

/// Throws refused: an operation that does not exist in this release, or one whose operands have
/// other types than it takes.
[[nodiscard]] std::unique_ptr<code> prepare(const program& p, const tileir::entry& e);

} // namespace tilesim::interpreter
