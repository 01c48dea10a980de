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

/// A set of weak readers: the first `count` of a node and all behind it. None: the empty one.
struct reader_set {
  std::uint32_t node = 0;
  std::uint32_t count = 0;

  [[nodiscard]] bool empty() const noexcept { return count == 0; }
  friend bool operator==(const reader_set&, const reader_set&) = default;
};

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
  reader_set readers;
  bool wide = true; ///< all entries have one range, and scopes that hold the device
  /// All accesses are kept, also beyond weak writes. `readers` and weak_write are then unused.
  bool followed = false;
  bool has_stale = false;             ///< some read was given an older write than the last
  std::uint32_t weak_set = 0;         ///< number of the weak accesses, if followed
  std::uint32_t reads_from = 0;       ///< behind the last write among the entries, if not followed
  std::vector<history_entry> entries; ///< in the order of the execution
};

/// Sets of readers as lists, the latest first, of nodes that hold six each. Sets share nodes: one
/// that has all of a node so far grows in it, and is still a set to those that have less of it. So
/// a read of a cell that many read costs 4 to 5 bytes, and at most a node.
class reader_sets {
public:
  reader_sets() { nodes_.emplace_back(); }

  /// `set` and one more reader, which is later than all in it. `same_agent(o)` tells whether its
  /// agent is that of o, `stands_for(o)` whether the new one stands for o: an earlier read that is
  /// ordered before it. A list is looked through each time it has become four times as long, and
  /// not while it is shorter than `at_least`, so that it is at most so much longer than it has to
  /// be.
  template <class SameAgent, class StandsFor>
  reader_set add(reader_set set,
                 operation_id reader,
                 std::size_t at_least,
                 SameAgent same_agent,
                 StandsFor stands_for) {
    node& n = nodes_[set.node];
    if (!set.empty() && n.readers[set.count - 1] == reader) {
      return set;
    }
    if (set.count % capacity != 0 && (n.used() == set.count || n.readers[set.count] == reader) &&
        !same_agent(n.readers[set.count - 1]) && !is_to_be_looked_at(set, at_least)) {
      return grown(set, reader);
    }
    made& known = made_[((set.node + set.count) * 0x9e3779b1U) >> (32U - made_bits)];
    if (known.set == set && known.reader == reader) {
      return known.result;
    }
    const reader_set result = added(set, reader, at_least, same_agent, stands_for);
    known = {set, reader, result};
    return result;
  }

  /// The latest reader of a set that is not empty.
  [[nodiscard]] operation_id latest(reader_set set) const noexcept {
    return nodes_[set.node].readers[set.count - 1];
  }

  /// Asks the processor for the latest reader.
  void fetch(reader_set set) const noexcept { __builtin_prefetch(&nodes_[set.node], 1); }

  /// From the latest to the earliest, while f(reader) is true.
  template <class F>
  void for_each(reader_set set, F f) const {
    for (; !set.empty(); set = rest_of(set.node)) {
      for (std::uint32_t i = set.count; i-- > 0;) {
        if (!f(nodes_[set.node].readers[i])) {
          return;
        }
      }
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::size_t bytes() const noexcept { return nodes_.size() * sizeof(node); }
  static constexpr std::size_t node_bytes = 32;

  /// Gives back what no set needs any more. `each(f)` calls f(set) for every set in use, which f
  /// may change to its new place.
  template <class F>
  void collect(F each) {
    std::vector<std::uint32_t>& moved = moved_;
    moved.assign(nodes_.size(), 0);
    each([&](reader_set& set) { moved[set.node] = 1; });
    for (std::size_t i = nodes_.size() - 1; i > 0; --i) { // what a node leads to was made before it
      if (moved[i] != 0) {
        moved[nodes_[i].rest] = 1;
      }
    }
    std::uint32_t end = 1;
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
    each([&](reader_set& set) { set.node = moved[set.node]; });
  }

private:
  static constexpr std::uint32_t capacity = 6;
  static constexpr std::uint32_t first_look = 5;
  static constexpr std::uint32_t last_look = 25; ///< as long as a list may be
  static constexpr unsigned made_bits = 8;

  struct node {
    std::uint32_t rest = 0;                 ///< another one, which is full; 0: none
    std::uint32_t shape = first_look << 3U; ///< in three bits how many it has, in five, and:
    std::array<operation_id, capacity> readers{};

    [[nodiscard]] std::uint32_t used() const noexcept { return shape & 7U; }
    /// With 1 << look_bits() readers a list is looked through.
    [[nodiscard]] std::uint32_t look_bits() const noexcept { return (shape >> 3U) & 31U; }
    /// How many nodes are behind it.
    [[nodiscard]] std::uint32_t behind() const noexcept { return shape >> 8U; }
    void look_at(std::uint32_t bits) noexcept { shape = (shape & ~(31U << 3U)) | (bits << 3U); }
  };
  static_assert(sizeof(node) == node_bytes);
  struct made { ///< what was made lately: cells that are read together share their sets
    reader_set set;
    operation_id reader = 0;
    reader_set result;
  };

  [[nodiscard]] std::uint32_t length(reader_set set) const noexcept {
    return (nodes_[set.node].behind() * capacity) + set.count;
  }
  [[nodiscard]] bool is_to_be_looked_at(reader_set set, std::size_t at_least) const noexcept {
    const std::uint32_t with_it = length(set) + 1;
    return with_it >= std::uint32_t{1} << nodes_[set.node].look_bits() && with_it >= at_least;
  }
  [[nodiscard]] reader_set rest_of(std::uint32_t n) const noexcept {
    const std::uint32_t rest = nodes_[n].rest;
    return {rest, rest == 0 ? 0 : capacity};
  }

  template <class SameAgent, class StandsFor>
  [[gnu::noinline]] reader_set added(reader_set set,
                                     operation_id reader,
                                     std::size_t at_least,
                                     SameAgent same_agent,
                                     StandsFor stands_for) {
    const std::uint32_t look_bits = nodes_[set.node].look_bits();
    if (set.empty()) {
      return make(set, reader, look_bits);
    }
    if (same_agent(latest(set))) {
      set = set.count == 1 ? rest_of(set.node) : reader_set{set.node, set.count - 1};
      return make(set, reader, set.empty() ? first_look : nodes_[set.node].look_bits());
    }
    if (is_to_be_looked_at(set, at_least)) {
      set = without(set, stands_for);
      return make(set, reader, set.empty() ? first_look : nodes_[set.node].look_bits());
    }
    return make(set, reader, look_bits);
  }

  /// What is left of a set.
  template <class F>
  reader_set without(reader_set set, F stands_for) {
    kept_.clear();
    for_each(set, [&](operation_id o) {
      if (!stands_for(o)) {
        kept_.push_back(o);
      }
      return true;
    });
    const std::uint32_t look_bits = std::clamp(
        static_cast<std::uint32_t>(std::bit_width(kept_.size())) + 1U, first_look, last_look);
    if (kept_.size() == length(set)) {
      nodes_[set.node].look_at(look_bits); // of this one and those that extend it
      return set;
    }
    reader_set rest;
    for (std::size_t i = kept_.size(); i-- > 0;) {
      rest = make(rest, kept_[i], look_bits);
    }
    return rest;
  }

  /// A set and one more reader, for which its node has room, or which the node has.
  reader_set grown(reader_set set, operation_id reader) noexcept {
    node& n = nodes_[set.node];
    n.readers[set.count] = reader;
    n.shape += n.used() == set.count ? 1U : 0U;
    return {set.node, set.count + 1};
  }

  reader_set make(reader_set set, operation_id reader, std::uint32_t look_bits) {
    if (set.count % capacity != 0 && nodes_[set.node].used() == set.count) {
      return grown(set, reader);
    }
    node n;
    if (set.count == capacity) {
      n.rest = set.node;
      n.shape = (nodes_[set.node].behind() + 1U) << 8U;
    } else if (!set.empty()) { // others have gone on from here
      n = nodes_[set.node];
      n.shape = (n.behind() << 8U) | set.count;
    } else {
      n.shape = 0;
    }
    const std::uint32_t at = set.count % capacity;
    n.readers[at] = reader;
    ++n.shape;
    n.look_at(look_bits);
    nodes_.push_back(n);
    return {static_cast<std::uint32_t>(nodes_.size() - 1), at + 1};
  }

  large_vector<node> nodes_;
  std::array<made, std::size_t{1} << made_bits> made_{};
  std::vector<operation_id> kept_;   ///< while a list is looked through
  std::vector<std::uint32_t> moved_; ///< while sets are collected: kept, as its pages cost as much
};

} // namespace tilesim::sim::detect
