// Smaller programs of one: to find the fewest statements that still show something.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/fuzz/generate.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tilesim::tools::fuzz {

/// How many statements it has.
[[nodiscard]] std::size_t size_of(const program& p);

/// Programs that are smaller by one step, the boldest first: one result with what it needs, a
/// kernel or a result less, a value instead of what was made of it, a constant instead of a value,
/// one block, no stream of its own. As well defined as the program is: what stands instead of a
/// value lies within its range. Their paths are its path and their number.
[[nodiscard]] std::vector<program> smaller_ones(const program& p);

/// The program of a label: "7", or "7.3": smaller_ones(7)[3]. Throws failure (64): there is none.
[[nodiscard]] program program_of(const std::string& label, const wishes& w);

/// Takes steps while `shows` says that what is looked for is still there, until none leaves it.
/// `shows` is asked about `jobs` programs at a time, each in a thread of its own; of those that
/// still show it the boldest is taken, so that what comes out does not depend on `jobs`. `taken`
/// is told of each.
[[nodiscard]] program minimised(program p,
                                std::size_t jobs,
                                const std::function<bool(const program&)>& shows,
                                const std::function<void(const program&)>& taken = {});

} // namespace tilesim::tools::fuzz
