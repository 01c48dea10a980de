// The clock of turns: who makes no operation for a while, or goes round, loses its turn.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilesim::sim {

/// While one lives, a kernel that makes no operation for a while loses its turn: it may poll raw
/// memory, which nobody sees. Ticks count the process's own time, so they do not disturb waiting.
/// One within another changes nothing.
class turn_clock {
public:
  turn_clock();
  ~turn_clock();
  turn_clock(const turn_clock&) = delete;
  turn_clock& operator=(const turn_clock&) = delete;

private:
  bool armed_ = false;       ///< by this one
  bool was_blocked_ = false; ///< the tick's signal
};

struct worker;

/// While one lives, it is looked often whether the block whose turn it is goes round: comes back to
/// the very same registers and stack, without an operation. Then it loses its turn at once. Who
/// does not soon is left alone for the rest of its turn: it computes.
class frequent_looks {
public:
  explicit frequent_looks(worker& w);
  ~frequent_looks();
  frequent_looks(const frequent_looks&) = delete;
  frequent_looks& operator=(const frequent_looks&) = delete;
};

} // namespace tilesim::sim
