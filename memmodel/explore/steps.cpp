// Runs that go together at a number to which threads add: their sum; and, where each adds the same,
// steps, each of which one of them makes.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/low_bytes.hpp"
#include "memmodel/explore/narrowing.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace tilesim::memmodel::explore {

namespace {

// A place with more is left out.
constexpr std::size_t most_pairs = 1'000'000;
constexpr std::size_t most_sums = 4'096;

/// Pairs of what stands on the left and what on the right, each in one pair at most.
class matching {
public:
  /// `may`: by what is on the left, what it may be paired with.
  matching(const std::vector<std::vector<std::uint32_t>>& may, std::size_t right)
      : may_(may)
      , with_(right, nobody)
      , seen_(right, 0) {}

  /// Everything on the left is in a pair.
  [[nodiscard]] bool is_whole() {
    for (std::uint32_t l = 0; l < may_.size(); ++l) {
      ++now_;
      if (!pair(l)) {
        return false;
      }
    }
    return true;
  }

private:
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};

  bool pair(std::uint32_t l) {
    for (const std::uint32_t r : may_[l]) {
      if (with_[r] == nobody) {
        with_[r] = l;
        return true;
      }
    }
    return std::ranges::any_of(may_[l], [&](std::uint32_t r) {
      const bool pairs = std::exchange(seen_[r], now_) != now_ && pair(with_[r]);
      if (pairs) {
        with_[r] = l;
      }
      return pairs;
    });
  }

  const std::vector<std::vector<std::uint32_t>>& may_;
  std::vector<std::uint32_t> with_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t now_ = 0;
};

} // namespace

/// What is there in the end is what was there before, and all that is added.
bool narrowing::follow_sum(const visited& p, const possible_runs::place_facts& facts) const {
  std::set<std::uint64_t> sums{facts.initial};
  for_each_thread(p, [&](thread_id t, std::span<const visit* const> its) {
    std::set<std::uint64_t> added;
    if (its.size() < how_many_[t]) {
      added.insert(0);
    }
    for (const visit* v : its) {
      std::uint64_t sum = 0;
      for (const access& a : accesses_of(p, *v)) {
        sum += a.writes ? a.wrote - a.read : 0;
      }
      added.insert(low_bytes(sum, facts.bytes.size));
    }
    std::set<std::uint64_t> with;
    for (const std::uint64_t a : added) {
      for (const std::uint64_t s : sums) {
        with.insert(low_bytes(s + a, facts.bytes.size));
      }
    }
    sums = std::move(with);
    if (sums.size() > most_sums) {
      sums.clear(); // they stay none
    }
  });
  return !p.wanted || sums.empty() || sums.contains(*p.wanted);
}

/// One of a thread's, the first, the second, …
struct narrowing::addition {
  thread_id thread = 0;
  std::size_t which = 0;
  bool is_made = true;           ///< in all runs that are left
  std::set<std::uint64_t> reads; ///< what it may
};

struct narrowing::steps {
  std::optional<std::uint64_t> added; ///< by each; nothing: not the same
  std::uint64_t least = 0;            ///< how many there are
  std::uint64_t most = 0;
  std::vector<addition> additions;
  std::vector<std::uint64_t> from; ///< by step: what it reads
  bool are_all = false;            ///< all of these are made, and no others
};

narrowing::steps narrowing::find_steps(const visited& p) const {
  steps out;
  bool same = true;
  for_each_thread(p, [&](thread_id t, std::span<const visit* const> its) {
    const std::size_t first = out.additions.size();
    std::size_t least = its.size() < how_many_[t] ? 0 : ~std::size_t{0};
    for (const visit* v : its) {
      std::size_t n = 0;
      for (const access& a : accesses_of(p, *v)) {
        if (!a.writes) {
          continue;
        }
        if (first + n == out.additions.size()) {
          out.additions.push_back({.thread = t, .which = n, .reads = {}});
        }
        out.additions[first + n++].reads.insert(a.read);
        const std::uint64_t added = a.wrote - a.read;
        same = same && out.added.value_or(added) == added && added != 0;
        out.added = added;
      }
      least = std::min(least, n);
    }
    const std::size_t most = out.additions.size() - first;
    for (std::size_t n = least; n < most; ++n) {
      out.additions[first + n].is_made = false;
    }
    out.least += std::min(least, most);
    out.most += most;
  });
  if (!same) {
    out.added.reset();
  }
  return out;
}

/// False: so many steps that the number comes to what it is to be nobody makes.
bool narrowing::number_steps(const visited& p, std::size_t place, steps& s) const {
  const possible_runs::place_facts& facts = all_.places()[place];
  std::vector<std::uint64_t> values{facts.initial};
  std::set<std::uint64_t> seen{facts.initial};
  while (values.size() <= s.most) {
    values.push_back(low_bytes(values.back() + *s.added, facts.bytes.size));
    if (!seen.insert(values.back()).second) { // it goes round
      s.added.reset();
      return true;
    }
  }
  const auto end = p.wanted ? std::ranges::find(values, *p.wanted)
                            : values.begin() + static_cast<std::ptrdiff_t>(s.most);
  s.are_all = p.wanted || s.least == s.most;
  s.from.assign(values.begin(), end);
  return end != values.end() && s.from.size() >= s.least;
}

/// A step that one addition alone may make, and an addition that may make one step alone.
void narrowing::pair_the_only_ones(const visited& p, const steps& s) {
  std::map<std::uint64_t, std::vector<const addition*>> by_step;
  for (const std::uint64_t from : s.from) {
    by_step[from];
  }
  for (const addition& a : s.additions) {
    for (const std::uint64_t from : a.reads) {
      if (const auto its = by_step.find(from); its != by_step.end()) {
        its->second.push_back(&a);
      }
    }
  }
  for (const auto& [from, by] : by_step) {
    if (s.are_all && by.size() == 1) {
      keep(p, by.front()->thread, [&, v = from, n = by.front()->which](auto made) {
        std::size_t which = 0;
        return std::ranges::any_of(
            made, [&](const access& a) { return a.writes && which++ == n && a.read == v; });
      });
    }
    const auto only = std::ranges::find_if(
        by, [](const addition* a) { return a->is_made && a->reads.size() == 1; });
    for (const addition* a : by) {
      if (only != by.end() && a != *only) {
        keep(p, a->thread, [&, v = from, n = a->which](auto made) {
          std::size_t which = 0;
          return std::ranges::none_of(
              made, [&](const access& x) { return x.writes && which++ == n && x.read == v; });
        });
      }
    }
  }
}

bool narrowing::follow_steps(std::size_t place) {
  const visited& p = places_[place];
  steps s = find_steps(p);
  std::size_t pairs = 0;
  for (const addition& a : s.additions) {
    pairs += a.reads.size();
  }
  if (!s.added || pairs > most_pairs) {
    return true;
  }
  if (!number_steps(p, place, s)) {
    return false;
  }
  if (!s.added) {
    return true;
  }
  std::unordered_map<std::uint64_t, std::uint32_t> number;
  for (const std::uint64_t from : s.from) {
    number.emplace(from, static_cast<std::uint32_t>(number.size()));
  }
  for (const visit& v : p.visits) {
    const auto is_none = [&](const access& a) { return a.writes && !number.contains(a.read); };
    if (is_left(v) && std::ranges::any_of(accesses_of(p, v), is_none)) {
      drop(v.thread, v.run);
    }
  }
  std::vector<std::vector<std::uint32_t>> steps_of;                    // by addition that is made
  std::vector<std::vector<std::uint32_t>> additions_of(s.from.size()); // by step
  for (std::uint32_t a = 0; a < s.additions.size(); ++a) {
    std::vector<std::uint32_t> its;
    for (const std::uint64_t from : s.additions[a].reads) {
      if (const auto n = number.find(from); n != number.end()) {
        its.push_back(n->second);
        additions_of[n->second].push_back(a);
      }
    }
    if (s.additions[a].is_made) {
      steps_of.push_back(std::move(its));
    }
  }
  pair_the_only_ones(p, s);
  return matching(steps_of, s.from.size()).is_whole() &&
         (!s.are_all || matching(additions_of, s.additions.size()).is_whole());
}

} // namespace tilesim::memmodel::explore
