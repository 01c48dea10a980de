// Livelocks whose rounds are closed: whatever order the blocks go on in, they do what they did.
//
// Each block is followed from access to access: what its own state was there, and what it read.
// The same state that is given the same value goes on in the same way, so if every block has been
// given, wherever it reads, each of the values that memory has held there since, and has come back
// to states that it was in each time, then no order of turns leads anywhere else: nobody ends, and
// nothing new is written.
// Nothing follows where there is more than a few states or values.
//
// To see all that soon, turns go by what has not been seen: who would be given a value that it was
// not given there before comes first, and its turn ends where it would be given a known one; who
// leaves a value that others were not given where they stand makes way for them. Where there is
// nothing of the kind, turns are short and fair: some end where others have to wait for what the
// block has changed, so that they meet it, the others where nobody has to.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/livelock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilesim::sim {

class context;
struct worker;

class closed_rounds final : public watcher {
public:
  /// `made`: operations of the run so far.
  closed_rounds(context& c, std::uint64_t made);

  [[nodiscard]] wanted_events wants() const override { return {.operations = false}; }
  void memory(const memory_event& e) override;
  void left_unspecified(std::size_t /*element*/) override { given_up_ = true; }
  /// Blocks that work meet again and again: where each of their threads stands says too little.
  void met(const meeting& m) override { given_up_ = given_up_ || m.all; }

  /// Somebody computes, or has more states than can be followed.
  [[nodiscard]] bool given_up() const noexcept { return given_up_; }
  /// From now on turns are short, and all who have not started do.
  void gather(std::uint64_t made, std::size_t threads);
  [[nodiscard]] bool gathers() const noexcept { return stage_ == stage::gathers; }
  /// Follows so many threads.
  void take_over(std::uint64_t made, std::size_t threads);
  [[nodiscard]] bool rules() const noexcept { return stage_ != stage::looks_on; }
  /// All wait for the host, which goes on: the turn is over.
  void hand_over() noexcept { stage_ = stage::hands_over; }
  [[nodiscard]] bool hands_over() const noexcept { return stage_ == stage::hands_over; }
  /// When it is to be looked at again.
  [[nodiscard]] std::uint64_t next_look(std::uint64_t made) const noexcept;
  /// True if it has been followed for as long as is worth while.
  [[nodiscard]] bool is_over(std::uint64_t made) noexcept;

  /// True if nobody is seen to come to an end, whoever gets turns.
  [[nodiscard]] bool is_closed(const execution::impl& run);

  [[nodiscard]] const busy_record& shown() const noexcept { return shown_; }

  // --- Turns, while it rules.

  /// Who is to have the next turn, of those that may go on; nullptr: it makes no difference.
  [[nodiscard]] worker* next_turn();
  void begin_turn(const worker* w, std::uint64_t made);
  void fell_asleep(const sim_thread& t);
  /// The thread is about to access memory: true if others go first.
  [[nodiscard]] bool turn_is_over(const sim_thread& t, std::uint64_t made);

private:
  enum class stage : std::uint8_t { looks_on, gathers, follows, hands_over };

  /// Who was not given a value where it stands.
  struct wanted_value {
    std::uint64_t value = 0;
    std::deque<const sim_thread*> by; ///< or was not when it was written down
  };
  struct cell {
    unsigned bytes = 0;
    std::uint64_t now = 0;
    std::vector<std::uint64_t> values;       ///< that it has held while it was looked at
    std::vector<std::uint64_t> kept_waiting; ///< those with which threads fell asleep
    std::vector<wanted_value> wanted = {};
  };
  using cells = std::map<std::uintptr_t, cell>;
  /// What it is that a thread does next.
  struct station {
    std::uint64_t name = 0; ///< a hash of where it is in the code and what it accesses
    std::vector<std::uintptr_t> reads;
  };
  /// A state, and what was read in it: what follows is always the same access,
  struct node {
    bool goes_on = false;
    station next;
    std::vector<std::uint64_t> read; ///< which has read these,
    std::vector<std::uint64_t> then; ///< and come to these states
  };
  struct thread_record {
    std::unordered_map<std::uint64_t, node> nodes;
    std::uint64_t last = 0;              ///< of them, by name; 0: none
    std::size_t new_ones = 0;            ///< of them, one after the other, up to the last
    std::vector<std::uintptr_t> changes; ///< what it is known to change
    const sim_thread* thread = nullptr;
    std::uint64_t noted = 0;  ///< the node for which it stands among those who want,
    std::size_t noted_of = 0; ///< and of how many values
  };
  /// What an access has seen.
  struct seen_access {
    station at;
    std::uint64_t read = 0;
    bool read_is_known = true;
    std::uint64_t left = 0;
  };

  void settle();
  void forget();
  [[nodiscard]] cell* cell_at(std::uintptr_t address, unsigned bytes, bool& is_new);
  void access(thread_record& t, const memory_event& e, std::uintptr_t address, seen_access& seen);
  void note(thread_record& t, const seen_access& seen, std::uint64_t state);
  void hold(std::uintptr_t address, cell& c, std::uint64_t value);
  [[nodiscard]] bool keeps_others_waiting(const sim_thread& t);
  /// The one cell that the thread reads next, where that is known; nullptr if not.
  [[nodiscard]] cell* next_read(const thread_record& t);
  [[nodiscard]] static bool was_given(const node& n, std::uint64_t value);
  /// Whether it would be given a value that it was not given there before, or does what is not
  /// known yet.
  [[nodiscard]] bool would_learn(const thread_record& t);
  void note_wants(thread_record& t);
  [[nodiscard]] bool lets_others_learn(const thread_record& t);
  [[nodiscard]] static bool could_go_on(const sim_thread& t);
  /// Of those who may go on, one that was not given what the cell holds now.
  [[nodiscard]] const sim_thread* who_wants(cell& c, const thread_record* but);
  [[nodiscard]] std::size_t values_of(const station& s) const;
  [[nodiscard]] bool is_closed(const thread_record& t) const;
  [[nodiscard]] bool is_whole(const node& n) const;
  [[nodiscard]] bool waits_for_ever(const worker& w) const;
  /// A thread is followed for so many.
  [[nodiscard]] std::uint64_t operations_each() const noexcept;
  [[nodiscard]] std::uint64_t draw() noexcept;

  context& context_;
  std::uint64_t begun_;
  busy_record shown_; ///< what is told of it
  bool given_up_;
  bool has_learnt_ = false;     ///< something was new since it was looked at,
  std::uint64_t learnt_at_ = 0; ///< or was the last time
  stage stage_ = stage::looks_on;
  std::size_t threads_alive_ = 1;
  cells cells_;
  std::vector<std::uintptr_t> pending_; ///< raw writes that the program is about to make
  std::unordered_map<std::uint64_t, thread_record> threads_; ///< by number

  std::uint64_t turn_begun_ = 0;
  std::uint64_t turn_length_ = 0;
  bool ends_amid_ = false;             ///< the turn ends where others have to wait
  bool learns_ = false;                ///< it is given so that the thread meets what it has not met
  std::vector<std::uintptr_t> left_;   ///< cells that have changed during it
  std::deque<std::uintptr_t> changed_; ///< cells that hold another value now, and may be wanted
  std::deque<const sim_thread*> made_way_;
  bool more_values_ = false; ///< than those who want were written down for
  std::uint64_t random_ = 0x2545f4914f6cdd1d;
};

} // namespace tilesim::sim
