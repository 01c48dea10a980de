// Threads that make given runs.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/directed.hpp"

#include "memmodel/explore/interleaving.hpp"
#include "memmodel/explore/narrowing.hpp"
#include "memmodel/explore/possible_runs.hpp"
#include "memmodel/explore/reach.hpp"
#include "memmodel/explore/wanted_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tilesim::memmodel::explore {

namespace {

constexpr std::uint64_t most_choices_taken_back = 2'000;

class directing {
public:
  directing(threads& program,
            wanted_memory& wanted,
            const possible_runs& all,
            const narrowing& left,
            reach_counts& counts)
      : program_(program)
      , wanted_(wanted)
      , all_(all)
      , counts_(counts)
      , made_(program, left.contested())
      , to_read_(all.count())
      , stands_(all.count()) {
    for (thread_id t = 0; t < all.count(); ++t) {
      left_.push_back(left.left(t));
    }
  }

  bool run();

private:
  struct move {
    thread_id thread = 0;
    std::size_t element = 0;
  };
  /// A state, and what is still to be tried there, the best last.
  struct choice {
    std::size_t mark = 0;
    std::vector<move> others;
  };
  /// Runs that a thread may still make when it has performed so much.
  struct standing {
    std::optional<std::size_t> performed;
    std::vector<std::size_t> runs;
  };

  [[nodiscard]] const std::vector<std::size_t>& runs_of(thread_id t);
  [[nodiscard]] bool may_read(thread_id t, std::size_t element, bool all);
  [[nodiscard]] bool is_at_once(thread_id t, std::size_t element);
  [[nodiscard]] bool make(const move& m);
  [[nodiscard]] std::optional<move> at_once();
  [[nodiscard]] std::vector<move> moves();
  [[nodiscard]] std::size_t harm(const move& m) const;
  [[nodiscard]] bool take_back();
  void take_back_to(std::size_t mark);
  void note(const interleaving::access& a, bool is_made);
  [[nodiscard]] bool has_reached();

  threads& program_;
  wanted_memory& wanted_;
  const possible_runs& all_;
  reach_counts& counts_;
  interleaving made_;
  std::vector<std::vector<std::size_t>> left_;
  /// By thread of one run: places and values that it is still to read, and how often.
  std::vector<std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t>> to_read_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> all_to_read_;
  std::vector<standing> stands_;
  std::vector<choice> choices_;
};

bool directing::run() {
  for (thread_id t = 0; t < left_.size(); ++t) {
    if (left_[t].size() == 1) {
      for (const auto& a : all_.of(t)[left_[t].front()].accesses) {
        if (a.reads) {
          const std::pair key{all_.places()[a.place].bytes.address, a.read};
          ++to_read_[t][key];
          ++all_to_read_[key];
        }
      }
    }
  }
  made_.begin();
  bool goes_on = true;
  for (thread_id t = 0; t < left_.size(); ++t) {
    goes_on = goes_on && !runs_of(t).empty();
  }
  for (const auto& a : made_.accesses()) {
    note(a, true);
  }
  while (goes_on) {
    if (made_.all_ended() && has_reached()) {
      return true;
    }
    if (const auto m = at_once()) {
      goes_on = make(*m) || take_back();
      continue;
    }
    if (std::vector<move> all = moves(); !all.empty()) {
      const move m = all.back();
      all.pop_back();
      choices_.push_back({made_.mark(), std::move(all)});
      goes_on = make(m) || take_back();
    } else {
      goes_on = take_back();
    }
  }
  return false;
}

bool directing::has_reached() {
  ++counts_.executions;
  return is_reached_twice(program_, wanted_, made_);
}

/// Those that have read so far what the thread has.
const std::vector<std::size_t>& directing::runs_of(thread_id t) {
  standing& s = stands_[t];
  const interleaving::standing& at = made_.at(t);
  if (s.performed != at.performed) {
    s.performed = at.performed;
    s.runs.clear();
    for (const std::size_t r : left_[t]) {
      const std::vector<std::uint64_t>& values = all_.of(t)[r].values;
      if (values.size() >= at.values.size() &&
          std::equal(at.values.begin(), at.values.end(), values.begin())) {
        s.runs.push_back(r);
      }
    }
  }
  return s.runs;
}

/// Whether one of its runs, or all, read there what is there now, and elsewhere what it has read.
bool directing::may_read(thread_id t, std::size_t element, bool all) {
  const interleaving::standing& at = made_.at(t);
  const std::uint64_t now = made_.value(at.what->elements[element].bytes);
  const std::vector<std::size_t>& runs = runs_of(t);
  std::size_t may = 0;
  for (const std::size_t r : runs) {
    const std::vector<std::uint64_t>& values = all_.of(t)[r].values;
    bool so = values.size() >= at.values.size() + at.taken.size() &&
              values[at.values.size() + element] == now;
    for (std::size_t e = 0; so && e < at.taken.size(); ++e) {
      so = !at.done[e] || at.taken[e] == values[at.values.size() + e];
    }
    may += so ? std::size_t{1} : std::size_t{0};
  }
  return all ? may == runs.size() : may != 0;
}

bool directing::is_at_once(thread_id t, std::size_t element) {
  return made_.at(t).what->kind == step_kind::load && may_read(t, element, true);
}

/// A read that nobody loses anything by.
std::optional<directing::move> directing::at_once() {
  for (thread_id t = 0; t < left_.size(); ++t) {
    const auto& done = made_.at(t).done;
    for (std::size_t e = 0; made_.chooses(t) && e < done.size(); ++e) {
      if (!done[e] && is_at_once(t, e)) {
        return move{t, e};
      }
    }
  }
  return {};
}

/// By how many reads they would spoil, the fewest last.
std::vector<directing::move> directing::moves() {
  std::vector<std::pair<std::size_t, move>> all;
  for (thread_id t = 0; t < left_.size(); ++t) {
    const interleaving::standing& at = made_.at(t);
    for (std::size_t e = 0; made_.chooses(t) && e < at.done.size(); ++e) {
      if (!at.done[e] && (at.what->kind == step_kind::store || may_read(t, e, false))) {
        all.emplace_back(harm({t, e}), move{t, e});
      }
    }
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const auto& m) { return m.first; });
  std::vector<move> out;
  out.reserve(all.size());
  for (const auto& [spoilt, m] : all) {
    out.push_back(m);
  }
  return out;
}

/// How many reads of others are still to take what is there now, where that is overwritten.
std::size_t directing::harm(const move& m) const {
  const interleaving::standing& at = made_.at(m.thread);
  if (at.what->kind == step_kind::load) {
    return 0;
  }
  const byte_range& bytes = at.what->elements[m.element].bytes;
  const std::pair key{bytes.address, made_.value(bytes)};
  const auto all = all_to_read_.find(key);
  const auto own = to_read_[m.thread].find(key);
  return (all == all_to_read_.end() ? 0 : all->second) -
         (own == to_read_[m.thread].end() ? 0 : own->second);
}

void directing::note(const interleaving::access& a, bool is_made) {
  if (!a.reads || left_[a.by].size() != 1) {
    return;
  }
  const std::pair key{a.bytes.address, a.read};
  for (auto* const to_read : {&to_read_[a.by], &all_to_read_}) {
    if (const auto n = to_read->find(key); n != to_read->end()) {
      n->second += is_made ? ~std::size_t{0} : std::size_t{1};
    }
  }
}

/// False: somebody has read by that what none of its runs does.
bool directing::make(const move& m) {
  const std::size_t from = made_.accesses().size();
  bool so = made_.perform(m.thread, m.element);
  for (std::size_t a = from; a < made_.accesses().size(); ++a) {
    note(made_.accesses()[a], true);
    so = so && !runs_of(made_.accesses()[a].by).empty();
  }
  return so;
}

void directing::take_back_to(std::size_t mark) {
  const std::vector<interleaving::access> before = made_.accesses();
  made_.take_back(mark);
  for (std::size_t a = made_.accesses().size(); a < before.size(); ++a) {
    note(before[a], false);
    stands_[before[a].by].performed.reset();
  }
}

bool directing::take_back() {
  while (!choices_.empty() && counts_.taken_back < most_choices_taken_back) {
    choice& c = choices_.back();
    ++counts_.taken_back;
    take_back_to(c.mark);
    if (c.others.empty()) {
      choices_.pop_back();
      continue;
    }
    const move m = c.others.back();
    c.others.pop_back();
    if (make(m)) {
      return true;
    }
  }
  return false;
}

} // namespace

bool direct(threads& program,
            wanted_memory& wanted,
            const possible_runs& all,
            const narrowing& left,
            reach_counts& counts) {
  return directing(program, wanted, all, left, counts).run();
}

} // namespace tilesim::memmodel::explore
