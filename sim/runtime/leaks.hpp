// Memory that the program ends without giving back.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

class context;

/// A finding for every place whose allocations are alive: called as a program ends well.
void report_leaks(context& c);

} // namespace tilesim::sim
