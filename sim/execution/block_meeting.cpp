// Barriers of blocks: who is there, who is waited for, who was to be at another one.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/block_meeting.hpp"

#include "memmodel/assertion.hpp"
#include "sim/contract/frames_text.hpp"
#include "sim/contract/number_ranges.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/passing_on.hpp"
#include "sim/execution/signals.hpp"
#include "sim/memory/block_memory.hpp"
#include "sim/memory/engine.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"

#include <tilesim/detail/device_sync.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace tilesim::sim {

namespace {

constexpr std::size_t most_groups = 8;

/// Where in the source a call stands: compilers make several of one.
std::string source_of(const void* site) {
  const auto frames = resolve(site);
  return frames.empty() ? fmt::format("{}", site) : to_string(frames.front());
}

std::string block_text(const thread_block& b) {
  const sim_thread& t = *b.barrier.waiting.front();
  return fmt::format(
      "block ({},{},{}) of {}", t.block.x, t.block.y, t.block.z, b.launch->kernel.name);
}

/// They are all there, but not at one place.  [CUDA C++ Programming Guide: __syncthreads]
void report_divergence(context& c, const thread_block& b) {
  std::vector<std::pair<const sim_thread*, std::vector<std::uint32_t>>> groups;
  for (const sim_thread* t : b.barrier.waiting) {
    auto at = std::ranges::find_if(groups,
                                   [&](const auto& g) { return meet_at_one_place(*g.first, *t); });
    if (at == groups.end()) {
      at = groups.insert(groups.end(), {t, {}});
    }
    at->second.push_back(t->rank);
  }
  std::vector<std::string> details;
  for (const auto& [first, numbers] : groups) {
    if (details.size() == most_groups) {
      details.push_back(fmt::format("and others at {} places more", groups.size() - most_groups));
      break;
    }
    details.push_back(fmt::format("{} of {} {} at {}: {}",
                                  ranges_text(numbers),
                                  block_text(b),
                                  numbers.size() == 1 ? "waits" : "wait",
                                  place(first->meets_at),
                                  first->meets_by));
  }
  std::vector<turn> parties;
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    parties.push_back({b.launch->id, groups[i].first->linear_thread(), {}});
  }
  c.found.add(groups[0].first->meets_at,
              {.kind = finding_kind::barrier_divergence,
               .message = "threads of one block wait at different barriers",
               .details = std::move(details),
               .remedy = "let all threads of the block come to the same __syncthreads()",
               .other = groups[1].first->meets_at,
               .parties = std::move(parties)});
}

void note_who_has_left(context& c, const thread_block& b, const void* site) {
  if (b.ended == 0 || !c.opts.reports(finding_kind::barrier_left) ||
      c.found.repeated(site, finding_kind::barrier_left)) {
    return;
  }
  std::vector<std::uint32_t> gone;
  for (std::uint32_t i = 0; i < b.size(); ++i) {
    if (b.members[i] == nullptr) {
      gone.push_back(i);
    }
  }
  c.found.add(site,
              {.kind = finding_kind::barrier_left,
               .message = "barrier that threads which have ended never come to",
               .details = {fmt::format("{} of {} {} ended",
                                       ranges_text(gone),
                                       block_text(b),
                                       gone.size() == 1 ? "has" : "have")},
               .remedy = "let all threads of the block come to the barrier: a device of compute "
                         "capability below 7.0 would wait for them",
               .severity = finding::level::note});
}

} // namespace

bool is_one_place(const void* a, const void* b) {
  if (a == b) {
    return true;
  }
  static std::map<std::pair<const void*, const void*>, bool>& known =
      *new std::map<std::pair<const void*, const void*>, bool>;
  const auto [at, is_new] = known.try_emplace(std::minmax(a, b), false);
  if (is_new) {
    at->second = source_of(a) == source_of(b);
  }
  return at->second;
}

bool meet_at_one_place(const sim_thread& a, const sim_thread& b) {
  const auto is_unaligned = [](const sim_thread& t) {
    return std::string_view(t.meets_by) == unaligned_barrier_name;
  };
  return a.meets_at == b.meets_at || (is_unaligned(a) && is_unaligned(b)) ||
         (is_one_place(a.meets_at, b.meets_at) && std::string_view(a.meets_by) == b.meets_by);
}

bool stands_for_block(const sim_thread& t) {
  const auto& members = t.team->members;
  return *std::ranges::find_if(members, [](const sim_thread* m) { return m != nullptr; }) == &t;
}

std::string ranges_text(std::span<const std::uint32_t> numbers) {
  return (numbers.size() == 1 ? "thread " : "threads ") + number_ranges(numbers);
}

// --- Blocks begin and end.

void execution::impl::join_block(worker& w) {
  sim_thread& t = w.thread;
  launch_state& l = *t.launch;
  if (l.starting == nullptr) {
    if (idle_blocks.empty()) {
      blocks.push_back(std::make_unique<thread_block>());
      idle_blocks.push_back(blocks.back().get());
    }
    l.starting = idle_blocks.back();
    idle_blocks.pop_back();
    l.starting->launch = &l;
    l.starting->number = t.linear_block();
    l.starting->serial = ++last_block;
    l.starting->begun = l.starting->ended = 0;
    l.starting->gathering = 0;
    l.starting->barrier = {};
    l.starting->warps.clear();
    l.starting->parts.clear();
    l.starting->phased.clear();
    l.starting->members.assign(l.threads_per_block, nullptr);
  }
  thread_block& b = *l.starting;
  b.members[b.begun] = &t;
  t.team = &b;
  if (++b.begun == b.size()) {
    l.starting = nullptr;
  }
}

void execution::impl::leave_block(const sim_thread& t) {
  thread_block& b = *t.team;
  b.members[t.rank] = nullptr;
  ++b.ended;
  if (b.ended == b.size()) {
    watchers.tell([&](watcher& a) { a.block_ends(b); });
    give_back_shared_memory(b);
    idle_blocks.push_back(&b);
    return;
  }
  if (!b.warps.empty()) {
    const std::uint32_t warp = t.rank / warp_size;
    open_warp(b, warp);
    if (b.gathering != 0) {
      open_active(b, warp);
    }
  }
  leave_phases(b, t);
  for (part_barrier& p : b.parts) {
    if (!p.waiting.empty() && is_there(b, p)) {
      open_part(b, p);
    }
  }
  if (!b.barrier.waiting.empty() && b.is_whole() &&
      b.barrier.waiting.size() + b.ended == b.size()) {
    open_barrier(b);
  }
}

void execution::impl::give_back_shared_memory(thread_block& b) {
  if (b.memory == nullptr) {
    return;
  }
  for (const shared_object& o : b.memory->objects) {
    owner.exec->memory().freed(o.begin, o.size);
  }
  owner.shared.give_back(*b.memory);
  b.memory = nullptr;
}

// --- The barrier.

void execution::impl::open_barrier(thread_block& b) {
  std::vector<sim_thread*>& there = b.barrier.waiting;
  const void* const last_site = there.back()->meets_at;
  there.clear(); // they are all that have not ended, in order
  std::ranges::copy_if(
      b.members, std::back_inserter(there), [](const sim_thread* t) { return t != nullptr; });
  if (!b.barrier.one_place) {
    report_divergence(owner, b);
  }
  note_who_has_left(owner, b, last_site);
  const meeting m{.block = b,
                  .threads = there,
                  .all = true,
                  .site = last_site,
                  .what = there.front()->meets_by};
  owner.exec->memory().barrier(m);
  watchers.tell([&](watcher& w) { w.met(m); });
  const std::uint64_t counted = std::uint64_t{b.barrier.in_favour} << 32U | there.size();
  for (sim_thread* t : there) {
    t->meets_with = counted;
  }
  go_on_after_meeting(there);
  there.clear();
  b.barrier.in_favour = 0;
  b.barrier.one_place = true;
}

bool execution::impl::is_there(const thread_block& b, const part_barrier& p) {
  const std::uint32_t end = std::min(p.first + p.count, b.size());
  return b.begun >= end &&
         static_cast<std::size_t>(std::count_if(
             b.members.begin() + p.first, b.members.begin() + end, [](const sim_thread* t) {
               return t != nullptr;
             })) == p.waiting.size();
}

void execution::impl::open_part(thread_block& b, part_barrier& p) {
  const sim_thread& last = *p.waiting.back();
  const void* const site = last.meets_at;
  std::vector<sim_thread*> there = std::exchange(p.waiting, {});
  std::ranges::sort(there, {}, [](const sim_thread* t) { return t->rank; });
  const meeting m{.block = b, .threads = there, .site = site, .what = last.meets_by};
  owner.exec->memory().barrier(m);
  watchers.tell([&](watcher& w) { w.met(m); });
  go_on_after_meeting(there);
}

void execution::impl::go_on_after_meeting(std::span<sim_thread* const> there) {
  const bool with_last = std::ranges::find(there, running) != there.end();
  const std::size_t waited = there.size() - (with_last ? 1 : 0);
  const turn_queue::places next = runnable.add(waited);
  std::size_t i = 0;
  for (sim_thread* const t : there) {
    t->meets_at = nullptr;
    if (t != running) {
      t->self->state = worker::status::running;
      next.all[i] = t->self;
      next.numbers[i++] = t->number;
    }
  }
  if (with_last) {
    running->spin.progressed();
  }
  meeting_count -= waited;
}

bool is_explored(const sim_thread& t) {
  return impl_of(*t.owner->exec).taker != nullptr;
}

void refuse_to_explore(sim_thread& t, const void* site, const std::string& what, const char* why) {
  impl_of(*t.owner->exec)
      .taker->refuses(t, fmt::format("{} at {} is not explored: {}", what, place(site), why));
  TILESIM_ASSERT(false); // it goes no further
}

void refuse_without_block(const void* site, const std::string& what) {
  context::current().found.stop(
      site,
      {.kind = finding_kind::wrong_context,
       .message = fmt::format("{} outside a __global__ kernel", what),
       .remedy = "the threads of a block meet, and share memory, in __global__ kernels and "
                 "what they call"});
}

namespace {

/// All of a block say whether they are in favour.
barrier_count explored_vote(
    launch_taker& taker, sim_thread& t, const void* site, std::uint64_t point, bool in_favour) {
  std::vector<exchanged> all(t.team->size());
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    all[i] = {.lane = i, .value = i == t.rank && in_favour ? 1U : 0U};
  }
  taker.exchanges(t, site, point, t.rank, all);
  barrier_count out{.threads = t.team->size(), .in_favour = 0};
  for (const exchanged& e : all) {
    out.in_favour += e.value != 0 ? 1U : 0U;
  }
  return out;
}

[[gnu::noinline]] barrier_count meet_explored_block(
    launch_taker& taker, sim_thread& t, const void* site, const char* what, bool in_favour) {
  const thread_block& b = *t.team;
  const std::uint64_t point = (b.serial * 64) << 32U; // no warp's: meet_warp
  taker.meets(t, site, {point, b.size()});
  return std::string_view(what) == barrier_names.front() || what == grid_barrier_name ||
                 what == unaligned_barrier_name
             ? barrier_count{}
             : explored_vote(taker, t, site, point | 1U, in_favour);
}

} // namespace

sim_thread& begin_meeting(const void* site, const char* what) {
  sim_thread* const t = execution::current();
  if (t == nullptr || t->team == nullptr) {
    refuse_without_block(site, what);
  }
  run_desk& state = t->owner->exec->desk();
  state.begins(*t, site, what, step_kind::compute);
  t->site = site;
  ++t->operations;
  state.count_operation(site);
  if (state.following != nullptr) {
    state.following->begins(*t, site, what);
  }
  if (state.control == nullptr && interrupt_requested()) {
    t->owner->exec->report_interrupt();
  }
  return *t;
}

barrier_count meet_block(sim_thread& t, const void* site, const char* what, bool in_favour) {
  thread_block& b = *t.team;
  execution::impl& run = impl_of(*t.owner->exec);
  if (run.taker != nullptr) { // it runs alone
    return meet_explored_block(*run.taker, t, site, what, in_favour);
  }
  t.meets_at = site;
  t.meets_by = what;
  run.watchers.tell([&](watcher& w) { w.comes_to_meet(t); });
  b.barrier.in_favour += in_favour ? 1U : 0U;
  b.barrier.one_place = b.barrier.one_place && (b.barrier.waiting.empty() ||
                                                meet_at_one_place(*b.barrier.waiting.front(), t));
  b.barrier.waiting.push_back(&t);
  TILESIM_ASSERT(b.barrier.waiting.size() + b.ended <= b.size(), b.ended, b.size());
  if (b.is_whole() && b.barrier.waiting.size() + b.ended == b.size()) {
    run.open_barrier(b);
  } else {
    run.wait_for_others(t);
  }
  return {.threads = static_cast<std::uint32_t>(t.meets_with),
          .in_favour = static_cast<std::uint32_t>(t.meets_with >> 32U)};
}

void meet_part(
    sim_thread& t, const void* site, const char* what, std::uint32_t first, std::uint32_t count) {
  thread_block& b = *t.team;
  execution::impl& run = impl_of(*t.owner->exec);
  if (run.taker != nullptr) {
    const std::uint64_t point = (b.serial * 64) << 32U | 1U << 31U | first << 11U | count;
    run.taker->meets(t, site, {point, std::min(count, b.size() - first)});
    return;
  }
  t.meets_at = site;
  t.meets_by = what;
  run.watchers.tell([&](watcher& w) { w.comes_to_meet(t); });
  auto p = std::ranges::find_if(
      b.parts, [&](const part_barrier& one) { return one.first == first && one.count == count; });
  if (p == b.parts.end()) {
    b.parts.emplace_back().first = first;
    b.parts.back().count = count;
    p = std::prev(b.parts.end());
  }
  p->waiting.push_back(&t);
  if (execution::impl::is_there(b, *p)) {
    run.open_part(b, *p);
  } else {
    run.wait_for_others(t);
  }
}

namespace {

/// What both come to where nobody looks, in one function: see passing_on.hpp.
[[gnu::always_inline]] inline barrier_count
meet_quickly(sim_thread& t, const void* site, const char* what, bool in_favour) {
  thread_block& b = *t.team;
  worker& w = *t.self;
  execution::impl& run = *w.run;
  t.site = site;
  ++t.operations;
  ++run.made;
  t.meets_at = site;
  t.meets_by = what;
  b.barrier.in_favour += in_favour ? 1U : 0U;
  if (!b.barrier.waiting.empty() && b.barrier.waiting.front()->meets_at != site) [[unlikely]] {
    b.barrier.one_place = b.barrier.one_place && meet_at_one_place(*b.barrier.waiting.front(), t);
  }
  b.barrier.waiting.push_back(&t);
  if (b.barrier.waiting.size() + b.ended == b.size() && b.is_whole()) {
    run.open_barrier(b);
  } else if (fiber::can_pass() && b.gathering == 0 && !run.runnable.empty()) {
    w.state = worker::status::meets;
    ++run.meeting_count;
    run.pass_on_quickly(w);
    t.spin.progressed();
  } else {
    run.wait_for_others(t);
  }
  return {.threads = static_cast<std::uint32_t>(t.meets_with),
          .in_favour = static_cast<std::uint32_t>(t.meets_with >> 32U)};
}

} // namespace

void execution::impl::open_grid(launch_state& l) {
  std::vector<sim_thread*>& there = l.at_grid_barrier;
  const sim_thread& last = *there.back();
  owner.exec->memory().barrier({.block = *last.team,
                                .threads = there,
                                .grid = true,
                                .site = last.meets_at,
                                .what = last.meets_by});
  go_on_after_meeting(there);
  there.clear();
}

void meet_grid(sim_thread& t, const void* site, const char* what) {
  launch_state& l = *t.launch;
  if (launch_taker* const taker = impl_of(*t.owner->exec).taker; taker != nullptr) {
    taker->meets(t, site, {points_of_grids | l.id, static_cast<std::uint32_t>(l.threads())});
    return;
  }
  meet_block(t, site, what, false);
  if (stands_for_block(t)) {
    t.meets_at = site;
    t.meets_by = what;
    l.at_grid_barrier.push_back(&t);
    if (l.at_grid_barrier.size() >= l.blocks) {
      impl_of(*t.owner->exec).open_grid(l);
    } else {
      impl_of(*t.owner->exec).wait_for_others(t);
    }
  }
  meet_block(t, site, what, false);
}

} // namespace tilesim::sim

namespace tilesim::detail {

int block_barrier(vote how, int predicate) noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  const char* const name = sim::barrier_names[static_cast<unsigned>(how)];
  sim::sim_thread* const t = sim::execution::impl::running;
  const sim::barrier_count counted =
      t != nullptr && t->team != nullptr && t->self->run->nobody_looks()
          ? sim::meet_quickly(*t, site, name, predicate != 0)
          : sim::meet_block(sim::begin_meeting(site, name), site, name, predicate != 0);
  switch (how) {
  case vote::none:
    return 0;
  case vote::count:
    return static_cast<int>(counted.in_favour);
  case vote::all:
    return counted.in_favour == counted.threads ? 1 : 0;
  case vote::any:
    return counted.in_favour != 0 ? 1 : 0;
  }
  return 0;
}

} // namespace tilesim::detail
