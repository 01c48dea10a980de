// The order that sequentially consistent fences have in whatever way they are ordered.
//
// Two such fences whose scopes include each other's agents are ordered one way or the other, and
// what precedes the first in causality order precedes what follows the second. [PTX: Fence-SC
// order, synchronizes] An execution that is observed does not say which way, and a race in either
// is one. So only that order counts which nothing else would do for: where an access that follows
// one fence in causality order precedes, in communication order at its place, an access that
// precedes the other. The other way round the later access would precede the earlier one in
// causality order, too, which the axioms forbid. [PTX: Coherence, Causality]
//
// So accesses leave at their places which fences precede them; who comes behind them there awaits
// those, as does who follows him; and his next fence comes behind the awaited ones.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/detect/clock.hpp"

#include <map>
#include <memory>

namespace tilesim::sim::detect {

struct place;

/// What precedes fences, each fence itself included: by whose fences are ordered with them.
class fence_clocks {
public:
  /// A fence, and what precedes it.
  void add(const place& by, memmodel::scope s, const clock& before);
  void join(const fence_clocks& other);
  /// What precedes those that are ordered with a fence.
  [[nodiscard]] clock usable(const place& by, memmodel::scope s) const;

  [[nodiscard]] bool empty() const noexcept {
    return device_.empty() && system_.empty() && host_.empty() && blocks_.empty();
  }
  /// A copy of the other, and neither has been added to.
  [[nodiscard]] bool same(const fence_clocks& other) const noexcept;

private:
  clock device_;                     ///< of the device's agents, whose scope holds the device
  clock system_;                     ///< of system scope
  clock host_;                       ///< of the host
  std::map<agent_id, clock> blocks_; ///< of each block of several agents, whatever their scope
};

/// What an agent knows of fences.
struct fence_knowledge {
  fence_clocks past;    ///< that precede what it does next in causality order
  fence_clocks awaited; ///< that precede its next fence

  /// The same, with more awaited.
  [[nodiscard]] static std::shared_ptr<const fence_knowledge>
  awaiting(const std::shared_ptr<const fence_knowledge>& known, const fence_clocks& more);
};

} // namespace tilesim::sim::detect
