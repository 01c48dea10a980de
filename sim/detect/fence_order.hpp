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
// A read that takes an older write precedes newer ones that have been performed, and with them
// fences that have been, too: those that precede such reads are kept apart, and looked at where a
// race would be told.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/detect/clock.hpp"
#include "sim/detect/place.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace tilesim::sim::detect {

/// What precedes fences, each fence itself included: by whose fences are ordered with them.
class fence_clocks {
public:
  /// A fence that comes behind all of them, and what precedes it.
  void add(const place& by, memmodel::scope s, const clock& before);
  /// Those that are ordered with a fence are no longer awaited.
  void take(const place& by, memmodel::scope s);
  /// Two clocks, and what they come to together.
  struct joint {
    const clock& one;
    const clock& other;
    const clock& both;
  };
  void join(const fence_clocks& other, const joint* known = nullptr);
  /// Without what has happened before an agent's next operation in any case.
  void drop_known(const clock& happened, agent_id own) noexcept;
  /// What precedes those that are ordered with a fence.
  [[nodiscard]] clock usable(const place& by, memmodel::scope s) const;
  /// What precedes any of them.
  [[nodiscard]] clock all() const;

  [[nodiscard]] bool empty() const noexcept {
    return device_.empty() && system_.empty() && host_.empty() && own_.empty();
  }
  /// A copy of the other, and neither has been added to.
  [[nodiscard]] bool same(const fence_clocks& other) const noexcept;
  /// What is of another block than an agent's is nothing to it.
  [[nodiscard]] bool foreign(const place& to) const noexcept {
    return !own_.empty() && (to.alone || to.host || block_ != to.block);
  }
  void drop_foreign(const place& to) { own_ = foreign(to) ? clock{} : own_; }

private:
  friend class fences_of_place;
  friend class late_fences;

  static constexpr std::size_t kinds = 4;
  [[nodiscard]] const clock& of(std::size_t kind) const noexcept {
    return kind == 0 ? device_ : kind == 1 ? system_ : kind == 2 ? host_ : own_;
  }
  [[nodiscard]] clock& of(std::size_t kind) noexcept {
    return kind == 0 ? device_ : kind == 1 ? system_ : kind == 2 ? host_ : own_;
  }

  clock device_; ///< of the device's agents, whose scope holds the device
  clock system_; ///< of system scope
  clock host_;   ///< of the host
  clock own_;    ///< of one block of several agents, whatever their scope:
  agent_id block_ = 0;
};

/// The fences that precede strong accesses of a range.
class fences_of_place {
public:
  /// Those that precede what a read takes from the last write, or a write: the accesses before it.
  void add_to(fence_clocks& awaited, const place& by, bool writes) const;
  /// An access comes that those in `past` precede.
  void leave(const place& by, const fence_clocks& past);
  /// It is a write.
  void written() {
    before_ = all_;
    ++writes_;
  }
  /// Those of the last write also precede what follows it: a read of an older one has come.
  void leave_before_last_write(const place& by, const fence_clocks& past);
  [[nodiscard]] bool empty() const noexcept { return all_.empty() && blocks_.empty(); }

private:
  struct of_block {
    clock before; ///< the last write but those in `since`
    clock since;
    std::uint64_t writes = 0; ///< that there were when one was added to `since`
  };

  void settle(of_block& b) const;

  fence_clocks before_; ///< the last write
  fence_clocks all_;
  std::map<agent_id, of_block> blocks_; ///< by the first agent
  std::uint64_t writes_ = 0;
};

/// The fences that precede reads of older writes of a place, which have been put before all that
/// comes behind its newer writes: also before fences that had been performed already.
class late_fences {
public:
  void add(const place& by, const fence_clocks& past);
  void add(const late_fences& other);
  [[nodiscard]] bool empty() const noexcept { return wide_.empty() && blocks_.empty(); }

  /// Adds to `past` those that precede some of it: fences of whose kind a clock is that `knows` of
  /// a newer write. Whether that are any that it did not have.
  template <class Knows>
  bool put_before(fence_clocks& past, const Knows& knows) const {
    const fence_clocks were = past;
    bool more = false;
    for (std::size_t kind = 0; kind < fence_clocks::kinds; ++kind) {
      if (!were.of(kind).empty() && !of(kind, were).empty() && knows(were.of(kind))) {
        more = put_kind_before(kind, were, past) || more;
      }
    }
    return more;
  }

private:
  /// Those of a kind, as far as they concern who has `past`.
  [[nodiscard]] const clock& of(std::size_t kind, const fence_clocks& past) const;
  bool put_kind_before(std::size_t kind, const fence_clocks& were, fence_clocks& past) const;

  fence_clocks wide_; ///< but what is of one block
  std::map<agent_id, clock> blocks_;
};

/// What an agent knows of fences.
struct fence_knowledge {
  fence_clocks past;    ///< that precede what it does next in causality order
  fence_clocks awaited; ///< that precede its next fence

  /// `known`: what has happened before either, which often is what precedes its fences.
  [[nodiscard]] static std::shared_ptr<const fence_knowledge>
  joined(const std::shared_ptr<const fence_knowledge>& one,
         const std::shared_ptr<const fence_knowledge>& other,
         const fence_clocks::joint* known = nullptr);
  /// Without what is of another block.
  [[nodiscard]] static std::shared_ptr<const fence_knowledge>
  own(const std::shared_ptr<const fence_knowledge>& known, const place& at);

  /// The same, with more awaited.
  [[nodiscard]] static std::shared_ptr<const fence_knowledge>
  awaiting(const std::shared_ptr<const fence_knowledge>& known, const fence_clocks& more);
};

} // namespace tilesim::sim::detect
