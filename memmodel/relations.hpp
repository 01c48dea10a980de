// The derived relations of the PTX memory consistency model, in the order of its chapter.
//
// They are computed in four stages, because a search chooses in that order and wants to know early:
// what events alone fix, what reads-from adds, what the order of fences adds, what coherence adds.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/execution.hpp"

namespace tilesim::memmodel {

struct relations {
  const execution* x = nullptr;

  // What events alone fix.
  relation overlapping; ///< memory operations with a byte in common
  relation complete;    ///< memory operations with all bytes in common
  relation ms;          ///< morally strong
  relation release;     ///< (first, write) of a release pattern
  relation acquire;     ///< (read, last) of an acquire pattern
  relation barrier;     ///< barriers and API edges
  relation writes;      ///< overlapping pairs of writes
  relation dependency;  ///< addr | data | ctrl

  // What reads-from adds.
  relation obs;     ///< observation order
  relation pattern; ///< release pattern to acquire pattern

  // What the order of fences adds.
  relation sync;  ///< synchronizes
  relation base;  ///< base causality order
  relation cause; ///< causality order: base causality between overlapping operations, after an
                  ///< observation

  // What coherence adds.
  relation co; ///< initial writes first, causality included, transitive
  relation fr; ///< from-read: what a read did not see
  relation com;

  explicit relations(const execution& e);
  void add_reads();
  void add_fences();
  void add_coherence();
};

/// [PTX: morally strong operations] Related in program order, or both strong with scopes that
/// include each other's thread; the same proxy; and, when both are memory operations, complete
/// overlap.
[[nodiscard]] relation morally_strong(const execution& x);

/// [PTX: release patterns] Pairs (first, w): a release operation on M; a release operation on M and
/// a strong write on M after it in program order; a release fence and a strong write after it.
[[nodiscard]] relation release_patterns(const execution& x);

/// [PTX: acquire patterns] Pairs (r, last): the mirror image. The read half of a reduction starts
/// none.
[[nodiscard]] relation acquire_patterns(const execution& x);

/// [PTX: barriers] Arrivals before waits of the same instance by another thread; and API edges.
[[nodiscard]] relation barrier_edges(const execution& x);

/// [PTX: observation order] Smallest relation that holds rf between morally strong operations and
/// is closed under passing through a read-modify-write.
[[nodiscard]] relation observation(const execution& x, const relation& ms);

} // namespace tilesim::memmodel
