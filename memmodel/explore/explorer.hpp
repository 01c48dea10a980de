// Every execution that a model allows, once: stateless exploration of execution graphs.
//
// TruSt's recursion (Kokologiannakis, Marmanis, Gladstein and Vafeiadis, POPL 2022): the next event
// is added; a read tries every write that it may take; a write, wherever it may stand, may also be
// taken by earlier reads that are not in its past, and what had come since then is taken back. That
// is done from one of the graphs alone from which it could be: where everything that goes had made
// the last choice, so that nothing is found twice and nothing has to be remembered.
//
// Two executions are one if they agree in events and values, in reads-from, and in the order of the
// writes that have to be ordered (graph::ordered()).
//
// Load buffering: a read may take a value that a write in its own future is still to make. Its
// thread goes on with that value, as promised; in the end some write behind the read has to have
// made it, the page has to allow the execution, and dependencies must not run in a circle. What may
// be promised the threads say, and how many such writes there may be: no read is promised more of
// them. Going round, a circle comes from a later thread to an earlier one somewhere; where that is
// always a read, it is enough that reads are promised what later threads write. Executions found so
// are remembered, 16 bytes each and what a set takes for them: one may be found from more than one
// of its circle's reads.
//
// Where a thread's program order is partial (instruction::beside) its events still come in the
// order of its text. A read that takes what its own thread writes beside it, later in the text,
// takes from its own future likewise.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"
#include "memmodel/graph/graph.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tilesim::memmodel::explore {

struct settings {
  const model* judge = &ptx();
  bool load_buffering = true;
  /// Only executions of which so many reads are stale [stale.hpp], without load buffering.
  std::optional<std::size_t> most_stale = {};
  /// Executions without load buffering that differ in which of the threads that are alike does what
  /// are left out, but for one or more of them. [symmetry.cpp]
  bool symmetry = false;
};

struct counts {
  std::uint64_t executions = 0; ///< complete: every thread has ended
  std::uint64_t buffered = 0;   ///< of them, those in which a read takes from its own future
  std::uint64_t stuck = 0;      ///< ended with a thread that goes no further
  std::uint64_t refused = 0;    ///< attempts that came to nothing
  std::uint64_t beyond = 0;     ///< graphs that were left, since more of their reads are stale
  std::size_t remembered = 0;
};

/// Events, reads-from and the order of writes in 128 bits.
using execution_name = std::pair<std::uint64_t, std::uint64_t>;

/// A complete execution.
struct found_execution {
  const graph& what;
  /// By thread: what its reads have taken.
  std::vector<std::span<const std::uint64_t>> values;
  std::vector<std::size_t> performed; ///< and how many instructions it has performed
  bool buffered = false;
  execution_name name{0, 0}; ///< of a buffered one: other parts may find it, too
};

/// A part of an exploration: what follows where, one after the other, these choices are made.
///
/// A choice is counted where there are several that the model allows, and only there: accesses that
/// nobody else sees change no part. Parts in the order of their numbers, a shorter one before those
/// that it begins, are in the order in which a whole exploration comes to them.
using part = std::vector<std::uint32_t>;

/// The executions without load buffering, and those with it.
enum class pass : std::uint8_t { plain, buffering };

class explorer {
public:
  explorer(threads& program, const settings& s);

  /// Returns false to end it.
  using sink = std::function<bool(const found_execution&)>;
  /// Calls f with each execution; false: f has ended it.
  /// @throws not_explored
  bool run(const sink& f);
  /// The same, and g with each execution in which some threads go no further and no others are to
  /// come: those that wait are allowed, but need not stay so.
  bool run(const sink& f, const sink& g);

  // --- In parts.

  /// What a part has come to.
  struct part_result {
    bool ended = false;     ///< a sink has ended it
    std::vector<part> rest; ///< what it has not explored, in order: all of it and no more
    double share = 0;       ///< of the pass, explored: an estimate
  };
  /// Explores a part of a pass. `stop` is asked again and again, once some execution has been
  /// found, whether the rest is to be left; empty: never.
  /// @throws not_explored
  [[nodiscard]] part_result run_part(
      pass which, const part& of, const sink& f, const sink& g, const std::function<bool()>& stop);
  /// All of a pass in disjoint parts, in order: at least so many, or one an execution, if there are
  /// fewer. The same each time.
  /// @throws not_explored
  [[nodiscard]] std::vector<part> divided(pass which, std::size_t at_least);

  // --- By chance.

  /// Draws an execution without load buffering: who goes on, what reads take, where writes stand. A
  /// thread that waits for another value than its read has taken reads later instead. Calls f with
  /// it if all threads have ended, else g. Its name is a number for what makes it one execution, in
  /// the first half. The same for the same seed.
  /// @throws not_explored
  void sample(std::uint64_t seed, const sink& f, const sink& g);

  [[nodiscard]] const counts& counted() const noexcept { return counts_; }
  /// Accesses of several places, or not all morally strong, have been seen: reads may take from
  /// their own future.
  [[nodiscard]] bool may_buffer() const noexcept { return apart_; }
  /// How much of what there was to try has been tried: an estimate, 0 to 1.
  [[nodiscard]] double share() const noexcept { return std::max(0.0, covered_ - covered_before_); }

private:
  /// One element of an instruction under way.
  struct progress {
    enum class step : std::uint8_t { nothing, read, done };
    step at = step::nothing;
    bool writes = false; ///< an update that has read: there is a write half,
    written half;        ///< this
  };
  struct running {
    std::shared_ptr<const instruction> what;
    std::vector<progress> elements;
    std::size_t left = 0;       ///< elements, arrivals and departures to come
    std::size_t first_read = 0; ///< among the thread's
  };
  struct thread_part {
    std::vector<running> code;
    std::vector<std::uint64_t> values;
    std::vector<event_id> reads;
  };
  /// A graph and how far its threads are.
  struct state {
    graph g;
    std::vector<thread_part> threads;
    std::vector<event_id> promised;
    std::uint64_t next_stamp = 1;
  };
  using bit_set = std::vector<graph::word>;

  bool visit(state& s);
  bool enter(state& s);
  bool choose(state& s, thread_id t);
  bool step(state& s, thread_id t);
  void begin(state& s, thread_id t);
  void refuse_beside(const thread_part& part, const instruction& i) const;
  [[nodiscard]] static bool written_to(const state& s, const running& r);
  bool step_element(state& s, thread_id t, std::size_t e);
  bool step_read(state& s, thread_id t, std::size_t e);
  bool take(state& s, thread_id t, std::size_t e, const byte_sources& from, std::uint64_t value);
  /// The event of an element that writes is the last one; where it stands is still to be said.
  static event_id begin_write(state& s, thread_id t, std::size_t e);
  bool step_write(state& s, thread_id t, std::size_t e);
  bool place_write(state& s);
  bool revisit(const state& s, event_id write, event_id read, const bit_set& past);
  /// What follows the last event, the only one left of its thread's instruction `i`; takes it back.
  bool visit_behind(state& s, thread_id t, std::size_t i, std::size_t element);
  bool step_fence(state& s, thread_id t);
  bool add_meeting(state& s, thread_id t, bool departs);
  bool arrive(state& s, thread_id t);
  bool depart(state& s, thread_id t);
  [[nodiscard]] bool may_depart(const state& s, thread_id t, std::vector<event_id>& arrivals);
  [[nodiscard]] std::uint32_t instance_of(const state& s, thread_id t);
  bool complete(state& s);
  bool resolve(state& s, std::size_t i);
  /// The first whose writes a read of this thread may be promised.
  [[nodiscard]] thread_id first_promising(thread_id t) const;
  [[nodiscard]] bool
  enough_writes(const state& s, thread_id t, const event& read, std::uint64_t value);
  bool found(const state& s, bool buffered, const execution_name& name = {});
  [[nodiscard]] static found_execution described(const state& s, bool buffered);

  // Of one that is drawn.
  class drawn_execution;

  /// Sets what is behind a read that has taken a value.
  void feed(state& s, thread_id t, std::size_t instruction, std::size_t e, std::uint64_t value);
  void restrict(const state& s, const bit_set& keep, state& to, std::vector<event_id>& ids);
  /// What an instruction takes: elements, or arrivals and departures, or one step.
  [[nodiscard]] static std::size_t steps_of(const running& r);
  static void restrict_thread(const state& s, thread_id t, state& to);
  void find_older(const state& s, event_id write);
  [[nodiscard]] bool
  maximally_added(const state& s, event_id e, event_id write, const bit_set& past);
  [[nodiscard]] bool first_choice(const state& s, event_id e, const bit_set& previous);
  void find_alike();
  static void for_each_pair(const state& s,
                            thread_id first,
                            thread_id second,
                            const std::function<void(event_id, event_id)>& f);
  [[nodiscard]] bit_set past_of(const state& s, event_id e) const;
  [[nodiscard]] bool in_symmetric_order(const state& s, graph::bits after) const;
  [[nodiscard]] std::unique_ptr<state> fresh() const;
  [[nodiscard]] std::unique_ptr<state> spare();
  [[nodiscard]] bool one_place(const state& s) const;
  [[nodiscard]] static std::vector<event_id> dependencies(const state& s, thread_id t, read_set d);
  [[nodiscard]] static event label(const running& r, thread_id t, std::size_t e, event_kind kind);
  [[nodiscard]] std::uint64_t value_from(const state& s, const event& read, const byte_sources&);
  [[nodiscard]] static execution_name name_of(const state& s);

  threads& program_;
  settings settings_;
  counts counts_;
  place_table places_;
  std::vector<place> where_;
  const sink* sink_ = nullptr;
  const sink* blocked_ = nullptr;
  double weight_ = 1; ///< of what is being visited, among all
  double covered_ = 0;
  bool first_pass_ = true;
  bool only_reads_;         ///< what the threads say of themselves
  bool promisable_ = false; ///< some read has something that may be promised to it
  bool apart_ = false;      ///< one_place() does not hold of all executions
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> instances_; ///< of barriers
  std::vector<std::unique_ptr<state>> spare_;
  bit_set previous_; ///< of maximally_added(),
  std::uint64_t visits_ = 0;
  std::vector<event_id> by_stamp_;                     ///< of find_older()
  std::vector<graph::word> up_to_;                     ///< by event
  std::vector<std::pair<thread_id, thread_id>> alike_; ///< the earlier one first
  std::set<execution_name> remembered_;
  std::shared_ptr<drawn_execution> drawn_; ///< the last one, whose memory is used again

  // Of parts. A visit is a choice of the one around it.
  static constexpr std::uint32_t every = ~std::uint32_t{0};
  std::uint32_t choices_ = 0;          ///< of the visit under way, so far
  std::uint32_t wanted_ = every;       ///< of them, the one that is to be explored
  bool counting_ = false;              ///< they are not explored, only counted
  std::span<const std::uint32_t> way_; ///< to the part's begin: choices still to be made
  const std::function<bool()>* stop_ = nullptr;
  bool stopping_ = false;
  bool some_end_ = false;   ///< an execution has been found
  std::size_t deepest_ = 0; ///< of a division: parts have so many choices; 0: it is none
  std::size_t depth_ = 0;
  bool cut_ = false;          ///< a division has left something out
  std::vector<part> rest_;    ///< last choice first
  double part_weight_ = 1;    ///< how much of all the part is
  double covered_before_ = 0; ///< what had been covered where it begins,
  double covered_then_ = 0;   ///< and where it is left
};

} // namespace tilesim::memmodel::explore
