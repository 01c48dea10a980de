// Where two racing agents nearly synchronised: for a report that names the missing edge.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/detector.hpp"

#include <optional>

namespace tilesim::sim::detect {

/// A strong write that follows the earlier side of a race, and a strong read of the same place,
/// later in the execution, before the race's later side: what would order the two if it
/// synchronised.
struct near_synchronization {
  struct side {
    operation_id access = 0;
    bool in_scope = false; ///< the access's scope holds the other side's agent
    bool orders = false;   ///< the access releases (acquires), or a fence before (after) it does
    /// Where nothing does: the last such fence, whose scope does not hold the other side's agent.
    std::optional<fence_record> narrow = std::nullopt;
  };
  side write;
  side read;
  /// Where the three hold: a store between the two, by another agent than the write's, which ends
  /// the release sequence.  [PTX: release patterns]
  std::optional<operation_id> ended_by = std::nullopt;

  [[nodiscard]] bool synchronises() const noexcept { return is_pattern() && !ended_by; }
  /// Whether the two sides would synchronise if the read observed the write's release sequence.
  [[nodiscard]] bool is_pattern() const noexcept {
    return write.orders && read.orders && write.in_scope && read.in_scope;
  }
};

/// The last near_synchronization between two operations of different agents that does not
/// synchronise. Looks at the operations between them, as far as they are not too many.
[[nodiscard]] std::optional<near_synchronization>
find_near_synchronization(const detector& d, operation_id earlier, operation_id later);

} // namespace tilesim::sim::detect
