// An execution as a schedule: a search for an order of its steps.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/witness.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/explore/exploring_engine.hpp"
#include "sim/explore/grid_meeting.hpp"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace tilesim::sim::exploring {

namespace {

using memmodel::event_id;
using memmodel::graph;

constexpr std::size_t most_tries = 100'000;
/// Of a search for a schedule of few stale reads.
constexpr std::size_t most_tries_of_few = 20'000;
/// A run keeps so many older writes of a place. [sim/detect/write_history.hpp]
constexpr std::uint64_t most_passed = 32;

/// The events of one step, in the order of its elements.
struct step_events {
  std::vector<event_id> events;
};

class search {
public:
  search(const graph& g,
         const std::vector<thread_way>& threads,
         std::span<const std::vector<event_id>> last)
      : g_(g)
      , threads_(threads)
      , last_(last)
      , events_(threads.size())
      , at_(threads.size(), 0)
      , done_(g.size(), false)
      , arrived_(threads.size(), false) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      events_[t].resize(threads[t].steps.size());
      for (std::size_t i = 0; i < threads[t].steps.size(); ++i) {
        grids_meet_ = grids_meet_ || of_whole_grid(t, i);
      }
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
    // First those in which the fewest reads take older writes.
    while (!go_on(0)) {
      if (!would_take_older_ || most_stale_ == any) {
        return {};
      }
      most_stale_ = tries_ > most_tries_of_few ? any : most_stale_ + 1;
      tries_ = 0;
      would_take_older_ = false;
      failed_.clear();
    }
    return found();
  }

  /// The same values without older writes, where sequentially consistent fences may have another
  /// order: the model may allow several, and a turn does not part a fence from what it is the fence
  /// of.
  std::optional<schedule> run_without_fence_order() {
    fences_keep_order_ = false;
    return go_on(0) ? std::optional<schedule>(found()) : std::nullopt;
  }

private:
  [[nodiscard]] schedule found() const {
    schedule out;
    out.how = strategy::turns;
    out.turns = turns();
    out.stale = stale_;
    out.launches_wait = std::ranges::any_of(
        threads_, [&](const thread_way& t) { return t.launch != threads_.front().launch; });
    return out;
  }

  /// Part of a thread's way, without an end between two accesses of shared places.
  struct move {
    std::size_t thread = 0;
    std::size_t from = 0; ///< the step that it begins with
    std::size_t at = 0;   ///< the step that is next behind it
    bool waits = false;   ///< there, for others that come to the same
  };

  [[nodiscard]] bool ended(std::size_t t) const { return at_[t] + 1 >= events_[t].size(); }

  /// All that decides what may follow: where threads stand, and what reads may find.
  [[nodiscard]] std::string standing() const {
    std::vector<std::uint64_t> out;
    for (std::size_t t = 0; t < at_.size(); ++t) {
      out.push_back(2 * at_[t] + (arrived_[t] ? 1 : 0));
    }
    out.push_back(stale_.size());
    std::vector<event_id> writes = newest_;
    std::ranges::stable_sort(writes, {}, [&](event_id w) { return g_[w].place; });
    for (std::size_t i = 0; i < writes.size(); ++i) { // without stale reads the newest counts
      const bool overwritten =
          i + 1 < writes.size() && g_[writes[i]].place == g_[writes[i + 1]].place;
      if (most_stale_ != 0 || !overwritten) {
        out.push_back(writes[i]);
      }
    }
    return {reinterpret_cast<const char*>(out.data()), out.size() * sizeof out[0]};
  }

  // The last step of a thread is its end, or that it goes no further: nothing is performed.
  bool go_on(std::size_t last) {
    // Where a grid meets it matters, too, who has come first.
    const std::string here = grids_meet_ ? std::string() : standing();
    if (!grids_meet_ && failed_.contains(here)) {
      return false;
    }
    if (go_on_with_each(last)) {
      return true;
    }
    if (!grids_meet_) {
      failed_.insert(here);
    }
    return false;
  }

  bool go_on_with_each(std::size_t last) {
    bool all = true;
    for (std::size_t k = 0; k < threads_.size(); ++k) {
      const std::size_t t = k == 0 ? last : k <= last ? k - 1 : k;
      if (ended(t)) {
        continue;
      }
      all = false;
      if (++tries_ > (most_stale_ == any ? most_tries : most_tries_of_few)) {
        would_take_older_ = would_take_older_ || !g_.judged_by().total_coherence;
        return false;
      }
      const std::size_t stale = stale_.size();
      const std::size_t written = newest_.size();
      const std::size_t performed = performed_.size();
      const std::size_t at = at_[t];
      const bool arrived = arrived_[t];
      bool only_helps = false;
      if (const std::optional<move> m = go(t)) {
        order_.push_back(*m);
        if (go_on(t)) {
          return true;
        }
        order_.pop_back();
        only_helps = !grids_meet_ && accesses_nothing(performed);
      }
      at_[t] = at;
      arrived_[t] = arrived;
      while (performed_.size() != performed) {
        done_[performed_.back()] = false;
        performed_.pop_back();
      }
      stale_.resize(stale);
      newest_.resize(written);
      if (only_helps) {
        return false; // what fails behind it fails without it
      }
    }
    return all;
  }

  /// What has been performed from there on came to barriers and fences alone: it keeps nobody from
  /// anything.
  [[nodiscard]] bool accesses_nothing(std::size_t from) const {
    return std::all_of(performed_.begin() + static_cast<std::ptrdiff_t>(from),
                       performed_.end(),
                       [&](event_id e) { return !g_[e].what.is_read() && !g_[e].what.is_write(); });
  }

  /// A step of a thread, and what belongs to it: no turn ends before a fence, or before a thread
  /// comes to where it meets others. Nothing: the execution has it later, or never so.
  std::optional<move> go(std::size_t t) {
    const std::size_t from = at_[t];
    if (arrived_[t] && of_whole_grid(t) && !waits(t) && !leaves_first(t)) {
      return {};
    }
    for (bool first = true; !ended(t); first = false) {
      if (!first && begins_apart(t)) {
        break;
      }
      if (waits(t)) {
        return first ? std::nullopt : std::optional<move>({t, from, at_[t], true});
      }
      const bool comes = !arrived_[t];
      if (!perform(t)) {
        return {};
      }
      // Who comes last to where a grid meets waits, too, for its block to meet once more.
      if (arrived_[t] && (waits(t) || (comes && of_whole_grid(t)))) {
        return move{t, from, at_[t], true};
      }
      arrived_[t] = false;
      ++at_[t];
    }
    return move{t, from, at_[t], false};
  }

  [[nodiscard]] const step& next_of(std::size_t t) const { return *threads_[t].steps[at_[t]]; }

  /// Whether a turn may end before the next step of a thread, and behind the one before that: turns
  /// know both apart, of which a fence belongs to what it is the fence of.
  [[nodiscard]] bool begins_apart(std::size_t t) const {
    const std::vector<const step*>& steps = threads_[t].steps;
    const step& s = next_of(t);
    if (meets(s) || brings(s) || (at_[t] != 0 && steps[at_[t] - 1]->point == s.point)) {
      return false;
    }
    return s.what->kind != step_kind::fence || steps[at_[t] + 1]->point == s.point;
  }

  /// A value for others, which wait for it.
  [[nodiscard]] static bool brings(const step& s) {
    return s.what->kind == step_kind::store && is_exchange(s.what->elements.front().bytes.address);
  }

  /// A barrier at which threads also tell each other something: they are given it as they meet.
  void bring_along(std::size_t t) {
    if (at_[t] + 1 < threads_[t].steps.size()) {
      const step& next = *threads_[t].steps[at_[t] + 1];
      if (next.site == next_of(t).site && brings(next)) {
        for (const event_id e : events_[t][at_[t] + 1].events) {
          do_now(e);
        }
      }
    }
  }

  /// Where a grid meets, of blocks of several threads. [grid_meeting]
  [[nodiscard]] bool of_whole_grid(std::size_t t) const { return of_whole_grid(t, at_[t]); }
  [[nodiscard]] bool of_whole_grid(std::size_t t, std::size_t at) const {
    const instruction& i = *threads_[t].steps[at]->what;
    return i.kind == step_kind::barrier && threads_[t].of_a_block > 1 &&
           (i.barrier & points_of_grids) != 0;
  }

  void do_now(event_id e) {
    if (!done_[e]) {
      done_[e] = true;
      performed_.push_back(e);
    }
  }

  /// Whether a thread waits for others: at a barrier, or for what they bring.
  [[nodiscard]] bool waits(std::size_t t) const {
    if (!next_of(t).what->awaits && !arrived_[t]) {
      return false;
    }
    return std::ranges::any_of(events_[t][at_[t]].events, [&](event_id e) {
      const memmodel::graph_event& it = g_[e];
      return !done_[e] && (it.what.is_read() ? !done_[it.source[0]] : !all_done_before(e));
    });
  }

  /// What an event comes behind. (The page has an arrival and its departure as one event, so that a
  /// graph that has taken over its causality says nothing of a barrier's own events.)
  [[nodiscard]] bool all_done_before(event_id e) const {
    const memmodel::event& it = g_[e].what;
    const bool meeting = it.kind == memmodel::event_kind::barrier;
    for (event_id before = 0; before < g_.size(); ++before) {
      const memmodel::event& other = g_[before].what;
      const bool precedes =
          other.kind == memmodel::event_kind::barrier
              ? meeting && it.waits && !other.waits && other.instance == it.instance
              : !meeting && (fences_keep_order_ ? g_.causal(before, e) : g_.in_past(before, e));
      if (precedes && !done_[before]) {
        return false;
      }
    }
    return true;
  }

  /// Of a barrier the arrival, then, if others have arrived, the departure.
  bool perform(std::size_t t) {
    const step& s = next_of(t);
    const bool meeting = s.what->kind == step_kind::barrier;
    const bool arrived_before = arrived_[t];
    for (const event_id e : events_[t][at_[t]].events) {
      if (done_[e]) {
        continue;
      }
      const memmodel::graph_event& it = g_[e];
      if (meeting && it.what.waits && !arrived_before && of_whole_grid(t)) {
        return true; // the next move departs
      }
      if (!all_done_before(e)) {
        return meeting && arrived_[t];
      }
      if ((it.what.is_read() && !read(t, s, e)) || (it.what.is_write() && !write(e))) {
        return false;
      }
      do_now(e);
      if (meeting) {
        arrived_[t] = true;
        bring_along(t);
      }
    }
    return true;
  }

  bool write(event_id e) {
    const memmodel::place_number p = g_[e].place;
    if (p < last_.size() && !last_[p].empty() &&
        std::ranges::all_of(last_[p], [&](event_id w) { return w != e && done_[w]; })) {
      return false; // another one is the last
    }
    for (event_id w = 0; w < g_.size(); ++w) {
      if (graph::has(g_.coherence_past(e), w) && !done_[w]) {
        return false;
      }
    }
    if (is_early(e)) {
      return false;
    }
    newest_.push_back(e);
    return true;
  }

  /// Whether a read that is still to come could then no longer take what it has taken.
  bool is_early(event_id write) {
    return std::ranges::any_of(g_.of_place(g_[write].place), [&](event_id r) {
      const memmodel::graph_event& it = g_[r];
      const std::size_t at = it.tag >> 32U;
      if (!it.what.is_read() || done_[r] || it.what.thread == g_[write].what.thread ||
          at + 1 >= events_[it.what.thread].size() || it.source[0] == write ||
          (it.source[0] < memmodel::initial_write && !done_[it.source[0]])) {
        return false;
      }
      const bool may_be_stale = it.what.strong() && !g_.judged_by().total_coherence;
      would_take_older_ = would_take_older_ || (may_be_stale && stale_.size() >= most_stale_);
      return !may_be_stale || stale_.size() >= most_stale_;
    });
  }

  bool read(std::size_t t, const step& s, event_id e) {
    const memmodel::graph_event& it = g_[e];
    const event_id from = it.source[0];
    if (from < memmodel::initial_write && !done_[from]) {
      return false;
    }
    std::uint64_t passed = 0;
    bool may = true;
    for (auto w = newest_.rbegin(); w != newest_.rend() && *w != from; ++w) {
      if (g_[*w].place == it.place) {
        ++passed;
        may = may && may_pass_over(e, *w);
      }
    }
    if (passed == 0) {
      return true;
    }
    const std::size_t element = it.tag & 0xffff'ffffU;
    const bool strong = element < s.strong.size() && s.strong[element] != not_strong;
    if (!strong || !may || passed > most_passed || g_.judged_by().total_coherence) {
      return false; // it takes the newest
    }
    if (stale_.size() >= most_stale_) {
      would_take_older_ = true;
      return false;
    }
    stale_.push_back({.launch = threads_[t].launch,
                      .thread = threads_[t].linear,
                      .read = s.strong[element],
                      .back = passed});
    return true;
  }

  /// Whether a run may give the strong read e what the write w has followed: a weak write leaves
  /// nothing of what it overwrites, and of racing writes, too, the run's order is coherence order.
  /// [sim/detect/write_history.hpp]
  [[nodiscard]] bool may_pass_over(event_id e, event_id w) const {
    if (!g_[w].what.strong() || g_.causes(w, e)) {
      return false;
    }
    return std::ranges::none_of(g_.of_place(g_[e].place), [&](event_id r) {
      return g_[r].what.is_read() && g_[r].what.strong() && g_[r].source[0] == w && g_.causal(r, e);
    });
  }

  /// Who goes on alone, up to where.
  [[nodiscard]] std::vector<turn> turns() const {
    std::vector<turn> out;
    grid_meetings grids{threads_};
    for (std::size_t k = 0; k < order_.size();) {
      const std::size_t t = order_[k].thread;
      if (leaves_grid(order_[k])) {
        grids.of(t).goes_on(t, [&](std::size_t other) {
          out.push_back({threads_[other].launch, threads_[other].linear, {}});
        });
        ++grids.met[t];
      }
      while (k + 1 < order_.size() && order_[k + 1].thread == t && !leaves_grid(order_[k + 1])) {
        ++k;
      }
      const move& end = order_[k++];
      if (end.waits && of_whole_grid(t, end.at)) {
        grids.of(t).comes(t);
      }
      const bool last = std::none_of(order_.begin() + static_cast<std::ptrdiff_t>(k),
                                     order_.end(),
                                     [t](const move& m) { return m.thread == t; });
      out.push_back({threads_[t].launch, threads_[t].linear, {}});
      if (!last && !end.waits) {
        out.back().until = threads_[t].steps[end.at]->point;
      }
    }
    return out;
  }

  /// A move goes on from where a grid has met.
  [[nodiscard]] bool leaves_grid(const move& m) const {
    return of_whole_grid(m.thread, m.from) && m.at != m.from;
  }
  /// Whether a thread can go on from where its grid has met, as things are, before others do.
  [[nodiscard]] bool leaves_first(std::size_t t) const {
    const auto nobody = [](std::size_t) {};
    grid_meetings grids{threads_};
    for (const move& m : order_) {
      if (leaves_grid(m)) {
        grids.of(m.thread).goes_on(m.thread, nobody);
        ++grids.met[m.thread];
      }
      if (m.waits && of_whole_grid(m.thread, m.at)) {
        grids.of(m.thread).comes(m.thread);
      }
    }
    return grids.of(t).goes_on(t, nobody);
  }

  const graph& g_;
  const std::vector<thread_way>& threads_;
  std::span<const std::vector<event_id>> last_;
  std::vector<std::vector<step_events>> events_; ///< by thread and step
  std::vector<std::size_t> at_;
  std::vector<bool> done_;
  std::vector<bool> arrived_;       ///< by thread: at the barrier that is next
  std::vector<event_id> performed_; ///< in their order
  std::vector<event_id> newest_;    ///< writes, in their order
  std::vector<move> order_;
  std::vector<stale_choice> stale_;
  std::size_t tries_ = 0;
  static constexpr std::size_t any = ~std::size_t{0};
  std::size_t most_stale_ = 0;
  bool would_take_older_ = false;          ///< there may be a schedule of more stale reads
  bool fences_keep_order_ = true;          ///< that which they had
  bool grids_meet_ = false;                ///< of blocks of several threads
  std::unordered_set<std::string> failed_; ///< what no schedule leads on from: standing()
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
                                   std::span<const std::vector<event_id>> last) {
  return search(g, threads, last).run();
}

std::optional<schedule> witness_of_state(const memmodel::graph& g,
                                         const std::vector<thread_way>& threads,
                                         std::span<const std::vector<event_id>> last) {
  if (g.sc_fences() > 1) {
    if (auto found = search(g, threads, last).run_without_fence_order()) {
      return found;
    }
  }
  return search(g, threads, last).run();
}

} // namespace tilesim::sim::exploring
