// Strong accesses to one cell since its last weak write, and sets of weak readers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/detector.hpp"
#include "sim/detect/large_vector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tilesim::sim::detect {

/// Number of a set of weak readers; 0: the empty one.
using reader_set = std::uint32_t;

/// A strong access, or several of one agent that stand for each other; in a cell that is followed
/// further also a weak write.
struct history_entry {
  operation_id first = 0; ///< the earliest: what it observed is ordered before what follows it
  operation_id last = 0;  ///< the latest: what is ordered after it is ordered after all
  std::uint32_t first_element = 0;
  std::uint32_t element = 0; ///< of the latest
  access_kind kind = access_kind::read;
  memmodel::scope scope = memmodel::scope::sys;
  std::uint8_t bytes = 0;        ///< of the access,
  std::uint8_t delta = 0;        ///< which begins so many bytes before the cell
  std::uint32_t source = newest; ///< of a read: the entry of the write that it was given

  static constexpr std::uint32_t newest = ~std::uint32_t{0}; ///< the last one before it
  static constexpr std::uint32_t nothing = newest - 1;       ///< of none of them
  static constexpr std::uint32_t part = 1U
                                        << 31U; ///< among its bits: not of the last of the entry's

  [[nodiscard]] bool reads() const noexcept { return kind != access_kind::write; }
  [[nodiscard]] bool writes() const noexcept { return kind != access_kind::read; }
};
static_assert(sizeof(history_entry) == 24);

/// A weak access to a cell that is followed further, of one agent at one place in the source.
struct weak_access {
  operation_id operation = 0;
  std::uint32_t element = 0;
  bool writes = false;
};

struct history {
  operation_id weak_write = 0;
  std::uint32_t weak_element = 0;
  reader_set readers = 0;
  bool wide = true; ///< all entries have one range, and scopes that hold the device
  /// All accesses are kept, also beyond weak writes. `readers` is then the number of the weak
  /// accesses, and weak_write unused.
  bool followed = false;
  bool has_stale = false;             ///< some read was given an older write than the last
  std::uint32_t reads_from = 0;       ///< behind the last write among the entries, if not followed
  std::vector<history_entry> entries; ///< in the order of the execution
};

/// Sets of readers as lists, the latest first, which share their ends: a read of a cell that many
/// read costs one node of 16 bytes.
class reader_sets {
public:
  reader_sets() { nodes_.emplace_back(); }

  /// `set` and one more reader, which is later than all in it. `stands_for(o, agent)` tells whether
  /// the new one stands for o: an earlier read that is ordered before it. A list is looked through
  /// each time it has become four times as long, and not while it is shorter than `at_least`, so
  /// that it is at most so much longer than it has to be.
  template <class F>
  reader_set
  add(reader_set set, operation_id reader, agent_id agent, std::size_t at_least, F stands_for) {
    made& known = made_[(set * 0x9e3779b1U) >> (32U - made_bits)];
    if (known.set == set && known.reader == reader) {
      return known.result;
    }
    const reader_set result = added(set, reader, agent, at_least, stands_for);
    known = {set, reader, result};
    return result;
  }

  /// The latest reader of a set that is not empty.
  [[nodiscard]] operation_id latest(reader_set set) const noexcept { return nodes_[set].reader; }

  /// Asks the processor for the latest reader.
  void fetch(reader_set set) const noexcept { __builtin_prefetch(&nodes_[set]); }

  /// From the latest to the earliest, while f(reader) is true.
  template <class F>
  void for_each(reader_set set, F f) const {
    for (; set != 0; set = nodes_[set].rest) {
      if (!f(nodes_[set].reader)) {
        return;
      }
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return nodes_.size() * sizeof(node); }

  /// Gives back what no set needs any more. `each(f)` calls f(set) for every set in use, which f
  /// may change to its new number.
  template <class F>
  void collect(F each) {
    std::vector<reader_set>& moved = moved_;
    moved.assign(nodes_.size(), 0);
    each([&](reader_set& set) { moved[set] = 1; });
    for (std::size_t i = nodes_.size() - 1; i > 0; --i) { // what a node leads to was made before it
      if (moved[i] != 0) {
        moved[nodes_[i].rest] = 1;
      }
    }
    reader_set end = 1;
    moved[0] = 0;
    for (std::size_t i = 1; i < nodes_.size(); ++i) {
      if (moved[i] != 0) {
        node n = nodes_[i];
        n.rest = moved[n.rest];
        nodes_[end] = n;
        moved[i] = end++;
      }
    }
    nodes_.resize(end);
    made_ = {};
    each([&](reader_set& set) { set = moved[set]; });
  }

private:
  struct node {
    reader_set rest = 0;
    operation_id reader = 0;
    agent_id agent = 0;
    std::uint32_t shape = first_look; ///< its length, and in five bits:

    /// At 1 << look_bits() readers it is looked through.
    [[nodiscard]] std::uint32_t look_bits() const noexcept { return shape & 31U; }
    [[nodiscard]] std::uint32_t length() const noexcept { return shape >> 5U; }
    void look_at(std::uint32_t bits) noexcept { shape = (shape & ~31U) | bits; }
  };
  static_assert(sizeof(node) == 16);
  struct made { ///< what was made lately: cells that are read together share their sets
    reader_set set = 0;
    operation_id reader = 0;
    reader_set result = 0;
  };
  static constexpr std::uint32_t first_look = 5;
  static constexpr std::uint32_t last_look = 25; ///< as long as a list may be
  static constexpr unsigned made_bits = 8;

  template <class F>
  reader_set
  added(reader_set set, operation_id reader, agent_id agent, std::size_t at_least, F stands_for) {
    const node latest = nodes_[set];
    if (set != 0 && latest.reader == reader) {
      return set;
    }
    if (set != 0 && latest.agent == agent) {
      set = latest.rest;
    } else if (latest.length() + 1 >= std::uint32_t{1} << latest.look_bits() &&
               latest.length() + 1 >= at_least) {
      set = without(set, stands_for);
    }
    return make(set, reader, agent, nodes_[set].look_bits());
  }

  /// What is left of a set.
  template <class F>
  reader_set without(reader_set set, F stands_for) {
    kept_.clear();
    for (reader_set at = set; at != 0; at = nodes_[at].rest) {
      if (!stands_for(nodes_[at].reader, nodes_[at].agent)) {
        kept_.push_back(at);
      }
    }
    const std::uint32_t look_bits = std::clamp(
        static_cast<std::uint32_t>(std::bit_width(kept_.size())) + 1U, first_look, last_look);
    if (kept_.size() == nodes_[set].length()) {
      nodes_[set].look_at(look_bits); // of this one and those that extend it
      return set;
    }
    reader_set rest = 0;
    for (std::size_t i = kept_.size(); i-- > 0;) {
      rest = make(rest, nodes_[kept_[i]].reader, nodes_[kept_[i]].agent, look_bits);
    }
    return rest;
  }

  reader_set make(reader_set rest, operation_id reader, agent_id agent, std::uint32_t look_bits) {
    nodes_.push_back({rest, reader, agent, ((nodes_[rest].length() + 1U) << 5U) | look_bits});
    return static_cast<reader_set>(nodes_.size() - 1);
  }

  large_vector<node> nodes_;
  std::array<made, std::size_t{1} << made_bits> made_{};
  std::vector<reader_set> kept_;  ///< while a list is looked through
  std::vector<reader_set> moved_; ///< while sets are collected: kept, as its pages cost as much
};

} // namespace tilesim::sim::detect
