// Runs that go together, and with an end.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/narrowing.hpp"

#include "memmodel/explore/wanted_memory.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace tilesim::memmodel::explore {

namespace {

/// Read as a floating-point number of that size it is none: which pattern it has another machine
/// may decide otherwise.
constexpr bool may_be_nan(std::uint64_t value, std::uint32_t size) {
  const auto is = [value](unsigned exponent, unsigned mantissa) {
    const std::uint64_t ones = (std::uint64_t{1} << exponent) - 1;
    const std::uint64_t below = value & ((std::uint64_t{1} << mantissa) - 1);
    return (value >> mantissa & ones) == ones && below != 0;
  };
  switch (size) {
  case 2:
    return is(5, 10) || is(8, 7);
  case 4:
    return is(8, 23) || may_be_nan(value & 0xffffU, 2) || may_be_nan(value >> 16U, 2);
  case 8:
    return is(11, 52) || may_be_nan(value & 0xffff'ffffU, 4) || may_be_nan(value >> 32U, 4);
  default:
    return size != 1;
  }
}

} // namespace

narrowing::narrowing(const possible_runs& all, const wanted_memory& wanted)
    : all_(all)
    , wanted_(wanted)
    , places_(all.places().size()) {
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const byte_range& bytes = all.places()[p].bytes;
    places_[p].wanted = wanted.at(bytes);
    if (places_[p].wanted && may_be_nan(*places_[p].wanted, bytes.size)) {
      places_[p].wanted.reset();
    }
  }
  for (thread_id t = 0; t < all.count(); ++t) {
    left_.emplace_back(all.of(t).size(), true);
    how_many_.push_back(all.of(t).size());
    for (std::size_t r = 0; r < all.of(t).size(); ++r) {
      for (const access& a : all.of(t)[r].accesses) {
        visited& p = places_[a.place];
        if (p.visits.empty() || p.visits.back().thread != t || p.visits.back().run != r) {
          p.visits.push_back({t, r, p.accesses.size(), p.accesses.size()});
        }
        p.accesses.push_back(a);
        ++p.visits.back().end;
      }
    }
  }
}

// Where some thread comes to no end at all nothing is said.
bool narrowing::narrow(const std::function<bool()>& stops) {
  if (std::ranges::find(how_many_, std::size_t{0}) != how_many_.end()) {
    return true;
  }
  for (bool some = true; some;) {
    some = false;
    for (std::size_t p = 0; p < places_.size(); ++p) {
      if (std::exchange(places_[p].changed, false)) {
        some = true;
        if (!follow(p) || std::ranges::find(how_many_, std::size_t{0}) != how_many_.end()) {
          return false;
        }
        if (stops()) {
          return true;
        }
      }
    }
  }
  return covers_changes();
}

bool narrowing::follow(std::size_t place) {
  const possible_runs::place_facts& facts = all_.places()[place];
  const visited& p = places_[place];
  if (!follow_end(p, facts.initial)) {
    return false;
  }
  if (!facts.adds) { // a weak read there may take what comes behind its own thread's additions
    follow_sources(p);
  }
  if (!facts.chained || facts.awaited) {
    return true;
  }
  follow_from_beginning(p, facts.initial);
  return follow_balance(p, facts.initial) && follow_sum(p, facts) && follow_steps(place);
}

std::vector<std::size_t> narrowing::left(thread_id t) const {
  std::vector<std::size_t> out;
  for (std::size_t r = 0; r < left_[t].size(); ++r) {
    if (left_[t][r]) {
      out.push_back(r);
    }
  }
  return out;
}

std::unordered_set<std::uint64_t> narrowing::contested() const {
  std::unordered_set<std::uint64_t> out;
  for (std::size_t p = 0; p < places_.size(); ++p) {
    some_threads who;
    bool written = false;
    for (const visit& v : places_[p].visits) {
      if (is_left(v)) {
        who.add(v.thread);
        written = written || last_write(accesses_of(places_[p], v));
      }
    }
    if (who.count > 1 && written) {
      out.insert(all_.places()[p].bytes.address);
    }
  }
  return out;
}

// --- Runs and places.

void narrowing::drop(thread_id t, std::size_t run) {
  if (!left_[t][run]) {
    return;
  }
  left_[t][run] = false;
  --how_many_[t];
  for (const access& a : all_.of(t)[run].accesses) {
    places_[a.place].changed = true;
  }
}

std::optional<std::uint64_t> narrowing::last_write(std::span<const access> made) {
  const auto last =
      std::find_if(made.rbegin(), made.rend(), [](const access& a) { return a.writes; });
  return last == made.rend() ? std::nullopt : std::optional(last->wrote);
}

// --- What is there in the end.

/// Each byte that is to be another than before is written by somebody.
bool narrowing::covers_changes() const {
  std::map<std::uint64_t, std::uint64_t> written; // from where to where
  for (std::size_t p = 0; p < places_.size(); ++p) {
    const visited& at = places_[p];
    if (std::ranges::any_of(at.visits, [&](const visit& v) {
          return is_left(v) && last_write(accesses_of(at, v));
        })) {
      const byte_range& bytes = all_.places()[p].bytes;
      written[bytes.address] = bytes.end();
    }
  }
  return wanted_.all_changes([&](std::uint64_t byte) {
    const auto behind = written.upper_bound(byte);
    return behind != written.begin() && std::prev(behind)->second > byte;
  });
}

/// What one leaves that is not to be there another thread writes over, with what is.
bool narrowing::follow_end(const visited& p, std::uint64_t initial) {
  if (!p.wanted) {
    return true;
  }
  some_threads right;
  bool written = *p.wanted != initial; // by somebody
  for_each_thread(p, [&](thread_id t, std::span<const visit* const> its) {
    std::size_t writing = 0;
    for (const visit* v : its) {
      const auto last = last_write(accesses_of(p, *v));
      writing += last ? std::size_t{1} : std::size_t{0};
      if (last == p.wanted) {
        right.add(t);
      }
    }
    written = written || writing == how_many_[t];
  });
  for (const visit& v : p.visits) {
    const auto last = last_write(accesses_of(p, v));
    if (last && last != p.wanted && !right.others_than(v.thread)) {
      drop(v.thread, v.run);
    }
  }
  if (written && right.count == 1) {
    keep(
        p, right.first, [&](std::span<const access> made) { return last_write(made) == p.wanted; });
  }
  return !written || right.count != 0;
}

/// What another thread is to have written one has.
void narrowing::follow_sources(const visited& p) {
  std::map<std::uint64_t, some_threads> writers;
  for (const visit& v : p.visits) {
    for (const access& a : accesses_of(p, v)) {
      if (is_left(v) && a.writes) {
        writers[a.wrote].add(v.thread);
      }
    }
  }
  for (const visit& v : p.visits) {
    for (const access& a : accesses_of(p, v)) {
      if (a.foreign && !writers[a.read].others_than(v.thread)) {
        drop(v.thread, v.run);
      }
    }
  }
}

// --- Places where each update reads what the one before it has written.

/// What nobody comes to from what was there before all nobody reads.
void narrowing::follow_from_beginning(const visited& p, std::uint64_t initial) {
  std::multimap<std::uint64_t, std::uint64_t> next;
  for (const visit& v : p.visits) {
    for (const access& a : accesses_of(p, v)) {
      if (is_left(v) && a.writes) {
        next.emplace(a.read, a.wrote);
      }
    }
  }
  std::set<std::uint64_t> come_to{initial};
  for (std::vector<std::uint64_t> from{initial}; !from.empty();) {
    const auto [begin, end] = next.equal_range(from.back());
    from.pop_back();
    for (auto to = begin; to != end; ++to) {
      if (come_to.insert(to->second).second) {
        from.push_back(to->second);
      }
    }
  }
  for (const visit& v : p.visits) {
    for (const access& a : accesses_of(p, v)) {
      if (a.writes && !come_to.contains(a.read)) {
        drop(v.thread, v.run);
      }
    }
  }
}

/// Of one thread, over its runs.
narrowing::balance
narrowing::balance_of(const visited& p, thread_id t, std::span<const visit* const> its) const {
  std::map<std::uint64_t, std::size_t> runs; // that read or write it
  balance out;
  for (const visit* v : its) {
    std::map<std::uint64_t, std::pair<std::uint64_t, std::uint64_t>> made;
    for (const access& a : accesses_of(p, *v)) {
      if (a.writes) {
        ++made[a.read].first;
        ++made[a.wrote].second;
      }
    }
    for (const auto& [value, n] : made) {
      const auto [at, is_new] = out.try_emplace(
          value, turnover{.read = {n.first, n.first}, .written = {n.second, n.second}});
      range& read = at->second.read;
      range& written = at->second.written;
      read = {std::min(read.least, n.first), std::max(read.most, n.first)};
      written = {std::min(written.least, n.second), std::max(written.most, n.second)};
      ++runs[value];
    }
  }
  for (auto& [value, n] : out) {
    if (runs[value] < how_many_[t]) {
      n.read.least = n.written.least = 0;
    }
  }
  return out;
}

/// Each value is read as often as it is written; what was there before has been written once more,
/// and what is there in the end is read once less.
bool narrowing::follow_balance(const visited& p, std::uint64_t initial) {
  balance all;
  std::map<thread_id, balance> by_thread;
  all[initial].written = {1, 1};
  if (p.wanted) {
    all[*p.wanted].read = {1, 1};
  }
  for_each_thread(p, [&](thread_id t, std::span<const visit* const> its) {
    by_thread[t] = balance_of(p, t, its);
    for (const auto& [value, n] : by_thread[t]) {
      turnover& sum = all[value];
      sum.read = {sum.read.least + n.read.least, sum.read.most + n.read.most};
      sum.written = {sum.written.least + n.written.least, sum.written.most + n.written.most};
    }
  });
  const std::uint64_t unread = p.wanted ? 0 : 1; // the last, whichever
  for (const auto& [value, n] : all) {
    if (n.read.least > n.written.most || n.written.least > n.read.most + unread) {
      return false;
    }
    const bool all_read = n.read.least == n.written.most;
    const bool all_written = n.written.least == n.read.most + unread;
    for (const auto& [t, its] : by_thread) {
      const auto of = its.find(value);
      if ((!all_read && !all_written) || of == its.end()) {
        continue;
      }
      const turnover& own = of->second;
      keep(p, t, [&, x = value](std::span<const access> made) {
        const auto reads = static_cast<std::uint64_t>(
            std::ranges::count_if(made, [&](const access& a) { return a.writes && a.read == x; }));
        const auto writes = static_cast<std::uint64_t>(
            std::ranges::count_if(made, [&](const access& a) { return a.writes && a.wrote == x; }));
        return (!all_read || (reads == own.read.least && writes == own.written.most)) &&
               (!all_written || (reads == own.read.most && writes == own.written.least));
      });
    }
  }
  return true;
}

} // namespace tilesim::memmodel::explore
