// Which sums of a run are fused with a product, and with which.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {
class context;
} // namespace tilesim::sim

namespace tilesim::sim::contraction {

/// Fuses what `c`'s option says: the sums of a table, or by the rule. A table that is none ends the
/// process.
void attach(context& c);

} // namespace tilesim::sim::contraction
