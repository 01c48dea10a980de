// One execution that a model allows, drawn.
//
// The graph grows by one event at a time as in an exploration, but who goes on, what a read takes
// and where a write stands is drawn from what the model allows, and nothing is taken back but a
// read that would leave its thread waiting: that thread reads later, when the place has been
// written again. So every execution without load buffering can come, and no other.
//
// How it is drawn differs from execution to execution, as what shows in few schedules shows in some
// of them: how often threads take turns, how old the writes are that reads take, and how often a
// write stands before others in coherence order.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/explorer.hpp"
#include "memmodel/explore/merged_places.hpp"

#include <algorithm>

namespace tilesim::memmodel::explore {
namespace {

class draws {
public:
  explicit draws(std::uint64_t seed)
      : at_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t x = at_ += 0x9e37'79b9'7f4a'7c15U;
    x = (x ^ x >> 30U) * 0xbf58'476d'1ce4'e5b9U;
    x = (x ^ x >> 27U) * 0x94d0'49bb'1331'11ebU;
    return x ^ x >> 31U;
  }
  /// Below n, which is not 0.
  std::size_t below(std::size_t n) noexcept { return ((next() >> 32U) * n) >> 32U; }
  bool of_256(unsigned chance) noexcept { return next() >> 56U < chance; }

private:
  std::uint64_t at_;
};

constexpr std::uint64_t hashed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = (a ^ b * 0x9e37'79b9'7f4a'7c15U) * 0xbf58'476d'1ce4'e5b9U;
  return h ^ h >> 31U;
}

} // namespace

class explorer::drawn_execution {
public:
  explicit drawn_execution(explorer& all)
      : all_(all)
      , state_(all.fresh())
      , waits_(all.where_.size()) {}

  void begin(std::uint64_t seed);
  /// False: the model allows nothing that goes on here.
  bool draw();
  [[nodiscard]] const state& what() const noexcept { return *state_; }
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::uint64_t name();

private:
  /// What a thread waits for: that a place has more accesses than it had.
  struct wait {
    bool waits = false;
    place_number at = no_place;
    std::size_t accesses = 0;
  };

  void begin_next(thread_id t);
  void take_back_next(thread_id t);
  [[nodiscard]] bool may_move(thread_id t);
  [[nodiscard]] thread_id next_thread();
  bool step(thread_id t);
  bool read(thread_id t, std::size_t e);
  bool take(thread_id t, std::size_t e, event_id from, bool may_wait, bool& would_wait);
  bool write(thread_id t, std::size_t e);
  bool place_write();

  explorer& all_;
  std::unique_ptr<state> state_;
  draws chance_{0};
  unsigned switches_ = 0; ///< of 256: that another thread goes on,
  unsigned stale_ = 0;    ///< that a read takes any write,
  unsigned earlier_ = 0;  ///< that a write stands anywhere
  std::vector<thread_id> under_way_;
  thread_id last_ = 0;
  std::vector<wait> waits_; ///< by thread
  bool nobody_writes_ = false;
  std::vector<event_id> sources_;
  std::vector<bit_set> placings_;
  std::vector<std::uint64_t> names_;
};

void explorer::drawn_execution::begin(std::uint64_t seed) {
  state& s = *state_;
  s.g.clear();
  s.next_stamp = 1;
  for (thread_part& part : s.threads) {
    part.code.clear();
    part.values.clear();
    part.reads.clear();
  }
  chance_ = draws(seed);
  static constexpr unsigned some_switches[] = {256, 256, 128, 32};
  static constexpr unsigned some_stale[] = {0, 64, 128, 256};
  const std::uint64_t how = chance_.next();
  switches_ = some_switches[how % 4];
  stale_ = some_stale[how / 4 % 4];
  earlier_ = how / 16 % 2 == 0 ? 0 : 128;
  std::ranges::fill(waits_, wait{});
  nobody_writes_ = false;
  under_way_.clear();
  for (thread_id t = 0; t < all_.where_.size(); ++t) {
    begin_next(t);
    under_way_.push_back(t);
  }
  last_ = static_cast<thread_id>(all_.where_.size());
}

void explorer::drawn_execution::begin_next(thread_id t) {
  const thread_part& part = state_->threads[t];
  do {
    all_.begin(*state_, t);
  } while (part.code.back().left == 0);
}

void explorer::drawn_execution::take_back_next(thread_id t) {
  thread_part& part = state_->threads[t];
  part.values.resize(part.code.back().first_read);
  part.reads.resize(part.code.back().first_read);
  part.code.pop_back();
}

bool explorer::drawn_execution::may_move(thread_id t) {
  state& s = *state_;
  const running& r = s.threads[t].code.back();
  if (r.what->kind == step_kind::barrier && r.what->waits && r.left == 1) {
    std::vector<event_id> arrivals;
    return all_.may_depart(s, t, arrivals);
  }
  if (r.what->awaits && !written_to(s, r)) {
    return false;
  }
  return !waits_[t].waits || nobody_writes_ ||
         s.g.of_place(waits_[t].at).size() > waits_[t].accesses;
}

/// Who goes on; nobody: none can.
thread_id explorer::drawn_execution::next_thread() {
  const auto nobody = static_cast<thread_id>(all_.where_.size());
  const auto as_before =
      chance_.of_256(switches_) ? under_way_.end() : std::ranges::find(under_way_, last_);
  auto i = static_cast<std::size_t>(as_before - under_way_.begin());
  if (i == under_way_.size() && i != 0) {
    i = chance_.below(i);
  }
  for (std::size_t tried = 0; tried < under_way_.size();) {
    i = i < under_way_.size() ? i : 0;
    const thread_id t = under_way_[i];
    const step_kind k = state_->threads[t].code.back().what->kind;
    if (k == step_kind::end || k == step_kind::stuck) {
      under_way_[i] = under_way_.back();
      under_way_.pop_back();
      tried = 0; // the order is another one
      continue;
    }
    if (may_move(t)) {
      return t;
    }
    ++tried;
    ++i;
  }
  return nobody;
}

bool explorer::drawn_execution::draw() {
  const auto nobody = static_cast<thread_id>(all_.where_.size());
  for (;;) {
    const thread_id t = next_thread();
    if (t == nobody && !nobody_writes_ &&
        std::ranges::any_of(under_way_, [&](thread_id u) { return waits_[u].waits; })) {
      nobody_writes_ = true; // those that wait read what they would wait with
      continue;
    }
    if (t == nobody) {
      return true;
    }
    last_ = t;
    if (!step(t)) {
      ++all_.counts_.refused;
      return false;
    }
  }
}

bool explorer::drawn_execution::step(thread_id t) {
  state& s = *state_;
  running& r = s.threads[t].code.back();
  const std::size_t i = s.threads[t].code.size() - 1;
  if (r.what->kind == step_kind::fence || r.what->kind == step_kind::barrier) {
    const bool departs = r.what->kind == step_kind::barrier && r.left != (r.what->waits ? 2U : 1U);
    if (!(r.what->kind == step_kind::fence ? s.g.add_fence(label(r, t, 0, event_kind::fence))
                                           : all_.add_meeting(s, t, departs))) {
      return false;
    }
    s.g.mark_last(s.next_stamp++, std::uint64_t{i} << 32U | (departs ? 1U : 0U));
    --r.left;
  } else {
    std::size_t e = 0;
    while (r.elements[e].at == progress::step::done) {
      ++e;
    }
    const bool reads = r.what->kind != step_kind::store;
    if (r.elements[e].at == progress::step::nothing && reads) {
      return read(t, e);
    }
    if (!write(t, e)) {
      return false;
    }
  }
  if (s.threads[t].code[i].left == 0) {
    begin_next(t);
  }
  return true;
}

/// False: the model does not allow it, or the thread would wait, where it need not.
bool explorer::drawn_execution::take(
    thread_id t, std::size_t e, event_id from, bool may_wait, bool& would_wait) {
  state& s = *state_;
  thread_part& part = s.threads[t];
  const std::size_t i = part.code.size() - 1;
  running& r = part.code[i];
  event what = label(r, t, e, event_kind::read);
  what.value = all_.value_from(s, what, all_from(from));
  if (!s.g.add_read(what,
                    r.what->elements[e].place,
                    all_from(from),
                    dependencies(s, t, r.what->elements[e].depends))) {
    return false;
  }
  s.g.mark_last(s.next_stamp++, std::uint64_t{i} << 32U | e);
  const std::size_t left = r.left;
  all_.feed(s, t, i, e, what.value);
  const auto take_back = [&] {
    part.code[i].elements[e].at = progress::step::nothing;
    part.code[i].left = left;
    s.g.remove_last();
    return false;
  };
  // Nothing comes between the halves of an update.
  const bool updated = r.elements[e].at == progress::step::read;
  if (updated && !write(t, e)) {
    s.g.remove_last();
    return take_back();
  }
  if (r.left != 0) {
    return true;
  }
  begin_next(t);
  const instruction& next = *part.code.back().what;
  if (next.kind != step_kind::stuck || next.halted || may_wait) {
    return true;
  }
  would_wait = true;
  while (part.code.size() > i + 1) {
    take_back_next(t);
  }
  if (updated) {
    s.g.remove_last();
  }
  return take_back();
}

bool explorer::drawn_execution::read(thread_id t, std::size_t e) {
  const instruction& i = *state_->threads[t].code.back().what;
  const place_number p = i.elements[e].place;
  sources_.clear();
  if (!i.awaits) {
    sources_.push_back(initial_write);
  }
  const std::span<const event_id> here = state_->g.of_place(p);
  for (const event_id w : here) {
    if (state_->g[w].what.is_write()) {
      sources_.push_back(w);
    }
  }
  const std::size_t accesses = here.size();
  std::size_t first = sources_.size() - 1;
  if (stale_ != 0 && chance_.of_256(stale_)) {
    first = chance_.below(sources_.size());
  }
  bool would_wait = false;
  for (std::size_t n = 0; n < sources_.size(); ++n) {
    const event_id from = sources_[(first + sources_.size() - n) % sources_.size()];
    if (take(t, e, from, nobody_writes_, would_wait)) {
      waits_[t].waits = false;
      return true;
    }
  }
  waits_[t] = {true, p, accesses};
  return would_wait;
}

bool explorer::drawn_execution::place_write() {
  graph& g = state_->g;
  const bool anywhere = earlier_ != 0 && chance_.of_256(earlier_);
  placings_.clear();
  g.for_each_placing([&](graph::bits after) {
    placings_.emplace_back(after.begin(), after.end());
    return anywhere;
  });
  const std::size_t first = anywhere && !placings_.empty() ? chance_.below(placings_.size()) : 0;
  for (std::size_t n = 0; n < placings_.size(); ++n) {
    if (g.place_last(placings_[(first + n) % placings_.size()])) {
      return true;
    }
  }
  if (anywhere) {
    return false;
  }
  bool placed = false;
  placings_.clear();
  g.for_each_placing([&](graph::bits after) {
    placings_.emplace_back(after.begin(), after.end());
    return true;
  });
  for (std::size_t n = 1; n < placings_.size() && !placed; ++n) {
    placed = g.place_last(placings_[n]);
  }
  return placed;
}

bool explorer::drawn_execution::write(thread_id t, std::size_t e) {
  begin_write(*state_, t, e);
  running& r = state_->threads[t].code.back();
  r.elements[e].at = progress::step::done;
  --r.left;
  return place_write();
}

bool explorer::drawn_execution::ended() const {
  return std::ranges::all_of(state_->threads, [](const thread_part& part) {
    return part.code.back().what->kind == step_kind::end;
  });
}

/// What each event is, what reads take, and the order of writes that have to be ordered.
std::uint64_t explorer::drawn_execution::name() {
  const graph& g = state_->g;
  names_.clear();
  for (event_id e = 0; e < g.size(); ++e) {
    const event& what = g[e].what;
    names_.push_back(
        hashed(hashed(what.thread + 1, g[e].tag * 4 + (what.is_write() ? 1 : 0)), what.value));
  }
  std::uint64_t out = g.size();
  for (event_id e = 0; e < g.size(); ++e) {
    const graph_event& it = g[e];
    out += names_[e];
    if (it.what.is_read()) {
      out += hashed(names_[e], it.source[0] >= initial_write ? 1 : names_[it.source[0]]);
    } else if (it.what.is_write()) {
      for (const event_id w : g.of_place(it.place)) {
        if (w != e && g[w].what.is_write() && g.ordered(w, e) &&
            graph::has(g.coherence_past(e), w)) {
          out += hashed(names_[w] + 2, names_[e]);
        }
      }
    }
  }
  return out;
}

void explorer::sample(std::uint64_t seed, const sink& f, const sink& g) {
  first_pass_ = true;
  settings_.load_buffering = false;
  exploring_whole_places([&] {
    if (drawn_ == nullptr) {
      drawn_ = std::make_shared<drawn_execution>(*this);
    }
    drawn_->begin(seed);
    if (!drawn_->draw()) {
      return;
    }
    const bool ended = drawn_->ended();
    ++(ended ? counts_.executions : counts_.stuck);
    found_execution x = described(drawn_->what(), false);
    x.name.first = drawn_->name();
    (ended ? f : g)(x);
  });
}

} // namespace tilesim::memmodel::explore
