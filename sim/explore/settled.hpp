// Dependencies by value: which of its reads settle a write of a thread, whatever the others return.
//
// As memmodel/litmus/grounds has it for litmus tests: a set of reads settles a write if every run
// in which they return the same performs it, too. The runs are those that an exploration has come
// to. Where several sets do, one that nothing can be left out of is taken.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/explore/step.hpp"

#include <optional>

namespace tilesim::sim::exploring {

/// Of an element of a store, or of an update that has read `old`; in the tree that begins with
/// `first`. Of threads with very many runs, all its reads.
[[nodiscard]] memmodel::read_set settled_by(const step& first,
                                            const step& write,
                                            std::size_t element,
                                            std::optional<std::uint64_t> old);

} // namespace tilesim::sim::exploring
