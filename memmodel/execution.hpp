// A candidate execution: events and what was chosen for them.
//
// Given by the threads: po, rmw, dependencies, barrier instances. Chosen: where each read's bytes
// come from (rf), the order of morally strong overlapping writes (co) and of sequentially
// consistent fences (sc). Everything else is derived (relations.hpp), and a model judges it
// (model.hpp).
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "memmodel/relation.hpp"

#include <array>
#include <vector>

namespace tilesim::memmodel {

struct execution {
  std::vector<place> threads; ///< by thread_id
  std::vector<event> events;  ///< by event_id

  relation po;   ///< program order: transitive; elements of one instruction are unordered
  relation rmw;  ///< read half to write half of an atomic
  relation addr; ///< address dependencies
  relation data; ///< data dependencies
  relation ctrl; ///< control dependencies, masks included

  /// Sets of reads, by write, each of which settles the write whatever other reads return: for
  /// models that ask what a write depends on by its value. None: addr, data and ctrl.
  std::vector<std::vector<std::vector<event_id>>> grounds;

  relation api; ///< launch, stream and event order, where there is any  [PTX: causality order]

  relation rf;                                 ///< write to read
  std::vector<std::array<event_id, 8>> source; ///< by read and byte of it; no_event: not chosen
  relation co;                                 ///< coherence: transitive, possibly partial
  relation sc;                                 ///< Fence-SC order

  /// With n events and every relation empty.
  explicit execution(std::size_t n = 0);

  [[nodiscard]] const place& place_of(event_id e) const { return threads[events[e].thread]; }

  /// Chooses `write` as where byte `byte` of `read` comes from.
  void read_byte_from(event_id read, std::uint32_t byte, event_id write);
  /// Chooses `write` for all bytes that it shares with `read`.
  void read_from(event_id read, event_id write);
  /// Takes back what was chosen for `read`.
  void forget_source(event_id read);

  /// Byte b of event e as a number: what the event reads or writes there.
  [[nodiscard]] std::uint8_t byte_of(event_id e, std::uint64_t address) const;
};

} // namespace tilesim::memmodel
