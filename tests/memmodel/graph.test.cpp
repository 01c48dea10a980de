// The graph that grows against the page: on random executions, at each step, for each choice.
//
// The page is asked about an execution that is built here, from what was added, by nobody's help.
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/graph/graph.hpp"

#include "support/catch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <string>

using namespace tilesim::memmodel;

namespace {

/// What was added: the choices alone.
struct added {
  event what;
  place_number at = no_place;
  byte_sources source = all_from(no_event);
  event_id half = no_event;
  std::vector<event_id> behind; ///< a write: of those before it that it is ordered with
  std::vector<event_id> arrivals;
};

bool in_order(const std::vector<added>& all, event_id a, event_id b) {
  return all[a].what.thread == all[b].what.thread &&
         (all[b].what.behind(all[a].what.instruction) || all[b].half == a);
}

bool some_order_of_fences(execution& x, relations& r, const model& m) {
  r.add_reads();
  r.add_fences();
  r.add_coherence();
  if (first_broken(m, r)) {
    return false;
  }
  for (event_id a = 0; m.fence_order && a < x.events.size(); ++a) {
    for (event_id b = a + 1; b < x.events.size(); ++b) {
      if (x.events[a].is_sc_fence() && x.events[b].is_sc_fence() && r.ms(a, b) && !x.sc(a, b) &&
          !x.sc(b, a)) {
        for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, a}}) {
          x.sc.add(p, q);
          const bool some = some_order_of_fences(x, r, m);
          x.sc.remove(p, q);
          if (some) {
            return true;
          }
        }
        return false;
      }
    }
  }
  return true;
}

/// Earlier writes to its place that a write does not come behind come behind it, where coherence
/// orders the two.
void put_others_behind(execution& x,
                       const std::vector<added>& all,
                       const std::vector<event_id>& id,
                       event_id e,
                       const model& m) {
  const added& a = all[e];
  for (event_id w = 0; w < e; ++w) {
    if (all[w].what.is_write() && all[w].at == a.at &&
        std::find(a.behind.begin(), a.behind.end(), w) == a.behind.end()) {
      const relation ms = morally_strong(x);
      if (overlap(all[w].what.bytes, a.what.bytes) && (m.total_coherence || ms(id[w], id[e]))) {
        x.co.add(id[e], id[w]);
      }
    }
  }
}

/// What the page says: every byte has an initial write of its own.
bool page_allows(const std::vector<added>& all,
                 const std::vector<place>& threads,
                 const std::vector<byte_range>& bytes,
                 const model& m) {
  std::vector<event> events;
  std::vector<event_id> first;
  for (const byte_range& range : bytes) {
    first.push_back(static_cast<event_id>(events.size()));
    for (std::uint32_t i = 0; i < range.size; ++i) {
      event e;
      e.kind = event_kind::write;
      e.bytes = {range.address + i, 1};
      events.push_back(e);
    }
  }
  std::vector<event_id> id;
  for (const added& a : all) {
    const bool departure = !a.arrivals.empty();
    if (departure) {
      events[id[a.half]].waits = true;
    }
    id.push_back(departure ? id[a.half] : static_cast<event_id>(events.size()));
    if (!departure) {
      events.push_back(a.what);
    }
  }
  execution x(events.size());
  x.threads = threads;
  x.events = events;
  for (event_id e = 0; e < all.size(); ++e) {
    const added& a = all[e];
    for (event_id b = 0; b < all.size(); ++b) {
      if (id[b] != id[e] && in_order(all, b, e)) {
        x.po.add(id[b], id[e]);
      }
    }
    if (a.what.is_write() && a.half != no_event) {
      x.rmw.add(id[a.half], id[e]);
    }
    for (const event_id w : a.behind) {
      x.co.add(id[w], id[e]);
    }
    if (a.what.is_write()) {
      put_others_behind(x, all, id, e, m);
    }
    for (std::uint32_t b = 0; a.what.is_read() && b < a.what.bytes.size; ++b) {
      const event_id from = a.source[b];
      if (from == initial_write) {
        x.read_byte_from(id[e],
                         b,
                         first[a.at] +
                             static_cast<event_id>(a.what.bytes.address - bytes[a.at].address + b));
      } else if (from != no_event) {
        x.read_byte_from(id[e], b, id[from]);
      }
    }
  }
  relations r(x);
  return some_order_of_fences(x, r, m);
}

/// A random execution that grows and shrinks.
class growth {
public:
  growth(std::mt19937& random, const model& m, bool mixed, bool partial)
      : random_(random)
      , model_(m)
      , mixed_(mixed)
      , partial_(partial) {
    const unsigned n = 2 + any(3);
    for (unsigned t = 0; t < n; ++t) {
      threads_.push_back({any(6) == 0 ? 1 : 0,
                          static_cast<std::int32_t>(any(2)),
                          static_cast<std::int32_t>(any(2))});
    }
    const unsigned places = 1 + any(2);
    for (unsigned p = 0; p < places; ++p) {
      bytes_.push_back({0x100 + 0x10 * p, 2});
    }
    for (const byte_range& b : bytes_) {
      static_cast<void>(table_.of(b));
      if (mixed) {
        try {
          static_cast<void>(table_.of({b.address, 1}));
        } catch (const places_merged&) {
        }
      }
    }
    instruction_.assign(n, 0);
    g_.emplace(model_, table_, threads_);
  }

  std::uint64_t compared = 0;
  std::uint64_t refused = 0;

  void run(unsigned steps) {
    for (unsigned s = 0; s < steps; ++s) {
      if (any(7) == 0) {
        shrink();
      } else {
        grow();
      }
    }
  }

private:
  unsigned any(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void shrink() {
    for (unsigned n = any(4); n != 0 && !all_.empty(); --n) {
      g_->remove_last();
      all_.pop_back();
    }
  }

  event label(event_kind kind) {
    event e;
    e.kind = kind;
    e.thread = any(static_cast<unsigned>(threads_.size()));
    // Now and then another element of the thread's last instruction.
    bool same = any(5) == 0;
    for (auto a = all_.rbegin(); a != all_.rend(); ++a) {
      if (a->what.thread == e.thread) {
        same = same && a->what.is_memory() && kind != event_kind::fence;
        e.element = a->what.element + 1;
        break;
      }
    }
    if (!same) {
      ++instruction_[e.thread];
    }
    e.instruction = instruction_[e.thread];
    e.beside = partial_ ? beside(e.thread, e.instruction) : nullptr;
    e.scope = static_cast<scope>(any(3) == 0 ? any(4) : 2 + any(2));
    using enum memory_order;
    static constexpr std::array reads{weak, relaxed, acquire};
    static constexpr std::array writes{weak, relaxed, release};
    static constexpr std::array fences{acquire, release, acq_rel, sc, sc};
    e.order = kind == event_kind::fence  ? fences[any(5)]
              : kind == event_kind::read ? reads[any(3)]
                                         : writes[any(3)];
    return e;
  }

  /// A random partial order of the thread's instructions: what comes behind one comes behind all
  /// that it comes behind.
  const instruction_set* beside(thread_id t, std::uint32_t instruction) {
    const auto [at, is_new] = orders_.try_emplace({t, instruction});
    instruction_set& out = at->second;
    if (is_new) {
      std::vector<bool> behind(instruction, false);
      for (std::uint32_t i = instruction; i-- > 1;) {
        behind[i] = behind[i] || any(2) == 0;
        for (std::uint32_t k = 1; behind[i] && k < i; ++k) {
          const auto its = orders_.find({t, i});
          behind[k] = behind[k] || its == orders_.end() ||
                      !std::binary_search(its->second.begin(), its->second.end(), k);
        }
      }
      for (std::uint32_t i = 1; i < instruction; ++i) {
        if (!behind[i]) {
          out.push_back(i);
        }
      }
    }
    return out.empty() ? nullptr : &out;
  }

  void place_it(event& e, place_number& at) {
    at = any(static_cast<unsigned>(bytes_.size()));
    e.bytes = bytes_[at];
    if (mixed_ && any(2) == 0) {
      e.bytes.address += any(2);
      e.bytes.size = 1;
    }
  }

  void grow() {
    switch (any(12)) {
    case 0:
    case 1:
      fence();
      break;
    case 2:
    case 3:
    case 4:
    case 5:
      read(false);
      break;
    case 6:
    case 7:
      read(true);
      break;
    default: {
      event e = label(event_kind::write);
      place_number at = 0;
      place_it(e, at);
      write(e, at, no_event);
    }
    }
  }

  void fence() {
    const event e = label(event_kind::fence);
    added a;
    a.what = e;
    all_.push_back(a);
    compare(g_->add_fence(e));
  }

  void read(bool half) {
    added a;
    a.what = label(event_kind::read);
    place_it(a.what, a.at);
    if (half) {
      a.what.reduction = any(3) == 0;
      a.what.order = a.what.order == memory_order::weak ? memory_order::relaxed : a.what.order;
    }
    std::vector<byte_sources> choices{all_from(initial_write)};
    for (event_id w = 0; w < all_.size(); ++w) {
      if (all_[w].what.is_write() && overlap(all_[w].what.bytes, a.what.bytes) &&
          all_[w].at == a.at) {
        byte_sources s = all_from(initial_write);
        for (std::uint32_t b = 0; b < a.what.bytes.size; ++b) {
          if (overlap(all_[w].what.bytes, {a.what.bytes.address + b, 1})) {
            s[b] = w;
          }
        }
        choices.push_back(s);
      }
    }
    std::vector<byte_sources> good;
    for (const byte_sources& s : choices) {
      a.source = s;
      all_.push_back(a);
      const bool ok = g_->add_read(a.what, a.at, s);
      compare(ok);
      if (ok) {
        good.push_back(s);
        g_->remove_last();
        all_.pop_back();
      }
    }
    if (mixed_ && good.empty()) {
      return; // these are not all mixtures
    }
    REQUIRE_FALSE(good.empty()); // some write can always be taken
    a.source = good[any(static_cast<unsigned>(good.size()))];
    all_.push_back(a);
    REQUIRE(g_->add_read(a.what, a.at, a.source));
    if (half) {
      event w = a.what;
      w.kind = event_kind::write;
      w.reduction = false;
      w.order = any(2) == 0 ? memory_order::relaxed : memory_order::release;
      write(w, a.at, static_cast<event_id>(all_.size() - 1));
    }
  }

  void write(const event& what, place_number at, event_id half) {
    added a;
    a.what = what;
    a.at = at;
    a.half = half;
    const event_id e = g_->begin_write(what, at, half);
    std::vector<event_id> others;
    for (event_id w = 0; w < e; ++w) {
      if (all_[w].what.is_write() && all_[w].at == at && g_->ordered(w, e)) {
        others.push_back(w);
      }
    }
    if (others.size() > 4) {
      g_->remove_last();
      return;
    }
    // Every set, also those that for_each_placing() leaves out: it may leave out none that is
    // allowed.
    std::vector<std::vector<event_id>> good;
    std::vector<std::vector<event_id>> named;
    g_->for_each_placing([&](graph::bits after) {
      std::vector<event_id>& set = named.emplace_back();
      for (const event_id w : others) {
        if (graph::has(after, w)) {
          set.push_back(w);
        }
      }
      return true;
    });
    for (unsigned choice = 0; choice < (1U << others.size()); ++choice) {
      std::vector<graph::word> after(g_->words());
      a.behind.clear();
      for (std::size_t i = 0; i < others.size(); ++i) {
        if ((choice >> i & 1U) != 0) {
          after[others[i] / 64] |= graph::word{1} << (others[i] % 64);
          a.behind.push_back(others[i]);
        }
      }
      all_.push_back(a);
      const bool ok = g_->place_last(after);
      compare(ok);
      if (ok) {
        CHECK(std::count(named.begin(), named.end(), a.behind) == 1);
        good.push_back(a.behind);
        g_->displace_last();
        all_.pop_back();
      }
    }
    if (good.empty()) { // a read-modify-write that another has overtaken
      REQUIRE(half != no_event);
      g_->remove_last();
      return;
    }
    a.behind = good[any(static_cast<unsigned>(good.size()))];
    all_.push_back(a);
    REQUIRE(g_->place_last(bits_of(a.behind)));
  }

  [[nodiscard]] std::vector<graph::word> bits_of(const std::vector<event_id>& events) const {
    std::vector<graph::word> bits(g_->words());
    for (const event_id e : events) {
      bits[e / 64] |= graph::word{1} << (e % 64);
    }
    return bits;
  }

  /// The last of all_ was added if `ok`: what does the page say?
  void compare(bool ok) {
    ++compared;
    refused += ok ? 0 : 1;
    const bool expected = page_allows(all_, threads_, bytes_, model_);
    if (ok != expected) {
      std::string text;
      for (event_id e = 0; e < all_.size(); ++e) {
        const added& a = all_[e];
        text += fmt::format("{}: thread {} instruction {} kind {} order {} scope {} bytes {}+{} "
                            "from {} half {} behind {}\n",
                            e,
                            a.what.thread,
                            a.what.instruction,
                            static_cast<int>(a.what.kind),
                            static_cast<int>(a.what.order),
                            static_cast<int>(a.what.scope),
                            a.what.bytes.address,
                            a.what.bytes.size,
                            static_cast<int>(a.source[0]),
                            static_cast<int>(a.half),
                            a.behind.size());
      }
      FAIL("the graph says " << ok << ", the page " << expected << ":\n" << text);
    }
    if (!ok) {
      all_.pop_back();
    }
  }

  std::mt19937& random_;
  const model& model_;
  bool mixed_;
  bool partial_;
  std::map<std::pair<thread_id, std::uint32_t>, instruction_set> orders_;
  std::vector<place> threads_;
  std::vector<byte_range> bytes_;
  place_table table_;
  std::vector<std::uint32_t> instruction_;
  std::optional<graph> g_;
  std::vector<added> all_;
};

void grow_executions(std::uint32_t seed,
                     const model& m,
                     bool mixed,
                     std::uint64_t comparisons,
                     bool partial = false) {
  std::mt19937 random(seed);
  std::uint64_t compared = 0;
  std::uint64_t refused = 0;
  while (compared < comparisons) {
    growth g(random, m, mixed, partial);
    g.run(mixed ? 8 : 14);
    compared += g.compared;
    refused += g.refused;
  }
  CHECK(refused > comparisons / 20); // the comparison is not about what always holds
}

} // namespace

TEST_CASE("graph: a growing execution is allowed where the page allows it") {
  SECTION("ptx") {
    grow_executions(1, ptx(), false, 100'000);
  }
  SECTION("ptx, mixed sizes") {
    grow_executions(2, ptx(), true, 5'000);
  }
  SECTION("sc") {
    grow_executions(3, sc(), false, 30'000);
  }
  SECTION("sc, mixed sizes") {
    grow_executions(4, sc(), true, 5'000);
  }
  // [Tile IR: memory model] Within a thread order is what tokens say.
  SECTION("ptx, program order partial") {
    grow_executions(5, ptx(), false, 60'000, true);
  }
  SECTION("ptx, mixed sizes, program order partial") {
    grow_executions(6, ptx(), true, 5'000, true);
  }
  SECTION("sc, program order partial") {
    grow_executions(7, sc(), false, 20'000, true);
  }
}

// By hand: `memmodel_tests '[millions]'`.
TEST_CASE("graph: millions of comparisons with the page", "[.][millions]") {
  const std::uint32_t seed = GENERATE(range(100U, 120U));
  grow_executions(seed, seed % 4 == 0 ? sc() : ptx(), false, 100'000);
}
