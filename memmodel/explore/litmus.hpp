// Litmus tests, explored: what `enumerate` finds, by growing graphs instead of candidates.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/explorer.hpp"
#include "memmodel/litmus/enumerate.hpp"
#include "memmodel/litmus/interpreter.hpp"

#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace tilesim::memmodel::explore {

/// The threads of a litmus test, with its syntactic dependencies.
class litmus_threads final : public threads {
public:
  /// A loop's body is run at most `bound` times in a row. The test outlives this.
  litmus_threads(const litmus::test& t, std::uint32_t bound);

  [[nodiscard]] std::vector<place> places() const override;
  [[nodiscard]] std::uint64_t initial(const byte_range& bytes) const override;
  [[nodiscard]] std::shared_ptr<const instruction>
  next(thread_id t, std::span<const std::uint64_t> values, std::size_t performed) override;
  [[nodiscard]] std::optional<written> modified(thread_id t,
                                                std::span<const std::uint64_t> values,
                                                std::size_t performed,
                                                const instruction& i,
                                                std::size_t element,
                                                std::uint64_t old) override;
  /// From all runs of each thread, over all values that its reads might take.
  [[nodiscard]] std::vector<std::uint64_t>
  promises(thread_id t, thread_id from, const instruction& i, const element& e) override;
  [[nodiscard]] bool only_reads() const override { return only_reads_; }
  [[nodiscard]] std::uint32_t most_writes(thread_id writer,
                                          const byte_range& bytes,
                                          std::optional<std::uint64_t> value) override;

  /// What a thread's registers hold when its reads have taken these.
  [[nodiscard]] const std::vector<litmus::register_value>&
  registers(thread_id t, std::span<const std::uint64_t> values, std::size_t performed);
  /// A loop was cut.
  [[nodiscard]] bool bound_reached() const noexcept { return bound_reached_; }

private:
  /// A thread before an access.
  struct point {
    litmus::run_state state;
    litmus::next_access stop;
    std::size_t values = 0; ///< of the instructions before it
    std::shared_ptr<const instruction> described;
  };
  struct run {
    litmus::interpreter code;
    std::vector<point> points;
    std::vector<std::uint64_t> taken; ///< by the instructions before the last point
  };
  point& at(thread_id t, std::span<const std::uint64_t> values, std::size_t performed);
  static void
  perform(const run& r, const point& from, std::span<const std::uint64_t> values, point& to);
  [[nodiscard]] std::shared_ptr<const instruction> describe(thread_id t, const point& p);
  void describe_barrier(thread_id t, const litmus::run_state& s, instruction& out);

  /// What a thread may do in some run.
  struct outlook {
    std::set<std::uint32_t> before_writes; ///< instructions that read and have writes behind them
    std::set<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>>
        written; ///< behind reads: address, size, value
    /// The most of them in a run, by value and of all values.
    std::map<std::tuple<std::uint64_t, std::uint32_t, std::optional<std::uint64_t>>, std::uint32_t>
        times;
  };
  void look_ahead();

  const litmus::test& test_;
  std::uint32_t bound_;
  std::vector<run> runs_;
  bool only_reads_ = true;
  std::vector<outlook> outlooks_; ///< by thread, once asked for
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, litmus::barrier_name>,
           std::uint64_t>
      barriers_;
  bool bound_reached_ = false;
};

/// What exploring a litmus test gives.
struct litmus_result {
  std::vector<litmus::observable> observables; ///< what `outcomes` is about
  std::map<std::vector<litmus::value>, litmus::outcome_count> outcomes;
  counts counted;
  std::uint64_t racy = 0;
  bool mixed_size_race = false; ///< and the model then constrains nothing
  bool bound_reached = false;
};

/// @throws not_explored, litmus::limit_reached, litmus::program_error
[[nodiscard]] litmus_result
explore(const litmus::test& t, const settings& s, std::uint32_t bound = 1);

/// What `count` drawn executions give; `counted.executions`: how many of them are different.
/// @throws not_explored, litmus::program_error
[[nodiscard]] litmus_result
sample(const litmus::test& t, const settings& s, std::uint64_t count, std::uint64_t seed);

} // namespace tilesim::memmodel::explore
