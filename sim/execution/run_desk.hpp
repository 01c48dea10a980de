// What every operation looks at and counts: the narrow way into a run that is under way.
//
// The loop's own state (execution_impl.hpp) is nobody's else. All that is here is asked once for
// each operation, so it is plain and inline.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/contractor.hpp"
#include "sim/core/control.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/scheduler.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/draws.hpp"

#include <cstdint>
#include <memory>

namespace tilesim::sim {

class closed_rounds;
class control_trail;
class end_judge;

struct run_desk {
  run_desk(const run_desk&) = delete;
  run_desk& operator=(const run_desk&) = delete;

  // --- Who decides, and who looks on.

  std::unique_ptr<scheduler> strategy;
  run_control* control = nullptr; ///< who holds the reins, if anybody does
  watcher_list watchers;
  bool announces = false; ///< somebody is told before each operation
  /// Executions are explored: between them Ctrl-C is looked for, however long that takes.
  bool explores = false;
  /// Of launches that are explored: who knows how they are to end, if anybody does.
  end_judge* judge = nullptr;

  // --- How far the run is.

  std::uint64_t operations = 0; ///< of the machine
  std::uint64_t steps = 0;      ///< memory operations: how often the strategy was asked to preempt
  std::uint64_t made = 0;       ///< operations and raw accesses
  /// By what count of them some block should have ended.
  std::uint64_t end_expected = ~std::uint64_t{0};
  std::uint64_t changes = 0; ///< of memory, that are seen

  // --- Values that the documentation leaves open.

  draws unspecified;
  /// What the program does, or where the values go, is followed from the first one on: by these,
  /// which are watchers from then on.
  std::unique_ptr<watcher> trail_to_come;
  std::unique_ptr<watcher> spread_to_come;
  control_trail* following = nullptr;
  value_follower* values = nullptr; ///< who follows values: spread, or whoever took its place
  contractor* contracts = nullptr;  ///< who fuses products and sums, if anybody does

  /// While it is looked at all that the blocks do: it has its own mind whose turn it is.
  closed_rounds* ruling = nullptr;

  /// The running thread is about to begin an operation that returns to `site`. Before an access of
  /// memory the strategy is asked, once: here, or by make_way_for_access(). `read`: what it
  /// strongly reads, for whoever lets a person choose what that is given.
  void begins(sim_thread& t,
              const void* site,
              const char* operation,
              step_kind kind,
              const coming_read* read = nullptr) {
    if (announces) {
      announce(t, site, operation, kind, read);
    }
  }
  /// What begins() has told is an access of memory, at `kind`'s point.
  void make_way_for_access(step_kind kind) {
    if (!announces) {
      make_way(kind);
    }
  }
  /// The strategy may let others go first.
  void make_way(step_kind kind) {
    if (strategy->preempt_before(kind) || (ruling != nullptr && ends_turn(kind))) {
      execution::yield();
    }
  }
  /// The running thread begins an operation or a raw access. Too many in which no block has ended
  /// are a livelock.
  void count_operation(const void* site) {
    if (++made > end_expected) {
      suspect_livelock(site);
    }
  }

protected:
  run_desk() = default;
  ~run_desk() = default;

private:
  void announce(sim_thread& t,
                const void* site,
                const char* operation,
                step_kind kind,
                const coming_read* read);
  void suspect_livelock(const void* site);
  [[nodiscard]] bool ends_turn(step_kind kind) const;
};

} // namespace tilesim::sim
