// Arrivals and phases.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/phased_meeting.hpp"

#include "sim/core/context.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/memory/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

/// What a person calls them; those of groups lie behind the named ones.
constexpr std::array phased_names{"named barrier 0",
                                  "named barrier 1",
                                  "named barrier 2",
                                  "named barrier 3",
                                  "named barrier 4",
                                  "named barrier 5",
                                  "named barrier 6",
                                  "named barrier 7",
                                  "named barrier 8",
                                  "named barrier 9",
                                  "named barrier 10",
                                  "named barrier 11",
                                  "named barrier 12",
                                  "named barrier 13",
                                  "named barrier 14",
                                  "named barrier 15",
                                  "thread_block::barrier_wait",
                                  "grid_group::barrier_wait"};
constexpr std::uint32_t of_block = named_barriers;
constexpr std::uint32_t of_grid = named_barriers + 1;

std::uint32_t in_whole_warps(std::uint32_t threads) {
  return (threads + warp_size - 1) / warp_size * warp_size;
}

phased_barrier& barrier_of(thread_block& b, std::uint32_t number) {
  const auto known = std::ranges::find(b.phased, number, &phased_barrier::number);
  if (known != b.phased.end()) {
    return *known;
  }
  b.phased.emplace_back().number = number;
  return b.phased.back();
}

bool all_have_arrived(const thread_block& b, const phased_barrier& p) {
  return p.expected != 0 ? p.arrived >= p.expected
                         : b.is_whole() && p.arrived + b.ended == b.size();
}

/// Of a warp all threads that have not ended arrive, in one way: then it counts, as one of 32
/// threads. (So an H200 has it.)  [PTX: barrier, "in multiples of warp size"]
void count_warp(const thread_block& b, phased_barrier& p, std::uint32_t warp) {
  p.warps.resize((b.size() + warp_size - 1) / warp_size);
  const std::uint32_t begin = warp * warp_size;
  const std::uint32_t end = std::min(begin + warp_size, b.size());
  std::uint8_t how = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    if (p.by[i] != 0) {
      how = p.by[i];
    }
  }
  for (std::uint32_t i = begin; i < end; ++i) {
    const bool has_ended = i < b.begun && b.members[i] == nullptr;
    if (how == 0 || (p.by[i] != how && (p.by[i] != 0 || !has_ended))) {
      return;
    }
  }
  p.arrived += p.warps[warp] ? 0 : warp_size;
  p.warps[warp] = true;
}

void add_arrival(phased_barrier& p, const sim_thread& t, coming how) {
  p.by.resize(t.team->size());
  p.by[t.rank] = how == coming::sync ? 1 : 2;
  if (p.number < of_block && p.expected != 0) {
    count_warp(*t.team, p, t.rank / warp_size);
  } else {
    ++p.arrived;
  }
}

/// The thread has arrived, and does not wait.
void arrives(sim_thread& t, phased_barrier& p) {
  add_arrival(p, t, coming::arrive);
  p.done = t.owner->exec->memory().arrives(t, p.done);
}

[[noreturn]] void refuse(const sim_thread& t,
                         const void* site,
                         std::string message,
                         const std::string& fact,
                         std::string remedy) {
  t.owner->found.stop(
      site,
      {.kind = finding_kind::named_barrier,
       .message = std::move(message),
       .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name), fact},
       .remedy = std::move(remedy)});
}

void check_named(const sim_thread& t, const void* site, std::uint32_t number, std::uint32_t count) {
  if (number >= named_barriers) {
    refuse(t,
           site,
           fmt::format("barrier number {} of a block", number),
           fmt::format("a block has {} of them, 0 to {}", named_barriers, named_barriers - 1),
           "take one of these");
  }
  const std::uint32_t most = in_whole_warps(t.team->size());
  if (count % warp_size != 0 || count > most) {
    refuse(t,
           site,
           fmt::format("named barrier {} for {} threads", number, count),
           fmt::format("a barrier counts warps: a multiple of {}, at most {}, which is the block",
                       warp_size,
                       most),
           "give the number of threads of the warps that come there");
  }
}

/// [PTX: barrier, "For .aligned form of instruction … all threads in the warp must execute the same
/// barrier instruction"]
void look_for_divergence(const sim_thread& t, const void* site, phased_barrier& p) {
  thread_block& b = *t.team;
  p.aligned.resize(in_whole_warps(b.size()) / warp_size);
  lane_arrival& first = p.aligned[t.rank / warp_size];
  if (first.site == nullptr) {
    first = {site, t.rank};
    return;
  }
  findings& found = t.owner->found;
  if (is_one_place(first.site, site) || found.repeated(site, finding_kind::barrier_divergence)) {
    return;
  }
  const sim_thread* const other = b.members[first.rank];
  std::vector<turn> parties{{t.launch->id, t.linear_thread(), {}}};
  if (other != nullptr) {
    parties.push_back({t.launch->id, other->linear_thread(), {}});
  }
  found.add(site,
            {.kind = finding_kind::barrier_divergence,
             .message = fmt::format(
                 "lanes of one warp come to named barrier {} at different places", p.number),
             .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name),
                         fmt::format("lane {} of its warp has come to it at {}",
                                     first.rank % warp_size,
                                     place(first.site))},
             .remedy = "let all lanes of a warp come to one bar.sync, or write barrier.sync, which "
                       "they may come to one by one",
             .other = first.site,
             .parties = std::move(parties)});
}

std::string count_text(std::uint32_t count) {
  return count == 0 ? "all" : std::to_string(count);
}

/// All that come in one phase name the same count, or none; the first of them says which. (To an
/// H200 the block's own number and none are different, too: an illegal instruction.)
void agree_on_count(const sim_thread& t, const void* site, phased_barrier& p, std::uint32_t count) {
  if (p.by.empty()) {
    p.expected = count;
  } else if (count != p.expected) {
    refuse(t,
           site,
           fmt::format("named barrier {} for {} threads, where those that have come gave {}",
                       p.number,
                       count_text(count),
                       count_text(p.expected)),
           fmt::format("{} have come so far", p.arrived),
           "let all that come to it give the same number");
  }
}

} // namespace

void execution::impl::end_phase(thread_block& b, phased_barrier& p, const sim_thread& last) {
  std::vector<sim_thread*> there = std::exchange(p.waiting, {});
  std::ranges::sort(there, {}, [](const sim_thread* t) { return t->rank; });
  p.last = std::exchange(p.done, {});
  p.arrived = 0;
  p.by.clear();
  p.warps.clear();
  p.aligned.clear();
  ++p.phase;
  if (there.empty()) {
    return;
  }
  const bool whole = p.number < of_block && there.size() + b.ended == b.size();
  const meeting m{.block = b,
                  .threads = there,
                  .all = whole,
                  .site = last.meets_at == nullptr ? there.back()->meets_at : last.meets_at,
                  .what = there.front()->meets_by};
  if (p.number < of_block) { // who waits has arrived as he came
    owner.exec->memory().barrier(m);
  }
  if (p.last != nullptr) {
    for (sim_thread* const t : there) {
      owner.exec->memory().comes_behind(*t, *p.last);
    }
  }
  if (p.number != of_grid) {
    watchers.tell([&](watcher& w) { w.met(m); });
  }
  go_on_after_meeting(there);
}

void execution::impl::leave_phases(thread_block& b, const sim_thread& t) {
  for (phased_barrier& p : b.phased) {
    if (p.by.empty()) {
      continue;
    }
    if (p.expected != 0) {
      count_warp(b, p, t.rank / warp_size);
    } else {
      p.arrived -= p.by[t.rank] != 0 ? 1U : 0U;
    }
    if (all_have_arrived(b, p)) {
      end_phase(b, p, t);
    }
  }
}

void meet_named(sim_thread& t,
                const void* site,
                std::uint32_t number,
                std::uint32_t count,
                coming how,
                bool aligned) {
  check_named(t, site, number, count);
  thread_block& b = *t.team;
  if (number == 0 && count == 0) { // it is that of __syncthreads
    meet_block(t, site, aligned ? barrier_names.front() : unaligned_barrier_name, false);
    return;
  }
  execution::impl& run = impl_of(*t.owner->exec);
  if (run.taker != nullptr) { // it runs alone
    const std::uint32_t most = in_whole_warps(b.size());
    const std::uint32_t threads = count == 0 || count == most ? b.size() : count;
    const std::uint64_t point = (b.serial * 64) << 32U | 1U << 30U | number << 11U | threads;
    run.taker->meets(t, site, {point, threads, how == coming::sync});
    return;
  }
  phased_barrier& p = barrier_of(b, number);
  agree_on_count(t, site, p, count);
  if (aligned) {
    look_for_divergence(t, site, p);
  }
  if (how == coming::arrive) {
    arrives(t, p);
  } else {
    t.meets_at = site;
    t.meets_by = phased_names.at(number);
    run.watchers.tell([&](watcher& w) { w.comes_to_meet(t); });
    add_arrival(p, t, coming::sync);
    p.waiting.push_back(&t);
  }
  if (all_have_arrived(b, p)) {
    run.end_phase(b, p, t);
  } else if (how == coming::sync) {
    run.wait_for_others(t);
  }
}

std::uint64_t arrive_in_block(sim_thread& t, const void* site) {
  execution::impl& run = impl_of(*t.owner->exec);
  if (run.taker != nullptr) {
    refuse_to_explore(t, site, "thread_block::barrier_arrive");
  }
  phased_barrier& p = barrier_of(*t.team, of_block);
  if (!p.by.empty() && p.by[t.rank] != 0) {
    t.owner->found.stop(
        site,
        {.kind = finding_kind::barrier_arrivals,
         .message = "second arrival of a thread in one phase of its block's barrier",
         .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name)},
         .remedy = "wait by barrier_wait before it arrives again"});
  }
  const std::uint64_t phase = p.phase;
  arrives(t, p);
  if (all_have_arrived(*t.team, p)) {
    run.end_phase(*t.team, p, t);
  }
  return phase;
}

namespace {

void wait_for_phase(sim_thread& t, const void* site, phased_barrier& p, std::uint64_t phase) {
  execution::impl& run = impl_of(*t.owner->exec);
  if (p.phase > phase) {
    if (p.last != nullptr) {
      t.owner->exec->memory().comes_behind(t, *p.last);
    }
    return;
  }
  t.meets_at = site;
  t.meets_by = phased_names.at(p.number);
  run.watchers.tell([&](watcher& w) { w.comes_to_meet(t); });
  p.waiting.push_back(&t);
  run.wait_for_others(t);
}

phased_barrier& barrier_of_grid(launch_state& l) {
  if (l.of_grid == nullptr) {
    l.of_grid = std::make_shared<phased_barrier>();
    l.of_grid->number = of_grid;
    l.of_grid->expected = static_cast<std::uint32_t>(l.blocks);
  }
  return *l.of_grid;
}

} // namespace

void wait_in_block(sim_thread& t, const void* site, std::uint64_t phase) {
  wait_for_phase(t, site, barrier_of(*t.team, of_block), phase);
}

std::uint64_t arrive_in_grid(sim_thread& t, const void* site) {
  execution::impl& run = impl_of(*t.owner->exec);
  if (run.taker != nullptr) {
    refuse_to_explore(t, site, "grid_group::barrier_arrive");
  }
  phased_barrier& p = barrier_of_grid(*t.launch);
  const std::uint64_t phase = p.phase; // it does not end before this block has arrived
  meet_block(t, site, grid_barrier_name, false);
  if (stands_for_block(t)) {
    arrives(t, p);
    if (p.arrived >= p.expected) {
      run.end_phase(*t.team, p, t);
    }
  }
  return phase;
}

void wait_in_grid(sim_thread& t, const void* site, std::uint64_t phase) {
  if (stands_for_block(t)) {
    wait_for_phase(t, site, barrier_of_grid(*t.launch), phase);
  }
  meet_block(t, site, grid_barrier_name, false);
}

std::string arrivals_at_meeting(const sim_thread& t) {
  if (t.team == nullptr || t.meets_by == nullptr) {
    return {};
  }
  for (const phased_barrier& p : t.team->phased) {
    if (p.expected != 0 && std::string_view(phased_names.at(p.number)) == t.meets_by) {
      return fmt::format("{} of {} threads have come", p.arrived, p.expected);
    }
  }
  return {};
}

} // namespace tilesim::sim
