// The race detector: what each access means for each cell.
//
// One file in spite of its length: the path of a weak access is hot and goes through most functions
// of one struct, which are to be inlined; the cold ones work on the same members.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/detect/detector.hpp"

#include "memmodel/assertion.hpp"
#include "sim/detect/acquisitions.hpp"
#include "sim/detect/fence_order.hpp"
#include "sim/detect/history.hpp"
#include "sim/detect/large_vector.hpp"
#include "sim/detect/meetings.hpp"
#include "sim/detect/shadow.hpp"
#include "sim/detect/synchronization.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tilesim::sim::detect {

namespace {

constexpr operation_id never = std::numeric_limits<operation_id>::max();

struct task {
  task_order order;
  agent_id first_agent = 0;
  std::uint64_t agents = 1;
  std::uint64_t threads = 1; ///< to a block
  task_kind kind = task_kind::tile;
  knowledge known; ///< the tasks that are ordered before it, for those who acquire from its agents
  bool started = false;
  bool inherits = false; ///< `known` holds more than that
};

/// The tasks of one lane by number: when each performed its first operation.
struct lane {
  agent_id agent = 0; ///< stands for the lane in clocks: with the number of the last task that is
                      ///< known to be over
  std::vector<operation_id> first_operation;
};

} // namespace

struct detector::state {
  explicit state(detector& d)
      : owner(d) {
    records.emplace_back();
  }

  // --- Who is ordered after whom.

  void enter(agent_id agent) {
    if (agent == current_agent && entered) {
      return;
    }
    if (entered) {
      leave();
    }
    entered = true;
    current_agent = agent;
    entered_at = next;
    has_returned = agent <= latest_agent;
    latest_agent = std::max(latest_agent, agent);
    current_task = task_number(agent);
    current_place = place_of(agent, current_task);
    const auto found = clocks.find(agent);
    current_clock = found == clocks.end() ? knowledge{} : found->second;
    if (!met.empty() && !current_place.alone) {
      current_clock = current_clock.joined(known_together(current_place.block, agent));
    }
    begun_with = current_clock;
    cached = 0;
    find_first_unordered();
    if (!tasks[current_task].started) {
      inherit(current_task);
    }
  }
  void leave() {
    if (!current_clock.empty() && !current_clock.same(begun_with)) {
      const bool is_new = clocks.insert_or_assign(current_agent, current_clock).second;
      if (is_new && !current_place.alone && !current_place.host) {
        met.ahead(current_place.block).push_back(current_agent);
      }
    }
  }

  // --- Barriers.

  [[nodiscard]] static agent_id warp_of(agent_id block, agent_id agent) noexcept {
    return static_cast<agent_id>(agent - ((agent - block) % agents_of_a_warp));
  }

  /// What an agent of a block has learnt where it met others.
  [[nodiscard]] knowledge known_together(agent_id block, agent_id agent) const {
    knowledge all;
    if (const met_group* const b = met.block(block)) {
      all = b->known;
    }
    if (const met_group* const w = met.warp(warp_of(block, agent))) {
      all = all.joined(w->known);
    }
    return all;
  }

  [[nodiscard]] knowledge known_to(agent_id block, agent_id agent) const {
    const knowledge together = known_together(block, agent);
    const auto own = clocks.find(agent);
    return own == clocks.end() ? together : together.joined(own->second);
  }

  /// Clocks are about to be looked at, or changed, from outside.
  void leave_if_entered() {
    if (entered) {
      leave();
      entered = false;
    }
  }

  void meet(std::span<const agent_id> who, meeting_of kind) {
    if (who.empty()) {
      return;
    }
    leave_if_entered();
    const task_id t = task_number(who.front());
    if (kind == meeting_of::grid) {
      meet_as_grid(who, t);
      return;
    }
    const place at = place_of(who.front(), t);
    if (at.alone) {
      return;
    }
    if (kind == meeting_of::block) {
      met_group& block = met.block(at.block, agents);
      for (std::uint64_t first = 0; first < tasks[t].threads; first += agents_of_a_warp) {
        if (const met_group* const w = met.warp(static_cast<agent_id>(at.block + first))) {
          block.known = block.known.joined(w->known);
        }
      }
      for (const agent_id a : met.ahead(at.block)) {
        block.known = block.known.joined(clocks.at(a));
        clocks.erase(a);
      }
      met.ahead(at.block).clear();
      block.known = block.known.with(block.stands_for, next - 1);
      return;
    }
    knowledge joint;
    for (const agent_id a : who) {
      joint = joint.joined(known_to(at.block, a));
    }
    if (kind == meeting_of::warp) {
      met_group& warp = met.warp(warp_of(at.block, who.front()), agents);
      warp.known = joint.with(warp.stands_for, next - 1);
      return;
    }
    for (const agent_id a : who) {
      joint = joint.with(a, next - 1);
    }
    for (const agent_id a : who) {
      if (clocks.insert_or_assign(a, joint).second) {
        met.ahead(at.block).push_back(a);
      }
    }
  }

  [[nodiscard]] knowledge done_by(agent_id agent) {
    leave_if_entered();
    return known_to(place_of(agent, task_number(agent)).block, agent).with(agent, next - 1);
  }

  void learn(agent_id agent, const knowledge& more) {
    leave_if_entered();
    const place at = place_of(agent, task_number(agent));
    const auto [own, is_new] = clocks.try_emplace(agent);
    own->second = own->second.joined(more);
    if (is_new && !at.alone && !at.host) {
      met.ahead(at.block).push_back(agent);
    }
  }

  [[nodiscard]] bool comes_before(operation_id earlier, agent_id later) {
    leave_if_entered();
    enter(later);
    current = 0;
    cached = 0;
    return before(earlier);
  }

  /// Each block's agents have met, so that what one knows they all do.
  void meet_as_grid(std::span<const agent_id> who, task_id t) {
    knowledge joint;
    std::unordered_map<agent_id, knowledge> of_block; // what fences of block scope are known there
    for (const agent_id a : who) {
      const place at = place_of(a, t);
      if (orders_fences && !at.alone) {
        knowledge& own = of_block[at.block];
        own = own.joined(known_to(at.block, a));
      }
      joint = joint.joined(known_to(at.block, a));
      if (at.alone) {
        joint = joint.with(a, next - 1);
      }
    }
    for (const agent_id a : who) {
      const place at = place_of(a, t);
      if (at.alone) {
        clocks.insert_or_assign(a, joint);
      } else {
        met.block(at.block, agents).known =
            orders_fences ? of_block[at.block].joined(joint) : joint;
      }
    }
  }

  /// Whether a clock has an operation by one that stands for its agent's block or warp.
  [[nodiscard]] bool knows_group_of(const clock& c, operation_id o) const {
    const operation_record& r = records[o];
    const task& t = tasks[r.task];
    if (met.empty() || t.threads == 1) {
      return false;
    }
    const auto block = static_cast<agent_id>(r.agent - ((r.agent - t.first_agent) % t.threads));
    if (const met_group* const b = met.block(block); b != nullptr && c.at(b->stands_for) >= o) {
      return true;
    }
    const met_group* const w = met.warp(warp_of(block, r.agent));
    return w != nullptr && c.at(w->stands_for) >= o;
  }

  [[nodiscard]] task_id task_number(agent_id agent) const {
    TILESIM_ASSERT(!tasks.empty() && agent < agents && agent >= tasks.front().first_agent,
                   agent,
                   agents,
                   tasks.size());
    const auto later =
        std::upper_bound(tasks.begin(), tasks.end(), agent, [](agent_id a, const task& t) {
          return a < t.first_agent;
        });
    return static_cast<task_id>(later - tasks.begin() - 1);
  }

  [[nodiscard]] bool task_before(task_id a, task_id b) const noexcept {
    const task_order& first = tasks[a].order;
    const std::vector<std::uint32_t>& known = tasks[b].order.before;
    return first.lane < known.size() && first.number <= known[first.lane];
  }

  /// Every operation below `first_unordered` belongs to a task that is ordered before the current
  /// one.
  void find_first_unordered() {
    first_unordered = next;
    const std::vector<std::uint32_t>& known = tasks[current_task].order.before;
    for (std::uint32_t l = 0; l < lanes.size(); ++l) {
      const std::uint32_t last_known = l < known.size() ? known[l] : 0;
      const auto& first = lanes[l].first_operation;
      for (std::size_t n = last_known + 1; n < first.size(); ++n) {
        if (first[n] != never) {
          first_unordered = std::min(first_unordered, first[n]);
          break;
        }
      }
    }
  }

  /// Base causality order from an earlier operation to the current one.
  [[nodiscard]] bool before(operation_id o) {
    if (o < first_unordered) {
      return true;
    }
    if (o == cached) {
      return cached_before;
    }
    cached = o;
    return cached_before = find_before(o);
  }
  [[nodiscard]] bool find_before(operation_id o) {
    if (o == current) {
      return op->count == 1 &&
             !by_tokens; // elements of one have no order, but see operation_like()
    }
    const operation_record& r = records[o];
    if (r.agent == current_agent && (r.waited == 0 || !by_tokens || waits_for(r.waited))) {
      return true;
    }
    if (r.task != current_task && task_before(r.task, current_task)) {
      return true;
    }
    return knows(current_clock.happened, o) ||
           (tasks[current_task].inherits && knows(tasks[current_task].known.happened, o)) ||
           (has_late_fences && knows(before_late_fences(), o));
  }
  [[nodiscard]] bool knows(const clock& c, operation_id o) const {
    if (c.empty()) {
      return false;
    }
    const operation_record& r = records[o];
    const task_order& its = tasks[r.task].order;
    if (c.at(lanes[its.lane].agent) >= its.number) {
      return true;
    }
    return r.waited != 0 ? knows_release_after(c, o) : c.at(r.agent) >= o || knows_group_of(c, o);
  }

  // --- Agents whose operations are ordered by tokens. Their own entry in clocks is never set:
  // those of their releases stand for what these have waited for.

  /// Whether the current operation waits for what holds `earlier`.
  [[nodiscard]] bool waits_for(token earlier) const {
    return std::ranges::any_of(after, [&](token t) { return t != 0 && order.reaches(earlier, t); });
  }

  /// Whether a clock has a release of an operation's agent that has waited for the operation.
  [[nodiscard]] bool knows_release_after(const clock& c, operation_id o) const {
    const auto found = release_chains.find(records[o].agent);
    return found != release_chains.end() &&
           std::ranges::any_of(found->second, [&](const release_chain& known) {
             const operation_id release = c.at(known.stands_for);
             return release > o && order.reaches(records[o].waited, records[release].waited);
           });
  }

  /// Who stands in clocks for the releases of the current agent that follow one another, the
  /// current operation the last of them.
  [[nodiscard]] agent_id releases_as() {
    const std::uint32_t chain = order.chain_of(records[current].waited);
    std::vector<release_chain>& all = release_chains[current_agent];
    const auto known = std::ranges::find(all, chain, &release_chain::chain);
    if (known != all.end()) {
      return known->stands_for;
    }
    all.push_back({chain, static_cast<agent_id>(agents++)});
    return all.back().stands_for;
  }

  /// The current operation knows what those know that it waits for.
  void begin_by_tokens(const operation& o) {
    by_tokens = o.by_tokens;
    after = o.after;
    if (!by_tokens) {
      return;
    }
    // Its block's operations may synchronise with each other, as those of several agents.
    current_place.alone = false;
    all_known = std::exchange(current_clock, {});
    for (std::size_t i = 0; i < after.size() && !known_by.empty(); ++i) {
      if (const auto known = known_by.find(after[i]); known != known_by.end()) {
        current_clock = current_clock.joined(known->second);
      }
    }
  }
  /// What it has acquired is known to what waits for it, and to work that comes after its agent's.
  void end_by_tokens() {
    if (!by_tokens) {
      return;
    }
    if (!current_clock.empty()) {
      known_by.insert_or_assign(records[current].waited, current_clock);
      all_known = all_known.joined(current_clock);
    }
    leave_tokens();
  }
  void leave_tokens() {
    current_place.alone = tasks[current_task].threads == 1;
    current_clock = std::exchange(all_known, {});
    by_tokens = false;
    after = {};
    cached = 0;
  }
  [[nodiscard]] token join(std::span<const token> all) {
    const token joint = order.join(all);
    if (known_by.empty() || joint == 0 || known_by.contains(joint)) {
      return joint;
    }
    knowledge known;
    for (const token t : all) {
      if (const auto one = known_by.find(t); one != known_by.end()) {
        known = known.joined(one->second);
      }
    }
    if (!known.empty()) {
      known_by.insert_or_assign(joint, known);
    }
    return joint;
  }

  /// What the agents of earlier tasks acquired from tasks that ran beside them is known to those
  /// that come after.
  void inherit(task_id t) {
    task& now = tasks[t];
    now.started = true;
    if (serial) {
      return; // then all of it is ordered by tasks
    }
    const auto inherit_from = [&](agent_id agent, const knowledge& theirs) {
      if (task_before(task_number(agent), t)) {
        now.known = now.known.joined(theirs);
        now.inherits = true;
      }
    };
    for (const auto& [agent, theirs] : clocks) {
      inherit_from(agent, theirs);
    }
    met.each([&](agent_id first, const met_group& g) { inherit_from(first, g.known); });
  }

  [[nodiscard]] place place_of(agent_id agent, task_id number) const {
    const task& t = tasks[number];
    if (t.kind == task_kind::host) {
      return {.block = never, .alone = false, .host = true, .fences = true};
    }
    const std::uint64_t thread = (agent - t.first_agent) % t.threads;
    return {.block = static_cast<agent_id>(agent - thread),
            .alone = t.threads == 1,
            .host = false,
            .fences = t.kind == task_kind::simt};
  }

  /// Whether the scopes of an earlier strong operation and of the current one, had it scope `s`,
  /// include each other's agents.
  [[nodiscard]] bool mutual_with(operation_id o, memmodel::scope of_o, memmodel::scope s) const {
    const operation_record& r = records[o];
    return r.agent == current_agent || mutual(place_of(r.agent, r.task), of_o, current_place, s);
  }

  // --- One operation.

  operation_id perform(const operation& o) {
    if (sets.size() > sets_looked_at) {
      collect_sets();
    }
    TILESIM_ASSERT(o.bytes != 0 && (o.order == memory_order::weak || o.bytes <= 8), o.bytes);
    TILESIM_ASSERT(o.count == 0 || o.addresses != nullptr || !o.rows.empty(), o.count);
    TILESIM_ASSERT(next != never && next == records.size(), next, records.size());
    enter(o.agent);
    ++operations;
    if (const operation_id like = operation_like(o); like != 0) {
      current = like;
      cached = 0;
      op = &o;
      weak(o, true);
      return current;
    }
    begin_by_tokens(o);
    current = next++;
    cached = 0;
    op = &o;
    operation_record r{.agent = o.agent,
                       .task = current_task,
                       .site = o.site,
                       .first = first_address(o),
                       .bytes = o.bytes,
                       .kind = o.kind,
                       .order = o.order,
                       .scope = o.scope};
    r.by_reference = o.by_reference;
    r.is_volatile = o.is_volatile;
    r.single = o.count == 1;
    r.waited = o.by_tokens ? order.operation(o.after) : 0;
    r.consecutive = o.count != 0 && o.addresses != nullptr;
    for (std::size_t i = 1; !o.consecutive && i < o.count && r.consecutive; ++i) {
      r.consecutive = o.addresses[i] == o.addresses[0] + (i * o.bytes);
    }
    records.push_back(r);
    TILESIM_ASSERT(tasks[current_task].order.lane < lanes.size(),
                   tasks[current_task].order.lane,
                   lanes.size());
    TILESIM_ASSERT(tasks[current_task].order.number <
                       lanes[tasks[current_task].order.lane].first_operation.size(),
                   tasks[current_task].order.number);
    operation_id& first =
        lanes[tasks[current_task].order.lane].first_operation[tasks[current_task].order.number];
    first = std::min(first, current);

    if (o.order == memory_order::weak) {
      weak(o, r.consecutive);
    } else {
      strong(o);
      shared_from = next;
    }
    end_by_tokens();
    return current;
  }

  /// The number of an earlier operation that this one may have, too; 0: it is a new one. All that a
  /// thread does from one place, between two points where it synchronises or another agent has its
  /// turn, is ordered with everybody else's alike: a loop over an array is one operation.
  [[nodiscard]] operation_id operation_like(const operation& o) {
    if (o.order != memory_order::weak || o.count != 1 || o.mask != nullptr ||
        o.addresses == nullptr || o.by_tokens || o.known || follows_some || written ||
        tasks[current_task].kind != task_kind::simt) {
      return 0;
    }
    const auto place = reinterpret_cast<std::uintptr_t>(o.site);
    operation_id& last = last_from[(place ^ (place >> 4U)) % last_from.size()];
    if (last >= std::max(entered_at, shared_from) && last < next) {
      const operation_record& r = records[last];
      if (r.site == o.site && r.kind == o.kind && r.bytes == o.bytes &&
          r.order == memory_order::weak && r.agent == o.agent) {
        return last;
      }
    }
    last = next;
    return 0;
  }

  void weak(const operation& o, bool consecutive) {
    const bool reads = o.kind == access_kind::read;
    if (consecutive && o.mask == nullptr) {
      accesses += o.count;
      const std::uint32_t element = o.count == 1 ? 0 : cell::unknown_element;
      if (reads) {
        range<&state::weak_read>(o.addresses[0], o.count * o.bytes, element);
      } else {
        range<&state::weak_write>(o.addresses[0], o.count * o.bytes, element);
      }
      return;
    }
    if (o.addresses == nullptr) {
      for (const row& r : o.rows) {
        weak_row(o, r, reads);
      }
      return;
    }
    for (std::size_t i = 0; i < o.count;) {
      fetch_ahead(o, i);
      if (o.mask != nullptr && o.mask[i] == 0) {
        ++i;
        continue;
      }
      std::size_t end = i + 1;
      while (end < o.count && o.addresses[end] == o.addresses[end - 1] + o.bytes &&
             (o.mask == nullptr || o.mask[end] != 0)) {
        ++end;
      }
      weak_row(o,
               {o.addresses[i], static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end - i)},
               reads);
      i = end;
    }
  }

  void weak_row(const operation& o, const row& r, bool reads) {
    accesses += r.count;
    if (r.count == 1) {
      if (reads) {
        each_cell<&state::weak_read>(r.address, o.bytes, r.element);
      } else {
        each_cell<&state::weak_write>(r.address, o.bytes, r.element);
      }
    } else if (reads) {
      range<&state::weak_read>(r.address, std::size_t{r.count} * o.bytes, r.element);
    } else {
      range<&state::weak_write>(r.address, std::size_t{r.count} * o.bytes, r.element);
    }
  }

  [[nodiscard]] static std::uintptr_t first_address(const operation& o) noexcept {
    if (o.addresses == nullptr) {
      return o.rows.empty() ? 0 : o.rows.front().address;
    }
    return o.count == 0 ? 0 : o.addresses[0];
  }

  /// Asks for the cells of the elements that come a little later: those of a scatter lie far from
  /// each other. (Inlined, or g++ 12 takes it for a function without effect and drops its calls.)
  [[gnu::always_inline]] void fetch_ahead(const operation& o, std::size_t i) const {
    constexpr std::size_t ahead = 16;
    constexpr std::size_t nearer = 8; // its cell is there by now
    if (i + nearer < o.count) {
      if (const page* const p = memory.near(o.addresses[i + nearer])) {
        const std::size_t offset = o.addresses[i + nearer] & (page::bytes - 1);
        const cell& c = p->data()[offset >> p->grain_bits()];
        if (c.state() == cell::mode::plain && c.b_mark() != 0) {
          sets.fetch(readers_of(c));
        }
      }
    }
    if (i + ahead < o.count) {
      if (const page* const p = memory.near(o.addresses[i + ahead])) {
        const std::size_t offset = o.addresses[i + ahead] & (page::bytes - 1);
        __builtin_prefetch(p->data() + (offset >> p->grain_bits()), 1);
      }
    }
  }

  void strong(const operation& o) {
    snapshot.reset();
    begun = current_clock;
    hosts_are_strong = hosts_are_strong || current_place.host;
    synchronization::access a{.operation = current,
                              .agent = current_agent,
                              .at = current_place,
                              .scope = o.scope,
                              .bytes = o.bytes,
                              .reads = o.kind != access_kind::write,
                              .writes = o.kind != access_kind::read,
                              .acquires = acquires(o),
                              .single = o.count == 1};
    a.waits_for = by_tokens ? &waits_for_operation : nullptr;
    // Where nothing has been released there is nothing to acquire, nor to hand on.
    const bool relaxed = !releases(o) && synced.empty();
    for (std::size_t i = 0; i < o.count; ++i) {
      if (o.mask != nullptr && o.mask[i] == 0) {
        continue;
      }
      ++accesses;
      a.address = o.addresses[i];
      access_begin = a.address;
      a.element = static_cast<std::uint32_t>(i);
      if (o.sources != nullptr) {
        a.source = stale = o.sources[i] == newest_write ? nullptr : &o.sources[i];
      }
      if (written && orders_fences) {
        a.newest = written->newest(a.address, a.bytes);
      }
      if (written && !a.writes) {
        observe(a);
      }
      if (relaxed) {
        each_cell<&state::strong_access>(a.address, o.bytes, static_cast<std::uint32_t>(i));
        continue;
      }
      strong_element(o, a, i);
    }
    stale = nullptr;
    if (!acquired.empty()) {
      current_clock = begun.joined(acquired.take());
    }
    if (!current_clock.same(begun)) {
      current_clock.fences = fence_knowledge::own(current_clock.fences, current_place);
    }
  }

  /// What an element acquires comes before the element; the others are concurrent with it.
  void strong_element(const operation& o, const synchronization::access& a, std::size_t i) {
    knowledge element = synced.acquired_by(a);
    if (!element.empty()) {
      current_clock = begun.joined(element);
    }
    if (orders_fences) {
      await_fences(a, element);
    }
    if (!element.empty()) {
      if (!a.single) {
        acquired.add(a.address, element);
      }
      cached = 0;
    }
    each_cell<&state::strong_access>(a.address, o.bytes, static_cast<std::uint32_t>(i));
    hand_on(o, a, i, element);
    if (!element.empty() && !a.single) {
      current_clock = begun;
      cached = 0;
    }
  }

  // --- Sequentially consistent fences.

  /// Those that precede what the current agent does next; nullptr: none.
  [[nodiscard]] std::shared_ptr<const fence_knowledge> known_fences() const {
    return fence_knowledge::own(
        fence_knowledge::joined(current_clock.fences, tasks[current_task].known.fences),
        current_place);
  }

  /// What an element's agent comes to await by it: what it does not know to have happened anyway.
  void await_fences(const synchronization::access& a, knowledge& element) {
    const auto known = fence_knowledge::own(
        fence_knowledge::joined(begun.fences, tasks[current_task].known.fences), current_place);
    const fence_clocks* const past =
        known == nullptr || known->past.empty() ? nullptr : &known->past;
    if (written && a.source != nullptr && past != nullptr) {
      written->read_behind_fences(a.address, a.bytes, *a.source, current_place, *past);
      has_late_fences = true;
      late_known.reset();
    }
    fence_clocks awaited;
    if (synced.communicate(a, past, awaited)) {
      memory.at(a.address).synchronizes = true;
    }
    awaited.drop_known(current_clock.happened, current_agent);
    if (!awaited.empty()) {
      element.fences = fence_knowledge::awaiting(element.fences, awaited);
      current_clock.fences = fence_knowledge::awaiting(current_clock.fences, awaited);
    }
  }

  /// A fence comes behind those that it awaits.
  void come_behind_awaited(memmodel::scope s) {
    const auto known = known_fences();
    if (known == nullptr) {
      return;
    }
    const clock awaited = known->awaited.usable(current_place, s);
    if (awaited.empty()) {
      return;
    }
    // The threads of a block often know and await the same.
    if (!awaited.same(last_awaited) || !current_clock.happened.same(last_happened)) {
      last_awaited = awaited;
      last_happened = current_clock.happened;
      last_joint = last_happened.joined(awaited);
    }
    current_clock.happened = last_joint;
    cached = 0;
  }
  /// Others come behind it, and so behind what has happened before it.
  void precede_fences(memmodel::scope s, const clock& before) {
    orders_fences = true;
    const auto known = known_fences();
    fence_knowledge now = known == nullptr ? fence_knowledge{} : *known;
    now.awaited.take(current_place, s);
    now.past.add(current_place, s, before);
    current_clock.fences = std::make_shared<const fence_knowledge>(std::move(now));
  }

  /// A fence that other blocks come behind comes itself behind those that reads of older writes
  /// have put before fences of its block alone: these know nothing of them.
  void come_behind_late(memmodel::scope s, knowledge& released) {
    const clock late = before_late_fences();
    const clock all = released.happened.joined(late);
    if (!all.same(released.happened)) {
      released.happened = all;
      current_clock.happened = current_clock.happened.joined(late);
      cached = 0;
      precede_fences(s, released.happened);
    }
  }

  /// What precedes the current agent because a read of an older write has put fences before others
  /// that it comes behind. Asked for where nothing else orders two accesses.
  [[nodiscard]] const clock& before_late_fences() {
    const auto& inherited = tasks[current_task].known.fences;
    if (late_known && late_known->agent == current_agent &&
        late_known->own == current_clock.fences && late_known->inherited == inherited) {
      return late_known->before;
    }
    late_known = {current_agent, current_clock.fences, inherited, {}};
    const auto known = known_fences();
    if (known == nullptr || known->past.empty()) {
      return late_known->before;
    }
    fence_clocks past = known->past;
    const auto has = [this](const clock& c, const write_name& w) {
      if (knows(c, w.operation)) {
        return true;
      }
      const auto point = points.find(point_key(w.operation, w.element));
      return point != points.end() && c.at(point->second) >= w.operation;
    };
    for (bool more = true; more;) {
      more = forgotten_late.put_before(past, [](const clock&) { return true; });
      more = (written && written->put_late_fences_before(past, has)) || more;
    }
    late_known->before = past.all();
    return late_known->before;
  }

  // --- Older writes, which strong reads may be given.

  /// An element reads: whoever comes after it is given nothing older.
  void observe(const synchronization::access& a) {
    written->accessed(a.address, a.bytes);
    const write_name seen = a.source != nullptr ? *a.source : written->newest(a.address, a.bytes);
    if (seen.operation != 0 &&
        mutual_with(seen.operation, records[seen.operation].scope, a.scope)) {
      written->observed(a.address, a.bytes, reader_of(a.operation), {a.operation, a.element}, seen);
    }
  }

  /// Base causality order, that of fences included, from an element of an earlier operation to what
  /// the current agent does next.
  [[nodiscard]] bool precedes(const write_name& w) {
    return ordered(w.operation, w.element) || fenced_before(w.operation) ||
           fenced_point(w.operation, w.element);
  }
  [[nodiscard]] bool fenced_before(operation_id o) const {
    return knows(current_clock.fenced, o) ||
           (tasks[current_task].inherits && knows(tasks[current_task].known.fenced, o));
  }
  [[nodiscard]] bool fenced_point(operation_id o, std::uint32_t element) const {
    const auto point = points.find(point_key(o, element));
    return point != points.end() && (current_clock.fenced.at(point->second) >= o ||
                                     tasks[current_task].known.fenced.at(point->second) >= o);
  }

  void readable(const operation& o,
                std::uintptr_t address,
                std::uint32_t bytes,
                std::vector<older_value>& out,
                older_bound* bound) {
    enter(o.agent);
    begin_by_tokens(o);
    current = next; // nothing of what is to come
    cached = 0;
    // The order in which the execution has its fences holds that of late ones.
    const bool late = std::exchange(has_late_fences, false);
    written->readable(
        address, bytes, [this](const write_name& w) { return precedes(w); }, out, bound);
    has_late_fences = late;
    cached = 0;
    if (by_tokens) {
      leave_tokens();
    }
  }

  /// As fence() and then readable(), and nothing has happened.
  void readable_behind_fence(const operation& o,
                             memmodel::scope s,
                             std::uintptr_t address,
                             std::uint32_t bytes,
                             std::vector<older_value>& out,
                             older_bound* bound) {
    enter(o.agent);
    const knowledge before = current_clock;
    current_clock = current_clock.joined(synced.acquire_fence(current_agent, current_place, s));
    if (holds_device(s) || !current_place.alone) {
      current_clock.fenced = current_clock.fenced.joined(synced.fenced_before(current_place, s));
    }
    readable(o, address, bytes, out, bound);
    current_clock = before;
    cached = 0;
  }

  void overwrote(std::uint32_t element,
                 std::uintptr_t address,
                 std::uint32_t bytes,
                 std::uint64_t before) {
    memory.at(address).synchronizes = true;
    if (!written->written(address, bytes, {current, element}, before)) {
      keep_writes(false);
    }
  }

  void keep_writes(bool keep) {
    if (written) {
      forgotten_late.add(written->all_late_fences());
    }
    written.reset();
    if (keep) {
      written.emplace();
    }
    synced.keep_older(keep);
  }

  // --- Synchronisation of strong accesses.

  void hand_on(const operation& o,
               const synchronization::access& a,
               std::size_t element,
               const knowledge& theirs) {
    bool first = false;
    if (releases(o)) {
      const knowledge released =
          a.single ? released_by(o, element) : released_by(o, element).joined(theirs);
      first = synced.hand_on(a, &released);
    } else {
      first = synced.hand_on(a, nullptr);
    }
    if (first) {
      memory.at(a.address).synchronizes = true;
    }
  }

  // Between two operations: it orders what its agent did before it, and has acquired all that its
  // agent has read.
  void fence(agent_id agent, memory_order how, memmodel::scope s, const void* site) {
    enter(agent);
    shared_from = next;
    fences.push_back({agent, next - 1, how, s, site});
    if (how != memory_order::release) {
      current_clock = current_clock.joined(synced.acquire_fence(current_agent, current_place, s));
      current_clock.fences = fence_knowledge::own(current_clock.fences, current_place);
      cached = 0;
    }
    if (how == memory_order::acquire || (!holds_device(s) && current_place.alone)) {
      return;
    }
    if (how == memory_order::sc) {
      come_behind_awaited(s);
    }
    knowledge released =
        current_clock.joined(tasks[current_task].known).with(current_agent, next - 1);
    if (how == memory_order::sc) {
      precede_fences(s, released.happened);
      if (has_late_fences && !current_place.alone && holds_device(s)) {
        come_behind_late(s, released);
      }
      released.fences = current_clock.fences;
      if (written) {
        const clock ordered = synced.order_fence(current_place, s, released);
        current_clock.fenced = current_clock.fenced.joined(ordered);
        released.fenced = released.fenced.joined(ordered);
      }
    }
    synced.release_fence(current_agent, s, released);
  }

  // --- Cells.

  using cell_access = void (state::*)(cell&, std::uintptr_t, std::size_t, std::uint32_t);

  /// Divides a page so that no cell is larger than an access of `bytes` bytes at `address`, or lies
  /// across its ends.
  void refine(page& p, std::uintptr_t address, std::size_t bytes) {
    const std::size_t inside = page::bytes - 1;
    const auto wanted = static_cast<unsigned>(
        std::countr_zero((address & inside) | (bytes & inside) | page::bytes));
    if (wanted >= p.grain_bits()) {
      return;
    }
    const unsigned steps = p.grain_bits() - wanted;
    cell* const cells = memory.cells(page::bytes >> wanted);
    const cell* old = p.data();
    for (std::size_t i = 0; i < page::bytes >> wanted; ++i) {
      cells[i] = old[i >> steps];
      advance(cells[i], (i & ((std::size_t{1} << steps) - 1)) << wanted);
    }
    if (p.halvings != 0) {
      memory.give_back(p.cells, p.count());
    }
    p.cells = cells;
    p.halvings = page::bits - wanted;
  }

  /// A cell keeps the elements at its beginning: what it keeps becomes that of a part of it, which
  /// begins `offset` bytes later.
  void advance(cell& c, std::size_t offset) const {
    if (offset == 0 || c.state() == cell::mode::history) {
      return;
    }
    if (c.a != 0) {
      c.a_element = advanced(c.a, c.a_element, offset);
    }
    if (c.state() == cell::mode::plain && c.b != 0 && c.b_mark() == 0) {
      c.b_element = advanced(c.b, c.b_element, offset);
    }
  }
  /// The number of an element, below whatever stands in the top two bits, `offset` bytes further.
  [[nodiscard]] std::uint32_t
  advanced(operation_id o, std::uint32_t element, std::size_t offset) const {
    const std::uint32_t bytes = records[o].bytes;
    return (element & cell::element_mask) == cell::unknown_element || bytes == 0
               ? element
               : element + static_cast<std::uint32_t>(offset / bytes);
  }

  /// A history belongs to one cell: those that a division made share it until they are told apart.
  void unshare(page& p, unsigned coarse_bits) {
    const unsigned steps = coarse_bits - p.grain_bits();
    for (std::size_t i = 0; i < p.count(); ++i) {
      cell& c = p.cells[i];
      if (c.state() != cell::mode::history || (i & ((std::size_t{1} << steps) - 1)) == 0) {
        continue;
      }
      const auto moved = (i & ((std::size_t{1} << steps) - 1)) << p.grain_bits();
      c.a = new_history(moved_part(histories[c.a], moved));
    }
  }

  /// What a history of a cell is for a part of it, which begins `moved` bytes later.
  history moved_part(history part, std::size_t moved) {
    if (part.followed) {
      std::vector<weak_access> weak_set = weak_sets[part.weak_set];
      for (weak_access& w : weak_set) {
        w.element = advanced(w.operation, w.element, moved);
      }
      part.weak_set = new_weak_set(std::move(weak_set));
    } else if (part.weak_write != 0) {
      part.weak_element = advanced(part.weak_write, part.weak_element, moved);
    }
    for (history_entry& e : part.entries) {
      const std::size_t delta = e.delta + moved;
      if (is_weak(e)) { // may have more elements than one in the cell
        e.first_element = e.element = advanced(e.last, e.element, moved);
        e.delta = static_cast<std::uint8_t>(e.bytes == 0 ? 0 : delta & (e.bytes - 1U));
      } else {
        e.delta = static_cast<std::uint8_t>(delta);
      }
    }
    return part;
  }

  [[gnu::always_inline]] page& page_for(std::uintptr_t address, std::size_t bytes) {
    page& p = memory.at(address);
    on_synchronizing_page = p.synchronizes;
    if (bytes < p.grain() || ((address | bytes) & (p.grain() - 1)) != 0) {
      divide(p, address, bytes);
    }
    return p;
  }
  [[gnu::noinline]] void divide(page& p, std::uintptr_t address, std::size_t bytes) {
    const unsigned before = p.grain_bits();
    refine(p, address, bytes);
    if (before <= 3 || p.followed) {
      unshare(p, before);
    }
    cells_bytes += p.count() * sizeof(cell) -
                   (before == page::bits ? 0 : (page::bytes >> before) * sizeof(cell));
  }

  template <cell_access Access>
  void each_cell(std::uintptr_t address, std::size_t bytes, std::uint32_t element) {
    if (bytes > 8 || (address & (bytes - 1)) != 0) {
      range<Access>(address, bytes, element);
      return;
    }
    page& p = page_for(address, bytes);
    cell* c = p.data() + ((address & (page::bytes - 1)) >> p.grain_bits());
    const std::size_t grain = p.grain();
    for (std::size_t at = 0; at < bytes; at += grain, ++c) {
      (this->*Access)(*c, address + at, grain, element);
    }
  }

  /// Elements one after the other, or a range of bytes that is one element. Cells may hold many
  /// elements; `element` is the first one's number, or unknown: see resolve().
  template <cell_access Access>
  void range(std::uintptr_t begin, std::size_t bytes, std::uint32_t element) {
    const bool known = element != cell::unknown_element && op->count != 1;
    const std::uintptr_t end = begin + bytes;
    for (std::uintptr_t at = begin; at < end;) {
      const std::uintptr_t page_end = std::min(end, (at | (page::bytes - 1)) + 1);
      page& p = page_for(at, piece(at, page_end));
      cell* c = p.data() + ((at & (page::bytes - 1)) >> p.grain_bits());
      for (const std::size_t grain = p.grain(); at < page_end; at += grain, ++c) {
        const auto here =
            known ? element + static_cast<std::uint32_t>((at - begin) / op->bytes) : element;
        (this->*Access)(*c, at, grain, here);
      }
    }
  }
  /// The size of the cells that a range inside a page needs.
  static std::size_t piece(std::uintptr_t at, std::uintptr_t end) {
    return std::size_t{1} << std::countr_zero(at | end | page::bytes);
  }

  // --- Weak accesses.

  void weak_read(cell& c, std::uintptr_t address, std::size_t grain, std::uint32_t element) {
    if (follows(c)) {
      followed_access(c, address, grain, element);
      return;
    }
    if (c.state() == cell::mode::plain) {
      if (c.a != 0 && !before(c.a)) {
        found(c, side(c.a, c.a_index()), element, address, grain);
      } else if (c.b == 0 ||
                 (c.b_mark() != 0 ? sets.latest(readers_of(c)) < first_unordered : before(c.b))) {
        c.b = current;
        c.b_element = element;
      } else if (c.b_mark() != 0) {
        keep_readers(c, add_reader(readers_of(c)));
      } else if (c.b != current) {
        keep_readers(c, add_reader(set_of(c.b)));
      }
      return;
    }
    if (c.judged()) {
      racy_access(c, address, grain, element);
      return;
    }
    history& h = histories[c.a];
    if (h.weak_write != 0 && !before(h.weak_write)) {
      found(c, side(h.weak_write, h.weak_element), element, address, grain);
      return;
    }
    for (std::size_t i = 0; i < h.entries.size(); ++i) {
      if (h.entries[i].writes() && !ordered(h, i)) {
        found(c, {h.entries[i].last, h.entries[i].element}, element, address, grain);
        return;
      }
    }
    h.readers = add_reader(h.readers);
  }

  void weak_write(cell& c, std::uintptr_t address, std::size_t grain, std::uint32_t element) {
    if (on_synchronizing_page) {
      synced.overwritten(address, grain);
      if (written) {
        written->overwritten(address, grain);
      }
    }
    if (follows(c)) {
      followed_access(c, address, grain, element);
      return;
    }
    if (c.state() == cell::mode::plain) {
      if (c.a != 0 && !before(c.a)) {
        found(c, side(c.a, c.a_index()), element, address, grain);
        return;
      }
      if (c.b != 0) {
        if (const auto reader = unordered_reader(c)) {
          found(c, *reader, element, address, grain);
          return;
        }
      }
      c = {current, element, 0, 0};
      return;
    }
    if (c.judged()) {
      racy_access(c, address, grain, element);
      return;
    }
    const history& h = histories[c.a];
    std::optional<race_side> other;
    if (h.weak_write != 0 && !before(h.weak_write)) {
      other = side(h.weak_write, h.weak_element);
    }
    for (std::size_t i = 0; i < h.entries.size() && !other; ++i) {
      if (!ordered(h, i)) {
        other = {h.entries[i].last, h.entries[i].element};
      }
    }
    if (!other) {
      other = unordered_reader(h.readers);
    }
    if (other) {
      found(c, *other, element, address, grain);
      return;
    }
    free_history(c.a);
    c = {current, element, 0, 0};
  }

  [[nodiscard]] reader_set add_reader(reader_set set) {
    // Who has acquired nothing comes after its own reads and after work that is over. To look for
    // these pays off when there are more reads than agents.
    const task& t = tasks[current_task];
    const bool knows_more = !current_clock.empty() || t.inherits;
    const std::size_t at_least = knows_more ? 0 : 2 * t.agents;
    return sets.add(
        set,
        current,
        at_least,
        [this](operation_id o) {
          return by_tokens ? reader_of(o) == reader_of(current)
                           : o >= entered_at || (has_returned && records[o].agent == current_agent);
        },
        [&](operation_id o) {
          return (!by_tokens && reader_of(o) == current_agent) || o < first_unordered ||
                 ((knows_more || by_tokens) && find_before(o));
        });
  }

  /// The set of one reader.
  [[nodiscard]] reader_set set_of(operation_id reader) {
    return sets.add(
        {}, reader, 0, [](auto) { return false; }, [](auto) { return false; });
  }

  /// The readers of a cell whose mark says that there are several, and what such a cell keeps.
  [[nodiscard]] static reader_set readers_of(const cell& c) noexcept { return {c.b, c.b_index()}; }
  static void keep_readers(cell& c, reader_set set) noexcept {
    c.b = set.node;
    c.b_element = set.empty() ? 0 : (std::uint32_t{1} << cell::mark_shift) | set.count;
  }

  /// Whose later reads come after its earlier ones: an agent, or a chain where order is by tokens.
  [[nodiscard]] agent_id reader_of(operation_id o) const {
    const operation_record& r = records[o];
    return r.waited == 0 ? r.agent : ~order.chain_of(r.waited);
  }

  [[nodiscard]] std::optional<race_side> unordered_reader(const cell& c) {
    if (c.b_mark() != 0) {
      return unordered_reader(readers_of(c));
    }
    return before(c.b) ? std::nullopt : std::optional(side(c.b, c.b_index()));
  }
  [[nodiscard]] std::optional<race_side> unordered_reader(reader_set set) {
    std::optional<race_side> other;
    sets.for_each(set, [&](operation_id o) {
      if (!before(o)) {
        other = {o, 0, false};
      }
      return !other && o >= first_unordered; // the earlier ones lie below it, too
    });
    return other;
  }

  // --- Strong accesses.

  void become_history(cell& c) {
    history h;
    h.weak_write = c.a;
    h.weak_element = c.a_index();
    if (c.b != 0) {
      h.readers = c.b_mark() != 0 ? readers_of(c) : set_of(c.b);
    }
    c = {new_history(std::move(h)), std::uint32_t{1} << cell::mark_shift, 0, 0};
  }

  void strong_access(cell& c, std::uintptr_t address, std::size_t grain, std::uint32_t element) {
    if (c.judged()) {
      racy_access(c, address, grain, element);
      return;
    }
    if (follows(c)) {
      followed_access(c, address, grain, element);
      return;
    }
    if (c.state() == cell::mode::plain) {
      become_history(c);
    }
    history& h = histories[c.a];
    const bool writes = op->kind != access_kind::read;
    const auto delta = static_cast<std::uint8_t>(address - access_begin);
    if (h.weak_write != 0 && !before(h.weak_write)) {
      found(c, side(h.weak_write, h.weak_element), element, address, grain);
      return;
    }
    if (writes && !h.readers.empty()) {
      if (const auto reader = unordered_reader(h.readers)) {
        found(c, *reader, element, address, grain);
        return;
      }
    }
    const bool fits =
        h.entries.empty() || (h.wide && holds_device(op->scope) && !hosts_are_strong &&
                              same_range(h.entries.back(), delta));
    if (!fits) {
      for (std::size_t i = 0; i < h.entries.size(); ++i) {
        const history_entry& e = h.entries[i];
        if ((writes || e.writes()) && !strong_together(e, delta) && !ordered(h, i)) {
          found(c, {e.last, e.element}, element, address, grain);
          return;
        }
      }
    }
    if (op->by_reference && !h.entries.empty() && h.entries.back().scope != op->scope) {
      look_for_references(h, element, address, grain);
    }
    if (op->is_volatile) {
      look_for_lockstep(h, element, address, grain);
    }
    append(h, element, delta);
  }

  /// Lanes of a warp that wrote and read volatile variables in turn ran in step on devices before
  /// compute capability 7.0. [CUDA C++ Programming Guide: Independent Thread Scheduling] Which
  /// pairs are of one warp is the report's to say.
  void look_for_lockstep(const history& h,
                         std::uint32_t element,
                         std::uintptr_t address,
                         std::size_t grain) {
    const bool writes = op->kind != access_kind::read;
    tell_first(race_kind::lockstep, h, element, address, grain, [&](const history_entry& e) {
      return records[e.last].is_volatile && (writes || e.writes());
    });
  }

  /// [cuda::atomic_ref: limitations] no object shall be concurrently referenced with another scope.
  void look_for_references(const history& h,
                           std::uint32_t element,
                           std::uintptr_t address,
                           std::size_t grain) {
    tell_first(race_kind::references, h, element, address, grain, [&](const history_entry& e) {
      return records[e.last].by_reference && e.scope != op->scope;
    });
  }

  /// Of the accesses that nothing orders with this one the first that is meant.
  template <class F>
  void tell_first(race_kind kind,
                  const history& h,
                  std::uint32_t element,
                  std::uintptr_t address,
                  std::size_t grain,
                  F is_meant) {
    for (std::size_t i = 0; i < h.entries.size() && owner.on_race; ++i) {
      const history_entry& e = h.entries[i];
      if (is_meant(e) && !ordered(h, i)) {
        each_race(kind, {e.last, e.element}, side(current, element), address, grain, owner.on_race);
        return;
      }
    }
  }

  [[nodiscard]] bool same_range(const history_entry& e, std::uint8_t delta) const noexcept {
    return e.bytes == op->bytes && e.delta == delta;
  }
  [[nodiscard]] bool strong_together(const history_entry& e, std::uint8_t delta) const {
    return same_range(e, delta) && mutual_with(e.last, e.scope, op->scope);
  }

  void append(history& h, std::uint32_t element, std::uint8_t delta) {
    // Where all work is ordered, a write stands for what work before it did: who comes later is
    // ordered after both.
    if (serial && op->kind != access_kind::read && !h.entries.empty() &&
        std::ranges::all_of(h.entries,
                            [&](const history_entry& e) { return e.last < first_unordered; })) {
      overflow_bytes -= h.entries.size() * sizeof(history_entry);
      h.entries.clear();
      h.wide = true;
    }
    const std::uint32_t source = stale == nullptr ? history_entry::newest : source_in(h);
    // Once an element of an atomic operation: it is not to be a call, and looks at records last.
    const auto mine = [&](const history_entry& e) __attribute__((always_inline)) {
      return e.scope == op->scope && same_range(e, delta) && e.kind == op->kind &&
             e.source == source && records[e.last].agent == current_agent &&
             (!h.followed || records[e.last].site == op->site) && (!by_tokens || before(e.last));
    };
    if (op->kind == access_kind::read_write && !h.entries.empty() && mine(h.entries.back())) {
      // It observes the one before, so whoever observes it observes both.
      h.entries.back().last = current;
      h.entries.back().element = element;
      return;
    }
    if (op->kind == access_kind::read) {
      if (history_entry* const e = own_read(h, mine)) {
        e->last = current; // it observes nothing that the earlier one did not
        e->element = element;
        return;
      }
    }
    h.wide = h.wide && holds_device(op->scope) &&
             (h.entries.empty() || same_range(h.entries.back(), delta));
    h.entries.push_back({current,
                         current,
                         element,
                         element,
                         op->kind,
                         op->scope,
                         static_cast<std::uint8_t>(op->bytes),
                         delta,
                         source});
    h.has_stale = h.has_stale || source != history_entry::newest;
    overflow_bytes += sizeof(history_entry);
    const auto end = static_cast<std::uint32_t>(h.entries.size());
    if (op->kind == access_kind::read) {
      place_of_read(h) = end - 1;
    } else {
      h.reads_from = end;
    }
  }

  /// The entry of the older write that the current element reads.
  [[nodiscard]] std::uint32_t source_in(const history& h) const {
    for (std::size_t i = h.entries.size(); i-- > 0;) {
      const history_entry& e = h.entries[i];
      const operation_id o = stale->operation;
      if (!e.writes() || o < e.first || o > e.last) {
        continue;
      }
      const auto at = static_cast<std::uint32_t>(i);
      if (o == e.last && stale->element == e.element) {
        return at;
      }
      if (e.reads() && records[o].agent == records[e.last].agent) {
        return at | history_entry::part;
      }
    }
    return history_entry::nothing;
  }

  /// Where the current agent's read among a cell's entries may be. Of thousands of blocks that poll
  /// one cell each would be looked for among all.
  [[nodiscard]] std::uint32_t& place_of_read(const history& h) {
    if (places_of_reads.empty()) {
      places_of_reads.resize(std::size_t{1} << places_bits);
    }
    const auto number = static_cast<std::uint32_t>(&h - histories.data());
    return places_of_reads[((number * 0x9e3779b1U) ^ (current_agent * 0x85ebca6bU)) >>
                           (32U - places_bits)];
  }

  /// An entry that is `mine`, behind all writes; nullptr if there is none.
  template <class F>
  [[nodiscard]] history_entry* own_read(history& h, F mine) {
    std::uint32_t& known = place_of_read(h);
    if (!h.followed && known >= h.reads_from && known < h.entries.size() &&
        mine(h.entries[known])) {
      return &h.entries[known];
    }
    for (std::size_t i = h.entries.size(); i-- > 0 && !h.entries[i].writes();) {
      if (mine(h.entries[i])) {
        known = static_cast<std::uint32_t>(i);
        return &h.entries[i];
      }
    }
    return nullptr;
  }

  /// Causality order from entry i to the current operation: base causality, or an observation of
  /// its write that is ordered before the current operation.
  [[nodiscard]] bool ordered(const history& h, std::size_t i) {
    if (ordered(h.entries[i].last, h.entries[i].element)) {
      return true;
    }
    // A read is observed by nobody: only base causality orders it. An atomic is one operation.
    if (!h.entries[i].writes()) {
      return false;
    }
    std::size_t link = i; // the write that the next reads read
    bool ended = false;   // they read what hands on nothing of it
    for (std::size_t j = i + 1; j < h.entries.size() && !(ended && !h.has_stale); ++j) {
      const history_entry& e = h.entries[j];
      const bool given = e.source < history_entry::nothing;
      const std::size_t from = given                               ? e.source & ~history_entry::part
                               : e.source == history_entry::newest ? (ended ? j : link)
                                                                   : j;
      // Who has seen a part of the entry's own updates may not have seen the last.
      const bool all = !given || (e.source & history_entry::part) == 0 || from > i;
      const bool seen = e.reads() && all && from >= i && from <= link && h.entries[from].writes() &&
                        observes(e, h.entries[from]);
      if (seen && ordered(e.first, e.first_element)) {
        return true;
      }
      if (e.writes()) {
        ended = ended || !seen; // a store, or an update that does not observe it
        link = ended ? link : j;
      }
    }
    return false;
  }

  /// Whether a read of what an entry wrote observes it.
  [[nodiscard]] bool observes(const history_entry& read, const history_entry& write) const {
    const operation_record& r = records[read.first];
    const operation_record& w = records[write.last];
    return read.bytes == write.bytes && read.delta == write.delta &&
           (w.order != memory_order::weak || r.agent == w.agent) &&
           mutual(place_of(w.agent, w.task), write.scope, place_of(r.agent, r.task), read.scope);
  }

  // --- Cells that are followed further: that an access at a known place has touched. All accesses
  // are kept, so that a race which is passed over hides no other.

  [[nodiscard]] bool follows(const cell& c) const noexcept {
    return (op->known && !c.judged()) ||
           (c.state() == cell::mode::history && histories[c.a].followed);
  }

  void followed_access(cell& c, std::uintptr_t address, std::size_t grain, std::uint32_t element) {
    const bool strong = op->order != memory_order::weak;
    const bool writes = op->kind != access_kind::read;
    const auto delta = static_cast<std::uint8_t>(strong ? address - access_begin : 0);
    history& h = follow(c, address);
    bool close = false;
    for (const weak_access& w : weak_sets[h.weak_set]) {
      if ((writes || w.writes) && !before(w.operation) && !observed(h, w)) {
        if (!passed_over(side(w.operation, w.element), element, address, grain)) {
          found(c, side(w.operation, w.element), element, address, grain);
          return;
        }
        close = close || (strong && !same_object(w.operation));
      }
    }
    for (std::size_t i = 0; i < h.entries.size(); ++i) {
      const history_entry& e = h.entries[i];
      if (is_weak(e) || !(writes || e.writes()) || (strong && strong_together(e, delta)) ||
          ordered(h, i)) {
        continue;
      }
      if (!passed_over({e.last, e.element}, element, address, grain)) {
        found(c, {e.last, e.element}, element, address, grain);
        return;
      }
      close = close || !same_object(e.last);
    }
    if (close) {
      free_history(c.a);
      c = {0, static_cast<std::uint32_t>(cell::mode::closed) << cell::mark_shift, 0, 0};
      return;
    }
    if (strong) {
      append(h, element, delta);
      return;
    }
    keep(weak_sets[h.weak_set], {current, element, writes});
    if (writes) {
      overwrite(h, address, element);
    }
  }

  /// Nobody observes from now on what was written before a weak write, and the write itself only
  /// its own agent.
  void overwrite(history& h, std::uintptr_t address, std::uint32_t element) {
    if (h.entries.empty() || !is_weak(h.entries.back())) {
      h.entries.emplace_back();
      overflow_bytes += sizeof(history_entry);
    }
    h.entries.back() = weak_entry(current, element, address);
    h.wide = false;
  }
  [[nodiscard]] bool is_weak(const history_entry& e) const {
    return records[e.last].order == memory_order::weak;
  }
  [[nodiscard]] history_entry
  weak_entry(operation_id o, std::uint32_t element, std::uintptr_t address) const {
    history_entry e{.first = o,
                    .last = o,
                    .first_element = element,
                    .element = element,
                    .kind = access_kind::write};
    if (const std::uint32_t bytes = records[o].bytes; is_object(bytes)) {
      e.bytes = static_cast<std::uint8_t>(bytes);
      e.delta = static_cast<std::uint8_t>(address & (bytes - 1));
    }
    return e;
  }

  /// Causality order from a weak write to the current operation by way of an observation.
  [[nodiscard]] bool observed(const history& h, const weak_access& w) {
    if (!w.writes) {
      return false;
    }
    const auto at = std::ranges::find_if(
        h.entries, [&](const history_entry& e) { return e.last == w.operation && is_weak(e); });
    return at != h.entries.end() && ordered(h, static_cast<std::size_t>(at - h.entries.begin()));
  }

  /// Whether the current operation accesses here what an earlier one has accessed: elements lie on
  /// their own boundaries. If not, and one of the two is strong, then who observes what depends on
  /// other bytes, too, and the memory model says little.  [PTX: mixed-size data races]
  [[nodiscard]] bool same_object(operation_id earlier) const {
    return records[earlier].bytes == op->bytes && is_object(op->bytes);
  }
  [[nodiscard]] static bool is_object(std::uint32_t bytes) noexcept {
    return bytes <= 8 && std::has_single_bit(bytes);
  }

  /// The history of a cell, with all that is known of it.
  history& follow(cell& c, std::uintptr_t address) {
    if (c.state() == cell::mode::plain) {
      become_history(c);
    }
    history& h = histories[c.a];
    if (h.followed) {
      return h;
    }
    std::vector<weak_access> weak_set;
    if (h.weak_write != 0) {
      weak_set.push_back({h.weak_write, h.weak_element, true});
      for (history_entry& e : h.entries) {
        e.source += e.source < history_entry::nothing ? 1 : 0;
      }
      h.entries.insert(h.entries.begin(), weak_entry(h.weak_write, h.weak_element, address));
      overflow_bytes += sizeof(history_entry);
      h.wide = false;
    }
    sets.for_each(h.readers, [&](operation_id o) {
      weak_set.push_back({o, cell::unknown_element, false});
      return true;
    });
    h.readers = {};
    h.weak_set = new_weak_set(std::move(weak_set));
    h.weak_write = 0;
    h.followed = true;
    follows_some = true;
    memory.at(address).followed = true;
    return h;
  }

  /// Of one agent's accesses at one place the last stands for all.
  void keep(std::vector<weak_access>& weak_set, const weak_access& now) {
    constexpr std::ptrdiff_t most = 8; // agents of one place
    const auto same_place = [&](const weak_access& w) {
      return w.writes == now.writes && records[w.operation].site == op->site;
    };
    const auto mine = [&](const weak_access& w) {
      return same_place(w) && records[w.operation].agent == current_agent &&
             (!by_tokens || before(w.operation));
    };
    auto replaced = std::ranges::find_if(weak_set, mine);
    if (replaced == weak_set.end() && std::ranges::count_if(weak_set, same_place) >= most) {
      replaced = std::ranges::find_if(weak_set, same_place);
    }
    overflow_bytes += replaced == weak_set.end() ? sizeof(weak_access) : 0;
    if (replaced != weak_set.end()) {
      weak_set.erase(replaced);
    }
    weak_set.push_back(now);
  }

  /// Whether a race of the current operation is one that hides no others.
  [[nodiscard]] bool passed_over(race_side earlier,
                                 std::uint32_t element,
                                 std::uintptr_t address,
                                 std::size_t grain) const {
    return owner.passes_over && owner.passes_over({kind_with(earlier.operation),
                                                   address,
                                                   static_cast<std::uint32_t>(grain),
                                                   resolve(earlier, address),
                                                   resolve(side(current, element), address)});
  }

  std::uint32_t new_weak_set(std::vector<weak_access> weak_set) {
    overflow_bytes += weak_set.size() * sizeof(weak_access);
    if (free_weak_sets.empty()) {
      weak_sets.emplace_back();
      free_weak_sets.push_back(static_cast<std::uint32_t>(weak_sets.size() - 1));
    }
    const std::uint32_t n = free_weak_sets.back();
    free_weak_sets.pop_back();
    weak_sets[n] = std::move(weak_set);
    return n;
  }
  void free_weak_set(std::uint32_t n) {
    overflow_bytes -= weak_sets[n].size() * sizeof(weak_access);
    weak_sets[n] = {};
    free_weak_sets.push_back(n);
  }

  // --- Synchronisation.

  /// What an element of a release orders before those who acquire it: all that its agent did
  /// before, and itself, but not the other elements of the operation. So each element of several is
  /// an agent of its own in clocks.
  [[nodiscard]] knowledge released_by(const operation& o, std::size_t element) {
    if (!snapshot) {
      alone =
          o.count == 1 || o.mask == nullptr
              ? o.count == 1
              : std::count_if(o.mask, o.mask + o.count, [](std::uint8_t m) { return m != 0; }) == 1;
      snapshot = (o.count == 1 ? current_clock : begun).joined(tasks[current_task].known);
      snapshot = by_tokens ? snapshot->with(releases_as(), current)
                           : snapshot->with(current_agent, alone ? current : current - 1);
    }
    if (alone && !by_tokens) {
      return *snapshot;
    }
    const auto [point, is_new] = points.try_emplace(point_key(current, element));
    if (is_new) {
      point->second = next_point(o.addresses[element]);
    }
    return snapshot->with(point->second, current);
  }
  /// Who acquires from one element at a place knows, as a rule, those before it there: a chain of
  /// updates. They have numbers side by side, as many as a leaf of a clock holds, so that what
  /// knows a chain is small.
  [[nodiscard]] agent_id next_point(std::uintptr_t address) {
    constexpr unsigned most = 16;
    point_run& r = point_runs[address];
    if (r.left == 0) {
      r.size = std::min(most, std::max(1U, 2 * r.size));
      agents += r.size == most ? (most - agents % most) % most : 0;
      r.next = static_cast<agent_id>(agents);
      r.left = r.size;
      agents += r.size;
    }
    --r.left;
    return r.next++;
  }
  [[nodiscard]] static std::uint64_t point_key(operation_id o, std::size_t element) noexcept {
    return (std::uint64_t{o} << 32U) | element;
  }
  /// Base causality order from one element of an earlier operation to the current one.
  [[nodiscard]] bool ordered(operation_id o, std::uint32_t element) {
    if (before(o)) {
      return true;
    }
    if (points.empty()) {
      return false;
    }
    const auto point = points.find(point_key(o, element));
    return point != points.end() &&
           (current_clock.happened.at(point->second) >= o ||
            tasks[current_task].known.happened.at(point->second) >= o ||
            (has_late_fences && before_late_fences().at(point->second) >= o));
  }

  [[nodiscard]] static bool acquires(const operation& o) noexcept {
    return o.kind != access_kind::write && o.order != memory_order::relaxed &&
           o.order != memory_order::release;
  }
  /// A release that holds no other agent is one for nobody.
  [[nodiscard]] bool releases(const operation& o) const noexcept {
    return o.kind != access_kind::read && o.order != memory_order::relaxed &&
           o.order != memory_order::acquire && (holds_device(o.scope) || !current_place.alone);
  }

  // --- The end of memory.

  void forget(std::uintptr_t begin, std::uintptr_t end) {
    for (std::uintptr_t at = memory.skip_unknown(begin); at < end; at = memory.skip_unknown(at)) {
      const std::uintptr_t page_end = std::min(end, (at | (page::bytes - 1)) + 1);
      forget_in_page(at, page_end);
      at = page_end;
    }
    synced.forget(begin, end);
    if (written) {
      written->forget(begin, end);
    }
  }

  void forget_in_page(std::uintptr_t begin, std::uintptr_t end) {
    if (memory.at(begin).untouched()) {
      return;
    }
    page& p = page_for(begin, piece(begin, end));
    cell* c = p.data() + ((begin & (page::bytes - 1)) >> p.grain_bits());
    for (std::uintptr_t at = begin; at < end; at += p.grain(), ++c) {
      if (c->state() == cell::mode::history) {
        free_history(c->a);
      }
      *c = {};
    }
    if (end - begin == page::bytes) {
      cells_bytes -= p.halvings == 0 ? 0 : p.count() * sizeof(cell);
      memory.drop(begin);
    }
  }

  // --- Races.

  /// The kind of a race of an operation with the current one.
  [[nodiscard]] race_kind kind_with(operation_id earlier) const {
    const operation_record& a = records[earlier];
    const operation_record& b = records[current];
    if (earlier == current) {
      return race_kind::duplicate;
    }
    if (a.order == memory_order::weak || b.order == memory_order::weak) {
      return race_kind::weak;
    }
    return mutual_with(earlier, a.scope, b.scope) ? race_kind::mixed_size : race_kind::scope;
  }

  void found(cell& c,
             race_side earlier,
             std::uint32_t element,
             std::uintptr_t address,
             std::size_t grain) {
    const race_kind kind = kind_with(earlier.operation);
    std::uint32_t told = kind == race_kind::duplicate ? cell::told_duplicate : cell::told_other;
    if (c.state() == cell::mode::history) {
      free_history(c.a);
    } else if (c.state() == cell::mode::racy) {
      told |= c.b_mark();
    }
    const race_side write = is_weak_write(current)             ? side(current, element)
                            : is_weak_write(earlier.operation) ? earlier
                                                               : race_side{};
    c = {write.operation, racy_element(write), 0, told << cell::mark_shift};
    if (owner.on_race) {
      each_race(kind, earlier, side(current, element), address, grain, owner.on_race);
    }
  }

  [[nodiscard]] bool is_weak_write(operation_id o) const {
    return records[o].order == memory_order::weak && records[o].kind == access_kind::write;
  }
  [[nodiscard]] static std::uint32_t racy_element(race_side s) noexcept {
    return (s.element_known ? s.element & cell::element_mask : cell::unknown_element) |
           static_cast<std::uint32_t>(cell::mode::racy) << cell::mark_shift;
  }

  /// A racy byte where elements of one store meet may also be what two accesses race for, and the
  /// other way round: the last weak write is enough to see the one after the other.
  void racy_access(cell& c, std::uintptr_t address, std::size_t grain, std::uint32_t element) {
    constexpr std::uint32_t all = cell::told_duplicate | cell::told_other;
    if (c.state() != cell::mode::racy || c.b_mark() == all) {
      return;
    }
    const bool same_store = c.a == current;
    const std::uint32_t kind = same_store ? cell::told_duplicate : cell::told_other;
    if ((c.b_mark() & kind) == 0 && c.a != 0 && !before(c.a)) {
      const race_side write = side(c.a, c.a_index());
      if (!passed_over(write, element, address, grain)) {
        found(c, write, element, address, grain);
        return;
      }
    }
    if (is_weak_write(current)) {
      c.a = current;
      c.a_element = racy_element(side(current, element));
    }
  }

  /// A race at a cell as races of one pair of elements each.
  template <class F>
  void each_race(race_kind kind,
                 race_side earlier,
                 race_side later,
                 std::uintptr_t address,
                 std::size_t grain,
                 const F& f) const {
    const auto step = std::min<std::size_t>(
        {records[earlier.operation].bytes, records[later.operation].bytes, grain});
    for (std::size_t at = 0; at < grain; at += step) {
      f(race{kind,
             address + at,
             static_cast<std::uint32_t>(std::min(step, grain - at)),
             resolve(earlier, address + at, at),
             resolve(later, address + at, at)});
    }
  }

  [[nodiscard]] static race_side side(operation_id o, std::uint32_t index) noexcept {
    return {o, index, index != cell::unknown_element};
  }
  /// The element at an address, which lies `offset` bytes behind the beginning of the cell that the
  /// side is of. Elements of operations that are consecutive as a whole are known by their address.
  [[nodiscard]] race_side
  resolve(race_side s, std::uintptr_t address, std::size_t offset = 0) const {
    const operation_record& r = records[s.operation];
    if (r.single && !s.element_known) {
      s.element = 0; // wherever the others lie that have its number
      s.element_known = true;
    } else if (s.element_known) {
      s.element = advanced(s.operation, s.element, offset);
    } else if (r.consecutive && r.bytes != 0 && address >= r.first) {
      s.element = static_cast<std::uint32_t>((address - r.first) / r.bytes);
      s.element_known = true;
    }
    return s;
  }

  // --- Histories and sets of readers.

  /// Gives back the sets of readers that no cell has any more: each time there are twice as many as
  /// were in use, or as much of them as of cells.
  void collect_sets() {
    sets.collect([&](auto f) {
      memory.for_each_page([&](std::uintptr_t, page& p) {
        for (std::size_t i = 0; i < p.count(); ++i) {
          cell& c = p.data()[i];
          if (c.state() == cell::mode::plain && c.b_mark() != 0) {
            reader_set set = readers_of(c);
            f(set);
            keep_readers(c, set);
          }
        }
      });
      for (history& h : histories) {
        if (!h.readers.empty()) {
          f(h.readers);
        }
      }
    });
    sets_looked_at = std::max({least_sets, sets.size() * 2, cells_bytes / reader_sets::node_bytes});
  }

  std::uint32_t new_history(history h) {
    overflow_bytes += sizeof(history) + (h.entries.size() * sizeof(history_entry));
    if (!free_histories.empty()) {
      const std::uint32_t n = free_histories.back();
      free_histories.pop_back();
      histories[n] = std::move(h);
      return n;
    }
    histories.push_back(std::move(h));
    return static_cast<std::uint32_t>(histories.size() - 1);
  }
  void free_history(std::uint32_t n) {
    if (histories[n].followed) {
      free_weak_set(histories[n].weak_set);
    }
    overflow_bytes -= sizeof(history) + (histories[n].entries.size() * sizeof(history_entry));
    histories[n] = {};
    free_histories.push_back(n);
  }

  detector& owner;
  std::vector<task> tasks;
  std::vector<lane> lanes;
  std::uint64_t agents = 0;
  large_vector<operation_record> records; ///< by operation_id
  std::vector<fence_record> fences;       ///< in the order of the execution
  bool orders_fences = false;             ///< there are sequentially consistent ones among them
  struct late_knowledge {
    agent_id agent = 0;
    std::shared_ptr<const fence_knowledge> own;
    std::shared_ptr<const fence_knowledge> inherited;
    clock before;
  };
  bool has_late_fences = false;             ///< reads of older writes have come behind fences
  late_fences forgotten_late;               ///< those of writes that are kept no longer
  std::optional<late_knowledge> late_known; ///< as it was asked for last
  clock last_awaited; ///< by one of them, what had happened before, and both together
  clock last_happened;
  clock last_joint;
  std::unordered_map<agent_id, knowledge> clocks; ///< of agents that synchronised

  operation_id next = 1;
  std::size_t operations = 0;               ///< some have a number together
  std::array<operation_id, 16> last_from{}; ///< by a hash of the place: the last one from there
  operation_id shared_from = 0;             ///< behind what the current agent has synchronised by
  bool follows_some = false;                ///< cells, further than a race
  operation_id current = 0;
  const operation* op = nullptr;
  bool entered = false; ///< somebody is the current agent
  agent_id current_agent = 0;
  operation_id entered_at = 0; ///< from this one on all are the current agent's
  bool has_returned = false;   ///< earlier ones may be its, too
  agent_id latest_agent = 0;   ///< the highest that has been current
  task_id current_task = 0;
  place current_place;
  knowledge current_clock;
  knowledge begun_with; ///< what it was as the agent began
  meetings met;         ///< at barriers
  knowledge begun;      ///< as the current operation began
  operation_id first_unordered = 1;
  operation_id cached = 0;
  bool cached_before = false;
  std::uintptr_t access_begin = 0;
  const write_name* stale = nullptr; ///< what the current element reads, if not the newest write
  std::optional<knowledge> snapshot; ///< what the current operation releases
  bool alone = false;                ///< it has one active element
  std::unordered_map<std::uint64_t, agent_id> points; ///< elements of releases, as agents
  struct point_run {
    agent_id next = 0;
    unsigned left = 0;
    unsigned size = 0;
  };
  std::unordered_map<std::uintptr_t, point_run> point_runs; ///< numbers for those, by address

  struct release_chain {
    std::uint32_t chain = 0;
    agent_id stands_for = 0;
  };
  token_order order;
  bool by_tokens = false;       ///< the current operation
  std::span<const token> after; ///< what it waits for
  const std::function<bool(operation_id)> waits_for_operation = [this](operation_id o) {
    return waits_for(records[o].waited);
  };
  knowledge all_known;                           ///< by its agent, of whatever operation
  std::unordered_map<token, knowledge> known_by; ///< by what waits for a token; none: nothing
  std::unordered_map<agent_id, std::vector<release_chain>> release_chains;

  shadow memory;
  static constexpr std::size_t least_sets = std::size_t{1} << 19;
  reader_sets sets;
  std::size_t sets_looked_at = least_sets; ///< how many there are when they are collected
  std::vector<history> histories;
  static constexpr unsigned places_bits = 15;
  std::vector<std::uint32_t> places_of_reads; ///< hints, among entries; empty: none was asked for
  std::vector<std::uint32_t> free_histories;
  std::vector<std::vector<weak_access>> weak_sets; ///< of histories that are followed further
  std::vector<std::uint32_t> free_weak_sets;
  synchronization synced;
  acquisitions acquired;                  ///< by the elements of the operation that is performed
  std::optional<write_histories> written; ///< while what is overwritten is kept
  bool on_synchronizing_page = false;
  bool hosts_are_strong = false; ///< host code performs atomic operations, too
  bool serial = true;            ///< every task so far is ordered after all before it

  std::size_t cells_bytes = 0;
  std::size_t overflow_bytes = 0;
  std::uint64_t accesses = 0;
};

detector::detector()
    : state_(std::make_unique<state>(*this)) {}
detector::~detector() = default;

agent_id detector::begin_task(task_order order,
                              std::uint64_t blocks,
                              std::uint64_t threads,
                              task_kind kind) {
  state& s = *state_;
  TILESIM_ASSERT(threads != 0, blocks, threads);
  TILESIM_ASSERT(order.number != 0 && order.number != never, order.lane, order.number);
  TILESIM_ASSERT(
      order.at(order.lane) < order.number, order.lane, order.at(order.lane), order.number);
  if (order.lane >= s.lanes.size()) {
    s.lanes.resize(order.lane + 1);
  }
  for (lane& l : s.lanes) {
    if (l.first_operation.empty()) {
      l.first_operation.push_back(never);
      l.agent = static_cast<agent_id>(s.agents++);
    }
  }
  auto& first = s.lanes[order.lane].first_operation;
  if (order.number >= first.size()) {
    first.resize(order.number + 1, never);
  }
  knowledge known_before;
  const auto agent = static_cast<agent_id>(s.agents);
  for (std::uint32_t l = 0; l < s.lanes.size(); ++l) {
    const std::size_t known = l < order.before.size() ? order.before[l] : 0;
    const std::size_t begun = s.lanes[l].first_operation.size();
    known_before = known_before.with(s.lanes[l].agent, static_cast<operation_id>(known));
    s.serial =
        s.serial && (l == order.lane ? begun <= order.number + std::size_t{1} : begun <= known + 1);
  }
  s.tasks.push_back({.order = std::move(order),
                     .first_agent = agent,
                     .agents = blocks * threads,
                     .threads = threads,
                     .kind = kind,
                     .known = std::move(known_before)});
  s.agents += blocks * threads;
  return agent;
}

operation_id detector::perform(const operation& o) {
  return state_->perform(o);
}

token detector::join(std::span<const token> all) {
  return state_->join(all);
}

operation_id detector::next() const {
  return state_->next;
}

void detector::fence(agent_id agent, memory_order order, memmodel::scope scope, const void* site) {
  state_->fence(agent, order, scope, site);
}

void detector::meet(std::span<const agent_id> who, meeting_of kind) {
  state_->meet(who, kind);
}

knowledge detector::done_by(agent_id agent) {
  return state_->done_by(agent);
}

void detector::learn(agent_id agent, const knowledge& more) {
  state_->learn(agent, more);
}

bool detector::comes_before(operation_id earlier, agent_id later) {
  return state_->comes_before(earlier, later);
}

void detector::keep_writes(bool keep) {
  state_->keep_writes(keep);
}

bool detector::keeps_writes() const {
  return state_->written.has_value();
}

void detector::overwrote(std::uint32_t element,
                         std::uintptr_t address,
                         std::uint32_t bytes,
                         std::uint64_t before) {
  if (state_->written) {
    state_->overwrote(element, address, bytes, before);
  }
}

void detector::readable(const operation& o,
                        std::uintptr_t address,
                        std::uint32_t bytes,
                        std::vector<older_value>& out,
                        older_bound* bound) {
  if (state_->written) {
    state_->readable(o, address, bytes, out, bound);
  }
}

void detector::readable_behind_fence(const operation& o,
                                     memmodel::scope fence,
                                     std::uintptr_t address,
                                     std::uint32_t bytes,
                                     std::vector<older_value>& out,
                                     older_bound* bound) {
  if (state_->written) {
    state_->readable_behind_fence(o, fence, address, bytes, out, bound);
  }
}

write_name detector::newest(std::uintptr_t address, std::uint32_t bytes) const {
  return state_->written ? state_->written->newest(address, bytes) : write_name{};
}

void detector::forget(std::uintptr_t begin, std::size_t bytes) {
  state_->forget(begin, begin + bytes);
}

const operation_record& detector::record(operation_id o) const {
  TILESIM_ASSERT(o < state_->records.size(), o, state_->records.size());
  return state_->records[o];
}

const std::vector<fence_record>& detector::fences() const {
  return state_->fences;
}

bool detector::scope_holds(memmodel::scope s, operation_id of, operation_id other) const {
  const operation_record& x = state_->records[of];
  const operation_record& y = state_->records[other];
  return x.agent == y.agent || mutual(state_->place_of(x.agent, x.task),
                                      s,
                                      state_->place_of(y.agent, y.task),
                                      memmodel::scope::sys);
}

task_id detector::task_of(agent_id a) const {
  return state_->task_number(a);
}

agent_id detector::first_agent(task_id t) const {
  return state_->tasks[t].first_agent;
}

detector::usage detector::used() const {
  state& s = *state_;
  std::size_t pages = 0;
  std::size_t whole = 0;
  s.memory.for_each_page([&](std::uintptr_t, const page& p) {
    ++pages;
    whole += p.halvings == 0 ? 1U : 0U;
  });
  return {pages * page::bytes,
          s.cells_bytes + whole * sizeof(cell),
          pages * sizeof(page),
          s.overflow_bytes + s.sets.bytes() + s.order.bytes(),
          s.operations,
          s.accesses};
}

} // namespace tilesim::sim::detect
