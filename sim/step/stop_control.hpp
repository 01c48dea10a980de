// Deciding before every operation whether to stop: how far to go, breakpoints, watched values,
// findings.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/core/thread.hpp"
#include "sim/step/run_record.hpp"
#include "sim/step/standing_names.hpp"
#include "sim/watch/stops.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim::step {

[[nodiscard]] inline protocol::stop why_of(protocol::stop_reason reason) {
  protocol::stop why;
  why.reason = reason;
  return why;
}

[[nodiscard]] protocol::finding message_of(const finding& f);

/// "block (3,0,0) of histogram".
[[nodiscard]] std::string full_name(const sim_thread& t);

class stop_control {
public:
  stop_control(run_record& run, standing_names& names)
      : run_(run)
      , names_(names) {}

  // --- What it is told

  /// So far. Who stands is the thread that is meant.
  void go(const protocol::go& how);
  /// To this position: where it stands already, another thread goes on.
  void go_to(std::uint64_t position);
  void set(const protocol::set& all);
  /// What was seen of watched values may be of another time: they count from now on.
  void forget_values();

  // --- What happens

  /// The thread comes to its next operation. `begins`: its first.
  void comes(sim_thread& t, bool begins);
  /// It begins it. True: what it does is asked for.
  bool begins(const sim_thread& t);
  /// Memory has been written.
  void wrote(std::uintptr_t address, std::size_t bytes) { stops_.wrote(address, bytes); }
  /// `about`: of host code's, the operation that it speaks of; 0: none.
  void finding_added(std::uint64_t about);
  /// A thread has ended. What is to be told now, before its memory and its variables are gone: each
  /// is a stop.
  [[nodiscard]] std::optional<protocol::stop> last_finding_of(const sim_thread& t);
  [[nodiscard]] std::optional<protocol::stop> last_values_of(const sim_thread& t);

  // --- What it decides

  /// Can something happen here, so that why_stop() is to be asked?
  [[nodiscard]] bool must_look() const noexcept { return every_ || run_.begun >= next_event_; }
  /// Why the thread, about to begin its next operation, stops; nothing: it goes on.
  [[nodiscard]] std::optional<protocol::stop> why_stop(sim_thread& t);
  /// It goes on from here. `next`: where a switch is to be made.
  void plan(std::uint64_t next);
  /// No operation comes any more where nobody would ask: what has been done since the last one
  /// began. `why`: of the stop that is under way.
  void add_changes(protocol::stop& why);
  /// The same at exit, when memory may have been freed: a stop of its own.
  [[nodiscard]] std::optional<protocol::stop> untold_changes();
  void add_hit(protocol::stop& why) const;
  /// New findings, and when each was made.
  void add_findings(protocol::stop& why);
  /// It stands: who was to end has.
  void stands() noexcept { goal_thread_ended_ = false; }
  [[nodiscard]] bool scans() const noexcept { return goal_.how == protocol::way::scan; }
  [[nodiscard]] stops& points() noexcept { return stops_; }

private:
  /// How far to go.
  struct goal : protocol::go {
    std::uint64_t thread = never; ///< its number
  };
  /// A change that has not been told yet.
  struct untold_change {
    seen_change what;
    std::uint64_t operation = 0; ///< after which it was seen; 0: the host has made it
  };

  [[nodiscard]] bool goes_to_a_position() const noexcept {
    return goal_.how == protocol::way::position || goal_.how == protocol::way::scan;
  }
  [[nodiscard]] protocol::stop why_arrived();
  [[nodiscard]] std::optional<protocol::stop_reason> goal_reached(const sim_thread& t);
  [[nodiscard]] bool found_a_defect();
  [[nodiscard]] std::optional<protocol::reached> breaks(sim_thread& t);
  [[nodiscard]] std::optional<protocol::reached> breaks_as_it_stands(sim_thread& t);

  /// `t`: who has performed the last operation and runs still, if it is known. `begins`: it comes
  /// to its first operation now.
  void look_at_watches(sim_thread* t, bool begins = false);
  /// A variable has got its value before the first operation of its thread.
  [[nodiscard]] static bool is_before_operations(const untold_change& c) {
    return c.what.frame.has_value() && c.operation == 0;
  }
  [[nodiscard]] bool is_told_at(const untold_change& c, const sim_thread& t) const;
  [[nodiscard]] bool has_change_for(const sim_thread& t) const;
  [[nodiscard]] std::vector<protocol::change> told_changes(const sim_thread* t);

  run_record& run_;
  standing_names& names_;
  goal goal_;
  bool goal_thread_ended_ = false;
  std::string ended_thread_;
  std::uint64_t next_event_ = 0;          ///< nothing can happen before this position,
  bool every_ = true;                     ///< unless every operation has to be looked at
  std::optional<protocol::hit> last_hit_; ///< of a scan

  stops stops_;
  std::vector<untold_change> changes_;
  std::uint64_t values_known_to_ = 0; ///< counts up when watched values have to be seen anew

  struct found_at {
    std::uint64_t under_way = 0; ///< the operation; 0: none was
    std::uint64_t about = 0;     ///< [protocol::finding]
  };
  std::vector<found_at> found_at_; ///< of each finding
  std::size_t told_findings_ = 0;
  bool new_findings_ = false;
  bool stop_at_findings_ = true;
};

} // namespace tilesim::sim::step
