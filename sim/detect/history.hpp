// Strong accesses to one cell since its last weak write, and sets of weak readers.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/detect/detector.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
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
  std::uint8_t bytes = 0; ///< of the access,
  std::uint8_t delta = 0; ///< which begins so many bytes before the cell

  [[nodiscard]] bool reads() const noexcept { return kind != access_kind::write; }
  [[nodiscard]] bool writes() const noexcept { return kind != access_kind::read; }
};
static_assert(sizeof(history_entry) == 20);

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
  std::vector<history_entry> entries; ///< in the order of the execution
};

/// Sets of readers, each made once: cells that are read together share them.
class reader_sets {
public:
  struct node {
    reader_set rest = 0;
    operation_id reader = 0;
  };

  reader_sets() { nodes_.emplace_back(); }

  /// `set` and one more reader. `stands_for(o)` tells whether the new one stands for o: an earlier
  /// read that is ordered before it.
  template <class F>
  reader_set add(reader_set set, operation_id reader, F stands_for) {
    if (set == last_set_ && reader == last_reader_) {
      return last_result_;
    }
    last_set_ = set;
    last_reader_ = reader;
    if (set != 0 && nodes_[set].reader == reader) {
      return last_result_ = set;
    }
    const auto [at, added] = made_.try_emplace({set, reader}, 0);
    if (added) {
      at->second = make(without(set, stands_for), reader);
    }
    return last_result_ = at->second;
  }

  template <class F>
  void for_each(reader_set set, F f) const {
    for (; set != 0; set = nodes_[set].rest) {
      if (!f(nodes_[set].reader)) {
        return;
      }
    }
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    return (nodes_.size() * sizeof(node)) + (made_.size() * 32);
  }

private:
  /// What is left of a set. Long sets are only looked at near the top: leaving a reader in costs
  /// time, not truth.
  template <class F>
  reader_set without(reader_set set, F stands_for) {
    constexpr unsigned most = 32;
    std::vector<operation_id> kept;
    bool dropped = false;
    reader_set rest = set;
    for (unsigned i = 0; rest != 0 && i < most; ++i, rest = nodes_[rest].rest) {
      if (stands_for(nodes_[rest].reader)) {
        dropped = true;
      } else {
        kept.push_back(nodes_[rest].reader);
      }
    }
    if (!dropped) {
      return set;
    }
    std::ranges::for_each(
        kept.rbegin(), kept.rend(), [&](operation_id o) { rest = make(rest, o); });
    return rest;
  }

  reader_set make(reader_set rest, operation_id reader) {
    nodes_.push_back({rest, reader});
    return static_cast<reader_set>(nodes_.size() - 1);
  }

  struct pair_hash {
    std::size_t operator()(const std::pair<reader_set, operation_id>& p) const noexcept {
      return ((std::size_t{p.first} << 32U) | p.second) * 0x9e3779b97f4a7c15U >> 7U;
    }
  };

  std::vector<node> nodes_;
  std::unordered_map<std::pair<reader_set, operation_id>, reader_set, pair_hash> made_;
  reader_set last_set_ = 0;
  operation_id last_reader_ = 0;
  reader_set last_result_ = 0;
};

} // namespace tilesim::sim::detect
