// What one thread of a litmus test may do: every run of its code, with every value that its reads
// might take.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/litmus/program.hpp"
#include "memmodel/read_set.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

namespace tilesim::memmodel::litmus {

/// The writes that a value was computed from, itself included: no value may depend on itself
/// (No-Thin-Air). Writes beyond the 64th are left out, which allows more guesses and no wrong
/// execution.
using write_set = std::uint64_t;

/// Adds a set unless one of its subsets is there; drops its supersets. Returns whether anything
/// changed.
bool add_minimal(std::vector<write_set>& sets, write_set s);

/// A barrier of a block: threads that name the same one meet.
struct barrier_name {
  value id = 0;
  value resource = 0;
  value threads = 0; ///< how many complete it; 0: all of the block that come to it

  friend auto operator<=>(const barrier_name&, const barrier_name&) = default;
};

struct trace_event {
  event what; ///< thread and barrier instance are filled in later
  std::uint32_t code = 0;
  read_set addr = 0;
  read_set data = 0;
  read_set ctrl = 0;
  bool write_half = false; ///< of an atomic whose read half is the event before

  barrier_name barrier;
};

enum class trace_end : std::uint8_t {
  finished,
  cut,      ///< a loop reached its bound
  spinning, ///< a loop reached its bound, and its last iteration only read and left all registers
            ///< as they were
  waiting,  ///< the last event waits at a barrier
};

struct trace {
  std::vector<trace_event> events;
  std::vector<std::vector<write_set>> origins; ///< by event; of writes only
  std::vector<std::vector<value>> registers;
  trace_end end = trace_end::finished;
  std::uint32_t last_iteration = 0; ///< spinning: the first event of the last iteration

  /// Waiting: the barriers that the thread would come to, had it gone on; else those among the
  /// events.
  std::vector<barrier_name> barriers;
};

/// A value that may stand in memory, and the smallest sets of writes that can make it.
struct possible_value {
  std::uint64_t bits = 0;
  std::vector<write_set> origins;
};

/// What may stand in memory, by range: from initial memory and from the writes of all traces.
class possible_values {
public:
  /// Returns whether that is news.
  bool
  add(const byte_range& range, std::uint64_t bits, const std::vector<write_set>& origins = {0});
  /// The values that a read of `range` may take. Where writes overlap it in part, every mixture of
  /// their bytes.
  [[nodiscard]] std::vector<possible_value> of(const byte_range& range) const;
  /// Whether some write may have left `bits` there; true as well where writes overlap `range` in
  /// part.
  [[nodiscard]] bool may_hold(const byte_range& range, std::uint64_t bits) const;

private:
  std::map<std::uint64_t, std::map<std::uint32_t, std::map<std::uint64_t, std::vector<write_set>>>>
      by_address_;
};

/// What a test's locations hold before it.
[[nodiscard]] possible_values initial_memory(const test& t);

struct thread_traces {
  std::vector<std::vector<trace>> of; ///< by thread
  bool bound_reached = false;         ///< some trace was cut
};

/// The limits of a search. Reaching one is reported, never silent.
struct limits {
  std::uint32_t bound = 1;               ///< a loop's body is run at most so many times in a row
  std::uint64_t traces = 1'000'000;      ///< of all threads together
  std::uint64_t candidates = 50'000'000; ///< partial candidates that are judged
};

/// Thrown when a limit is reached.
struct limit_reached {
  std::string what;
};

/// Thrown when a program does what no execution can mean: an address that is no location's.
struct program_error {
  position at;
  std::string message;
};

/// Every way in which a trace may stop at a barrier: up to and with each wait.
[[nodiscard]] std::vector<trace> cut_at_waits(const trace& t);

/// Every trace of every thread, over the values that reads may take: a fixed point, since no value
/// depends on itself.
/// By value: what a write may depend on is not known before all traces are; a value may then be
/// guessed that depends on itself, which the model refuses.
[[nodiscard]] thread_traces
all_traces(const test& t, const limits& l, bool dependencies_by_value = false);

} // namespace tilesim::memmodel::litmus
