// Holds each launch against what another machine recorded of it, for `tilesim diff`.
//
// Before a launch memory is made what it was there, and behind it too: so a difference of one
// launch is none of the next. This is the one watcher that changes something of the run: memory,
// while no kernel runs. What it finds it writes as lines of JSON [sim/compare/README.md].
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {
class context;
} // namespace tilesim::sim

namespace tilesim::sim::compare {

/// Attaches it, with the feed and to the file that the context's options name. Ends the process
/// with a word on what is wrong: exit code 69 where a file cannot be read or written.
void attach(context& c);

} // namespace tilesim::sim::compare
