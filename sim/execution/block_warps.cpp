// Warps: which lanes are there, who is waited for, what they give one another.
//
// A mask names lanes; each of them that has not ended is waited for until it comes to the same
// operation with the same mask, wherever in the code.  [PTX: shfl.sync, vote.sync, bar.warp.sync]
// Which lanes are active together is nobody's promise: here those that come to one place before all
// others of their warp have come to a stop somewhere else.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/passing_on.hpp"
#include "sim/memory/engine.hpp"
#include "sim/ops/warp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tilesim::sim {

namespace {

using detail::warp_operation;
using detail::warp_request;

warp_request& request_of(const sim_thread& t) {
  return *reinterpret_cast<warp_request*>(t.meets_with);
}

unsigned lane_of(const sim_thread& t) {
  return t.rank % warp_size;
}

bool is_shuffle(warp_operation o) {
  return o == warp_operation::shuffle || o == warp_operation::shuffle_up ||
         o == warp_operation::shuffle_down || o == warp_operation::shuffle_xor;
}

bool same_operation(const warp_request& a, const warp_request& b) {
  return a.operation == b.operation && a.mask == b.mask;
}

std::string who(const sim_thread& t) {
  return fmt::format("lane {}, {} of {}", lane_of(t), t.name(), t.launch->kernel.name);
}

void report(context& c, const sim_thread& t, finding_text f) {
  if (c.opts.reports(f.kind) && !c.found.repeated(t.meets_at, f.kind)) {
    c.found.add(t.meets_at, std::move(f));
  }
}

/// What is wrong with a request by itself. False: nobody can be waited for.
bool check(context& c, const sim_thread& t, warp_request& r) {
  if (is_shuffle(r.operation) &&
      (r.width == 0 || r.width > warp_size || !std::has_single_bit(r.width))) {
    report(c,
           t,
           {.kind = finding_kind::warp_mask,
            .message = fmt::format("{} with a width of {}", t.meets_by, static_cast<int>(r.width)),
            .details = {fmt::format("by {}", who(t)), "the run goes on with 32"},
            .remedy = "a width is 1, 2, 4, 8, 16 or 32"});
    r.width = warp_size;
  }
  if ((r.mask >> lane_of(t) & 1U) == 0) {
    report(c,
           t,
           {.kind = finding_kind::warp_mask,
            .message =
                fmt::format("{} with the mask {:#010x}, which does not name the lane that calls",
                            t.meets_by,
                            r.mask),
            .details = {fmt::format("by {}", who(t)), "the lane goes on alone"},
            .remedy = "name every lane that comes here, and no other"});
    return false;
  }
  return true;
}

/// Of a shuffle from a lane that gives nothing. A lane that the block does not have is that of a
/// last, partial warp, where code drops what it is given as a rule: a note.
finding_text inactive_text(const sim_thread& t, std::uint32_t mask, unsigned from) {
  const bool exists = t.rank - lane_of(t) + from < t.team->size();
  const bool named = (mask >> from & 1U) != 0;
  return {.kind = finding_kind::inactive_lane,
          .message = fmt::format("{} from lane {}, which {}",
                                 t.meets_by,
                                 from,
                                 !exists  ? "the block does not have"
                                 : !named ? "the mask does not name"
                                          : "has ended"),
          .details = {fmt::format("by {}, with the mask {:#010x}", who(t), mask),
                      "what it is given is undefined: here all bits are set"},
          .remedy = "read from lanes that take part, or use the value only where one was read",
          .severity = exists ? finding::level::defect : finding::level::note,
          .group = exists ? "" : "no such lane"};
}

/// A shuffle from a lane that gives nothing.  [CUDA C++ Programming Guide: Warp Shuffle Functions]
void check_sources(context& c,
                   const std::vector<sim_thread*>& threads,
                   const ops::lane_requests& lanes) {
  for (const sim_thread* const t : threads) {
    const unsigned lane = lane_of(*t);
    const auto from =
        !is_shuffle(lanes[lane]->operation) ? std::nullopt : ops::source_lane(lane, *lanes[lane]);
    if (!from || lanes[*from] != nullptr || !c.opts.reports(finding_kind::inactive_lane)) {
      continue;
    }
    finding_text text = inactive_text(*t, lanes[lane]->mask, *from);
    // One place may have both: the note does not stand for the defect.
    if (!c.found.repeated(t->meets_at, text.kind, text.severity)) {
      c.found.add(t->meets_at, std::move(text));
    }
  }
}

} // namespace

void execution::impl::open_warp(thread_block& b, std::uint32_t warp) {
  std::vector<sim_thread*>& there = b.warps[warp].waiting;
  for (std::size_t i = 0; i < there.size();) {
    const warp_request& wanted = request_of(*there[i]);
    if (wanted.operation == warp_operation::active || !all_lanes_there(b, warp, wanted)) {
      ++i;
      continue;
    }
    open_warp_operation(b, warp, wanted);
    i = 0;
  }
}

bool execution::impl::all_lanes_there(const thread_block& b,
                                      std::uint32_t warp,
                                      const warp_request& wanted) {
  const std::vector<sim_thread*>& there = b.warps[warp].waiting;
  const std::uint32_t lanes = std::min(warp_size, b.size() - (warp * warp_size));
  const std::uint32_t named = wanted.mask & (~std::uint32_t{0} >> (warp_size - lanes));
  if (there.size() + b.ended < static_cast<std::size_t>(std::popcount(named))) {
    return false; // most that come are not the last
  }
  for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t number = (warp * warp_size) + lane;
    if ((wanted.mask >> lane & 1U) == 0 || number >= b.size()) {
      continue;
    }
    if (number >= b.begun) {
      return false;
    }
    const sim_thread* const t = b.members[number];
    if (t != nullptr &&
        (std::ranges::find(there, t) == there.end() || !same_operation(request_of(*t), wanted))) {
      return false;
    }
  }
  return true;
}

void execution::impl::open_warp_operation(thread_block& b,
                                          std::uint32_t warp,
                                          const warp_request& wanted) {
  std::vector<sim_thread*>& there = b.warps[warp].waiting;
  std::vector<sim_thread*> who;
  const void* const last_site = there.back()->meets_at;
  std::erase_if(there, [&, like = wanted](sim_thread* t) {
    const bool mine = same_operation(request_of(*t), like);
    if (mine) {
      who.push_back(t);
    }
    return mine;
  });
  std::ranges::sort(who, {}, [](const sim_thread* t) { return t->rank; });
  give_results(b, warp, who, last_site);
}

void execution::impl::give_results(thread_block& b,
                                   std::uint32_t warp,
                                   const std::vector<sim_thread*>& who,
                                   const void* site) {
  ops::lane_requests lanes{};
  for (sim_thread* t : who) {
    lanes[lane_of(*t)] = &request_of(*t);
  }
  const std::uint32_t first = warp * warp_size;
  check_sources(owner, who, lanes);
  ops::perform_warp(lanes);
  std::uint32_t alive = 0;
  for (std::uint32_t i = first; i < std::min(first + warp_size, b.size()); ++i) {
    alive += i >= b.begun || b.members[i] != nullptr ? 1U : 0U;
  }
  const meeting m{.block = b,
                  .threads = who,
                  .warp = alive == who.size(),
                  .site = site,
                  .what = who.front()->meets_by};
  // Only this one orders memory.  [PTX: bar.warp.sync]
  if (request_of(*who.front()).operation == warp_operation::sync) {
    owner.exec->memory().barrier(m);
  }
  watchers.tell([&](watcher& w) { w.met(m); });
  go_on_after_meeting(who);
}

void execution::impl::open_active(thread_block& b, std::uint32_t warp) {
  std::vector<sim_thread*>& there = b.warps[warp].waiting;
  const std::uint32_t first = warp * warp_size;
  for (std::uint32_t i = first; i < std::min(first + warp_size, b.size()); ++i) {
    const sim_thread* const t = b.members[i];
    if (i >= b.begun || (t != nullptr && t->self->state == worker::status::running)) {
      return; // it may come
    }
  }
  for (std::size_t i = 0; i < there.size();) {
    const sim_thread& one = *there[i];
    if (request_of(one).operation != warp_operation::active) {
      ++i;
      continue;
    }
    const void* const site = one.meets_at;
    std::vector<sim_thread*> who;
    std::erase_if(there, [&](sim_thread* t) {
      const bool mine =
          request_of(*t).operation == warp_operation::active && meet_at_one_place(one, *t);
      if (mine) {
        who.push_back(t);
      }
      return mine;
    });
    std::ranges::sort(who, {}, [](const sim_thread* t) { return t->rank; });
    b.gathering -= static_cast<std::uint32_t>(who.size());
    give_results(b, warp, who, site);
    i = 0;
  }
}

namespace {

void meet_explored_warp(
    launch_taker& taker, sim_thread& t, const void* site, const char* what, warp_request& r) {
  const thread_block& b = *t.team;
  const std::uint32_t warp = t.rank / warp_size;
  if (r.operation == warp_operation::active) {
    refuse_to_explore(t, site, what);
  }
  const std::uint32_t lanes = std::min(warp_size, b.size() - warp * warp_size);
  const std::uint32_t named = lanes == warp_size ? r.mask : r.mask & ((1U << lanes) - 1);
  const std::uint64_t point = ((b.serial * 64 + warp + 1) << 32U) | named;
  if (r.operation == warp_operation::sync) {
    taker.meets(t, site, {point, static_cast<std::uint32_t>(std::popcount(named))});
    return;
  }
  std::vector<exchanged> with;
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    if ((named >> lane & 1U) != 0) {
      with.push_back({.lane = lane, .value = r.value});
    }
  }
  // Those that ask for the same meet.
  const std::uint64_t kind = static_cast<std::uint64_t>(r.operation) << 56U;
  taker.exchanges(t, site, point ^ kind, lane_of(t), with);
  std::array<warp_request, warp_size> all{};
  ops::lane_requests requests{};
  for (const exchanged& e : with) {
    all[e.lane] = r;
    all[e.lane].value = e.value;
    requests[e.lane] = &all[e.lane];
  }
  check_sources(*t.owner, {&t}, requests);
  ops::perform_warp(requests);
  r.result = all[lane_of(t)].result;
}

} // namespace

std::optional<std::uint32_t> mask_of_meeting(const sim_thread& t) {
  const bool of_warp =
      t.meets_by != nullptr && std::ranges::any_of(warp_names, [&](const char* name) {
        return std::string_view(name) == t.meets_by;
      });
  return of_warp ? std::optional(request_of(t).mask) : std::nullopt;
}

void meet_warp(sim_thread& t, const void* site, const char* what, warp_request& r) {
  thread_block& b = *t.team;
  execution::impl& run = impl_of(*t.owner->exec);
  const std::uint32_t warp = t.rank / warp_size;
  t.meets_at = site;
  t.meets_by = what;
  t.meets_with = reinterpret_cast<std::uintptr_t>(&r);
  run.watchers.tell([&](watcher& w) { w.comes_to_meet(t); });
  const bool active = r.operation == warp_operation::active;
  if (!active && !check(*t.owner, t, r)) {
    ops::lane_requests alone{};
    alone[lane_of(t)] = &r;
    ops::perform_warp(alone);
    t.meets_at = nullptr;
    return;
  }
  if (run.taker != nullptr) { // it runs alone
    t.meets_at = nullptr;
    meet_explored_warp(*run.taker, t, site, what, r);
    return;
  }
  if (b.warps.empty()) {
    b.warps.resize((b.size() + warp_size - 1) / warp_size);
  }
  b.warps[warp].waiting.push_back(&t);
  if (active) {
    ++b.gathering;
    run.wait_for_others(t);
    return;
  }
  if (run.all_lanes_there(b, warp, r)) {
    run.open_warp_operation(b, warp, r);
  } else {
    run.wait_for_others(t);
  }
}

} // namespace tilesim::sim
