// What a person has chosen for strong reads.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/contract/step_protocol.hpp"
#include "sim/memory/read_offers.hpp"
#include "sim/step/run_record.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tilesim::sim {
struct sim_thread;
} // namespace tilesim::sim

namespace tilesim::sim::step {

class chosen_reads {
public:
  explicit chosen_reads(run_record& run)
      : run_(run) {}

  /// Replaces all that were chosen.
  void set(const std::vector<protocol::choice>& all);
  /// What the read that a thread is about to make may take; why nothing can be chosen, in `none`.
  [[nodiscard]] std::vector<offered_read> coming(sim_thread& t, std::string& none) const;
  /// That read takes this write: every element that may, or one. Throws refusal.
  std::vector<protocol::choice>
  choose(sim_thread& t, std::uint64_t back, std::optional<std::size_t> element);
  /// As a schedule names them: reads that took older writes, and, of one that a thread is about to
  /// make, those that will.
  [[nodiscard]] std::string stale(sim_thread* about_to_read) const;

private:
  run_record& run_;
  std::vector<protocol::choice> all_;
};

} // namespace tilesim::sim::step
