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
struct handover {
  operation_id write = 0;
  operation_id read = 0;
  bool releases = false; ///< the write, or a fence before it
  bool acquires = false; ///< the read, or a fence after it
  bool in_scope = false; ///< their scopes hold each other's agents
  /// Where the three hold: a store between the two, by another agent than the write's, which ends
  /// the release sequence.  [PTX: release patterns]
  std::optional<operation_id> ended_by = std::nullopt;

  [[nodiscard]] bool synchronises() const noexcept {
    return releases && acquires && in_scope && !ended_by;
  }
};

/// The last handover between two operations of different agents that does not synchronise. Looks at
/// the operations between them, as far as they are not too many.
[[nodiscard]] std::optional<handover>
find_handover(const detector& d, operation_id earlier, operation_id later);

} // namespace tilesim::sim::detect
