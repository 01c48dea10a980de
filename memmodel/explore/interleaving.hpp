// One sequentially consistent execution of threads, made move by move; last moves can be taken
// back.
//
// An instruction's elements are accesses of their own, in any order, and other threads' may come
// between them. [Tile IR: memory model, elements of an operation]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tilesim::memmodel::explore {

class interleaving {
public:
  explicit interleaving(threads& program);
  /// Each access of a place at one of these addresses is a choice, too.
  interleaving(threads& program, std::unordered_set<std::uint64_t> choices);

  /// An access that has been made.
  struct access {
    thread_id by = 0;
    std::uint32_t element = 0; ///< which of the instruction's
    std::size_t performed = 0; ///< instructions of the thread's before it
    step_kind kind = step_kind::load;
    byte_range bytes;
    std::uint64_t read = 0;
    std::uint64_t wrote = 0;
    bool reads = false;
    bool writes = false; ///< an update: something else than it has read
    bool chosen = false; ///< it is one that a thread has chosen to make now
  };
  /// Where a thread stands.
  struct standing {
    std::shared_ptr<const instruction> what;
    std::vector<std::uint64_t> values; ///< that its reads have taken, of earlier instructions
    std::size_t performed = 0;
    std::vector<std::uint64_t> taken; ///< by element: what it has read,
    std::vector<bool> done;           ///< if it has been accessed
    std::size_t left = 0;             ///< elements that have not
  };

  [[nodiscard]] const std::unordered_set<std::uint64_t>& choices() const noexcept {
    return choices_;
  }
  [[nodiscard]] std::size_t count() const noexcept { return threads_.size(); }
  [[nodiscard]] const standing& at(thread_id t) const noexcept { return threads_[t]; }
  [[nodiscard]] const std::vector<access>& accesses() const noexcept { return accesses_; }
  [[nodiscard]] std::uint64_t value(const byte_range& bytes) const;
  /// Calls f(address, byte) for each byte that has been written.
  template <class F>
  void for_each_written(const F& f) const {
    for (const auto& [at, w] : memory_) {
      for (unsigned b = 0; b < word_bytes; ++b) {
        if ((w.written >> b & 1U) != 0) {
          f(at + b, static_cast<std::uint8_t>(w.value >> (8 * b)));
        }
      }
    }
  }

  /// Whether the thread stands before a strong read, or what is a choice, too: when that comes is a
  /// choice. All else is done as soon as it can be.
  [[nodiscard]] bool chooses(thread_id t) const noexcept;
  [[nodiscard]] bool ended(thread_id t) const noexcept {
    return threads_[t].what->kind == step_kind::end;
  }
  [[nodiscard]] bool all_ended() const noexcept;
  /// All threads come to where they choose.
  void begin();
  /// A thread that chooses accesses that element, and whoever can goes on to where it chooses.
  /// False: the thread would wait for another value; take_back().
  bool perform(thread_id t, std::size_t element);

  /// From the beginning the same moves as in another one of the same threads. False: they are none.
  [[nodiscard]] bool repeat(const interleaving& made);

  [[nodiscard]] std::size_t mark() const noexcept { return changes_.size(); }
  void take_back(std::size_t mark);

private:
  static constexpr std::uint64_t word_bytes = 8;
  struct word {
    std::uint64_t value = 0;
    std::uint8_t written = 0;
  };
  /// What a move has changed: one of these.
  struct change {
    enum class kind : std::uint8_t { memory, element, instruction } what = kind::memory;
    bool traced = false;       ///< an access has been noted, too
    std::uint64_t address = 0; ///< of a word,
    word before;               ///< and what it was
    thread_id thread = 0;
    std::size_t element = 0;
    standing left; ///< of an instruction: what was there but for the values, of which there were
    std::size_t values = 0;
  };

  void write(const byte_range& bytes, std::uint64_t value);
  void access_element(thread_id t, std::size_t e);
  void go_to_next(thread_id t);
  void run_on(std::vector<thread_id> going);
  bool do_at_once(thread_id t, std::vector<thread_id>& released);
  bool meet(thread_id t, std::vector<thread_id>& released);

  void release_waiting(thread_id by, std::vector<thread_id>& released) const;

  threads& program_;
  std::unordered_set<std::uint64_t> choices_; ///< addresses
  std::vector<standing> threads_;
  std::unordered_map<std::uint64_t, word> memory_;
  std::vector<access> accesses_;
  std::vector<change> changes_;
  bool some_await_ = false;
};

} // namespace tilesim::memmodel::explore
