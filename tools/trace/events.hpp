// A traced run in the Trace Event Format, which Perfetto and chrome://tracing open.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tools/trace/run.hpp"

#include <string>

namespace tilesim::tools {

/// The JSON object format: launches are processes, blocks are threads, operation n is a slice of
/// one microsecond at n. docs/trace.md describes it.
[[nodiscard]] std::string to_trace_events(const traced_run& run, const std::string& command);

} // namespace tilesim::tools
