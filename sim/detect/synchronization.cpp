// Synchronisation through memory: what releases hand on, and what acquires take from them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/synchronization.hpp"

#include <algorithm>

namespace tilesim::sim::detect {

namespace {

using memmodel::scope;

[[nodiscard]] byte_range range_of(std::uintptr_t address, std::uint32_t bytes) noexcept {
  return {static_cast<std::uint8_t>(address & 7U), static_cast<std::uint8_t>(bytes)};
}

void add(release_heads& to, byte_range range, release_head::kind from, const knowledge& before) {
  if (before.empty()) {
    return;
  }
  const auto same = std::ranges::find_if(
      to, [&](const release_head& h) { return h.range == range && h.from == from; });
  if (same == to.end()) {
    to.push_back({range, from, before});
  } else {
    same->before = same->before.joined(before);
  }
}

/// Whether the scopes of a release and of an acquire by `by` include each other's agents.
[[nodiscard]] bool usable(release_head::kind from, const place& by, scope s) noexcept {
  using enum release_head::kind;
  switch (from) {
  case device_gpu:
    return !by.host && holds_device(s);
  case device_sys:
    return s == scope::sys || (!by.host && holds_device(s));
  case host_gpu:
    return by.host && holds_device(s);
  case host_sys:
    return s == scope::sys || (by.host && holds_device(s));
  case own_block:
    return true;
  }
  return false;
}

/// Adds what an agent can take of a message, with some acquire or other.
void add_usable(release_heads& to, const message& from, const place& by) {
  for (const release_head& h : from.wide) {
    if (usable(h.from, by, scope::sys)) {
      add(to, h.range, h.from, h.before);
    }
  }
  if (!by.alone) {
    for (auto h = from.blocks.lower_bound({by.block, {}});
         h != from.blocks.end() && h->first.first == by.block;
         ++h) {
      add(to, h->first.second, release_head::kind::own_block, h->second);
    }
  }
}

} // namespace

void own_releases::add(scope s, const knowledge& before) {
  block = block.joined(before);
  if (holds_device(s)) {
    knowledge& wide = s == scope::sys ? sys : gpu;
    wide = wide.joined(before);
  }
}

void own_releases::add(const own_releases& other) {
  gpu = gpu.joined(other.gpu);
  sys = sys.joined(other.sys);
  block = block.joined(other.block);
}

void own_releases::follow(scope s, const knowledge& before) {
  block = before;
  if (s == scope::sys) {
    sys = before;
    gpu = {};
  } else if (holds_device(s)) {
    gpu = before;
  }
}

/// Those that come before an access, but for its own operation's.
own_releases synchronization::releases_here::before(const access& a) {
  if (a.waits_for != nullptr) {
    own_releases all = earlier;
    for (const auto& [o, own] : by_tokens) {
      if (o != a.operation && (*a.waits_for)(o)) {
        all.add(own);
      }
    }
    return all;
  }
  if (operation != a.operation) {
    earlier.add(latest);
    latest = {};
    operation = a.operation;
  }
  return earlier;
}

void synchronization::releases_here::add(const access& a, const own_releases& now) {
  if (a.waits_for == nullptr) {
    static_cast<void>(before(a));
    latest.add(now);
    return;
  }
  if (by_tokens.empty() || by_tokens.back().first != a.operation) {
    by_tokens.emplace_back(a.operation, own_releases{});
  }
  by_tokens.back().second.add(now);
  if (by_tokens.size() > most_apart) {
    earlier.add(by_tokens.front().second);
    by_tokens.erase(by_tokens.begin());
  }
}

void synchronization::releases_here::follow(const access& a, const own_releases& now) {
  earlier = now;
  latest = {};
  operation = a.operation;
}

/// What the reads have observed that an access waits for; `own`: what itself does.
release_heads synchronization::reads_here::by_tokens_before(const access& a,
                                                            const release_heads& own) {
  release_heads all = earlier;
  const auto add_all = [](release_heads& to, const release_heads& from) {
    for (const release_head& h : from) {
      add(to, h.range, h.from, h.before);
    }
  };
  for (const auto& [o, heads] : by_tokens) {
    if (o != a.operation && (*a.waits_for)(o)) {
      add_all(all, heads);
    }
  }
  add_all(all, own);
  if (!own.empty()) {
    if (by_tokens.empty() || by_tokens.back().first != a.operation) {
      by_tokens.emplace_back(a.operation, release_heads{});
    }
    add_all(by_tokens.back().second, own);
    if (by_tokens.size() > most_apart) {
      add_all(earlier, by_tokens.front().second);
      by_tokens.erase(by_tokens.begin());
    }
  }
  return all;
}

release_heads& synchronization::reads_here::before(operation_id o) {
  if (operation != o) {
    for (const release_head& h : latest) {
      add(earlier, h.range, h.from, h.before);
    }
    latest.clear();
    operation = o;
  }
  return earlier;
}

void message::add(byte_range range, const place& by, const own_releases& releases) {
  using enum release_head::kind;
  detect::add(wide, range, by.host ? host_gpu : device_gpu, releases.gpu);
  detect::add(wide, range, by.host ? host_sys : device_sys, releases.sys);
  if (!by.alone && !releases.block.empty()) {
    knowledge& before = blocks[{by.block, range}];
    before = before.joined(releases.block);
  }
}

void message::replace(byte_range range, const place& by, const own_releases& releases) {
  using enum release_head::kind;
  const auto put = [&](release_head::kind from, const knowledge& before) {
    const auto same = std::ranges::find_if(
        wide, [&](const release_head& h) { return h.range == range && h.from == from; });
    if (before.empty()) {
      return;
    }
    if (same == wide.end()) {
      wide.push_back({range, from, before});
    } else {
      same->before = before;
    }
  };
  put(by.host ? host_gpu : device_gpu, releases.gpu);
  put(by.host ? host_sys : device_sys, releases.sys);
  if (!by.alone && !releases.block.empty()) {
    blocks[{by.block, range}] = releases.block;
  }
}

synchronization::group* synchronization::find(std::uintptr_t address) {
  if (groups_.empty()) {
    return nullptr;
  }
  const auto found = groups_.find(address >> 3U);
  return found == groups_.end() ? nullptr : &found->second;
}

bool synchronization::observes(const access& a, const range_state& s) noexcept {
  return a.reads && s.range == range_of(a.address, a.bytes) && s.unchanged != 0 &&
         mutual(s.by, s.scope, a.at, a.scope);
}

const message* synchronization::observed_by(const access& a, const range_state& s) noexcept {
  if (a.source == nullptr || *a.source == s.name) {
    return observes(a, s) ? &s.handed_on : nullptr;
  }
  if (!a.reads || s.range != range_of(a.address, a.bytes)) {
    return nullptr;
  }
  const auto from = std::ranges::find(s.older, *a.source, &older_write::name);
  return from != s.older.end() && mutual(from->by, from->scope, a.at, a.scope) ? &from->handed_on
                                                                               : nullptr;
}

void synchronization::keep_older(bool keep) {
  keeps_older_ = keep;
  for (auto& [number, g] : groups_) {
    for (range_state& s : g) {
      s.older.clear();
    }
  }
}

/// The last write of a range is about to be overwritten.
void synchronization::keep(range_state& s) const {
  if (!keeps_older_ || (s.handed_on.empty() && s.fences.empty())) {
    return;
  }
  if (s.older.size() == write_histories::most_older) {
    s.older.erase(s.older.begin());
  }
  s.older.push_back({s.name, s.by, s.scope, s.handed_on, s.fences});
}

/// Whether an acquire takes what a release ordered. Where no release is narrower than the device,
/// those of its own block are among those of all.
bool synchronization::takes(const access& a, byte_range range, const release_head& h) noexcept {
  return a.acquires && (h.range.size == 0 || h.range == range) && usable(h.from, a.at, a.scope);
}

/// What an access reads hands on, to itself or to its agent's later acquires: who has acquired it
/// knows it from then on.
void synchronization::observe(
    const access& a, range_state& s, const message& seen, bool overlaps, knowledge& to) {
  const byte_range range = range_of(a.address, a.bytes);
  const auto observed = [&](const release_head& h) {
    if (overlaps && takes(a, range, h)) {
      to = to.joined(h.before);
      return;
    }
    if (a.at.fences) {
      add(read_[a.agent], h.range, h.from, h.before);
    }
    reads_here& known = s.observed[a.agent];
    release_heads& earlier = known.before(a.operation);
    add(a.single ? earlier : known.latest, h.range, h.from, h.before);
  };
  for (const release_head& h : seen.wide) {
    if (usable(h.from, a.at, scope::sys)) {
      observed(h);
    }
  }
  if (a.at.alone) {
    return;
  }
  for (auto h = seen.blocks.lower_bound({a.at.block, {}});
       h != seen.blocks.end() && h->first.first == a.at.block;
       ++h) {
    const release_head own{h->first.second, release_head::kind::own_block, h->second};
    const bool among_all = !some_narrow_ && holds_device(a.scope) && overlaps;
    if (!among_all || !takes(a, range, own)) {
      observed(own);
    }
  }
}

knowledge synchronization::acquired_by(const access& a) {
  knowledge acquired;
  group* const g = a.reads ? find(a.address) : nullptr;
  if (g == nullptr) {
    return acquired;
  }
  const byte_range range = range_of(a.address, a.bytes);
  for (range_state& s : *g) {
    const message* seen = observed_by(a, s);
    seen = seen != nullptr && seen->empty() ? nullptr : seen;
    const bool overlaps = (s.range.bits() & range.bits()) != 0;
    const auto take = [&](const release_heads& heads) {
      for (const release_head& h : heads) {
        if (takes(a, range, h)) {
          acquired = acquired.joined(h.before);
        }
      }
    };
    if (a.waits_for != nullptr) {
      const auto known =
          seen != nullptr ? s.observed.try_emplace(a.agent).first : s.observed.find(a.agent);
      if (known == s.observed.end()) {
        continue;
      }
      release_heads own;
      if (seen != nullptr) {
        add_usable(own, *seen, a.at);
      }
      const release_heads all = known->second.by_tokens_before(a, own);
      if (overlaps) {
        take(all);
      }
      continue;
    }
    if (seen != nullptr) {
      observe(a, s, *seen, overlaps, acquired);
    }
    if (const auto known = s.observed.find(a.agent); known != s.observed.end() && overlaps) {
      take(known->second.before(a.operation));
    }
  }
  return acquired;
}

/// Where the fences are that precede what a read takes from a range.
const fences_of_place* synchronization::fences_before(const access& a,
                                                      const range_state& s) noexcept {
  if (a.source == nullptr || *a.source == s.name) {
    return observes(a, s) ? &s.fences : nullptr;
  }
  const auto from = std::ranges::find(s.older, *a.source, &older_write::name);
  return a.reads && from != s.older.end() && mutual(from->by, from->scope, a.at, a.scope)
             ? &from->fences
             : nullptr;
}

/// A read of an older write comes before the newer ones.
void synchronization::leave_fences(const access& a, range_state& s, const fence_clocks& past) {
  s.fences.leave(a.at, past);
  if (a.source == nullptr) {
    return;
  }
  for (older_write& w : s.older) {
    if (w.name > *a.source) {
      w.fences.leave_before_last_write(a.at, past);
    }
  }
  s.fences.leave_before_last_write(a.at, past);
}

bool synchronization::communicate(const access& a,
                                  const fence_clocks* past,
                                  fence_clocks& awaited) {
  group* g = find(a.address);
  const bool first = g == nullptr;
  if (first) {
    if (past == nullptr) {
      return false;
    }
    g = &groups_[a.address >> 3U];
  }
  const byte_range range = range_of(a.address, a.bytes);
  auto at = std::ranges::find(*g, range, &range_state::range);
  if (at == g->end()) {
    if (past == nullptr) {
      return false;
    }
    g->emplace_back().range = range;
    at = g->end() - 1;
    at->name = a.newest;
  }
  if (a.writes) {
    at->fences.add_to(awaited, a.at, true);
  } else if (const fences_of_place* const before = fences_before(a, *at)) {
    before->add_to(awaited, a.at, false);
  }
  if (past != nullptr) {
    leave_fences(a, *at, *past);
  }
  return first;
}

/// The release of an access itself. `covers`: it orders all that its agent has acquired, if it
/// acquires; `covers_own`: all that the agent's earlier releases there do.
void synchronization::release(const access& a,
                              range_state& at,
                              const knowledge& released,
                              bool covers,
                              bool covers_own,
                              message& handed_on) {
  own_releases now;
  now.add(a.scope, released);
  if (covers && a.acquires) {
    handed_on.replace(at.range, a.at, now);
  } else {
    handed_on.add(at.range, a.at, now);
  }
  releases_here& own = at.released[a.agent];
  if (covers_own) {
    own.follow(a, now);
  } else {
    own.add(a, now);
  }
  some_narrow_ = some_narrow_ || !holds_device(a.scope);
}

bool synchronization::hand_on(const access& a, const knowledge* released) {
  if (!a.writes) {
    return false;
  }
  const auto fenced = a.at.fences ? fences_.find(a.agent) : fences_.end();
  group* g = find(a.address);
  const bool first = g == nullptr;
  if (first) {
    if (released == nullptr && fenced == fences_.end()) {
      return false;
    }
    g = &groups_[a.address >> 3U];
  }
  const byte_range range = range_of(a.address, a.bytes);
  auto at = std::ranges::find(*g, range, &range_state::range);
  if (at == g->end()) {
    g->emplace_back().range = range;
    at = g->end() - 1;
  }
  keep(*at);
  message handed_on;
  if (observes(a, *at)) {
    handed_on = std::move(at->handed_on);
  }
  // A release orders all that its agent's earlier ones do; one that acquires, too, what it has
  // acquired.
  const bool covers =
      released != nullptr && a.single && a.waits_for == nullptr && holds_device(a.scope);
  bool covers_own = false;
  for (range_state& s : *g) {
    if ((s.range.bits() & range.bits()) == 0) {
      continue;
    }
    if (const auto own = s.released.find(a.agent); own != s.released.end()) {
      if (covers && s.range == range && own->second.reach_no_further(a.scope)) {
        covers_own = true;
      } else {
        handed_on.add(s.range, a.at, own->second.before(a));
      }
    }
    s.unchanged = static_cast<std::uint8_t>(s.unchanged & ~range.bits());
  }
  if (fenced != fences_.end()) {
    handed_on.add({}, a.at, fenced->second);
  }
  if (released != nullptr) {
    release(a, *at, *released, covers, covers_own, handed_on);
  }
  at->handed_on = std::move(handed_on);
  at->by = a.at;
  at->scope = a.scope;
  at->name = {a.operation, a.element};
  at->unchanged = range.bits();
  at->fences.written();
  return first;
}

void synchronization::overwritten(std::uintptr_t address, std::size_t bytes) {
  if (group* const g = find(address)) {
    const byte_range range =
        range_of(address, static_cast<std::uint32_t>(std::min<std::size_t>(bytes, 8)));
    for (range_state& s : *g) {
      s.unchanged = static_cast<std::uint8_t>(s.unchanged & ~range.bits());
    }
  }
}

void synchronization::forget(std::uintptr_t begin, std::uintptr_t end) {
  std::erase_if(
      groups_, [&](const auto& g) { return g.first >= begin >> 3U && g.first <= (end - 1) >> 3U; });
}

void synchronization::release_fence(agent_id agent, scope s, const knowledge& released) {
  own_releases& its = fences_[agent];
  if (its.reach_no_further(s)) {
    its.follow(s, released);
  } else {
    its.add(s, released);
  }
  some_narrow_ = some_narrow_ || !holds_device(s);
}

knowledge synchronization::acquire_fence(agent_id agent, const place& at, scope s) const {
  knowledge acquired;
  if (const auto seen = read_.find(agent); seen != read_.end()) {
    for (const release_head& h : seen->second) {
      if (usable(h.from, at, s)) {
        acquired = acquired.joined(h.before);
      }
    }
  }
  return acquired;
}

// As if each released and acquired at one place.
clock synchronization::fenced_before(const place& at, scope s) const {
  release_heads earlier;
  add_usable(earlier, fence_order_, at);
  clock ordered;
  for (const release_head& h : earlier) {
    if (usable(h.from, at, s)) {
      ordered = ordered.joined(h.before.happened).joined(h.before.fenced);
    }
  }
  return ordered;
}

clock synchronization::order_fence(const place& at, scope s, const knowledge& before) {
  clock ordered = fenced_before(at, s);
  own_releases now;
  now.add(s, {before.happened, before.fenced.joined(ordered), nullptr});
  fence_order_.add({}, at, now);
  return ordered;
}

} // namespace tilesim::sim::detect
