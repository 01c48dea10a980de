// Which places several threads access, one of them writing: only those are explored.
//
// Of a place that one thread alone accesses, or that nobody writes, each read has one value, which
// the thread knows by itself. Who accesses what is found out by running: where a place turns out to
// be shared, whatever was recorded begins anew.
//
// A number to which threads add, and which they access in no other way, is no choice either, as
// long as nobody does anything with what an addition has found: sums do not depend on the order.
// That takes relaxed additions that hold all who access it, and no fence anywhere: then nothing is
// ordered by them. [PTX: release patterns, acquire patterns]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

class sharing {
public:
  /// `all`: every place is taken for shared. `sums`: additions may be left out.
  /// `launches`: the number of each thread's; threads beyond are asynchronous copies of theirs.
  sharing(bool all, bool sums, std::vector<std::size_t> launches)
      : all_(all)
      , sums_wanted_(sums && !all)
      , launches_(std::move(launches)) {}

  /// From now on whatever anybody writes is shared, also what nobody else accesses.
  void share_written() noexcept { written_ = true; }
  /// A thread accesses bytes: whether they are shared. `piece`: of how many bytes each part of the
  /// access is; 0: of one that may be taken apart as others do.
  bool touch(std::size_t thread,
             std::uintptr_t address,
             std::size_t bytes,
             bool writes,
             std::size_t piece);
  /// Calls f(address, bytes, written) with all that a launch accesses.
  template <class F>
  void for_each_touched(std::size_t launch, const F& f) const {
    if (launch >= launch_bits) {
      if (const auto its = of_later_.find(launch); its != of_later_.end()) {
        for (const auto& [at, written] : its->second) {
          f(at * word_bytes, word_bytes, written);
        }
      }
      return;
    }
    for (const auto& [at, w] : words_) {
      if (((w.read_by | w.written_by) & bit_of(launch)) != 0) {
        f(at * word_bytes, word_bytes, (w.written_by & bit_of(launch)) != 0);
      }
    }
  }
  /// One operation accesses it twice.
  void share(std::uintptr_t address);
  /// Some of these bytes: then all that is accessed with them as one.
  [[nodiscard]] bool is_shared(std::uintptr_t address, std::size_t bytes = 1) const;
  /// Of how many bytes the parts of accesses there are.
  [[nodiscard]] std::size_t piece(std::uintptr_t address, std::size_t bytes) const;

  // --- Sums.

  /// A thread updates a number so that it may be a sum: whether it is one, as far as is known.
  bool update(std::size_t thread, std::uintptr_t address, std::size_t bytes);
  [[nodiscard]] bool is_sum(std::uintptr_t address) const {
    const auto found = words_.find(address / word_bytes);
    return found != words_.end() && found->second.updated && !found->second.otherwise;
  }
  /// It is none.
  void no_sum(std::uintptr_t address, std::size_t bytes);
  /// A thread orders its accesses by a fence: there are no sums.
  void fenced();
  /// So much a thread has added when it has come to some point of a run.
  void added(std::size_t thread, std::uintptr_t address, std::uint64_t sum);
  /// What an addition may find where the thread alone would find `own`; empty: too much.
  [[nodiscard]] std::vector<std::uint64_t>
  possible(std::size_t thread, std::uintptr_t address, std::uint64_t own) const;
  /// There are some of several threads.
  [[nodiscard]] bool some_sums() const;

  // --- Threads that are told apart.

  /// A thread has read its index, or its block's: it is like no other.
  void tell_apart(std::size_t thread);
  [[nodiscard]] bool told_apart(std::size_t thread) const { return told_apart_.contains(thread); }
  /// Nothing has been explored that took them for alike.
  void nobody_taken_for_alike() noexcept { apart_changed_ = false; }

  // --- What other processes know.

  /// What this process has come to know since it was asked last, for another, which may know else.
  [[nodiscard]] std::vector<std::uint64_t> take_news();
  void learn(std::span<const std::uint64_t> news);
  /// All that it knows, likewise.
  [[nodiscard]] std::vector<std::uint64_t> all_known() const;
  /// A number for what decides which accesses are steps.
  [[nodiscard]] std::uint64_t mark() const;

  /// Places have turned out to be shared that were not taken for it, or threads to be told apart.
  [[nodiscard]] bool changed() const noexcept { return changed_ || apart_changed_; }
  void begin_anew() noexcept { changed_ = apart_changed_ = false; }

private:
  static constexpr std::uintptr_t word_bytes = 4;
  static constexpr std::size_t nobody = ~std::size_t{0};
  static constexpr std::size_t most_possible = 1024;
  struct word {
    std::size_t first = nobody;
    bool several = false;
    bool written = false;
    bool shared = false;
    bool updated = false;   ///< as a sum
    bool otherwise = false; ///< than as one
    std::uint8_t piece = 8;
    std::uint32_t read_by = 0; ///< launches, by bits: the first of them
    std::uint32_t written_by = 0;
    friend bool operator==(const word&, const word&) = default;
  };
  struct sum {
    std::size_t bytes = 0;
    std::map<std::size_t, std::set<std::uint64_t>> by; ///< thread: what it has added, so far
  };
  static constexpr std::size_t launch_bits = 32;
  [[nodiscard]] static constexpr std::uint32_t bit_of(std::size_t launch) noexcept {
    return launch < launch_bits ? std::uint32_t{1} << launch : 0;
  }
  /// Whether that is new.
  bool touched(std::uintptr_t at, word& w, std::size_t thread, bool writes);
  /// `known`: it has been accessed before.
  void decide(word& w, bool known);
  void not_so(std::uintptr_t at);
  [[nodiscard]] std::vector<std::uint64_t> told(std::span<const std::uintptr_t> words,
                                                bool sums) const;

  bool all_;
  bool written_ = false;
  bool sums_wanted_;
  std::vector<std::size_t> launches_;
  bool changed_ = false;
  std::unordered_map<std::uintptr_t, word> words_;
  /// What launches access that have no bit: whether they write it.
  std::map<std::size_t, std::unordered_map<std::uintptr_t, bool>> of_later_;
  std::map<std::uintptr_t, sum> sums_;
  std::set<std::size_t> told_apart_;
  bool apart_changed_ = false;
  std::unordered_set<std::uintptr_t> news_;
  bool sums_news_ = false;
};

} // namespace tilesim::sim::exploring
