// The exploration of launches: a pass without load buffering and, where that may be, passes with
// it, until nothing new is known; each in parts, by as many processes as are wanted.
//
// A process forks helpers, each of which is given a part, explores it for some time, and gives back
// what it has come to, what it has come to know of the threads, and the rest as parts. Parts count
// in their order, whoever explored them and when.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/explorer.hpp"
#include "sim/contract/exploration.hpp"
#include "sim/contract/exploration_progress.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/tally.hpp"

#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace tilesim::sim::exploring {

class part_takers;
struct explored_part;

class rounds {
public:
  rounds(context& c,
         kernel_threads& threads,
         const exploration_order& order,
         std::function<bool()> expired,
         exploration_progress* progress);
  ~rounds();
  rounds(const rounds&) = delete;
  rounds& operator=(const rounds&) = delete;

  /// @throws not_explored, over, begin_anew
  void run();
  /// What it has come to, also if it has thrown.
  [[nodiscard]] tally result() const;
  [[nodiscard]] std::uint64_t buffered() const noexcept { return buffering_.buffered(); }
  /// What this shard has come to know of the threads, for the others. [knowledge.hpp]
  [[nodiscard]] message known() const;
  /// As the first that a process explores: the part that order.task names.
  /// @throws not_explored, begin_anew
  [[nodiscard]] message explore_task();

private:
  using part = memmodel::explore::part;
  using pass = memmodel::explore::pass;

  void sample();
  void explore_shard();
  void explore(pass which);
  void make_explorer();
  void explore_parts(pass which);
  void explore_alone(pass which);
  void explore_with(part_takers& all);
  /// What comes of a part, as a message. [part_takers.hpp]
  [[nodiscard]] message
  explore_for_others(pass which, const part& p, const std::function<bool()>& stop);
  [[nodiscard]] explored_part
  explore_part(pass which, const part& p, const std::function<bool()>& stop);
  void take_in(const part& p, explored_part d);
  void say_progress(const tally& under_way, double share) const;

  context& context_;
  kernel_threads& threads_;
  const exploration_order& order_;
  std::function<bool()> expired_;
  exploration_progress* progress_; ///< where to say how far it is, or nullptr
  bool load_buffering_;
  bool may_buffer_ = false;
  bool news_ = false; ///< there are writes that may be promised and were not known
  bool over_ = false;
  bool divided_beyond_ = false; ///< where parts were made, something has been left to the bound
  std::unique_ptr<memmodel::explore::explorer> explorer_;

  // Of a pass.
  std::vector<part> waiting_; ///< in order
  std::map<part, tally> tallies_;
  struct {
    std::uint64_t executions = 0;
    std::uint64_t states = 0;
    double share = 0;
  } done_; ///< by those

  tallies plain_;
  tallies buffering_;
};

} // namespace tilesim::sim::exploring
