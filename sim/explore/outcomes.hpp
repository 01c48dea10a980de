// What executions end in, and what is found in them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/explorer.hpp"
#include "sim/execution/standings.hpp"
#include "sim/explore/copies.hpp"
#include "sim/explore/kernel_threads.hpp"
#include "sim/explore/tally.hpp"
#include "sim/explore/witness.hpp"

#include <tilesim/report.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace tilesim::sim {
class context;
struct finding_text;
} // namespace tilesim::sim

namespace tilesim::sim::exploring {

class outcomes {
public:
  /// `pictures`: of the first execution of each state and finding.
  outcomes(context& c, kernel_threads& threads, bool pictures)
      : context_(c)
      , threads_(threads)
      , pictures_(pictures) {}

  /// An execution whose threads have all ended.
  void complete(const memmodel::explore::found_execution& x);
  /// One in which some go no further.
  void blocked(const memmodel::explore::found_execution& x);

  [[nodiscard]] tally& found() noexcept { return found_; }

private:
  using key = std::vector<std::uint64_t>;

  [[nodiscard]] std::vector<thread_way> ways(const memmodel::explore::found_execution& x);
  /// By place that is written: the writes of which one may be the last.
  using last_writes = std::vector<std::vector<memmodel::event_id>>;

  /// Notes races. Gives the last writes: of fences that have several orders, in each of them.
  std::set<last_writes> look_for_races(const memmodel::explore::found_execution& x);
  void look_for_races_of_copies(const memmodel::explore::found_execution& x,
                                const copy_order& copies,
                                const copy_order::order& causal);
  void note_race(const memmodel::explore::found_execution& x,
                 memmodel::event_id earlier,
                 memmodel::event_id later);
  void note(const memmodel::explore::found_execution& x, const finding& f);
  /// A finding as findings have it, with its places resolved.
  [[nodiscard]] static finding resolved(const void* site, finding_text text);
  void refuse_barriers_left(const std::vector<thread_way>& all) const;
  void count(const memmodel::explore::found_execution& x, std::size_t finding);
  [[nodiscard]] static bool waits_for_ever(const memmodel::explore::found_execution& x,
                                           const std::vector<thread_way>& all);
  void note_deadlock(const memmodel::explore::found_execution& x,
                     const std::vector<thread_way>& all);
  [[nodiscard]] static last_writes
  last_of(const memmodel::graph& g,
          const std::function<bool(memmodel::event_id, memmodel::event_id)>& precedes);
  [[nodiscard]] bool is_told(std::uintptr_t address) const;
  void add(const memmodel::explore::found_execution& x,
           const std::vector<const step*>& ends,
           const std::set<last_writes>& all);
  [[nodiscard]] std::size_t state_of(const memmodel::explore::found_execution& x,
                                     const std::vector<const step*>& ends,
                                     const last_writes& last);
  void add_sums(const std::vector<const step*>& ends,
                std::map<std::uintptr_t, std::uint8_t>& to) const;
  [[nodiscard]] std::string printed_by(const memmodel::explore::found_execution& x,
                                       const std::vector<const step*>& ends);
  void draw(const memmodel::explore::found_execution& x, message& to);
  [[nodiscard]] std::string by(memmodel::thread_id t) const;
  [[nodiscard]] std::string block_of(memmodel::thread_id t) const;
  /// Of one warp of one launch.
  [[nodiscard]] bool are_lanes(memmodel::thread_id a, memmodel::thread_id b) const;
  [[nodiscard]] std::vector<counted_thread>
  counted(const std::vector<memmodel::thread_id>& all) const;
  [[nodiscard]] std::vector<std::string>
  waits_text(const std::vector<std::pair<memmodel::thread_id, std::string>>& all) const;

  context& context_;
  kernel_threads& threads_;
  bool pictures_;
  std::map<key, std::size_t> by_key_;
  state_index states_;
  std::map<std::tuple<const void*, const void*, int>, std::size_t> races_;
  std::map<std::string, std::size_t> by_place_;
  std::vector<std::size_t> noted_; ///< findings of the execution under way
  tally found_;
};

} // namespace tilesim::sim::exploring
