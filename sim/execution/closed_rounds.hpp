// Livelocks whose rounds are closed: whatever order the blocks go on in, they do what they did.
//
// Each block is followed from access to access: what its own state was there, and what it read.
// The same state that is given the same value goes on in the same way, so if every block has been
// given, wherever it reads, each of the values that memory has held there since, and has come back
// to states that it was in each time, then no order of turns leads anywhere else: nobody ends, and
// nothing new is written.
// Nothing follows where there is more than a few states or values.
//
// To see all that soon, turns are short and fair meanwhile: some end where others have to wait for
// what the block has changed, so that they meet it, the others where nobody has to.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/livelock.hpp"

#include <cstddef>
#include <cstdint>
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
  [[nodiscard]] bool is_over(std::uint64_t made) const noexcept;

  /// True if nobody is seen to come to an end, whoever gets turns.
  [[nodiscard]] bool is_closed(const execution::impl& run);

  [[nodiscard]] const busy_record& shown() const noexcept { return shown_; }

  // --- Turns, while it rules.

  void begin_turn(std::uint64_t made);
  void fell_asleep(const sim_thread& t);
  /// The thread is about to access memory: true if others go first.
  [[nodiscard]] bool turn_is_over(const sim_thread& t, std::uint64_t made);

private:
  enum class stage : std::uint8_t { looks_on, gathers, follows, hands_over };

  struct cell {
    unsigned bytes = 0;
    std::uint64_t now = 0;
    std::vector<std::uint64_t> values;       ///< that it has held while it was looked at
    std::vector<std::uint64_t> kept_waiting; ///< those with which threads fell asleep
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
    std::vector<std::uintptr_t> changes; ///< what it is known to change
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
  void hold(cell& c, std::uint64_t value);
  [[nodiscard]] bool keeps_others_waiting(const sim_thread& t);
  [[nodiscard]] std::size_t values_of(const station& s) const;
  [[nodiscard]] bool is_closed(const thread_record& t) const;
  [[nodiscard]] bool is_whole(const node& n) const;
  [[nodiscard]] bool waits_for_ever(const worker& w) const;
  [[nodiscard]] std::uint64_t draw() noexcept;

  context& context_;
  std::uint64_t begun_;
  busy_record shown_; ///< what is told of it
  bool given_up_;
  stage stage_ = stage::looks_on;
  std::size_t threads_alive_ = 1;
  cells cells_;
  std::vector<std::uintptr_t> pending_; ///< raw writes that the program is about to make
  std::unordered_map<std::uint64_t, thread_record> threads_; ///< by number

  std::uint64_t turn_begun_ = 0;
  std::uint64_t turn_length_ = 0;
  bool ends_amid_ = false; ///< the turn ends where others have to wait
  std::uint64_t random_ = 0x2545f4914f6cdd1d;
};

} // namespace tilesim::sim
