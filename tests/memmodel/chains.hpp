// Whether a witness is what it claims to be: a closed chain of edges that are there.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/model.hpp"

#include <string>
#include <vector>

namespace tilesim::memmodel {

/// What is wrong with the cycle of a violation; empty if nothing is. Every step must start where
/// the one before ends, the last must end where the first starts, and every edge must hold in the
/// relation of its name; a derived edge that says what makes it must say so with a chain of its
/// own.
[[nodiscard]] std::string problem_of_cycle(const relations& r, const std::vector<step>& cycle);

/// "2 -fr-> 0 -rf-> 2", the chains of derived edges in brackets.
[[nodiscard]] std::string text_of(const std::vector<step>& chain);

} // namespace tilesim::memmodel
