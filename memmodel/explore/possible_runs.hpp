// What each thread may do in any execution: its runs, over all values that its reads may take.
//
// A read may take what some thread may write there, in one of its runs, or what was there before.
// From what is there before all threads the runs grow until there are no new ones. No order between
// threads is asked for, no fence and no barrier; so the runs of every execution are among them, of
// weak ones, too, and of those with load buffering: no value comes out of thin air, so each write
// follows from reads of writes that are there already [PTX: no-thin-air].
//
// A number to which threads only add, by updates that are morally strong, has values without end if
// each addition may read what any has written. But there it is known how much each thread adds: a
// read takes what was there, and of each thread what it adds up to some point of a run.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <vector>

namespace tilesim::memmodel::explore {

class possible_runs {
public:
  struct access {
    std::uint32_t place = 0;
    std::uint64_t read = 0;
    std::uint64_t wrote = 0;
    bool reads = false;
    bool writes = false;
    bool strong = false;
    bool foreign = false; ///< what it reads another thread has written
  };
  /// From a thread's start to its end.
  struct run {
    std::vector<access> accesses;
    std::vector<std::uint64_t> values; ///< that its reads take
  };
  struct place_facts {
    byte_range bytes;
    std::uint64_t initial = 0;
    bool awaited = false; ///< who reads there waits for a write
    /// Morally strong updates alone write there: each reads what the one before it has written.
    bool chained = true;
    bool adds = true; ///< … and each adds the same, whatever it reads
  };

  explicit possible_runs(threads& program);

  /// False: there are too many, `stops` says so, or a thread does what is not followed here.
  [[nodiscard]] bool gather(const std::function<bool()>& stops);

  [[nodiscard]] std::size_t count() const noexcept { return runs_.size(); }
  [[nodiscard]] const std::vector<run>& of(thread_id t) const noexcept { return runs_[t]; }
  [[nodiscard]] const std::vector<place_facts>& places() const noexcept { return places_; }

private:
  struct given_up {};
  struct begin_anew {};
  /// Who may write a value.
  struct writers {
    thread_id first = 0;
    bool several = false;
  };
  /// Of all threads but one, or of all: what they may have added.
  struct sums_of_others {
    std::uint64_t as_of = 0;
    std::vector<std::uint64_t> all;
    bool round = false; ///< all together they may go beyond the largest number
  };
  struct outlook {
    std::unordered_map<std::uint64_t, writers> written; ///< by value; where threads do not only add
    std::map<thread_id, std::set<std::uint64_t>> added; ///< by thread: up to some point of a run
    bool falls = false;                                 ///< some addition makes a sum less
    bool read_weakly = false;                           ///< where threads only add
    // When something became known, by whom last, and when by another thread.
    std::uint64_t changed = 0;
    thread_id changed_by = 0;
    std::uint64_t changed_by_others = 0;
    std::map<thread_id, sums_of_others> sums; ///< but those of that thread; no_thread: of all
  };
  /// What the thread has done at a place so far, in the run that is walked.
  struct own_past {
    std::optional<std::uint64_t> last; ///< written
    std::uint64_t added = 0;
    std::optional<std::uint64_t> others; ///< what a strong read has seen of their additions
  };

  bool grow();
  void walk(thread_id t, std::size_t performed);
  void read_elements(thread_id t, std::size_t performed, const instruction& i, std::size_t e);
  void read_element(
      thread_id t, std::size_t performed, const instruction& i, std::size_t e, std::uint64_t value);
  void store_elements(thread_id t, const instruction& i);
  void note_write(thread_id t, const access& a, bool updates);
  void note_news(thread_id t, outlook& o);
  [[nodiscard]] bool has_news(thread_id t, const outlook& o) const;
  void check_addition(thread_id t,
                      std::size_t performed,
                      const instruction& i,
                      std::size_t e,
                      std::span<const std::uint64_t> values);
  void no_addition(std::uint32_t place);
  [[nodiscard]] std::uint32_t place_of(const byte_range& bytes);
  [[nodiscard]] own_past past(std::uint32_t place) const;
  [[nodiscard]] std::vector<std::uint64_t>
  candidates(thread_id t, std::uint32_t place, bool strong);
  [[nodiscard]] std::vector<std::uint64_t>
  sums(thread_id t, std::uint32_t place, const own_past& own, bool strong);
  [[nodiscard]] const sums_of_others& others_than(thread_id t, std::uint32_t place);
  [[nodiscard]] bool is_strong(const instruction& i, memory_order o) const noexcept;
  void check_instruction(const instruction& i);

  threads& program_;
  bool one_gpu_ = true;
  const std::function<bool()>* stops_ = nullptr;
  std::vector<std::vector<run>> runs_;
  std::vector<place_facts> places_;
  std::vector<outlook> outlooks_;
  std::map<std::uint64_t, std::uint32_t> place_numbers_; ///< by address
  std::set<std::uint64_t> no_additions_;                 ///< addresses
  std::vector<std::set<std::uint32_t>> read_;            ///< by thread: places
  std::vector<std::uint64_t> walked_;                    ///< by thread: when its runs were gathered
  std::uint64_t now_ = 1;
  std::uint64_t made_ = 0; ///< accesses, in all
  unsigned checked_ = 0;   ///< instructions
  run current_;
};

} // namespace tilesim::memmodel::explore
