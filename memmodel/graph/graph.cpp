// An execution that grows by one event at a time: what is known of an event when it comes.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/graph/graph.hpp"

#include "memmodel/assertion.hpp"

#include <algorithm>

namespace tilesim::memmodel {
namespace {

scope narrowest_for_both(const place& a, const place& b) {
  for (const scope s : {scope::cta, scope::cluster, scope::gpu}) {
    if (includes(s, a, b)) {
      return s;
    }
  }
  return scope::sys;
}

} // namespace

graph::graph(const model& m, const place_table& places, std::vector<place> threads)
    : model_(&m)
    , total_(m.total_coherence)
    , places_(&places)
    , threads_(std::move(threads))
    , by_thread_(threads_.size()) {
  for (const place& a : threads_) {
    for (const place& b : threads_) {
      narrowest_.push_back(static_cast<std::uint8_t>(narrowest_for_both(a, b)));
    }
  }
}

void graph::clear() {
  events_.clear();
  for (auto& of : by_thread_) {
    of.clear();
  }
  for (auto& of : by_place_) {
    of.clear();
  }
  sc_fences_.clear();
  reordered_ = false;
  bits_.clear();
}

/// Twice as many words a row.
void graph::grow() {
  std::vector<word> wider(bits_.size() * 2);
  for (std::size_t r = 0; r < bits_.size() / words_; ++r) {
    std::copy_n(bits_.begin() + static_cast<std::ptrdiff_t>(r * words_),
                words_,
                wider.begin() + static_cast<std::ptrdiff_t>(r * words_ * 2));
  }
  bits_ = std::move(wider);
  words_ *= 2;
}

event_id graph::append(const event& what, place_number at, event_id half) {
  if (events_.size() == words_ * 64) {
    grow();
  }
  TILESIM_ASSERT(what.thread < threads_.size(), what.thread, threads_.size());
  const auto e = static_cast<event_id>(events_.size());
  events_.push_back({what, at, half, all_from(no_event), 0, 0});
  bits_.resize(events_.size() * row_count * words_);
  if (half != no_event) {
    events_[half].half = e;
  }
  order_in_thread(e);
  by_thread_[what.thread].push_back(e);
  if (at != no_place) {
    if (by_place_.size() <= at) {
      by_place_.resize(places_->size());
    }
    order_in_place(e);
    by_place_[at].push_back(e);
  }
  return e;
}

void graph::remove_last() {
  const auto e = static_cast<event_id>(events_.size() - 1);
  const graph_event& gone = events_.back();
  if (gone.place != no_place) {
    displace_last();
    by_place_[gone.place].pop_back();
    for_each(set(rows::ms, e), [&](event_id other) { drop(row(rows::ms, other), e); });
  }
  by_thread_[gone.what.thread].pop_back();
  if (gone.half != no_event) {
    events_[gone.half].half = no_event;
  }
  const bool fence = !sc_fences_.empty() && sc_fences_.back() == e;
  if (fence) {
    sc_fences_.pop_back();
  }
  events_.pop_back();
  bits_.resize(events_.size() * row_count * words_);
  if (fence && reordered_) {
    // What was behind it in another order than that of their coming is so no more.
    const bool again = reorder_fences();
    TILESIM_ASSERT(again, e);
  }
}

/// Whether a comes before b in program order: both of one thread.
bool graph::in_order(event_id a, event_id b) const noexcept {
  return events_[b].what.behind(events_[a].what.instruction) || (events_[b].half == a && a < b);
}

/// Program order: all of the instruction before, and of its own the other half. Elements of one
/// instruction have none. Where program order is partial it is all that e comes behind; its past is
/// its thread's all the same, which has come to it through that. [event::beside]
void graph::order_in_thread(event_id e) {
  const graph_event& it = events_[e];
  const bool partial = partial_ = partial_ || it.what.beside != nullptr;
  const auto order = [&](event_id before) {
    merge_with(row(rows::base, e), rows::base, before);
    add(row(rows::last, e), before);
  };
  const auto follow = [&](event_id before) {
    merge_with(row(rows::past, e), rows::past, before);
    if (!partial || before == it.half) {
      order(before);
    }
  };
  const std::vector<event_id>& thread = by_thread_[it.what.thread];
  std::uint32_t group = it.what.instruction; // of the instruction before, once found
  for (auto x = thread.rbegin(); x != thread.rend(); ++x) {
    const std::uint32_t i = events_[*x].what.instruction;
    if (i == it.what.instruction) {
      if (*x == it.half) {
        follow(*x);
      }
      continue;
    }
    if (group == it.what.instruction) {
      group = i;
    }
    if (i != group) {
      break;
    }
    follow(*x);
  }
  for (std::size_t k = 0; partial && k < thread.size(); ++k) {
    if (thread[k] != it.half && in_order(thread[k], e)) {
      order(thread[k]);
    }
  }
}

/// Program order and moral strength among the accesses of its place.
void graph::order_in_place(event_id e) {
  const graph_event& it = events_[e];
  const std::uint8_t* const narrowest = narrowest_.data() + it.what.thread * threads_.size();
  const bool strong = it.what.strong();
  const auto s = static_cast<std::uint8_t>(it.what.scope);
  word* const earlier = row(rows::earlier, e);
  word* const own = row(rows::ms, e);
  for (const event_id x : by_place_[it.place]) {
    const event& other = events_[x].what;
    if (other.bytes != it.what.bytes && !overlap(other.bytes, it.what.bytes)) {
      continue;
    }
    const bool in_program_order = other.thread == it.what.thread && in_order(x, e);
    if (in_program_order) {
      add(earlier, x);
    }
    // As related_strongly(x, e).
    const std::uint8_t both = narrowest[other.thread];
    if (other.bytes == it.what.bytes &&
        (in_program_order || (strong && other.strong() && s >= both &&
                              static_cast<std::uint8_t>(other.scope) >= both))) {
      add(own, x);
      add(row(rows::ms, x), e);
    }
  }
}

/// [PTX: morally strong operations] a came before b.
bool graph::related_strongly(event_id a, event_id b) const noexcept {
  const event& p = events_[a].what;
  const event& q = events_[b].what;
  if (p.is_memory() && q.is_memory() && p.bytes != q.bytes) {
    return false;
  }
  if (p.thread == q.thread && in_order(a, b)) {
    return true;
  }
  const auto both = static_cast<scope>(narrowest_[p.thread * threads_.size() + q.thread]);
  return p.strong() && q.strong() && p.scope >= both && q.scope >= both;
}

void graph::depend(event_id e, std::span<const event_id> depends) {
  for (const event_id on : depends) {
    add(row(rows::direct, e), on);
    merge_with(row(rows::dep, e), rows::dep, on);
  }
}

/// What `read` observes, where a release pattern leads to it, comes before e: the end of an acquire
/// pattern that begins with it. Every link is morally strong, and so are the two ends.
/// [PTX: synchronizes]
void graph::synchronize_with(event_id e, event_id read) {
  for_each(set(rows::seen, read), [&](event_id write) {
    for_each(set(rows::seen, write), [&](event_id first) {
      if (related_strongly(first, e)) {
        merge_with(row(rows::base, e), rows::base, first);
      }
    });
  });
}

/// [PTX: observation order] Through every read-modify-write on the way.
void graph::observe(event_id e) {
  const graph_event& it = events_[e];
  event_id known = no_event;
  for (std::uint32_t b = 0; b < it.what.bytes.size; ++b) {
    const event_id from = it.source[b];
    if (from == known || from >= initial_write) {
      continue;
    }
    known = from;
    merge_with(row(rows::past, e), rows::past, from);
    merge_with(row(rows::dep, e), rows::dep, from);
    add(row(rows::last, e), from);
    if (morally_strong(from, e)) {
      add(row(rows::seen, e), from);
      if (const event_id half = events_[from].half; half != no_event) {
        merge(row(rows::seen, e), set(rows::seen, half));
      }
    }
  }
}

/// [PTX: release patterns] Where those begin that end with this write.
void graph::begin_patterns(event_id e) {
  const event& it = events_[e].what;
  if (!it.strong()) {
    return;
  }
  if (it.releases()) {
    add(row(rows::seen, e), e);
  }
  for (const event_id x : by_thread_[it.thread]) {
    const event& first = events_[x].what;
    if (x != e && first.releases() && in_order(x, e) &&
        (first.is_fence() || (first.is_write() && overlap(first.bytes, it.bytes)))) {
      add(row(rows::seen, e), x);
    }
  }
}

/// [PTX: causality order] Base causality between accesses that overlap, behind an observation.
void graph::find_causes(event_id e) {
  const graph_event& it = events_[e];
  for (const event_id x : by_place_[it.place]) {
    if (x != e && causal(x, e) && overlap(events_[x].what.bytes, it.what.bytes)) {
      add(row(rows::cause, e), x);
      if (events_[x].what.is_read()) {
        merge(row(rows::cause, e), set(rows::seen, x));
      }
    }
  }
}

bool graph::add_read(const event& what,
                     place_number at,
                     const byte_sources& from,
                     std::span<const event_id> depends) {
  const event_id e = append(what, at, no_event);
  events_[e].source = from;
  depend(e, depends);
  observe(e);
  if (what.acquires()) { // [PTX: acquire patterns]
    if (!what.reduction) {
      synchronize_with(e, e);
    }
    for (const event_id x : by_place_[at]) {
      const event& first = events_[x].what;
      if (has(set(rows::earlier, e), x) && first.is_read() && first.strong() && !first.reduction) {
        synchronize_with(e, x);
      }
    }
  }
  find_causes(e);
  if (!allowed(e)) {
    remove_last();
    return false;
  }
  return true;
}

event_id graph::begin_write(const event& what,
                            place_number at,
                            event_id read_half,
                            std::span<const event_id> depends) {
  const event_id e = append(what, at, read_half);
  depend(e, depends);
  begin_patterns(e);
  find_causes(e);
  return e;
}

bool graph::add_fence(const event& what) {
  const event_id e = append(what, no_place, no_event);
  if (what.acquires()) {
    for (const event_id x : by_thread_[what.thread]) {
      const event& first = events_[x].what;
      if (first.is_read() && first.strong() && !first.reduction && in_order(x, e)) {
        synchronize_with(e, x);
      }
    }
  }
  if (what.is_sc_fence() && model_->fence_order) {
    // Behind all that have come; where that does not hold, allowed() finds another order.
    for (const event_id before : sc_fences_) {
      if (related_strongly(before, e)) {
        merge_with(row(rows::base, e), rows::base, before);
      }
    }
    sc_fences_.push_back(e);
  }
  if (!allowed(e)) {
    remove_last();
    return false;
  }
  return true;
}

void graph::add_arrival(const event& what) {
  append(what, no_place, no_event);
}

bool graph::add_departure(const event& what, std::span<const event_id> arrivals) {
  event_id own = no_event;
  for (const event_id a : arrivals) {
    own = events_[a].what.thread == what.thread ? a : own;
  }
  const event_id e = append(what, no_place, own);
  for (const event_id a : arrivals) {
    merge_with(row(rows::past, e), rows::past, a);
    merge_with(row(rows::base, e), rows::base, a);
    add(row(rows::last, e), a);
  }
  if (!allowed(e)) {
    remove_last();
    return false;
  }
  return true;
}

// --- Coherence.

bool graph::place_last(bits after) {
  const auto e = static_cast<event_id>(events_.size() - 1);
  const place_number p = events_[e].place;
  bool before_some = false;
  for (const event_id x : by_place_[p]) {
    if (x == e || !events_[x].what.is_write()) {
      continue;
    }
    if (ordered(x, e)) {
      if (has(after, x)) {
        add(row(rows::chosen, e), x);
      } else {
        add(row(rows::chosen, x), e);
        before_some = true;
      }
    }
    if (has(set(rows::chosen, e), x) || has(set(rows::cause, e), x)) {
      merge_with(row(rows::co, e), rows::co, x);
    }
  }
  if (before_some) {
    close_coherence(p);
  }
  if (!allowed(e)) {
    displace_last();
    return false;
  }
  return true;
}

void graph::displace_last() {
  const auto e = static_cast<event_id>(events_.size() - 1);
  if (!events_[e].what.is_write()) {
    return;
  }
  std::fill_n(row(rows::chosen, e), words_, 0);
  std::fill_n(row(rows::co, e), words_, 0);
  bool before_some = false;
  for (const event_id x : by_place_[events_[e].place]) {
    if (has(set(rows::chosen, x), e)) {
      drop(row(rows::chosen, x), e);
      before_some = true;
    }
  }
  if (before_some) {
    close_coherence(events_[e].place);
  }
}

/// [PTX: coherence order] What was chosen and causality, transitive.
void graph::close_coherence(place_number p) {
  const std::vector<event_id>& here = by_place_[p];
  for (const event_id w : here) {
    if (events_[w].what.is_write()) {
      word* const co = row(rows::co, w);
      std::copy_n(row(rows::chosen, w), words_, co);
      for_each(set(rows::cause, w), [&](event_id x) {
        if (events_[x].what.is_write()) {
          add(co, x);
        }
      });
    }
  }
  for (const event_id k : here) {
    for (const event_id w : here) {
      if (events_[k].what.is_write() && events_[w].what.is_write() && has(set(rows::co, w), k)) {
        merge(row(rows::co, w), set(rows::co, k));
      }
    }
  }
}

/// The positions of the last event, a write, among the others of its place that it has to be
/// ordered with: sets of those it stands behind.
class graph::placings {
public:
  explicit placings(const graph& g)
      : g_(g)
      , e_(static_cast<event_id>(g.events_.size() - 1))
      , others_(std::move(g.others_))
      , after_(std::move(g.after_))
      , before_(std::move(g.ahead_))
      , known_before_(fences_are_open() ? rows::chosen : rows::co) {
    others_.clear();
    after_.assign(g.words_, 0);
    before_.assign(g.words_, 0);
    for (const event_id x : in_place()) {
      if (x != e_ && g_.events_[x].what.is_write() && g_.ordered(x, e_)) {
        others_.push_back(x);
      }
    }
  }
  ~placings() {
    g_.others_ = std::move(others_);
    g_.after_ = std::move(after_);
    g_.ahead_ = std::move(before_);
  }
  placings(const placings&) = delete;
  placings& operator=(const placings&) = delete;

  void for_each(const std::function<bool(bits)>& f) {
    // What is in the past through the text alone orders nothing where program order is partial.
    const bits known = g_.set(g_.total_           ? g_.partial_ ? rows::earlier : rows::past
                              : fences_are_open() ? rows::earlier
                                                  : rows::cause,
                              e_);
    for (const event_id x : others_) {
      if (has(known, x)) {
        follow(after_, x);
      }
    }
    if (stands_behind_source()) {
      choose(0, after_, before_, f);
    }
  }

private:
  using set_of_writes = std::vector<word>;

  [[nodiscard]] const std::vector<event_id>& in_place() const {
    return g_.by_place_[g_.events_[e_].place];
  }

  /// Where fences may have another order than the present one, what is known by causality alone may
  /// not hold: then program order and what was chosen count.
  [[nodiscard]] bool fences_are_open() const { return !g_.total_ && g_.sc_fences_.size() > 1; }

  /// It stands behind x, and so behind what is before x.
  void follow(set_of_writes& behind, event_id x) const {
    graph::add(behind.data(), x);
    for (const event_id y : others_) {
      if (has(g_.set(known_before_, x), y)) {
        graph::add(behind.data(), y);
      }
    }
  }
  /// It stands before x, and so before what is behind x.
  void precede(set_of_writes& ahead, event_id x) const {
    graph::add(ahead.data(), x);
    for (const event_id y : others_) {
      if (has(g_.set(known_before_, y), x)) {
        graph::add(ahead.data(), y);
      }
    }
  }

  /// A read-modify-write stands directly behind what it reads; false: another one does already.
  /// [PTX: atomicity]
  bool stands_behind_source() {
    const event_id half = g_.events_[e_].half;
    if (half == no_event || g_.places_->mixed(g_.events_[e_].place)) {
      return true;
    }
    const event_id from = g_.events_[half].source[0];
    for (const event_id x : in_place()) {
      const graph_event& other = g_.events_[x];
      const bool behind_the_same =
          x != half && other.what.is_read() && other.half != no_event && other.source[0] == from &&
          g_.ordered(other.half, e_) &&
          (from == initial_write ||
           (from != no_event && g_.ordered(from, e_) && g_.ordered(from, other.half)));
      if (behind_the_same) {
        return false;
      }
    }
    for (const event_id x : others_) {
      if (x == from) {
        follow(after_, x);
      } else if (from == initial_write ||
                 (from < initial_write && has(g_.set(known_before_, x), from))) {
        precede(before_, x);
      }
    }
    return true;
  }

  [[nodiscard]] bool apart(const set_of_writes& a, const set_of_writes& b) const {
    for (std::size_t w = 0; w < g_.words_; ++w) {
      if ((a[w] & b[w]) != 0) {
        return false;
      }
    }
    return true;
  }

  /// On both sides of each of the others from the i-th on that neither set decides. False: f has
  /// ended it.
  bool choose(std::size_t i,
              const set_of_writes& behind,
              const set_of_writes& ahead,
              const std::function<bool(bits)>& f) const {
    if (!apart(behind, ahead)) {
      return true;
    }
    while (i < others_.size() && (has(behind, others_[i]) || has(ahead, others_[i]))) {
      ++i;
    }
    if (i == others_.size()) {
      return f(behind);
    }
    set_of_writes more = behind;
    follow(more, others_[i]);
    if (!choose(i + 1, more, ahead, f)) {
      return false;
    }
    more = ahead;
    precede(more, others_[i]);
    return choose(i + 1, behind, more, f);
  }

  const graph& g_;
  event_id e_;
  std::vector<event_id> others_;
  set_of_writes after_;  ///< those that it is known to stand behind
  set_of_writes before_; ///< and before
  rows known_before_;
};

void graph::for_each_placing(const std::function<bool(bits)>& f) const {
  placings(*this).for_each(f);
}

} // namespace tilesim::memmodel
