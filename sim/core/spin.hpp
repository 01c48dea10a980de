// Spin loops: a thread that polls sleeps until what it polls changes.
//
// Two things are told apart. A thread whose own state (its live stack and registers) is at a poll
// what it was at the same poll before, and which has changed nothing in memory in between, goes
// round for ever unless somebody else changes memory: that is certain, and seen after three polls
// of a simple loop. A thread that only sees the same values again at the same place may count its
// polls and end by itself: it sleeps, too, and is given more patience each time that everyone does.
//
// A thread that changes memory while it polls is restless: it makes way when its strong reads have
// seen the same for some rounds, and goes on when that changes, when everyone sleeps, or after a
// while. That is no judgement (livelock.hpp): it only gives others their turns sooner.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tilesim::sim {

/// One element that a poll read.
struct watched_cell {
  std::uintptr_t address = 0;
  std::uint64_t value = 0; ///< the bytes seen, zero-extended
  std::uint8_t size = 0;   ///< 1 to 8

  /// What memory holds there, as `value` is kept.
  [[nodiscard]] std::uint64_t now() const noexcept;
  /// True if that is something else.
  [[nodiscard]] bool changed() const noexcept { return now() != value; }
};

/// What a thread read without changing memory.
struct poll {
  const void* site = nullptr;
  const watched_cell* cells = nullptr;
  std::size_t count = 0;
  /// Of more memory than `cells`: where it begins and how much, so that another is told apart.
  std::uintptr_t at = 0;
  std::size_t elements = 0;
  std::uint64_t operation = 0; ///< its number in the run, if operations are numbered
  bool strong = false;         ///< or volatile: what a kernel computes with, it reads weakly
};

/// Asked for what, besides memory, decides how a thread goes on: seldom, since it takes
/// microseconds.
class own_state {
public:
  own_state() = default;
  virtual ~own_state() = default;
  own_state(const own_state&) = delete;
  own_state& operator=(const own_state&) = delete;

  /// A hash of it; nothing if it cannot be seen.
  [[nodiscard]] virtual std::optional<std::uint64_t> hash() const = 0;
};

class spin_detector {
public:
  /// Another thread's from now on.
  void begin() {
    if (touched_) {
      begin_anew();
    }
    progress_ = 0;
  }

  /// Records a poll. `changes` counts changes of memory, whoever made them. Returns true if the
  /// thread should sleep on watched().
  bool polled(const poll& p, std::uint64_t changes, const own_state& own);

  /// The thread has changed memory: whatever it polls next is new.
  void progressed() noexcept {
    ++progress_;
    if (walked_ != 0 || has_waited_) {
      end_wait();
    }
  }

  /// The thread was given something that it would not be given again, as a time or a random value:
  /// its state says nothing of how it goes on.
  void drew() noexcept {
    touched_ = true;
    forget_lap();
  }
  /// The same of a time: it may give up when enough of it has passed.
  void asked_the_time() noexcept {
    touched_ = true;
    forget_lap();
    asks_the_time_ = asked_the_time_ = true;
  }
  /// True if it has since what it polls changed the last time, as far as that is known.
  [[nodiscard]] bool has_asked_the_time() const noexcept { return asked_the_time_; }
  [[nodiscard]] bool asks_the_time() const noexcept { return asks_the_time_; }

  /// What the sleeping thread waits for.
  [[nodiscard]] const std::vector<watched_cell>& watched() const noexcept { return watched_; }
  /// True if what it waits for may have changed, after so many changes of memory in all.
  [[nodiscard]] bool may_go_on(std::uint64_t changes) const noexcept;

  /// True if the thread sleeps and is sure to go round for ever, unless memory has changed since
  /// there were so many changes.
  [[nodiscard]] bool waits_for_ever(std::uint64_t changes) const noexcept {
    return certain_ && since_ == changes;
  }

  /// True if nothing that it has read since it changed memory was meant for waiting: it may be
  /// computing, for as long as it takes.
  [[nodiscard]] bool may_compute() const noexcept { return !polls_strongly_; }
  /// True if it was sure to when it fell asleep.
  [[nodiscard]] bool waited_for_ever() const noexcept { return certain_; }

  /// Ends a sleep. `stalled`: nothing that it waits for has changed, but everyone sleeps; it will
  /// poll more often before it sleeps again, `most` times at most.
  void wake(bool stalled, std::uint64_t most = 0) noexcept;

  /// True if it sleeps although it changes memory while it polls.
  [[nodiscard]] bool restless() const noexcept { return restless_; }
  /// True if all that decides whether it goes round is in watched().
  [[nodiscard]] bool watches_its_lap() const noexcept { return certain_ && !watches_all_; }

  /// How often it may poll before it sleeps.
  [[nodiscard]] std::uint64_t patience() const noexcept { return patience_; }
  /// True if the thread has polled so often since memory changed.
  [[nodiscard]] bool exhausted(std::uint64_t most) const noexcept { return patience_ >= most; }
  /// True if it sleeps for the first time since it, or somebody else, changed memory.
  [[nodiscard]] bool just_asleep() const noexcept {
    return patience_ == first_patience && !restless_;
  }

  /// True if it has slept until everyone did, and has changed nothing since.
  [[nodiscard]] bool suspected() const noexcept { return suspected_; }
  /// The operation that was the first poll of the wait for which it sleeps, or has been let poll
  /// on: of polls of the same places in the same order, whatever they have seen there. 0: it does
  /// not wait, or operations are not numbered.
  [[nodiscard]] std::uint64_t began() const noexcept { return began_; }

private:
  struct observation {
    const void* site;
    std::uint64_t hash;
    std::uint64_t last_seen; ///< poll number
    std::uint64_t operation; ///< when it was seen first
    watched_cell first;
    std::vector<watched_cell> others;
  };
  /// A poll at which the thread's state is known, to be compared with later ones.
  struct reference {
    const void* site = nullptr;
    std::uint64_t hash = 0;
    std::optional<std::uint64_t> state;
    std::uint64_t changes = 0;
    std::uint64_t at = 0; ///< polls since the search began
    std::uint64_t operation = 0;
    unsigned comparisons = 0;
  };
  struct numbered_poll {
    std::uint64_t place; ///< a hash of where it is and what it reads, but not of what it sees
    std::uint64_t operation;
  };

  /// A strong poll, and in how many rounds on end, each with changes of memory by the thread
  /// itself, it has seen the same.
  struct vain_poll {
    std::uint64_t place;
    std::uint64_t hash;
    std::uint64_t rounds;
    std::uint64_t progress;  ///< of the thread, when it was made the last time
    std::uint64_t last_seen; ///< poll number
    std::vector<watched_cell> cells;
  };

  static constexpr std::uint64_t first_patience = 2;
  static constexpr std::uint64_t first_rounds = 32;
  static constexpr std::size_t most_vain = 8;
  static constexpr std::size_t longest_cycle = 16;
  static constexpr std::size_t most_watched = 4096;
  /// A loop that goes on for so long without changing memory may be polling, whatever it reads.
  static constexpr std::uint64_t long_walk = 256;
  /// So many polls before it falls asleep are looked at for began().
  static constexpr std::size_t longest_history = 1024;

  void begin_anew();
  [[nodiscard]] bool polls_in_vain(const poll& p, std::uint64_t place, std::uint64_t hash);
  void end_wait() noexcept;
  void forget() noexcept;
  void forget_lap() noexcept;
  [[nodiscard]] bool
  recurs(const poll& p, std::uint64_t hash, std::uint64_t changes, const own_state& own);
  [[nodiscard]] bool worth_a_state(const poll& p) const noexcept;
  [[nodiscard]] unsigned most_comparisons() const noexcept;
  void watch_lap(const poll& p);
  /// How many polls ago it was made before; 0: it is no repetition, or not one too many.
  [[nodiscard]] std::uint64_t repeats(const poll& p, std::uint64_t hash);
  void note_begin(const poll& p, std::uint64_t lap);
  void remember(const poll& p, std::uint64_t place);
  [[nodiscard]] std::uint64_t first_of_cycle(std::uint64_t lap) const noexcept;
  [[nodiscard]] bool value_changed() const noexcept;

  // What progressed() looks at, together.
  bool touched_ = false; ///< it is no longer as it began, but for progress_
  bool has_waited_ = false;
  std::uint64_t walked_ = 0;   ///< polls since the search began
  std::uint64_t progress_ = 0; ///< how often the thread has changed memory

  std::vector<observation> trail_;
  std::array<std::uint64_t, longest_cycle> hashes_{}; ///< of the trail: most polls are new
  std::size_t oldest_ = 0;                            ///< of a full trail
  std::vector<watched_cell> watched_;
  std::uint64_t polls_ = 0;
  std::uint64_t repeats_ = 0;
  std::uint64_t patience_ = first_patience;

  // Brent's search for a cycle of states: the reference moves on at powers of two.
  reference reference_;
  std::vector<watched_cell> lap_; ///< polled since the reference,
  bool lap_is_whole_ = true;      ///< all of it
  bool asks_the_time_ = false;
  bool polls_strongly_ = false;
  bool suspected_ = false;      ///< it has polled in vain until everyone slept
  bool compared_ = false;       ///< two polls in a row, once
  std::uint64_t next_move_ = 1; ///< the reference moves on at this one

  std::vector<vain_poll> vain_;
  std::size_t oldest_vain_ = 0;              ///< of a full vain_
  std::uint64_t most_rounds_ = first_rounds; ///< before it makes way
  bool restless_ = false;
  bool asked_the_time_ = false;

  // Where operations are numbered: all polls since it changed memory, the last ones of them kept.
  std::vector<numbered_poll> history_;
  std::uint64_t remembered_ = 0;
  std::uint64_t began_ = 0;
  std::uint64_t began_before_ = 0; ///< when it slept the last time,
  std::uint64_t slept_before_ = 0; ///< and the last poll before that
  bool certain_ = false;           ///< the state at which it fell asleep has recurred
  bool watches_all_ = false;       ///< what it waits for is more than watched_
  std::uint64_t since_ = 0;        ///< changes of memory at the beginning of its last lap
};

} // namespace tilesim::sim
