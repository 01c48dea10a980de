// Which of the runs that threads may make they make in executions that end with given memory.
//
// Each thread makes one of its runs. A run is none of such an execution if it leaves in a place
// what is not to be there and nobody else may write over it, if it reads what nobody may have
// written, or if it does not go together with the others at a place where only updates write: there
// each reads what the one before it has written, so that each value but the last is read by as many
// as write it. Where a thread has no run left there is no such execution.
//
// What is left are no executions yet: it is not asked who comes before whom.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/possible_runs.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

namespace tilesim::memmodel::explore {

class wanted_memory;

class narrowing {
public:
  narrowing(const possible_runs& all, const wanted_memory& wanted);

  /// False: no execution ends so. Where `stops` says so it may be that none does all the same.
  [[nodiscard]] bool narrow(const std::function<bool()>& stops);
  /// The numbers of a thread's runs that are left.
  [[nodiscard]] std::vector<std::size_t> left(thread_id t) const;
  /// Addresses of places that several threads access in runs that are left, one of them writing.
  [[nodiscard]] std::unordered_set<std::uint64_t> contested() const;

private:
  using access = possible_runs::access;
  /// A run that accesses a place, and what it does there.
  struct visit {
    thread_id thread = 0;
    std::size_t run = 0;
    std::size_t begin = 0; ///< of the place's accesses
    std::size_t end = 0;
  };
  struct visited {
    std::vector<access> accesses;
    std::vector<visit> visits;           ///< by thread, and by run
    std::optional<std::uint64_t> wanted; ///< what is to be there in the end
    bool changed = true;                 ///< runs have been dropped that access it
  };
  /// Threads that may do something.
  struct some_threads {
    std::size_t count = 0; ///< two are as good as more
    thread_id first = 0;
    void add(thread_id t) {
      first = count == 0 ? t : first;
      count = count == 0 || t == first ? 1 : 2;
    }
    [[nodiscard]] bool others_than(thread_id t) const {
      return count > 1 || (count == 1 && first != t);
    }
  };
  /// How often something happens, at least and at most.
  struct range {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
  };
  /// What updates read and write, by value: how often.
  struct turnover {
    range read;
    range written;
  };
  using balance = std::map<std::uint64_t, turnover>;

  [[nodiscard]] bool covers_changes() const;
  [[nodiscard]] bool is_left(const visit& v) const { return left_[v.thread][v.run]; }
  [[nodiscard]] static std::span<const access> accesses_of(const visited& p, const visit& v) {
    return std::span(p.accesses).subspan(v.begin, v.end - v.begin);
  }
  [[nodiscard]] static std::optional<std::uint64_t> last_write(std::span<const access> made);
  void drop(thread_id t, std::size_t run);
  /// Keeps of a thread's runs those that is_so(the run's accesses of the place).
  template <class F>
  void keep(const visited& p, thread_id t, const F& is_so);
  /// Calls f(thread, its visits that are left).
  template <class F>
  void for_each_thread(const visited& p, const F& f) const;

  // False: no execution ends so.
  [[nodiscard]] bool follow(std::size_t place);
  [[nodiscard]] bool follow_end(const visited& p, std::uint64_t initial);
  void follow_sources(const visited& p);
  void follow_from_beginning(const visited& p, std::uint64_t initial);
  [[nodiscard]] bool follow_balance(const visited& p, std::uint64_t initial);
  [[nodiscard]] balance
  balance_of(const visited& p, thread_id t, std::span<const visit* const> its) const;
  // Sums. [steps.cpp]
  [[nodiscard]] bool follow_sum(const visited& p, const possible_runs::place_facts& facts) const;
  struct addition;
  struct steps;
  [[nodiscard]] bool follow_steps(std::size_t place);
  [[nodiscard]] steps find_steps(const visited& p) const;
  [[nodiscard]] bool number_steps(const visited& p, std::size_t place, steps& s) const;
  void pair_the_only_ones(const visited& p, const steps& s);

  const possible_runs& all_;
  const wanted_memory& wanted_;
  std::vector<std::vector<bool>> left_; ///< by thread and run
  std::vector<std::size_t> how_many_;   ///< by thread
  std::vector<visited> places_;
};

template <class F>
void narrowing::keep(const visited& p, thread_id t, const F& is_so) {
  std::vector<bool> so(left_[t].size(), is_so(std::span<const access>()));
  for (const visit& v : p.visits) {
    if (v.thread == t) {
      so[v.run] = is_so(accesses_of(p, v));
    }
  }
  for (std::size_t r = 0; r < so.size(); ++r) {
    if (!so[r]) {
      drop(t, r);
    }
  }
}

template <class F>
void narrowing::for_each_thread(const visited& p, const F& f) const {
  std::vector<const visit*> its;
  for (auto v = p.visits.begin(); v != p.visits.end();) {
    const thread_id t = v->thread;
    its.clear();
    for (; v != p.visits.end() && v->thread == t; ++v) {
      if (is_left(*v)) {
        its.push_back(&*v);
      }
    }
    if (!its.empty()) {
      f(t, std::span<const visit* const>(its));
    }
  }
}

} // namespace tilesim::memmodel::explore
