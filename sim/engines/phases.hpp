// Phases of barriers that are made of atomics: who ended them, and which asynchronous copies they
// await. By objects' addresses.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/detect/detector.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace tilesim::sim {

class phases {
public:
  /// A phase of a barrier is over: by this operation of the thread's.
  void ended(const sim_thread& t, std::uintptr_t barrier, detect::operation_id arrival);
  /// The arrival that has ended a barrier's latest phase that is over, if the launch is the
  /// thread's and nothing orders the thread, which is that agent, behind it.
  [[nodiscard]] std::optional<phase_end> unordered_end(const sim_thread& t,
                                                       detect::agent_id agent,
                                                       std::uintptr_t barrier,
                                                       detect::detector& d) const;

  /// A phase awaits copies that have done this.
  void await(phase_name phase, const detect::knowledge& done);
  /// What copies have done that are awaited by phases of the object up to this one.
  [[nodiscard]] detect::knowledge awaited_up_to(phase_name end) const;

  /// Objects there are no longer.
  void forget(std::uintptr_t begin, std::size_t bytes);

private:
  struct copies {
    std::map<std::uint64_t, detect::knowledge> by_phase;
    detect::knowledge older; ///< of phases before these
  };
  struct last_arrival {
    launch_id launch = 0;
    machine::index3 block{};
    machine::index3 thread{};
    std::uint64_t number = 0; ///< the thread's, in the launch
    detect::operation_id arrival = 0;
  };

  std::map<std::uintptr_t, copies> copies_;
  std::map<std::uintptr_t, last_arrival> ends_;
};

} // namespace tilesim::sim
