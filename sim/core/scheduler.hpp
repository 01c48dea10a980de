// Who runs next: the interface of every strategy.
//
// A strategy is one small file in sim/execution/schedulers/. It decides three things and keeps its
// own state; the same options give the same decisions.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/options.hpp"
#include "sim/contract/schedule_string.hpp"
#include "sim/core/control.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tilesim::sim {

/// Which thread of the run, in the order of their starts, from 0.
using thread_number = std::uint64_t;

/// Turns that make_replay() repeats.
struct turn_history {
  std::vector<turn> turns;
  bool complete = true; ///< false: earlier launches are left out, which took too many turns
};

/// Where a run could have gone on in another way.
struct run_choices {
  /// For each turn of the history: who else could have had it, by a turn each.
  std::vector<std::vector<turn>> instead;
  /// For each turn: before which of its accesses another thread could have gone on, but for the
  /// turn's first. Where it could not be known if there was one, the place is among them.
  std::vector<std::vector<turn_point>> preemptions;
  /// False if there was more than is told: everyone slept and polled on, or a turn or the run was
  /// very long.
  bool complete = true;
};

class scheduler {
public:
  scheduler() = default;
  virtual ~scheduler() = default;
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  /// A launch of so many threads comes: its blocks may be started from now on, after those of the
  /// launches before.
  virtual void
  begin(std::uint64_t /*launch*/, std::uint64_t /*blocks*/, std::uint64_t /*threads_per_block*/) {}

  /// Chooses who runs: an index into `runnable`, the threads that have started and can go on (those
  /// that have waited longest first), or `runnable.size()`, which starts a thread that has not.
  /// `can_start` tells if there is one; at least one choice exists. Threads are named by their
  /// number in the order of their starts, from 0.
  [[nodiscard]] virtual std::size_t pick(std::span<const thread_number> runnable,
                                         bool can_start) = 0;

  /// Chooses likewise, by how many they are alone. Nothing: it asks who they are, by pick().
  [[nodiscard]] virtual std::optional<std::size_t> pick_among(std::size_t /*runnable*/,
                                                              bool /*can_start*/) {
    return std::nullopt;
  }
  /// Behind pick_among(): the thread that goes on, if it is one that has started.
  virtual void picked(thread_number /*thread*/) {}

  /// Asked before each memory operation: should the running thread make way first?
  [[nodiscard]] virtual bool preempt() = 0;

  /// The same before a raw access (`p[i]`). How many of those there are is up to the host compiler.
  [[nodiscard]] virtual bool preempt_raw() { return preempt(); }

  /// The same before an operation that accesses no memory. Asked only by those who hold the reins
  /// of a run: it matters to nobody else where between two accesses a thread stands.
  [[nodiscard]] virtual bool preempt_compute() { return false; }

  /// One of the three.
  [[nodiscard]] bool preempt_before(step_kind kind) {
    switch (kind) {
    case step_kind::compute:
      return preempt_compute();
    case step_kind::memory:
      return preempt();
    case step_kind::raw:
      return preempt_raw();
    }
    return false;
  }

  /// The running thread makes way where it has just been asked for naught.
  virtual void made_way(step_kind /*kind*/) {}

  /// The index of the block that starts as the `nth` of a launch's `count`.
  [[nodiscard]] virtual std::uint64_t
  block(std::uint64_t launch, std::uint64_t nth, std::uint64_t count) = 0;

  /// True if threads are to be looked at before each pick() for what they wait for, not just now
  /// and then.
  [[nodiscard]] virtual bool wakes_at_once() const { return false; }

  /// What a report prints to name this schedule: "random, seed 42".
  [[nodiscard]] virtual std::string describe() const = 0;

  /// A thread has ended.
  virtual void ended(thread_number /*thread*/) {}

  /// A turn begins that pick() was not asked about, since nothing was to be decided.
  void begins_turn() noexcept { accesses_ = 0; }
  /// So many threads have started without block() having been asked: more of the block whose thread
  /// started last.
  virtual void have_started(std::uint64_t /*threads*/) {}

  /// What has happened so far; nullptr if it was not recorded, or the present launch alone is too
  /// much to be.
  [[nodiscard]] virtual const turn_history* history() const { return nullptr; }

  /// Everyone sleeps, and at least one has done something since this was told the last time.
  virtual void all_sleep() {}
  /// history() as it was when that was told last; nullptr likewise.
  [[nodiscard]] virtual std::optional<turn_history> history_until_sleep() const { return {}; }

  /// nullptr if they were not recorded.
  [[nodiscard]] virtual const run_choices* choices() const { return nullptr; }

  /// What was asked for and has not happened, the first of it: "switch 2, 99@5: launch 1 has 3
  /// blocks". With `over` the run has ended by itself: what has not happened will not.
  [[nodiscard]] virtual std::optional<std::string> unfollowed(bool /*over*/) const { return {}; }

protected:
  std::uint64_t accesses_ = 0; ///< since the turn began, of a strategy that counts them
};

/// Blocks start in order and run until they end, wait, or have made 65 536 memory operations; those
/// that did not end take turns.
[[nodiscard]] std::unique_ptr<scheduler> make_round_robin();

/// Blocks start in a shuffled order, several at once, and change at memory operations, all drawn
/// from the seed.
[[nodiscard]] std::unique_ptr<scheduler> make_random(std::uint64_t seed);

/// The same, and how often threads change is drawn from the seed, too: the same for all of a run.
[[nodiscard]] std::unique_ptr<scheduler> make_bursts(std::uint64_t seed);

/// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, ASPLOS 2010):
/// the thread of the highest priority runs; priorities are drawn from the seed, and at `depth` - 1
/// of the first `steps` memory operations, drawn too, the running thread falls below all others.
/// Finds a bug that takes `depth` ordered events with a probability of at least
/// 1 / (threads * steps^(depth - 1)): with `at_once`, else not of bugs that need one which waited
/// to go on in the turn behind its cause.
[[nodiscard]] std::unique_ptr<scheduler>
make_pct(std::uint64_t seed, unsigned depth, std::uint64_t steps, bool at_once = false);

/// Repeats turns, and is round robin behind the last. A turn whose thread waits or has ended is
/// skipped, which unfollowed() tells; one of a launch that is still to come waits for it.
[[nodiscard]] std::unique_ptr<scheduler> make_replay(std::vector<turn> turns);

/// Likewise, with another strategy behind the last.
[[nodiscard]] std::unique_ptr<scheduler> make_replay(std::vector<turn> turns,
                                                     std::unique_ptr<scheduler> behind);

/// Repeats turns; behind the last threads go on until they wait or end. Has a history() and
/// choices().
[[nodiscard]] std::unique_ptr<scheduler> make_choosing(std::vector<turn> turns);

/// As `strategy`, with a history().
[[nodiscard]] std::unique_ptr<scheduler> make_recording(std::unique_ptr<scheduler> strategy);

/// The scheduler that the options name, and a recording one if they say so.
[[nodiscard]] std::unique_ptr<scheduler> make_scheduler(const options& o);

} // namespace tilesim::sim
