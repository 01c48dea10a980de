// Blocks that go on for ever: what they do again and again, and how sure it is that they wait.
//
// A block waits if, while it is watched, it comes by a few places only, polls one of them by strong
// reads that see a few values again and again, and nothing that it accesses holds data: every value
// there is one of a few, as those of flags, locks and tokens are, or counts on in even steps, as
// those of tickets and statistics are. A block that computes comes by many places, or sees or
// leaves other values.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tilesim::sim {

class context;
class allocations;
class spin_detector;
struct worker;

/// How sure it is that nobody will ever come to an end.
enum class going_round : std::uint8_t {
  no,     ///< somebody computes
  maybe,  ///< each waits, but for values that do change: it may be counting rounds
  likely, ///< each waits for a value that never changes, and counts, here or in memory
  surely ///< the same, or for a few values, in own states that recur: all that it could do has been
         ///< seen
};

/// True of what code of the host may write, too.
[[nodiscard]] bool is_of_host(const context& c, std::uintptr_t address);

/// What memory has held in turn, as one thread has seen it, or all have.
class value_series {
public:
  void add(std::uint64_t value);
  [[nodiscard]] std::uint64_t last() const noexcept { return last_; }
  [[nodiscard]] bool is_constant() const noexcept { return values_.size() == 1; }
  [[nodiscard]] bool is_few() const noexcept { return !many_; }
  /// Few values, or many in a few even steps.
  [[nodiscard]] bool is_no_data() const noexcept { return !many_ || !uneven_; }

private:
  static constexpr std::size_t most_values = 16;
  static constexpr std::size_t most_steps = 4;

  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> steps_;
  std::uint64_t last_ = 0;
  bool many_ = false;
  bool uneven_ = false;
};

/// Counts accesses of memory by who makes them, where in the source and where in memory.
class busy_record final : public watcher {
public:
  /// `made`: operations of the run so far.
  busy_record(context& c, std::uint64_t made)
      : context_(c)
      , begun_(made) {}

  [[nodiscard]] wanted_events wants() const override { return {.operations = false}; }
  void memory(const memory_event& e) override;

  /// How sure it is that all wait; nothing as long as somebody has not shown what it does.
  [[nodiscard]] std::optional<going_round> judge(const execution::impl& run) const;

  /// True if somebody polls what a thread of the host's may change.
  [[nodiscard]] bool polls_memory_of_host() const;

  /// A line for each of the first few threads, and for each the accesses that it makes most often.
  /// Threads that do the same are told together.
  [[nodiscard]] std::vector<std::string> lines() const;

private:
  struct access_count {
    std::uint64_t times = 0;
    value_series values; ///< behind each
    bool polls = false;  ///< by a strong read: what a kernel computes with, it reads weakly
  };
  struct thread_record {
    std::string name; ///< "tile block (0,0,0)"
    std::string kernel;
    std::uint64_t operations = 0; ///< that it had made when it was seen first
    std::uint64_t accesses_seen = 0;
    const void* state_site = nullptr; ///< of one poll its own state is looked at:
    std::set<std::uint64_t> states;   ///< what it was,
    std::array<std::uint64_t, 4>
        given{}; ///< to it by its last updates, whether it uses that or not
    std::uint64_t updates = 0;
    std::uint64_t states_seen = 0;    ///< how often,
    std::uint64_t last_new_state = 0; ///< and when it was new the last time
    bool state_is_seen = true;
    /// By site, address, size, whether it reads, whether it writes.
    std::map<std::tuple<const void*, std::uintptr_t, unsigned, bool, bool>, access_count> accesses;
  };

  static void note_state(thread_record& t, const memory_event& e);
  [[nodiscard]] static bool recurs(const thread_record& t);
  [[nodiscard]] static bool has_shown(const thread_record& t);
  [[nodiscard]] bool waits_for_ever(const spin_detector& spin) const;
  [[nodiscard]] going_round judge(const thread_record& t, const worker& w) const;
  [[nodiscard]] std::vector<std::string> lines_of(const thread_record& t) const;

  context& context_;
  std::uint64_t begun_;
  std::map<std::uint64_t, thread_record> threads_;               ///< by number
  std::unordered_map<std::uintptr_t, value_series> everybody_s_; ///< by address
};

} // namespace tilesim::sim
