// Looking for shorter schedules.
//
// A race needs no luck to be found, only a run in which both accesses are made: nearly always its
// two threads, one after the other, show it. Where they do not, because a value that a third one
// wrote leads there, turns are left out of the schedule that did, one after the other. What a weak
// schedule has shown is looked for without a stale read first, then with as few as do.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/minimise.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace tilesim::tools {
namespace {

using turns = std::vector<sim::turn>;
using thread_name = std::pair<std::uint64_t, std::uint64_t>;

constexpr std::size_t longest_string = 64;
constexpr std::size_t most_runs = 32;      ///< for one finding,
constexpr std::size_t most_weak_runs = 48; ///< and of a weak one, to leave out stale reads
constexpr std::size_t longest_weak_string = 160;
constexpr std::size_t longest_history = 64; ///< in turns, of which single ones are left out

thread_name name_of(const sim::turn& t) {
  return {t.launch, t.thread};
}

std::set<thread_name> threads_of(const turns& list) {
  std::set<thread_name> names;
  for (const auto& t : list) {
    names.insert(name_of(t));
  }
  return names;
}

/// Turns of one thread that have come to follow each other are one.
turns joined(const turns& list) {
  turns result;
  for (const auto& t : list) {
    if (!result.empty() && name_of(result.back()) == name_of(t)) {
      result.back() = t;
    } else {
      result.push_back(t);
    }
  }
  return result;
}

template <class Keep>
turns filtered(const turns& list, Keep keep) {
  turns kept;
  std::ranges::copy_if(list, std::back_inserter(kept), keep);
  return joined(kept);
}

/// Each thread once, in the order of their first turn, to its end.
turns each_once(const turns& list) {
  turns once;
  std::set<thread_name> seen;
  for (const auto& t : list) {
    if (seen.insert(name_of(t)).second) {
      once.push_back({t.launch, t.thread, {}});
    }
  }
  return once;
}

class search {
public:
  search(check_report& report, const trials& by)
      : report_(report)
      , by_(by) {}

  /// Returns false when there is no time for more.
  bool shorten(std::size_t index) {
    runs_ = 0;
    tried_.clear();
    const bool waits = report_.findings[index].code == code(finding_kind::deadlock) ||
                       report_.findings[index].code == code(finding_kind::livelock);
    polling_ = waits ? polling::brief : polling::full;
    const auto found_by = shown(index).which;
    const auto known = report_.findings[index];
    // Unspecified values and random orders seldom matter.
    for (const bool keep_fill : {false, true}) {
      if (keep_fill ? found_by.fill != 0 && shown(index).which == found_by : true) {
        try_all(index, first_candidates(shown(index)), found_by, keep_fill);
        while (shown(index).turns < longest_history &&
               try_all(index, smaller_candidates(shown(index)), found_by, keep_fill)) {
        }
      }
    }
    if (!shown(index).stale.empty()) {
      shorten_weak(index);
    }
    if (waits && shown(index).which != found_by) {
      confirm(index, known);
    }
    return go_on_;
  }

private:
  /// Nothing shows it without stale reads: as few as do, and then a list of turns with these.
  void shorten_weak(std::size_t index) {
    weak_runs_ = 0;
    const auto found_by = shown(index).which;
    while (try_stale(index, fewer(shown(index).stale), [&](const auto& reads) {
      auto s = found_by.sequential();
      s.stale = reads;
      return s;
    })) {
    }
    for (const auto& candidates :
         {first_candidates(shown(index)), smaller_candidates(shown(index))}) {
      for (const auto& c : candidates) {
        const auto reads = shown(index).stale;
        try_stale(index, {reads}, [&](const auto& stale) {
          schedule s{.how = strategy::turns};
          s.turns = c;
          s.fill = found_by.fill;
          s.stale = stale;
          return s;
        });
      }
    }
  }

  /// Stops at the first that is simpler than what is known.
  template <class Schedule>
  bool try_stale(std::size_t index,
                 const std::vector<std::vector<sim::stale_choice>>& lists,
                 Schedule schedule_of) {
    for (const auto& reads : lists) {
      const schedule s = schedule_of(reads);
      const auto name = to_string(s);
      if (!go_on_ || weak_runs_ == most_weak_runs) {
        return false;
      }
      if (name.size() > longest_weak_string || !tried_.insert(name).second) {
        continue;
      }
      ++weak_runs_;
      if (simpler_by(s, index)) {
        return true;
      }
    }
    return false;
  }

  /// Runs it. True: the finding is shown by something simpler than before.
  bool simpler_by(const schedule& s, std::size_t index) {
    const auto before = shown(index);
    go_on_ = by_.perform(s, polling_);
    return shown(index).simpler_than(before);
  }

  /// Back to what is certain, and on to what brief runs have found if a full one shows it too.
  void confirm(std::size_t index, const checked_finding& known) {
    const auto better = shown(index).which;
    report_.findings[index] = known;
    go_on_ = go_on_ && by_.perform(better, polling::full);
  }

  [[nodiscard]] const witness& shown(std::size_t index) const {
    return report_.findings[index].shown;
  }

  /// Stops at the first one that is simpler than what is known.
  bool try_all(std::size_t index,
               const std::vector<turns>& candidates,
               const schedule& found_by,
               bool keep_fill) {
    const auto next = schedules_of(candidates, found_by, keep_fill);
    if (go_on_ && !is_minimal(shown(index)) && !next.empty()) {
      by_.expect(next, polling_);
    }
    for (const auto& s : next) {
      if (!go_on_ || is_minimal(shown(index))) {
        return false;
      }
      ++runs_;
      tried_.insert(to_string(s));
      if (simpler_by(s, index)) {
        return true;
      }
    }
    return false;
  }

  /// Those that have not been tried, as many as may be.
  [[nodiscard]] std::vector<schedule> schedules_of(const std::vector<turns>& candidates,
                                                   const schedule& found_by,
                                                   bool keep_fill) const {
    std::vector<schedule> list;
    std::set<std::string> names;
    for (const auto& c : candidates) {
      schedule s;
      s.how = strategy::turns;
      s.turns = c;
      s.fill = keep_fill ? found_by.fill : 0;
      const auto name = to_string(s);
      if (!c.empty() && to_string(replay{s, report_.program}).size() <= longest_string &&
          !tried_.contains(name) && runs_ + list.size() < most_runs && names.insert(name).second) {
        list.push_back(std::move(s));
      }
    }
    return list;
  }

  check_report& report_;
  const trials& by_;
  polling polling_ = polling::full;
  std::size_t runs_ = 0;
  std::size_t weak_runs_ = 0;
  bool go_on_ = true;
  std::set<std::string> tried_;
};

} // namespace

bool is_minimal(const witness& w) {
  const auto parties = std::max(std::size_t{1}, threads_of(w.parties).size());
  const bool longer = !w.history.empty() && w.name_length() > to_string(w.history).size();
  return w.stale.empty() && w.blocks != 0 && w.blocks <= parties && w.turns <= parties && !longer;
}

namespace {

/// A poll that is given no old value is one poll less: later reads of its thread come earlier.
std::vector<sim::stale_choice> renumbered(const std::vector<sim::stale_choice>& all,
                                          const std::vector<sim::stale_choice>& kept) {
  auto result = kept;
  for (auto& k : result) {
    k.read -= static_cast<std::uint64_t>(std::ranges::count_if(all, [&](const auto& c) {
      return c.launch == k.launch && c.thread == k.thread && c.read < k.read &&
             std::ranges::find(kept, c) == kept.end();
    }));
  }
  return result;
}

} // namespace

std::vector<std::vector<sim::stale_choice>> fewer(const std::vector<sim::stale_choice>& all) {
  std::vector<std::vector<sim::stale_choice>> lists;
  for (std::size_t size = (all.size() + 1) / 2; size > 0 && all.size() > 1;
       size = size == 1 ? 0 : (size + 1) / 2) {
    for (const bool only : {true, false}) {
      for (std::size_t at = 0; at < all.size(); at += size) {
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, all.size()));
        std::vector<sim::stale_choice> list;
        if (only) {
          list.assign(begin, end);
        } else {
          list.assign(all.begin(), begin);
          list.insert(list.end(), end, all.end());
        }
        auto earlier = renumbered(all, list);
        const bool other = earlier != list;
        lists.push_back(std::move(list));
        if (other) {
          lists.push_back(std::move(earlier));
        }
      }
    }
  }
  return lists;
}

std::vector<std::vector<sim::turn>> first_candidates(const witness& w) {
  std::vector<turns> candidates;
  const auto parties = threads_of(w.parties);
  if (!w.parties.empty()) {
    auto once = each_once(w.parties);
    candidates.push_back(once);
    std::ranges::reverse(once);
    candidates.push_back(std::move(once));
    candidates.push_back(
        filtered(w.history, [&](auto& t) { return parties.contains(name_of(t)); }));
  }
  candidates.push_back(each_once(w.history));
  candidates.push_back(w.history);
  std::erase_if(candidates, [](auto& c) { return c.empty(); });
  return candidates;
}

std::vector<std::vector<sim::turn>> smaller_candidates(const witness& w) {
  std::vector<turns> candidates;
  // Behind the last turn that was cut short each takes what is left of its own, as round robin
  // does.
  const auto last_cut = std::find_if(
      w.history.rbegin(), w.history.rend(), [](const sim::turn& t) { return t.until.has_value(); });
  for (const std::ptrdiff_t more : {0, 1}) {
    if (const auto end = w.history.rend() - last_cut + more; std::cmp_less(end, w.history.size())) {
      candidates.emplace_back(w.history.begin(), w.history.begin() + end);
    }
  }
  const auto parties = threads_of(w.parties);
  std::vector<thread_name> others;
  for (const auto& t : each_once(w.history)) {
    if (!parties.contains(name_of(t))) {
      others.push_back(name_of(t));
    }
  }
  // Half of them, a quarter, … one (Zeller and Hildebrandt's ddmin).
  for (std::size_t size = (others.size() + 1) / 2; size > 0;
       size = size == 1 ? 0 : (size + 1) / 2) {
    for (std::size_t at = 0; at < others.size(); at += size) {
      const std::set<thread_name> left_out(
          others.begin() + static_cast<std::ptrdiff_t>(at),
          others.begin() + static_cast<std::ptrdiff_t>(std::min(at + size, others.size())));
      candidates.push_back(
          filtered(w.history, [&](auto& t) { return !left_out.contains(name_of(t)); }));
    }
  }
  for (std::size_t i = 0; i < w.history.size(); ++i) {
    auto rest = w.history;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    candidates.push_back(joined(rest));
  }
  std::erase_if(candidates, [](auto& c) { return c.empty(); });
  return candidates;
}

void minimise(check_report& report, const trials& by) {
  search s(report, by);
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    if (report.findings[i].known < 0 && report.findings[i].shown.blocks != 0 &&
        !is_minimal(report.findings[i].shown) && !s.shorten(i)) {
      return;
    }
  }
}

} // namespace tilesim::tools
