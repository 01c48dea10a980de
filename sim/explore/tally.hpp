// What a part of an exploration comes to, and what parts come to together.
//
// Parts are explored by several processes, and how an exploration is cut into them depends on their
// speed. What they come to together does not: taken in the order of parts it is what one process
// would have come to.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/explorer.hpp"
#include "sim/contract/schedule_string.hpp"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

/// What processes that explore tell each other.
using message = nlohmann::json;

/// How many executions come to something, and a schedule that shows it: of the first few it is
/// tried, those with load buffering have none.
struct shown_executions {
  struct shown_one {
    std::uint64_t number = 0; ///< among those without load buffering
    schedule how;
  };
  std::uint64_t count = 0;        ///< without load buffering
  std::uint64_t buffered = 0;     ///< with it
  std::vector<shown_one> showing; ///< each of fewer stale reads than the one before
  /// Those with it, where several parts are together: others may have found them, too.
  std::vector<memmodel::explore::execution_name> names;

  static constexpr std::uint64_t most_tried = 16;

  /// One more: f() says what shows it.
  template <class F>
  void add(F f) {
    if (count < most_tried && (showing.empty() || showing.back().how.is_weak())) {
      show(f(), count);
    }
    ++count;
  }
  /// One with load buffering.
  void add(const memmodel::explore::execution_name& name) {
    ++buffered;
    names.push_back(name);
  }
  /// Those of a later part.
  void add(const shown_executions& later);
  [[nodiscard]] std::uint64_t all() const noexcept { return count + buffered; }
  /// Of those that were tried one of the fewest stale reads.
  [[nodiscard]] std::optional<schedule> shown() const {
    return showing.empty() ? std::nullopt : std::optional(showing.back().how);
  }

private:
  void show(std::optional<schedule> by, std::uint64_t number) {
    if (by && (showing.empty() || by->stale.size() < showing.back().how.stale.size())) {
      showing.push_back({number, std::move(*by)});
    }
  }
};

/// Bytes by address, in order. There are as many of these as states: thousands.
using memory_bytes = std::vector<std::pair<std::uintptr_t, std::uint8_t>>;

/// What memory holds in the end, where that may be something else than at the launch.
struct final_memory {
  memory_bytes bytes;
  std::string printed; ///< by kernels, one thread's after the other's
  shown_executions by;
  message picture; ///< of the first execution, if one is wanted [picture.hpp]
};

/// Where the state with these bytes, in which that is printed, is among others; it may be a new
/// one.
class state_index {
public:
  std::size_t of(memory_bytes bytes, std::string printed, std::vector<final_memory>& states);

private:
  std::unordered_multimap<std::size_t, std::size_t> by_hash_;
};

struct explored_finding {
  std::string key;             ///< what tells it from others
  nlohmann::ordered_json what; ///< as reports have it
  shown_executions by;
  message picture; ///< likewise
};

/// An execution with load buffering: other parts may have found it, too.
struct buffered_execution {
  memmodel::explore::execution_name name;
  std::vector<std::size_t> states; ///< that it ends in: several, where racing writes are last
  std::vector<std::size_t> findings;
};

struct tally {
  std::vector<final_memory> states;
  std::vector<explored_finding> findings;
  std::vector<buffered_execution> buffered;
  std::uint64_t executions = 0; ///< without load buffering
  std::uint64_t stopped = 0;    ///< that a finding ends
  std::uint64_t stuck = 0;
  /// How often executions count for a state beyond the first that they end in, as where racing
  /// writes are last: without load buffering; and with it, of several tallies together, by name.
  std::uint64_t again = 0;
  std::vector<std::pair<std::uint64_t, memmodel::explore::execution_name>> again_buffered;
  double share = 0;
  bool beyond = false;      ///< more reads are stale than the bound allows: that was left out
  std::string not_explored; ///< what ended the part, if anything
};

[[nodiscard]] message to_message(const tally& t);
[[nodiscard]] tally tally_of(const message& j);

/// Several tallies, one after the other.
class tallies {
public:
  void add(const tally& t);
  /// Its buffered executions are counted with the others.
  [[nodiscard]] const tally& all() const& noexcept { return all_; }
  [[nodiscard]] tally all() && { return std::move(all_); }
  [[nodiscard]] std::size_t buffered() const noexcept { return names_.size(); }

private:
  std::size_t finding(const explored_finding& f);

  tally all_;
  state_index states_;
  std::map<std::string, std::size_t> findings_;
  std::set<memmodel::explore::execution_name> names_;
};

} // namespace tilesim::sim::exploring
