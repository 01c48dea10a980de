// The threads of launches as what is explored.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/kernel_threads.hpp"

#include "memmodel/assertion.hpp"
#include "memmodel/graph/place_table.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/explore/settled.hpp"
#include "sim/memory/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

namespace tilesim::sim::exploring {

namespace {

constexpr std::uint64_t asked_between_looks = 64;
/// A thread that computes longer from one access to the next is told if it is stopped there.
constexpr std::chrono::milliseconds long_alone{500};

/// Where it was run before, and is run again: what it does not come behind is the same as well.
bool same_step(const step& a, const step& b) {
  return same_operation(a, b) && a.what->beside == b.what->beside;
}

void follow(const live_run& l, step& s) {
  s.before = l.at;
  s.number = l.at == nullptr ? 0 : l.at->number + 1;
  s.given.assign(l.values.begin() + static_cast<std::ptrdiff_t>(l.next - l.given),
                 l.values.begin() + static_cast<std::ptrdiff_t>(l.next));
}

/// What the thread has come upon since it was asked last.
std::vector<finding> take_findings(context& c) {
  if (c.found.all().findings.empty()) {
    return {};
  }
  std::vector<finding> out = c.found.all().findings;
  findings fresh;
  fresh.quiet = c.found.quiet;
  fresh.known = c.found.known;
  fresh.leave = c.found.leave;
  c.found = std::move(fresh);
  return out;
}

} // namespace

std::optional<std::uint64_t> known_write(const step& s, std::size_t element, std::uint64_t old) {
  const auto found = s.modified.find({element, old});
  return found == s.modified.end() || !found->second ? std::nullopt
                                                     : std::optional(found->second->value);
}

kernel_threads::kernel_threads(context& c,
                               lone_runs& runs,
                               sharing& shared,
                               std::function<bool()> expired)
    : context_(c)
    , runs_(runs)
    , shared_(shared)
    , expired_(std::move(expired))
    , live_(runs.count())
    , first_(runs.count())
    , paths_(runs.count())
    , partly_ordered_(runs.count(), false)
    , promises_(runs.count()) {
  shared_.begin_anew();
}

// A block is a cluster of its own: no scope of a kernel's names clusters.
std::vector<memmodel::place> kernel_threads::places() const {
  std::vector<memmodel::place> out;
  std::int32_t block = -1;
  const launch_state* of = nullptr;
  std::uint64_t linear = 0;
  for (std::size_t t = 0; t < runs_.count(); ++t) {
    const launch_state& l = runs_.launch(t);
    const std::uint64_t its = runs_.linear(t) / l.threads_per_block;
    if (of != &l || linear != its) {
      ++block;
    }
    of = &l;
    linear = its;
    out.push_back({.gpu = 0, .cluster = block, .cta = 0});
  }
  return out;
}

std::uint64_t kernel_threads::initial(const memmodel::byte_range& bytes) const {
  std::uint64_t value = 0;
  if (!is_exchange(bytes.address)) {
    std::memcpy(&value, reinterpret_cast<const void*>(bytes.address), bytes.size);
  }
  return value;
}

std::shared_ptr<const instruction> kernel_threads::next(memmodel::thread_id thread,
                                                        std::span<const std::uint64_t> values,
                                                        std::size_t performed) {
  if (++asked_ % asked_between_looks == 0 && expired_()) {
    throw over();
  }
  return find(thread, values, performed).what;
}

const step& kernel_threads::at(memmodel::thread_id thread,
                               std::span<const std::uint64_t> values,
                               std::size_t performed) {
  return find(thread, values, performed);
}

step& kernel_threads::find(std::size_t thread,
                           std::span<const std::uint64_t> values,
                           std::size_t performed) {
  path& p = paths_[thread];
  if (p.steps.empty()) {
    if (first_[thread] == nullptr) {
      run_on(thread, nullptr, {});
    }
    p.steps.push_back({first_[thread].get(), 0});
  }
  const auto same =
      static_cast<std::size_t>(std::ranges::mismatch(p.taken, values).in1 - p.taken.begin());
  while (p.steps.size() > performed + 1 || p.steps.back().before > same) {
    p.steps.pop_back();
  }
  while (p.steps.size() < performed + 1) {
    const reached last = p.steps.back();
    const std::size_t behind = last.before + last.what->values();
    const auto given = values.subspan(last.before, last.what->values());
    step* next = child(thread, last.what, given);
    if (next == nullptr) {
      run_on(thread, last.what, values.first(behind));
      next = child(thread, last.what, given);
      TILESIM_ASSERT(next != nullptr, thread, performed);
    }
    p.steps.push_back({next, behind});
  }
  p.taken.assign(values.begin(),
                 values.begin() + static_cast<std::ptrdiff_t>(p.steps.back().before));
  return *p.steps.back().what;
}

step* kernel_threads::child(std::size_t thread,
                            const step* of,
                            std::span<const std::uint64_t> given) {
  if (of == nullptr) {
    return first_[thread].get();
  }
  for (const auto& next : of->next) {
    if (std::ranges::equal(next->given, given)) {
      return next.get();
    }
  }
  return nullptr;
}

step& kernel_threads::adopt(std::size_t thread, std::unique_ptr<step> s) {
  ++known_;
  s->found = take_findings(context_);
  some_copies_ = some_copies_ || !live_[thread].notes.empty();
  s->notes = std::move(live_[thread].notes);
  s->some_found = !s->found.empty() || (s->before != nullptr && s->before->some_found);
  some_beside_steps_ = some_beside_steps_ || s->some_found || !s->left.empty() || !s->added.empty();
  s->printed = prints_.take();
  s->some_printed = !s->printed.empty() || (s->before != nullptr && s->before->some_printed);
  if (!s->printed.empty()) { // whose lines come first tells it from others
    shared_.tell_apart(thread);
  }
  step& it = *s;
  if (it.what->kind == step_kind::store) {
    for (const auto& e : it.what->elements) {
      note_address(thread, e.bytes, e.store.value);
    }
  }
  auto& place = s->before == nullptr ? first_[thread] : s->before->next.emplace_back();
  place = std::move(s);
  adopted_.emplace_back(thread, &it);
  newest_ = &it;
  if (longest_.second == nullptr || it.number > longest_.second->number) {
    longest_ = {thread, &it};
  }
  return it;
}

// --- Running a thread.

void kernel_threads::run_on(std::size_t thread,
                            const step* from,
                            std::span<const std::uint64_t> values) {
  live_run& l = live_[thread];
  if (!l.begun || !l.waits || l.at != from) {
    runs_.begin(thread);
    l = {};
    l.begun = true;
  }
  l.values.assign(values.begin(), values.end());
  newest_ = nullptr;
  const lone_runs::stop how = resume(thread);
  if (l.differs) {
    throw begin_anew{};
  }
  if (!l.waits) {
    finish(thread, how);
  }
  if (newest_ != nullptr && !scouting_) {
    verify(thread, *newest_);
  }
  if (shared_.changed() && !scouting_) {
    throw begin_anew{};
  }
}

/// Up to where it needs a value; if it then does not wait for one it has come to its end, has given
/// up, or waits for what nobody shares with it.
lone_runs::stop kernel_threads::resume(std::size_t thread) {
  live_run& l = live_[thread];
  for (;;) {
    l.waits = false;
    const step* const before = l.at;
    const auto begun = std::chrono::steady_clock::now();
    prints_.in_this_process();
    const lone_runs::stop how = runs_.resume(thread);
    if (runs_.thread(thread).knows_block) {
      shared_.tell_apart(thread);
    }
    if (l.refused) {
      throw memmodel::explore::not_explored{*l.refused};
    }
    const bool is_over = how == lone_runs::stop::ended ||
                         (how == lone_runs::stop::left && !interrupt_requested()) ||
                         (how == lone_runs::stop::waits && l.at == before);
    l.waits = l.waits && !is_over;
    if (is_over || l.waits) {
      return how;
    }
    if (expired_()) { // Ctrl-C has ended it; or it has let others go on, and nobody else runs
      const bool for_long = std::chrono::steady_clock::now() - begun > long_alone;
      const sim_thread& t = runs_.thread(thread);
      throw over{for_long ? fmt::format("{} goes on at {} without an access of shared memory",
                                        t.name(),
                                        place(t.site))
                          : std::string()};
    }
  }
}

std::unique_ptr<step> kernel_threads::end_of(std::size_t thread, lone_runs::stop how) {
  const live_run& l = live_[thread];
  auto s = std::make_unique<step>();
  auto what = std::make_shared<instruction>();
  what->kind = how == lone_runs::stop::ended ? step_kind::end : step_kind::stuck;
  what->halted = how == lone_runs::stop::left;
  s->what = std::move(what);
  s->stopped = how == lone_runs::stop::left;
  s->waits_from = how == lone_runs::stop::waits ? s.get() : nullptr;
  s->site = runs_.thread(thread).site;
  follow(l, *s);
  l.own.for_each([&](std::uintptr_t at, std::uint8_t byte) {
    if (!shared_.is_shared(at) && !shared_.is_sum(at)) {
      s->left.emplace_back(at, byte);
    }
  });
  std::ranges::sort(s->left);
  for (const auto& [address, bytes] : l.sums) {
    std::uint64_t now = 0;
    l.own.read(address, &now, bytes);
    s->added.emplace_back(address, bytes, now - initial({address, bytes}));
  }
  return s;
}

/// The thread has come to its end, has given up, or waits for what nobody shares with it.
void kernel_threads::finish(std::size_t thread, lone_runs::stop how) {
  live_run& l = live_[thread];
  std::unique_ptr<step> s = end_of(thread, how);
  if (child(thread, l.at, s->given) == nullptr) {
    adopt(thread, std::move(s));
  } else {
    drop_told();
  }
  l.begun = false; // it is run again from its start
}

std::span<const std::uint64_t> kernel_threads::perform(sim_thread& t,
                                                       std::unique_ptr<step> s,
                                                       const update_rule* rule,
                                                       const void* polls_at) {
  const std::size_t thread = t.number;
  live_run& l = live_[thread];
  if (l.differs) {
    return {}; // another of its last writes
  }
  follow(l, *s);
  s->point = l.point;
  s->private_writes = l.private_writes;
  s->copy = t.copies ? l.copies : 0;
  step* it = child(thread, l.at, s->given);
  if (l.verifies != nullptr &&
      (it == nullptr || (it->waits_from == nullptr && !same_step(*it, *s)) ||
       it->found.size() != take_findings(context_).size() || it->printed != prints_.take())) {
    return stand(t);
  }
  if (it == nullptr) {
    s->round = round_of(l, *s);
    if (s->number >= most_steps || s->round >= most_rounds) {
      refuse_endless(t, s->site, s->number < most_steps);
      return {};
    }
    if (s->reads()) {
      s->state = state_at_poll(t, polls_at).hash();
      s->waits_from = begin_of_round(l, *s);
    }
    if (s->waits_from != nullptr) {
      auto stuck = std::make_shared<instruction>();
      stuck->kind = step_kind::stuck;
      s->what = std::move(stuck);
    }
    it = &adopt(thread, std::move(s));
  } else if (it->waits_from == nullptr && !same_step(*it, *s) && shared_.changed()) {
    return stand(t); // other accesses are steps than when it was run before
  } else if (it->waits_from == nullptr && !same_step(*it, *s)) {
    refuse_otherwise(t, *s);
    return {};
  } else {
    drop_told();
  }
  l.at = it;
  l.notes.clear();
  l.given = it->values();
  while (it->waits_from != nullptr || l.values.size() - l.next < it->values()) {
    if (execution::current() == nullptr) {
      return stand(t); // it has ended, and waited here when it was run before
    }
    l.waits = true;
    l.rule = rule;
    lone_runs::pause();
  }
  l.next += it->values();
  return std::span<const std::uint64_t>(l.values).subspan(l.next - it->values(), it->values());
}

void kernel_threads::refuse(sim_thread& t, std::string what) {
  live_[t.number].refused = std::move(what);
  while (execution::current() != nullptr) {
    lone_runs::pause();
  }
}

void kernel_threads::refuse_otherwise(sim_thread& t, const step& s) {
  refuse(t,
         fmt::format("{} does something else when it is run again: it {}s {} at {}, and did not "
                     "before; a time, a random number or an address decides what it does",
                     t.name(),
                     s.reads() ? "read" : "perform",
                     s.what->elements.empty() ? "nothing" : "other memory, or other values",
                     sim::place(s.site)));
}

void kernel_threads::refuse_endless(sim_thread& t, const void* site, bool one_place) {
  refuse(
      t,
      fmt::format("{} makes more than {} accesses of shared memory{} at {}: a loop that does not "
                  "end, and is no wait, is not explored",
                  t.name(),
                  one_place ? most_rounds : most_steps,
                  one_place ? "" : ", the last",
                  place(site)));
}

void kernel_threads::drop_told() {
  static_cast<void>(take_findings(context_));
  static_cast<void>(prints_.take());
}

/// The thread does something else than before, and goes no further. It may have ended: what its
/// last instruction wrote is a step once nobody runs any more.
std::span<const std::uint64_t> kernel_threads::stand(sim_thread& t) {
  live_run& l = live_[t.number];
  l.differs = true;
  while (execution::current() != nullptr) {
    l.waits = true;
    lone_runs::pause();
  }
  return {};
}

// --- Updates.

std::optional<written> kernel_threads::modified(memmodel::thread_id thread,
                                                std::span<const std::uint64_t> values,
                                                std::size_t performed,
                                                const instruction& i,
                                                std::size_t element,
                                                std::uint64_t old) {
  step& s = find(thread, values, performed);
  const auto known = s.modified.find({element, old});
  if (known != s.modified.end()) {
    return known->second;
  }
  live_run& l = live_[thread];
  if (!l.begun || !l.waits || l.at != &s) {
    l.begun = false;
    run_on(thread, nullptr, values);
    TILESIM_ASSERT(l.waits && l.at == &s, thread, performed);
  }
  std::uint64_t cell = old;
  std::optional<written> out;
  if (l.rule->apply(element, &cell)) {
    out = written{cell, 0};
    const std::uint32_t size = i.elements[element].bytes.size;
    if (size < sizeof cell) {
      out->value &= (std::uint64_t{1} << (8 * size)) - 1;
    }
  }
  if (out) {
    note_address(thread, i.elements[element].bytes, out->value);
  }
  s.modified[{element, old}] = out;
  return out;
}

// --- Load buffering.

void kernel_threads::explored_anew(bool dependencies) {
  with_dependencies_ = dependencies;
  find_circles();
  for (std::size_t t = 0; t < first_.size(); ++t) {
    paths_[t] = {};
    if (first_[t] != nullptr) {
      refresh(*first_[t], *first_[t]);
    }
  }
}

/// Instructions as they are given to another exploration.
void kernel_threads::refresh(const step& first, step& s) {
  auto what = std::make_shared<instruction>(*s.what);
  for (std::size_t e = 0; e < what->elements.size(); ++e) {
    what->elements[e].place = memmodel::no_place;
    if (with_dependencies_ && what->kind == step_kind::store) {
      what->elements[e].store.depends = settled_by(first, s, e, {});
    }
  }
  s.what = std::move(what);
  // Which process has found what first is nothing to go by.
  std::ranges::sort(s.next, {}, [](const auto& next) -> const std::vector<std::uint64_t>& {
    return next->given;
  });
  for (auto& [read, wrote] : s.modified) {
    if (with_dependencies_ && wrote) {
      wrote->depends = settled_by(first, s, read.first, read.second);
    }
  }
  for (const auto& next : s.next) {
    refresh(first, *next);
  }
}

bool kernel_threads::seen_writes::add(const seen_writes& other) {
  bool news = false;
  const auto add_all = [&news](auto& to, const auto& from) {
    for (const auto& [write, n] : from) {
      std::uint32_t& known = to[write];
      news = news || known < n;
      known = std::max(known, n);
    }
  };
  add_all(of_value, other.of_value);
  add_all(of_any, other.of_any);
  return news;
}

// Two writes of which one is weak, or of narrow scope, may be taken in any order.
bool kernel_threads::note_promises(const memmodel::graph& g) {
  bool news = false;
  const auto count = [](std::uint32_t& n, const memmodel::event& write) {
    const bool wide = write.strong() && write.scope >= memmodel::scope::gpu;
    n = wide && n != any_number ? n + 1 : any_number;
  };
  for (memmodel::thread_id t = 0; t < live_.size(); ++t) {
    bool read = false;
    seen_writes here;
    for (const memmodel::event_id e : g.of_thread(t)) {
      const memmodel::event& it = g[e].what;
      if (it.is_write() && read && !is_exchange(it.bytes.address)) {
        const auto [address, size] = it.bytes;
        count(here.of_value[{address, size, it.value}], it);
        count(here.of_any[{address, size}], it);
      }
      read = read || it.is_read();
    }
    news = promises_[t].add(here) || news;
  }
  return news;
}

std::uint32_t kernel_threads::most_writes(memmodel::thread_id writer,
                                          const memmodel::byte_range& bytes,
                                          std::optional<std::uint64_t> value) {
  const auto [address, size] = bytes;
  const seen_writes& seen = promises_[writer];
  if (value) {
    const auto found = seen.of_value.find({address, size, *value});
    return found == seen.of_value.end() ? 0 : found->second;
  }
  const auto found = seen.of_any.find({address, size});
  return found == seen.of_any.end() ? 0 : found->second;
}

std::vector<std::uint64_t> kernel_threads::promises(memmodel::thread_id thread,
                                                    memmodel::thread_id from,
                                                    const instruction& /*i*/,
                                                    const memmodel::explore::element& e) {
  std::set<std::uint64_t> values;
  const auto [address, size] = e.bytes;
  if (!with_dependencies_ || promises_[thread].empty() || !on_circle(address, size)) {
    return {};
  }
  for (std::size_t other = std::min<std::size_t>(from, thread); other < promises_.size(); ++other) {
    const auto& all = promises_[other].of_value;
    if (other == thread ? !partly_ordered_[thread] : other < from) {
      continue;
    }
    for (auto w = all.lower_bound({address, size, 0});
         w != all.end() && std::get<0>(w->first) == address && std::get<1>(w->first) == size;
         ++w) {
      values.insert(std::get<2>(w->first));
    }
  }
  return {values.begin(), values.end()};
}

// --- What threads share.

void kernel_threads::scout() {
  scouting_ = true;
  std::vector<std::vector<std::uint64_t>> taken(live_.size());
  std::vector<const step*> last(live_.size());
  for (std::size_t t = 0; t < live_.size(); ++t) {
    std::vector<std::uint64_t>& values = taken[t];
    for (std::size_t n = 0;; ++n) {
      const step& s = find(t, values, n);
      last[t] = &s;
      if (s.what->kind == step_kind::end || s.what->kind == step_kind::stuck) {
        break;
      }
      std::vector<std::uint64_t> given;
      for (std::size_t e = 0; e < s.values(); ++e) {
        std::uint64_t value = 0;
        const memmodel::byte_range& bytes = s.what->elements[e].bytes;
        if (!is_exchange(bytes.address)) { // what others tell it is not known here
          live_[t].own.read(bytes.address, &value, bytes.size);
        }
        if (s.what->kind == step_kind::update) {
          static_cast<void>(
              modified(static_cast<memmodel::thread_id>(t), values, n, *s.what, e, value));
        }
        given.push_back(value);
      }
      values.insert(values.end(), given.begin(), given.end());
    }
  }
  scouting_ = false;
  shared_.nobody_taken_for_alike();
  if (shared_.changed()) {
    throw begin_anew{};
  }
  for (std::size_t t = 0; t < live_.size(); ++t) { // what others add is known now
    live_run& l = live_[t];
    runs_.begin(t);
    l = {};
    l.begun = true;
    l.values = taken[t];
    static_cast<void>(resume(t));
    drop_told();
    verify(t, *last[t]);
    if (shared_.changed()) {
      throw begin_anew{};
    }
  }
}

} // namespace tilesim::sim::exploring
