// The tracer: writes a run down as it happens, for `tilesim trace`.
//
// One JSON object a line [sim/trace/README.md]: launches, threads, buffers, places in the source,
// operations with their operands' types, results, accesses and the operations whose writes they
// read, fences, findings, the end. A program that crashes leaves what happened before.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {
class context;
} // namespace tilesim::sim

namespace tilesim::sim::trace {

/// Writes the context's run to the file that its options name, which must not exist: a program that
/// this one starts finds it there, and is not traced. Ends the process with a word on what is wrong
/// (exit code 69) when the file cannot be made.
void attach(context& c);

} // namespace tilesim::sim::trace
