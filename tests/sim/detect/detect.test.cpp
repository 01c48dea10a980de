// The race detector against the memory model: on random small programs' observed executions both
// find the same racy bytes, and every pair that the detector names is a race of the model.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/race.hpp"
#include "memmodel/relations.hpp"
#include "sim/detect/detector.hpp"
#include "sim/ops/rng.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <support/catch.hpp>
#include <vector>

namespace {

using namespace tilesim;
using memmodel::event_id;
using memmodel::event_kind;
using memmodel::memory_order;
using memmodel::scope;
using sim::detect::access_kind;

constexpr std::uintptr_t base = 0x10000;
constexpr std::uint32_t region = 16; // bytes that programs fight over

struct element_access {
  std::uint32_t offset;
  bool active;
};

struct step {
  std::uint32_t agent;
  bool fence; ///< of `order` and `scope`, and nothing else
  access_kind kind;
  memory_order order;
  memmodel::scope scope;
  std::uint32_t bytes;
  std::vector<element_access> elements;
};

/// Agents 0..k-1 belong to tasks; task t is ordered before task u or not.
struct program {
  std::vector<std::uint32_t> task_of;       ///< by agent
  std::vector<sim::detect::task_kind> kind; ///< by task
  std::vector<std::uint32_t> threads;       ///< by task: agents of a block
  std::vector<std::vector<bool>> before;
  std::vector<step> steps; ///< in the order of the execution
};

std::string text(const program& p) {
  std::string out;
  for (std::size_t t = 0; t < p.before.size(); ++t) {
    for (std::size_t u = 0; u < p.before.size(); ++u) {
      if (p.before[t][u]) {
        out += "task " + std::to_string(t) + " before task " + std::to_string(u) + "\n";
      }
    }
  }
  for (std::size_t t = 0; t < p.kind.size(); ++t) {
    static const char* const kinds[] = {"tile", "simt", "host"};
    out += "task " + std::to_string(t) + " is " + kinds[static_cast<int>(p.kind[t])] + ", " +
           std::to_string(p.threads[t]) + " to a block\n";
  }
  for (const step& s : p.steps) {
    static const char* const kinds[] = {"read", "write", "rmw"};
    static const char* const orders[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
    static const char* const scopes[] = {"cta", "cluster", "gpu", "sys"};
    out += "agent " + std::to_string(s.agent) + " (task " + std::to_string(p.task_of[s.agent]) +
           ") " + (s.fence ? "fence" : kinds[static_cast<int>(s.kind)]) + "." +
           orders[static_cast<int>(s.order)] + "." + scopes[static_cast<int>(s.scope)] + " u" +
           std::to_string(8 * s.bytes);
    for (const auto& e : s.elements) {
      out += (e.active ? " " : " -") + std::to_string(e.offset);
    }
    out += "\n";
  }
  return out;
}

program draw(sim::rng& r) {
  program p;
  const auto agents = static_cast<std::uint32_t>(2 + r.below(3));
  const auto tasks = static_cast<std::uint32_t>(1 + r.below(3));
  for (std::uint32_t a = 0; a < agents; ++a) {
    p.task_of.push_back(std::min(a, tasks - 1) == a ? a
                                                    : static_cast<std::uint32_t>(r.below(tasks)));
  }
  std::sort(p.task_of.begin(), p.task_of.end());
  // Two lanes: tasks of one lane are ordered by their numbers; the third may wait for both.
  p.before.assign(tasks, std::vector<bool>(tasks, false));
  for (std::uint32_t t = 0; t < tasks; ++t) {
    for (std::uint32_t u = t + 1; u < tasks; ++u) {
      p.before[t][u] = r.below(3) == 0;
    }
  }
  if (tasks == 3 && p.before[0][1] && p.before[1][2]) {
    p.before[0][2] = true;
  }
  for (std::uint32_t t = 0; t < tasks; ++t) {
    using sim::detect::task_kind;
    const auto agents_of_t = std::count(p.task_of.begin(), p.task_of.end(), t);
    const auto drawn = r.below(6);
    p.kind.push_back(drawn < 3                       ? task_kind::tile
                     : drawn < 5 || agents_of_t != 1 ? task_kind::simt
                                                     : task_kind::host);
    const bool blocks = p.kind.back() == task_kind::simt && agents_of_t % 2 == 0;
    p.threads.push_back(blocks ? 2
                        : p.kind.back() == task_kind::simt && r.below(2) == 0
                            ? static_cast<std::uint32_t>(agents_of_t)
                            : 1);
  }
  const bool one_size = r.below(2) == 0;
  const bool mostly_strong = r.below(2) == 0;
  const auto size = std::uint32_t{1} << r.below(4);
  const std::size_t steps = 3 + r.below(10);
  for (std::size_t i = 0; i < steps; ++i) {
    step s{};
    s.agent = static_cast<std::uint32_t>(r.below(agents));
    s.fence = p.kind[p.task_of[s.agent]] != sim::detect::task_kind::tile && r.below(4) == 0;
    s.kind = static_cast<access_kind>(r.below(3));
    const bool weak = s.kind != access_kind::read_write && r.below(mostly_strong ? 4 : 2) == 0;
    s.order = memory_order::weak;
    if (!weak) {
      static const memory_order reads[] = {memory_order::relaxed, memory_order::acquire};
      static const memory_order writes[] = {memory_order::relaxed, memory_order::release};
      static const memory_order both[] = {memory_order::relaxed,
                                          memory_order::acquire,
                                          memory_order::release,
                                          memory_order::acq_rel};
      s.order = s.kind == access_kind::read    ? reads[r.below(2)]
                : s.kind == access_kind::write ? writes[r.below(2)]
                                               : both[r.below(4)];
    }
    s.scope = r.below(4) == 0 ? scope::cta : r.below(2) == 0 ? scope::gpu : scope::sys;
    if (s.fence) {
      static const memory_order fences[] = {
          memory_order::acquire, memory_order::release, memory_order::acq_rel, memory_order::sc};
      s.order = fences[r.below(4)];
      p.steps.push_back(std::move(s));
      continue;
    }
    s.bytes = one_size ? size : std::uint32_t{1} << r.below(4);
    const std::size_t elements = 1 + (r.below(3) == 0 ? r.below(3) : 0);
    const std::uint32_t slots = std::min(region / s.bytes, 3U);
    for (std::size_t e = 0; e < elements; ++e) {
      s.elements.push_back({static_cast<std::uint32_t>(r.below(slots)) * s.bytes, r.below(8) != 0});
    }
    p.steps.push_back(std::move(s));
  }
  // What happens after what: a task that waits for another one begins when that has ended.
  std::stable_sort(p.steps.begin(), p.steps.end(), [&](const step& a, const step& b) {
    const auto t = p.task_of[a.agent];
    const auto u = p.task_of[b.agent];
    return t < u && (p.before[t][u] || (tasks == 3 && t == 0 && u == 2 && p.before[0][2]));
  });
  return p;
}

/// Whether the steps of ordered tasks come in their order: stable_sort with a partial order need
/// not see to it.
bool possible(const program& p) {
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (p.before[p.task_of[p.steps[i].agent]][p.task_of[p.steps[j].agent]]) {
        return false;
      }
    }
  }
  return true;
}

using racy_bytes = std::set<std::uint32_t>;

/// What an element access does, as events of the model.
struct side {
  std::size_t step;
  std::size_t element;
  friend auto operator<=>(const side&, const side&) = default;
};

struct judged {
  racy_bytes bytes;
  std::set<std::tuple<std::uint32_t, side, side>> pairs; ///< byte, both sides, both ways round
};

judged by_model(const program& p) {
  std::vector<memmodel::event> events;
  std::vector<side> origin;
  std::vector<std::pair<event_id, event_id>> rmw;
  for (std::uint32_t b = 0; b < region; ++b) {
    memmodel::event e;
    e.kind = event_kind::write;
    e.bytes = {base + b, 1};
    events.push_back(e);
    origin.push_back({~std::size_t{0}, 0});
  }
  std::vector<std::size_t> step_of(events.size(), ~std::size_t{0});
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const step& s = p.steps[i];
    if (s.fence) {
      memmodel::event e;
      e.thread = s.agent;
      e.scope = s.scope;
      e.kind = event_kind::fence;
      e.order = s.order;
      events.push_back(e);
      origin.push_back({i, 0});
      step_of.push_back(i);
      continue;
    }
    for (std::size_t k = 0; k < s.elements.size(); ++k) {
      if (!s.elements[k].active) {
        continue;
      }
      memmodel::event e;
      e.thread = s.agent;
      e.element = static_cast<std::uint32_t>(k);
      e.scope = s.scope;
      e.bytes = {base + s.elements[k].offset, s.bytes};
      const auto add = [&](event_kind kind, memory_order order) {
        e.kind = kind;
        e.order = order;
        events.push_back(e);
        origin.push_back({i, k});
        step_of.push_back(i);
      };
      if (s.kind == access_kind::read_write) {
        add(event_kind::read,
            s.order == memory_order::acq_rel   ? memory_order::acquire
            : s.order == memory_order::release ? memory_order::relaxed
                                               : s.order);
        add(event_kind::write,
            s.order == memory_order::acq_rel   ? memory_order::release
            : s.order == memory_order::acquire ? memory_order::relaxed
                                               : s.order);
        rmw.emplace_back(events.size() - 2, events.size() - 1);
      } else {
        add(s.kind == access_kind::read ? event_kind::read : event_kind::write, s.order);
      }
    }
  }
  memmodel::execution x(events.size());
  x.events = events;
  for (std::uint32_t a = 0, in_task = 0; a < p.task_of.size(); ++a) {
    const std::uint32_t t = p.task_of[a];
    in_task = a != 0 && p.task_of[a - 1] == t ? in_task + 1 : 0;
    const auto block = static_cast<std::int32_t>(16 * t + in_task / p.threads[t]);
    x.threads.push_back(p.kind[t] == sim::detect::task_kind::host
                            ? memmodel::place{memmodel::place::host, 0, 0}
                            : memmodel::place{0, block, block});
  }
  for (const auto& [r, w] : rmw) {
    x.rmw.add(r, w);
    x.po.add(r, w);
  }
  std::vector<event_id> last(region);
  for (event_id e = 0; e < events.size(); ++e) {
    const memmodel::event& now = events[e];
    if (now.initial()) {
      last[e] = e;
      continue;
    }
    for (event_id d = region; d < e; ++d) {
      if (events[d].thread == now.thread && step_of[d] < step_of[e]) {
        x.po.add(d, e);
      }
      if (p.before[p.task_of[events[d].thread]][p.task_of[now.thread]]) {
        x.api.add(d, e);
      }
    }
    for (std::uint32_t b = 0; b < now.bytes.size; ++b) {
      event_id& at = last[now.bytes.address - base + b];
      if (now.is_read()) {
        x.read_byte_from(e, b, at);
      } else {
        at = e;
      }
    }
  }
  memmodel::relations r(x);
  r.add_reads();
  r.add_fences();
  r.add_coherence();
  judged out;
  memmodel::races(r).for_each([&](event_id a, event_id b) {
    const auto& p1 = events[a].bytes;
    const auto& p2 = events[b].bytes;
    for (std::uint64_t at = std::max(p1.address, p2.address); at < std::min(p1.end(), p2.end());
         ++at) {
      const auto byte = static_cast<std::uint32_t>(at - base);
      out.bytes.insert(byte);
      out.pairs.insert({byte, origin[a], origin[b]});
    }
  });
  return out;
}

/// Steps with these numbers, modulo `places`, stand at places that are known to race.
struct known_places {
  std::size_t places = 1;
  std::set<std::size_t> known = {};

  [[nodiscard]] bool contain(std::size_t step) const { return known.contains(step % places); }
};

judged by_detector(const program& p, const known_places& known = {}) {
  sim::detect::detector d;
  judged out;
  std::map<sim::detect::operation_id, std::size_t> step_of;
  std::vector<sim::detect::agent_id> first;
  const auto tasks = static_cast<std::uint32_t>(p.before.size());
  std::vector<std::uint32_t> agent_number(p.task_of.size());
  for (std::uint32_t t = 0; t < tasks; ++t) {
    sim::detect::task_order order{t, 1, std::vector<std::uint32_t>(tasks, 0)};
    for (std::uint32_t u = 0; u < tasks; ++u) {
      order.before[u] = p.before[u][t] ? 1 : 0;
    }
    const auto agents =
        static_cast<std::uint64_t>(std::count(p.task_of.begin(), p.task_of.end(), t));
    auto next = d.begin_task(order, agents / p.threads[t], p.threads[t], p.kind[t]);
    for (std::uint32_t a = 0; a < p.task_of.size(); ++a) {
      if (p.task_of[a] == t) {
        agent_number[a] = next++;
      }
    }
  }
  std::size_t now = 0;
  std::vector<sim::detect::race> races;
  d.on_race = [&](const sim::detect::race& r) { races.push_back(r); };
  const auto number_of = [&](sim::detect::operation_id o) {
    return step_of.contains(o) ? step_of.at(o) : now; // the current one
  };
  d.passes_over = [&](const sim::detect::race& r) {
    return known.contain(number_of(r.earlier.operation)) ||
           known.contain(number_of(r.later.operation));
  };
  for (; now < p.steps.size(); ++now) {
    const step& s = p.steps[now];
    if (s.fence) {
      d.fence(agent_number[s.agent], s.order, s.scope);
      continue;
    }
    std::vector<std::uintptr_t> addresses;
    std::vector<std::uint8_t> mask;
    bool any = false;
    for (const auto& e : s.elements) {
      addresses.push_back(base + e.offset);
      mask.push_back(e.active ? 1 : 0);
      any = any || e.active;
    }
    if (!any) {
      continue;
    }
    const bool masked = std::find(mask.begin(), mask.end(), 0) != mask.end();
    // Sites that differ: places are told apart by them.
    const auto* const site = reinterpret_cast<const void*>(1 + (now % known.places));
    const auto id = d.perform({agent_number[s.agent],
                               site,
                               s.kind,
                               s.order,
                               s.scope,
                               s.bytes,
                               addresses.size(),
                               addresses.data(),
                               masked ? mask.data() : nullptr,
                               false,
                               known.contain(now)});
    step_of[id] = now;
  }
  for (const auto& r : races) {
    for (std::uint32_t b = 0; b < r.bytes; ++b) {
      const auto byte = static_cast<std::uint32_t>(r.address - base) + b;
      out.bytes.insert(byte);
      if (r.earlier.element_known) {
        out.pairs.insert({byte,
                          side{step_of[r.earlier.operation], r.earlier.element},
                          side{step_of[r.later.operation], r.later.element}});
      }
    }
  }
  return out;
}

unsigned long long setting(const char* name, unsigned long long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

} // namespace

// For a longer run than the default: TILESIM_DETECT_PROGRAMS=1000000 TILESIM_DETECT_SEED=7
TEST_CASE("the detector finds exactly the racy bytes of observed executions") {
  sim::rng r(setting("TILESIM_DETECT_SEED", 2026));
  const auto programs = setting("TILESIM_DETECT_PROGRAMS", 30000);
  std::size_t racy = 0;
  std::size_t clean = 0;
  for (std::uint64_t i = 0; i < programs; ++i) {
    const program p = draw(r);
    if (!possible(p)) {
      continue;
    }
    const judged want = by_model(p);
    const judged got = by_detector(p);
    ++(want.bytes.empty() ? clean : racy);
    if (want.bytes != got.bytes) {
      INFO("program " << i << "\n" << text(p));
      CHECK(got.bytes == want.bytes);
      return;
    }
    for (const auto& pair : got.pairs) {
      if (!want.pairs.contains(pair)) {
        INFO("program " << i << "\n" << text(p));
        const auto& [byte, a, b] = pair;
        FAIL("a pair that is no race: byte " << byte << ", step " << a.step << " element "
                                             << a.element << " and step " << b.step << " element "
                                             << b.element);
      }
    }
  }
  // The draw must not make the comparison empty.
  CHECK(racy > 2000);
  CHECK(clean > 500);
}

TEST_CASE("races at known places hide no others") {
  sim::rng r(setting("TILESIM_DETECT_SEED", 2027));
  const auto programs = setting("TILESIM_DETECT_PROGRAMS", 30000);
  std::size_t hidden = 0; // programs where a byte has races of both sorts
  for (std::uint64_t i = 0; i < programs; ++i) {
    const program p = draw(r);
    known_places known{.places = 1 + r.below(p.steps.size())};
    for (std::size_t place = 0; place < known.places; ++place) {
      if (r.below(3) == 0) {
        known.known.insert(place);
      }
    }
    if (!possible(p)) {
      continue;
    }
    const judged all = by_model(p);
    racy_bytes want;
    racy_bytes passed;
    racy_bytes mixed; // accesses of several sizes race there: what else does is left open
    for (const auto& [byte, a, b] : all.pairs) {
      (known.contain(a.step) || known.contain(b.step) ? passed : want).insert(byte);
      if (p.steps[a.step].bytes != p.steps[b.step].bytes) {
        mixed.insert(byte);
      }
    }
    hidden +=
        std::ranges::any_of(passed, [&](auto b) { return want.contains(b) && !mixed.contains(b); })
            ? 1U
            : 0U;
    const judged got = by_detector(p, known);
    racy_bytes open;
    std::ranges::set_intersection(passed, mixed, std::inserter(open, open.end()));
    const auto settled = [&](racy_bytes bytes) {
      std::erase_if(bytes, [&](auto b) { return open.contains(b); });
      return bytes;
    };
    if (settled(got.bytes) != settled(want) || !std::ranges::includes(want, got.bytes)) {
      std::string places;
      for (std::size_t s = 0; s < p.steps.size(); ++s) {
        places += std::to_string(s) + (known.contain(s) ? " known, " : ", ");
      }
      INFO("program " << i << "\n" << text(p) << places);
      CHECK(got.bytes == want);
      return;
    }
    for (const auto& pair : got.pairs) {
      if (!all.pairs.contains(pair)) {
        INFO("program " << i << "\n" << text(p));
        FAIL("a pair that is no race");
      }
    }
  }
  CHECK(hidden > 1000);
}
