// How a process that was forked for one run of a check starts and ends it. [tilesim/check.hpp]
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

namespace tilesim::detail {

/// The simulator is a new one from now on, with these options (as of TILESIM_OPTIONS); whatever the
/// process had before the fork is forgotten.
TILESIM_EXPORT void begin_checked_run(const char* options);

/// The run has come to its end: writes its report.
TILESIM_EXPORT void end_checked_run();

} // namespace tilesim::detail
