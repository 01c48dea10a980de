// From an entry as bytecode says it to one that runs.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/interpreter/code.hpp"
#include "sim/interpreter/refused.hpp"
#include "sim/tileir/module.hpp"

#include <memory>
#include <set>

namespace tilesim::interpreter {

class placed_module;

/// Throws refused: an operation that does not exist in this release, or one whose operands have
/// other types than it takes. `kept`: values that stay where they are to the block's end.
/// `by_tokens`: operations on memory are ordered by their tokens, not by the text.
[[nodiscard]] std::unique_ptr<code> prepare(const placed_module& m,
                                            const tileir::entry& e,
                                            const std::set<tileir::value_id>& kept,
                                            bool by_tokens);

} // namespace tilesim::interpreter
