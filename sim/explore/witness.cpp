// An execution as a schedule: a search for an order of its steps.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/witness.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/explore/exploring_engine.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tilesim::sim::exploring {

namespace {

using memmodel::event_id;
using memmodel::graph;

constexpr std::size_t most_tries = 100'000;

/// The events of one step, in the order of its elements.
struct step_events {
  std::vector<event_id> events;
};

class search {
public:
  search(const graph& g, const std::vector<thread_way>& threads, std::span<const event_id> last)
      : g_(g)
      , threads_(threads)
      , last_(last)
      , events_(threads.size())
      , at_(threads.size(), 0)
      , done_(g.size(), false) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      events_[t].resize(threads[t].steps.size());
    }
    for (event_id e = 0; e < g.size(); ++e) {
      const std::size_t i = g[e].tag >> 32U;
      if (i < events_[g[e].what.thread].size()) {
        events_[g[e].what.thread][i].events.push_back(e);
      }
    }
    for (auto& steps : events_) {
      for (step_events& s : steps) { // element by element, an update's read before its write
        std::ranges::stable_sort(s.events, {}, [&](event_id e) {
          return (g[e].tag & 0xffff'ffffU) * 2 + (g[e].what.is_write() ? 1 : 0);
        });
      }
    }
  }

  std::optional<schedule> run() {
    if (!go_on(0)) {
      return {};
    }
    schedule out;
    out.how = strategy::turns;
    out.turns = turns();
    out.stale = stale_;
    out.launches_wait = std::ranges::any_of(
        threads_, [&](const thread_way& t) { return t.launch != threads_.front().launch; });
    return out;
  }

private:
  [[nodiscard]] bool ended(std::size_t t) const { return at_[t] + 1 >= events_[t].size(); }

  // The last step of a thread is its end, or that it goes no further: nothing is performed.
  bool go_on(std::size_t last) {
    bool all = true;
    for (std::size_t k = 0; k < threads_.size(); ++k) {
      const std::size_t t = k == 0 ? last : k <= last ? k - 1 : k;
      if (ended(t)) {
        continue;
      }
      all = false;
      if (++tries_ > most_tries) {
        return false;
      }
      const std::size_t stale = stale_.size();
      const std::size_t written = newest_.size();
      // No turn ends before a fence: those behind an access belong to it.
      const std::size_t at = at_[t];
      bool possible = true;
      do {
        possible = perform(t);
        ++at_[t];
      } while (possible && !ended(t) && next_of(t).what->kind == step_kind::fence);
      if (possible) {
        order_.emplace_back(t, at_[t] - at);
        if (go_on(t)) {
          return true;
        }
        order_.pop_back();
      }
      while (at_[t] != at) {
        --at_[t];
        for (const event_id e : events_[t][at_[t]].events) {
          done_[e] = false;
        }
      }
      stale_.resize(stale);
      newest_.resize(written);
    }
    return all;
  }

  [[nodiscard]] const step& next_of(std::size_t t) const { return *threads_[t].steps[at_[t]]; }

  bool perform(std::size_t t) {
    const step& s = next_of(t);
    for (const event_id e : events_[t][at_[t]].events) {
      const memmodel::graph_event& it = g_[e];
      for (event_id before = 0; before < g_.size(); ++before) {
        if (g_.causal(before, e) && !done_[before]) {
          return false; // fences, too, have the order that they had
        }
      }
      if ((it.what.is_read() && !read(t, s, e)) || (it.what.is_write() && !write(e))) {
        return false;
      }
      done_[e] = true;
    }
    return true;
  }

  bool write(event_id e) {
    const memmodel::place_number p = g_[e].place;
    if (p < last_.size() && last_[p] < memmodel::initial_write && last_[p] != e &&
        done_[last_[p]]) {
      return false; // another one is the last
    }
    for (event_id w = 0; w < g_.size(); ++w) {
      if (graph::has(g_.coherence_past(e), w) && !done_[w]) {
        return false;
      }
    }
    newest_.push_back(e);
    return true;
  }

  bool read(std::size_t t, const step& s, event_id e) {
    const memmodel::graph_event& it = g_[e];
    const event_id from = it.source[0];
    if (from < memmodel::initial_write && !done_[from]) {
      return false;
    }
    std::uint64_t passed = 0;
    for (auto w = newest_.rbegin(); w != newest_.rend() && *w != from; ++w) {
      passed += g_[*w].place == it.place ? 1U : 0U;
    }
    if (passed == 0) {
      return true;
    }
    const std::size_t element = it.tag & 0xffff'ffffU;
    if (element >= s.strong.size() || s.strong[element] == ~std::uint64_t{0}) {
      return false; // it takes the newest
    }
    stale_.push_back({.launch = threads_[t].launch,
                      .thread = threads_[t].linear,
                      .read = s.strong[element],
                      .back = passed});
    return true;
  }

  /// Who goes on alone, up to where.
  [[nodiscard]] std::vector<turn> turns() const {
    std::vector<turn> out;
    std::vector<std::size_t> at(threads_.size(), 0);
    for (std::size_t k = 0; k < order_.size();) {
      const std::size_t t = order_[k].first;
      while (k < order_.size() && order_[k].first == t) {
        at[t] += order_[k].second;
        ++k;
      }
      const bool last = std::none_of(order_.begin() + static_cast<std::ptrdiff_t>(k),
                                     order_.end(),
                                     [t](const auto& o) { return o.first == t; });
      out.push_back({threads_[t].launch, threads_[t].linear, {}});
      if (!last) {
        out.back().until = threads_[t].steps[at[t]]->point;
      }
    }
    return out;
  }

  const graph& g_;
  const std::vector<thread_way>& threads_;
  std::span<const event_id> last_;
  std::vector<std::vector<step_events>> events_; ///< by thread and step
  std::vector<std::size_t> at_;
  std::vector<bool> done_;
  std::vector<event_id> newest_;                           ///< writes, in their order
  std::vector<std::pair<std::size_t, std::size_t>> order_; ///< who makes how many steps
  std::vector<stale_choice> stale_;
  std::size_t tries_ = 0;
};

} // namespace

bool step_counter::count(sim::step_kind kind) {
  const sim_thread* const t = execution::current();
  if (threads_ != nullptr && t != nullptr) {
    live_run& l = threads_->live(t->number);
    l.point = l.made.before(kind);
    l.made.make(kind);
  }
  return false;
}

std::optional<schedule> witness_of(const memmodel::graph& g,
                                   const std::vector<thread_way>& threads,
                                   std::span<const event_id> last) {
  // Who goes on behind a barrier is not a matter of turns alone.
  if (std::ranges::any_of(threads, [](const thread_way& t) {
        return std::ranges::any_of(t.steps, [](const step* s) { return meets(*s); });
      })) {
    return {};
  }
  return search(g, threads, last).run();
}

} // namespace tilesim::sim::exploring
