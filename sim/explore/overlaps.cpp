// Work that may run at the same time as what has been explored before it.
//
// Why one order is all there is where they meet nowhere: no read of the one takes a write of the
// other, no coherence order and no race is between them. What is left are sequentially consistent
// fences, and these may always stand in the order of the exploration, as what they order then are
// accesses that do not meet. That they meet in no execution is known from those that are explored:
// of the accesses by which they would meet one comes first, and up to it nothing has.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/overlaps.hpp"

#include "sim/contract/report_members.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/execution/lone_runs.hpp"
#include "sim/explore/exploring_engine.hpp"
#include "sim/explore/sharing.hpp"
#include "sim/explore/step.hpp"
#include "sim/explore/tally.hpp"
#include "sim/naming/address_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace tilesim::sim::exploring {

void byte_set::add(std::uintptr_t begin, std::uintptr_t end) {
  if (begin >= end) {
    return;
  }
  auto at = ranges_.upper_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second >= begin) {
    --at;
  }
  while (at != ranges_.end() && at->first <= end) {
    begin = std::min(begin, at->first);
    end = std::max(end, at->second);
    at = ranges_.erase(at);
  }
  ranges_.emplace(begin, end);
}

void byte_set::add(const byte_set& other) {
  for (const auto& [begin, end] : other.ranges_) {
    add(begin, end);
  }
}

void byte_set::remove(std::uintptr_t begin, std::uintptr_t end) {
  auto at = ranges_.upper_bound(begin);
  if (at != ranges_.begin() && std::prev(at)->second > begin) {
    --at;
  }
  while (at != ranges_.end() && at->first < end) {
    const auto [first, last] = *at;
    at = ranges_.erase(at);
    if (first < begin) {
      ranges_.emplace(first, begin);
    }
    if (last > end) {
      ranges_.emplace(end, last);
    }
  }
}

std::optional<std::uintptr_t> byte_set::common(const byte_set& other) const {
  for (auto a = ranges_.begin(), b = other.ranges_.begin();
       a != ranges_.end() && b != other.ranges_.end();) {
    if (a->first < b->second && b->first < a->second) {
      return std::max(a->first, b->first);
    }
    ++(a->second < b->second ? a : b);
  }
  return {};
}

void past_works::add(past_work w) {
  std::vector<past_work>& all = lanes_[w.order.lane];
  const auto number = [](const past_work& p) { return p.order.number; };
  const bool same = !all.empty() && w.by != nullptr && all.back().by == w.by &&
                    all.back().site == w.site && number(all.back()) == number(w);
  if (same) { // a row of the same copy
    all.back().read.add(w.read);
    all.back().written.add(w.written);
    return;
  }
  all.insert(std::ranges::upper_bound(all, number(w), {}, number), std::move(w));
}

std::optional<meeting_place> past_works::meets(const past_work& now) const {
  for (const auto& [lane, all] : lanes_) {
    if (lane == now.order.lane) {
      continue;
    }
    auto w = std::ranges::upper_bound(
        all, now.order.at(lane), {}, [](const past_work& p) { return p.order.number; });
    for (; w != all.end(); ++w) {
      auto at = w->written.common(now.written);
      at = at ? at : w->written.common(now.read);
      at = at ? at : w->read.common(now.written);
      if (at) {
        return meeting_place{&*w, *at};
      }
    }
  }
  return {};
}

void past_works::freed(std::uintptr_t begin, std::size_t bytes) {
  for (auto& [lane, all] : lanes_) {
    for (past_work& w : all) {
      w.read.remove(begin, begin + bytes);
      w.written.remove(begin, begin + bytes);
    }
    std::erase_if(all, [](const past_work& w) { return w.read.empty() && w.written.empty(); });
  }
}

std::size_t past_works::size() const noexcept {
  std::size_t n = 0;
  for (const auto& [lane, all] : lanes_) {
    n += all.size();
  }
  return n;
}

void overlaps::judge(context& c, const past_work& now) {
  const auto met = past_.meets(now);
  if (!met || !told_.empty()) {
    return;
  }
  const auto words = [](const past_work& w) {
    return fmt::format("{} at {}", w.by == nullptr ? "launch" : w.by, place_and_helper(w.site));
  };
  told_ = fmt::format("the {} may run at the same time as the {}, which was explored before it, "
                      "and both access {}: only launches that wait at the same time are explored "
                      "together; let an event or a stream order the two",
                      words(now),
                      words(*met->with),
                      describe_element(c, met->at));
}

void overlaps::add(context& c, past_work w) {
  judge(c, w);
  keep(c, std::move(w));
}

/// Now and then, what everything later is ordered behind is forgotten.
void overlaps::keep(const context& c, past_work w) {
  constexpr std::size_t few = 64;
  past_.add(std::move(w));
  if (past_.size() >= few + (2 * kept_)) {
    past_.forget([&c](const work_order& o) { return precedes_all_to_come(c, o); });
    kept_ = past_.size();
  }
}

void overlaps::add(context& c, const lone_runs& threads, const sharing& touched) {
  std::vector<past_work> now;
  const std::vector<std::size_t> numbers = launch_numbers(threads);
  for (std::size_t t = 0; t < threads.count(); ++t) {
    if (numbers[t] < now.size()) {
      continue;
    }
    const launch_state& l = threads.launch(t);
    past_work& w = now.emplace_back();
    w.order = l.order;
    w.site = l.site;
    touched.for_each_touched(numbers[t], [&](std::uintptr_t at, std::size_t bytes, bool written) {
      if (!c.shared.holds(at) && !is_exchange(at)) { // which are over with the block
        (written ? w.written : w.read).add(at, at + bytes);
      }
    });
    judge(c, w);
  }
  for (past_work& w : now) {
    keep(c, std::move(w));
  }
}

std::string take_unproven_deadlocks(const context& c,
                                    const lone_runs& threads,
                                    std::vector<explored_finding>& findings) {
  const auto is_deadlock = [](const explored_finding& f) {
    return f.what.at(in_report::code) == "deadlock";
  };
  if (std::ranges::none_of(findings, is_deadlock)) {
    return {};
  }
  for (std::size_t t = 0; t < threads.count(); ++t) {
    const launch_state& l = threads.launch(t);
    if (comes_beside(c, l.order)) {
      std::erase_if(findings, is_deadlock);
      return fmt::format(
          "there are executions in which threads wait for ever, unless for work that "
          "comes later in another stream, beside the launch at {}: only launches "
          "that wait at the same time are explored together",
          place_and_helper(l.site));
    }
  }
  return {};
}

std::vector<std::size_t> launch_numbers(const lone_runs& threads) {
  std::vector<std::size_t> out;
  for (std::size_t t = 0; t < threads.count(); ++t) {
    const bool same = t != 0 && &threads.launch(t) == &threads.launch(t - 1);
    out.push_back(t == 0 ? 0 : out.back() + (same ? 0 : 1));
  }
  return out;
}

void exploring_engine::copy(const accessor& who,
                            const void* site,
                            const byte_place& to,
                            const byte_place& from,
                            std::size_t bytes) {
  behind().copy(who, site, to, from, bytes);
  if (who.thread == nullptr && who.at != nullptr) {
    past_work w{.order = *who.at, .by = who.by, .site = site, .read = {}, .written = {}};
    if (from.shared) {
      w.read.add(from.at, bytes);
    }
    if (to.shared) {
      w.written.add(to.at, bytes);
    }
    past_.add(context::current(), std::move(w));
  }
}

void exploring_engine::fill(const accessor& who,
                            const void* site,
                            const byte_place& to,
                            unsigned char value,
                            std::size_t bytes) {
  behind().fill(who, site, to, value, bytes);
  if (who.thread == nullptr && who.at != nullptr && to.shared) {
    past_work w{.order = *who.at, .by = who.by, .site = site, .read = {}, .written = {}};
    w.written.add(to.at, bytes);
    past_.add(context::current(), std::move(w));
  }
}

void exploring_engine::freed(std::uintptr_t begin, std::size_t bytes) {
  behind().freed(begin, bytes);
  past_.freed(begin, bytes);
}

} // namespace tilesim::sim::exploring
