// Random small programs as they were executed.
//
// SPDX-License-Identifier: Apache-2.0
#include "random_execution.hpp"

#include "memmodel/relations.hpp"

#include <algorithm>
#include <cstdlib>

namespace tilesim::random_executions {

using memmodel::event_kind;

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
    if (!s.meet.empty()) {
      static const char* const meetings[] = {"block", "warp", "some"};
      out += std::string("barrier of ") + meetings[static_cast<int>(s.meeting)];
      for (const std::uint32_t a : s.meet) {
        out += " agent " + std::to_string(a);
      }
      out += "\n";
      continue;
    }
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
    if (p.has_tokens(s.agent)) {
      out += ", waits for";
      for (const std::size_t a : s.after) {
        out += " step " + std::to_string(a);
      }
    }
    out += "\n";
  }
  return out;
}

namespace {

/// The agents of the block that an agent is in.
std::vector<std::uint32_t> block_of(const program& p, std::uint32_t agent) {
  const std::uint32_t t = p.task_of[agent];
  const auto first =
      static_cast<std::uint32_t>(std::ranges::find(p.task_of, t) - p.task_of.begin());
  const std::uint32_t begin = agent - ((agent - first) % p.threads[t]);
  std::vector<std::uint32_t> all;
  for (std::uint32_t a = begin; a < begin + p.threads[t]; ++a) {
    all.push_back(a);
  }
  return all;
}

/// Turns some steps into barriers of the blocks that their agents are in.
void draw_barriers(sim::rng& r, program& p) {
  using sim::detect::meeting_of;
  for (step& s : p.steps) {
    if (p.threads[p.task_of[s.agent]] == 1 || r.below(4) != 0) {
      continue;
    }
    s.meet = block_of(p, s.agent);
    s.meeting = static_cast<meeting_of>(r.below(3));
    if (s.meeting == meeting_of::some) {
      std::erase_if(s.meet, [&](std::uint32_t a) { return a != s.agent && r.below(3) == 0; });
    }
    s.fence = false;
    s.elements.clear();
  }
}

/// Tokens for the blocks of tile tasks, or of some of them.
void draw_tokens(sim::rng& r, program& p) {
  p.by_tokens.assign(p.task_of.size(), false);
  for (std::uint32_t a = 0; a < p.task_of.size(); ++a) {
    p.by_tokens[a] =
        p.kind[p.task_of[a]] == sim::detect::task_kind::tile && r.below(4) != 0;
  }
  std::vector<std::vector<std::size_t>> earlier(p.task_of.size());
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    step& s = p.steps[i];
    std::vector<std::size_t>& own = earlier[s.agent];
    for (std::size_t k = own.size(); p.by_tokens[s.agent] && k-- > 0;) {
      if (r.below(own.size() - k + 1) == 0) { // of the last more often
        s.after.push_back(own[k]);
      }
    }
    own.push_back(i);
  }
}

/// Whether a step waits for another one, which is earlier.
std::vector<std::vector<bool>> waits_of(const program& p) {
  std::vector<std::vector<bool>> waits(p.steps.size(), std::vector<bool>(p.steps.size()));
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    for (const std::size_t a : p.steps[i].after) {
      waits[a][i] = true;
      for (std::size_t d = 0; d < a; ++d) {
        waits[d][i] = waits[d][i] || waits[d][a];
      }
    }
  }
  return waits;
}

} // namespace

// One function in spite of its length: a seed names a program by the order of the draws.
program draw(sim::rng& r, const variety& v) {
  program p;
  const auto agents = static_cast<std::uint32_t>((v.barriers ? 3 : 2) + r.below(3));
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
  const bool one_size = r.below(2) == 0 || !v.several_sizes;
  const bool mostly_strong = r.below(2) == 0;
  const auto size = std::uint32_t{1} << r.below(4);
  const std::size_t steps = 3 + r.below(10);
  for (std::size_t i = 0; i < steps; ++i) {
    step s{};
    s.agent = static_cast<std::uint32_t>(r.below(agents));
    s.fence = p.kind[p.task_of[s.agent]] != sim::detect::task_kind::tile && r.below(4) == 0;
    s.kind = static_cast<access_kind>(r.below(3));
    const bool weak =
        v.weak && s.kind != access_kind::read_write && r.below(mostly_strong ? 4 : 2) == 0;
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
  if (v.barriers) {
    draw_barriers(r, p);
  }
  // What happens after what: a task that waits for another one begins when that has ended.
  std::stable_sort(p.steps.begin(), p.steps.end(), [&](const step& a, const step& b) {
    const auto t = p.task_of[a.agent];
    const auto u = p.task_of[b.agent];
    return t < u && (p.before[t][u] || (tasks == 3 && t == 0 && u == 2 && p.before[0][2]));
  });
  if (v.tokens) {
    draw_tokens(r, p);
  }
  return p;
}

namespace {

enum class fenced_step : std::uint8_t { weak, strong, fence, meeting, any };

/// A step of an agent; narrow: of any scope.
step draw_step(sim::rng& r, const program& p, std::uint32_t agent, fenced_step what, bool narrow) {
  step s{};
  s.agent = agent;
  s.scope = !narrow || r.below(2) == 0 ? scope::sys : r.below(2) == 0 ? scope::gpu : scope::cta;
  s.order = memory_order::relaxed;
  s.kind = static_cast<access_kind>(r.below(3));
  s.bytes = 4;
  if (what == fenced_step::any) {
    what = static_cast<fenced_step>(r.below(4));
  }
  if (what == fenced_step::meeting && p.threads[p.task_of[agent]] == 2) {
    s.meet = block_of(p, agent);
    s.meeting = static_cast<sim::detect::meeting_of>(r.below(3));
  } else if (what == fenced_step::fence) {
    s.fence = true;
    s.order = r.below(8) == 0 ? memory_order::acq_rel : memory_order::sc;
  } else if (what == fenced_step::weak) {
    s.kind = r.below(2) == 0 ? access_kind::read : access_kind::write;
    s.order = memory_order::weak;
    s.elements.push_back({static_cast<std::uint32_t>(r.below(4) == 0 ? 4 : 0), true});
  } else {
    s.elements.push_back({static_cast<std::uint32_t>(r.below(4) == 0 ? 12 : 8), true});
  }
  return s;
}

} // namespace

program draw_fenced(sim::rng& r) {
  using sim::detect::task_kind;
  using enum fenced_step;
  program p;
  const bool two_tasks = r.below(3) == 0;
  const bool host = two_tasks && r.below(4) == 0;
  p.kind.assign(two_tasks ? 2 : 1, task_kind::simt);
  p.threads.assign(p.kind.size(), 2);
  p.task_of = std::vector<std::uint32_t>{0, 0, two_tasks ? 1U : 0U, two_tasks ? 1U : 0U};
  if (host) {
    p.kind[1] = task_kind::host;
    p.threads[1] = 1;
    p.task_of.pop_back();
  }
  p.before.assign(p.kind.size(), std::vector<bool>(p.kind.size(), false));
  const bool narrow = r.below(4) == 0;
  // One block passes something on to the other, by whichever of its agents; between that, whatever.
  const auto from = static_cast<std::uint32_t>(r.below(2));
  for (const auto& [block, what] : std::vector<std::pair<std::uint32_t, fenced_step>>{{from, weak},
                                                                                    {from, fence},
                                                                                    {from, meeting},
                                                                                    {from, strong},
                                                                                    {1 - from, strong},
                                                                                    {1 - from, meeting},
                                                                                    {1 - from, fence},
                                                                                    {1 - from, weak}}) {
    const auto agents = static_cast<std::uint32_t>(p.task_of.size());
    while (r.below(4) == 0) {
      p.steps.push_back(draw_step(r, p, static_cast<std::uint32_t>(r.below(agents)), any, narrow));
    }
    if (r.below(16) != 0) {
      const auto agent = std::min(agents - 1, 2 * block + static_cast<std::uint32_t>(r.below(3) / 2));
      p.steps.push_back(draw_step(r, p, agent, what, narrow));
    }
  }
  return p;
}

program draw_overtaken(sim::rng& r) {
  using sim::detect::task_kind;
  using enum fenced_step;
  program p;
  const bool host = r.below(8) == 0;
  const auto threads = static_cast<std::uint32_t>(1 + r.below(2));
  p.kind = {task_kind::simt, host ? task_kind::host : task_kind::simt};
  p.threads = {threads, host ? 1U : threads};
  p.task_of = host ? std::vector<std::uint32_t>{0, 0, 1} : std::vector<std::uint32_t>{0, 0, 1, 1};
  p.before.assign(2, std::vector<bool>(2, false));
  const bool narrow = r.below(3) == 0;
  const auto agents = static_cast<std::uint32_t>(p.task_of.size());
  std::vector<std::vector<step>> of; // of a reader, of a writer, of others
  for (std::size_t pairs = 1 + r.below(2); pairs > 0; --pairs) {
    const auto reader = static_cast<std::uint32_t>(r.below(agents));
    const auto writer = static_cast<std::uint32_t>((reader + 1 + r.below(agents - 1)) % agents);
    const std::size_t first = of.size();
    of.resize(first + 2);
    for (const auto& [who, what] : {std::pair{0U, weak}, {0U, fence}, {0U, strong},
                                    {1U, strong}, {1U, fence}, {1U, weak}}) {
      step s = draw_step(r, p, who == 0 ? reader : writer, what, narrow);
      if (what == strong) {
        s.kind = who == 0 ? access_kind::read : access_kind::write;
      }
      if (r.below(16) != 0) {
        of[first + who].push_back(std::move(s));
      }
    }
  }
  while (std::ranges::any_of(of, [](const auto& steps) { return !steps.empty(); })) {
    if (r.below(4) == 0) {
      p.steps.push_back(draw_step(r, p, static_cast<std::uint32_t>(r.below(agents)), any, narrow));
    }
    std::vector<step>& next = of[r.below(of.size())];
    if (!next.empty()) {
      p.steps.push_back(std::move(next.front()));
      next.erase(next.begin());
    }
  }
  return p;
}

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

// One function in spite of its length: the events, then each relation of theirs, as the page has
// them.
modelled model_of(const program& p, const given_writes& given) {
  std::vector<memmodel::event> events;
  std::vector<side> origin;
  std::vector<std::pair<event_id, event_id>> rmw;
  for (std::uint32_t b = 0; b < region; ++b) {
    memmodel::event e;
    e.kind = event_kind::write;
    e.bytes = {base + b, 1};
    events.push_back(e);
    origin.push_back({before, b});
  }
  std::vector<std::size_t> step_of(events.size(), ~std::size_t{0});
  for (std::size_t i = 0; i < p.steps.size(); ++i) {
    const step& s = p.steps[i];
    for (const std::uint32_t a : s.meet) {
      memmodel::event e;
      e.thread = a;
      e.kind = event_kind::barrier;
      e.instance = static_cast<std::uint32_t>(i + 1);
      e.waits = true;
      events.push_back(e);
      origin.push_back({i, a});
      step_of.push_back(i);
    }
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
  modelled out;
  const std::vector<std::vector<bool>> waits = waits_of(p);
  std::vector<event_id> last(region);
  for (event_id e = 0; e < events.size(); ++e) {
    const memmodel::event& now = events[e];
    if (now.initial()) {
      last[e] = e;
      continue;
    }
    for (event_id d = region; d < e; ++d) {
      if (events[d].thread == now.thread && step_of[d] < step_of[e] &&
          (!p.has_tokens(now.thread) || waits[step_of[d]][step_of[e]])) {
        x.po.add(d, e);
      }
      if (p.before[p.task_of[events[d].thread]][p.task_of[now.thread]]) {
        x.api.add(d, e);
      }
    }
    for (event_id d = region; d < e; ++d) {
      const memmodel::event& earlier = events[d];
      if (earlier.is_write() && now.is_write() && overlap(earlier.bytes, now.bytes)) {
        x.co.add(d, e);
      }
    }
    if (now.is_memory()) {
      (now.is_read() ? out.reads : out.writes)[origin[e]] = e;
    }
    const auto from = now.is_read() ? given.find(origin[e]) : given.end();
    for (std::uint32_t b = 0; b < now.bytes.size; ++b) {
      const auto byte = static_cast<std::uint32_t>(now.bytes.address - base) + b;
      if (now.is_read()) {
        x.read_byte_from(e,
                         b,
                         from == given.end()              ? last[byte]
                         : from->second[b].step == before ? event_id{byte}
                                                          : out.writes.at(from->second[b]));
      } else if (now.is_write()) {
        last[byte] = e;
      }
    }
  }
  x.co.close();
  const memmodel::relation ms = memmodel::morally_strong(x);
  for (event_id a = region; a < events.size(); ++a) {
    for (event_id b = a + 1; b < events.size(); ++b) {
      if (events[a].is_sc_fence() && events[b].is_sc_fence() && ms(a, b)) {
        x.sc.add(a, b);
      }
    }
  }
  out.what = std::move(x);
  out.origin = std::move(origin);
  return out;
}

unsigned long long setting(const char* name, unsigned long long otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void given_tokens::tell(std::size_t step, sim::detect::operation& o) {
  if (!program_.has_tokens(program_.steps[step].agent)) {
    return;
  }
  told_.clear();
  for (const std::size_t a : program_.steps[step].after) {
    told_.push_back(of_[a]);
  }
  if (step % 2 == 0) { // both ways are the same
    told_ = {detector_.join(told_)};
  }
  o.by_tokens = true;
  o.after = told_;
}

void given_tokens::performed(std::size_t step, std::optional<sim::detect::operation_id> as) {
  if (as) {
    of_[step] = detector_.record(*as).waited;
    return;
  }
  std::vector<sim::detect::token> all;
  for (const std::size_t a : program_.steps[step].after) {
    all.push_back(of_[a]);
  }
  of_[step] = detector_.join(all);
}

std::vector<sim::detect::agent_id> begin(sim::detect::detector& d, const program& p) {
  const auto tasks = static_cast<std::uint32_t>(p.before.size());
  std::vector<sim::detect::agent_id> agent_number(p.task_of.size());
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
  return agent_number;
}

} // namespace tilesim::random_executions
