// An execution in which each thread makes one of the runs that are left to it, looked for: who goes
// on is who reads what its runs say.
//
// Accesses of places that others access, too, are choices, also stores and weak ones. A read that
// all runs of its thread want as memory is now is made at once. Of the others first comes what
// overwrites nothing that somebody is still to read. Where nobody can go on, the last choice is
// taken back.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::memmodel::explore {

class narrowing;
class possible_runs;
class threads;
class wanted_memory;
struct reach_counts;

/// Whether one has been found that ends as is wanted: the last one that was shown to `wanted`.
[[nodiscard]] bool direct(threads& program,
                          wanted_memory& wanted,
                          const possible_runs& all,
                          const narrowing& left,
                          reach_counts& counts);

} // namespace tilesim::memmodel::explore
