// Every execution that a model allows, once: reads that take from their own future.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/explore/explorer.hpp"

#include <algorithm>

namespace tilesim::memmodel::explore {
namespace {

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t h = (a ^ 0x9e37'79b9'7f4a'7c15U) * 0xbf58'476d'1ce4'e5b9U;
  h ^= h >> 29U;
  h = (h + b) * 0x94d0'49bb'1331'11ebU;
  return h ^ h >> 32U;
}

/// Whether its thread has read before.
bool behind_a_read(const graph& g, event_id write) {
  for (const event_id x : g.of_thread(g[write].what.thread)) {
    if (x == write) {
      break;
    }
    if (g[x].what.is_read()) {
      return true;
    }
  }
  return false;
}

} // namespace

/// Whether accesses of one place alone, each morally strong to each other, are all there is: then
/// program order and reads-from have no circle. [PTX: SC per location]
bool explorer::one_place(const state& s) const {
  if (places_.size() > 1) {
    return false;
  }
  const std::span<const event_id> here = s.g.of_place(0);
  if (std::ranges::any_of(here, [&](event_id e) { return s.g[e].what.beside != nullptr; })) {
    return false;
  }
  return std::ranges::all_of(here, [&](event_id a) {
    for (const event_id b : here) { // it is the same the other way round
      if (b >= a) {
        break;
      }
      if (!s.g.morally_strong(a, b)) {
        return false;
      }
    }
    return true;
  });
}

thread_id explorer::first_promising(thread_id t) const {
  return only_reads_ ? t + 1 : 0;
}

/// Whether others may make as many writes as the reads of this thread take at the place, if this
/// one takes `value` as promised. Its strong reads go along coherence order, so where they take
/// another value, or the thread has written meanwhile, they take another write. [PTX: SC per
/// location] Without that a loop of compare-exchanges would be promised values without end. What
/// comes before the read stays as it is as long as the read does: no later write takes it back.
bool explorer::enough_writes(const state& s, thread_id t, const event& read, std::uint64_t value) {
  const auto holds = [&](const place& other) { return includes(read.scope, where_[t], other); };
  if (!read.strong() || read.beside != nullptr || !std::ranges::all_of(where_, holds)) {
    return true;
  }
  const thread_id first = first_promising(t);
  std::uint32_t all = 0; // writes of others that its reads take
  std::uint32_t same = 0;
  bool own = true; // the last access took or made one of its own, or what was there before
  std::uint64_t last = 0;
  event_id from = no_event;
  const auto reads = [&](event_id source, std::uint64_t of) {
    // A write that has been promised may have come.
    const bool again = !own && of == last && (source == from || from == no_event);
    if (!again) {
      ++all;
      same += of == value ? 1U : 0U;
    }
    own = false;
    last = of;
    from = source;
  };
  for (const event_id x : s.g.of_thread(t)) {
    const graph_event& it = s.g[x];
    if (!it.what.is_memory() || it.what.bytes != read.bytes) {
      continue;
    }
    if (!it.what.strong() || it.what.scope != read.scope || !read.behind(it.what.instruction)) {
      return true;
    }
    const event_id source = it.what.is_read() ? it.source[0] : initial_write;
    const bool others =
        source == no_event || (source != initial_write && s.g[source].what.thread != t &&
                               s.g[source].what.thread >= first && behind_a_read(s.g, source));
    if (others) {
      reads(source, it.what.value);
    } else {
      own = true;
    }
  }
  reads(no_event, value);
  const auto made = [&](std::optional<std::uint64_t> of) {
    std::uint64_t sum = 0;
    for (thread_id o = first; o < where_.size(); ++o) {
      sum += o == t ? 0 : program_.most_writes(o, read.bytes, of);
    }
    return sum;
  };
  return same <= made(value) && all <= made({});
}

/// Finds a write for each promised read from the i-th on, and tells what the model allows.
bool explorer::resolve(state& s, std::size_t i) {
  if (i < s.promised.size()) {
    const event_id read = s.promised[i];
    const graph_event& r = s.g[read];
    for (const event_id w : s.g.of_place(r.place)) {
      const event& made = s.g[w].what;
      const bool other_thread =
          made.thread != r.what.thread && made.thread >= first_promising(r.what.thread);
      const bool own = made.thread == r.what.thread;
      if (made.is_write() && made.bytes == r.what.bytes && made.value == r.what.value &&
          (other_thread ||
           (own && made.instruction > r.what.instruction && !made.behind(r.what.instruction)))) {
        s.g.promise(read, w);
        const bool go_on = resolve(s, i + 1);
        s.g.promise(read, no_event);
        if (!go_on) {
          return false;
        }
      }
    }
    return true;
  }
  // Each on a circle, through the others perhaps: else it is found without a promise.
  for (const event_id first : s.promised) {
    std::vector<event_id> reached{first};
    for (std::size_t k = 0; k < reached.size(); ++k) {
      for (const event_id next : s.promised) {
        if (s.g.in_past(reached[k], s.g[next].source[0]) &&
            (next == first || std::ranges::find(reached, next) == reached.end())) {
          reached.push_back(next);
        }
      }
      if (k + 1 < reached.size() && reached.back() == first) {
        break;
      }
    }
    if (reached.size() < 2 || std::ranges::count(reached, first) < 2) {
      return true;
    }
  }
  bool allowed = false;
  s.g.judge([&](const graph::judged&) {
    allowed = true;
    return false;
  });
  if (!allowed) {
    return true;
  }
  const execution_name name = name_of(s);
  if (!remembered_.insert(name).second) {
    return true;
  }
  counts_.remembered = remembered_.size();
  return found(s, true, name);
}

execution_name explorer::name_of(const state& s) {
  execution_name out{0, 0};
  const auto name = [&](event_id e, std::uint64_t seed) {
    return e >= initial_write ? seed
                              : mixed(mixed(seed, s.g[e].what.thread),
                                      s.g[e].tag * 4 + (s.g[e].what.is_write() ? 1 : 0));
  };
  for (event_id e = 0; e < s.g.size(); ++e) {
    const graph_event& it = s.g[e];
    for (std::uint64_t* lane : {&out.first, &out.second}) {
      const std::uint64_t seed = lane == &out.first ? 1 : 2;
      std::uint64_t h = mixed(name(e, seed), it.what.value);
      h = mixed(h, it.what.bytes.address);
      for (std::uint32_t b = 0; it.what.is_read() && b < it.what.bytes.size; ++b) {
        h = mixed(h, name(it.source[b], seed + 2));
      }
      *lane += h;
      for (event_id w = 0; it.what.is_write() && w < s.g.size(); ++w) {
        if (w != e && s.g[w].what.is_write() && s.g.ordered(w, e) &&
            graph::has(s.g.coherence_past(e), w)) {
          *lane += mixed(name(w, seed + 4), name(e, seed));
        }
      }
    }
  }
  return out;
}

} // namespace tilesim::memmodel::explore
