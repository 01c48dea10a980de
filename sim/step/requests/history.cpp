// What has happened, and the way back.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/memory/engine.hpp"
#include "sim/step/requests.hpp"

#include <algorithm>

namespace tilesim::sim::step {

protocol::past requests::history(const protocol::history& request) {
  protocol::past list;
  for (std::uint64_t n = std::max<std::uint64_t>(request.first, 1);
       n <= request.last && n <= run_.begun;
       ++n) {
    if (const auto e = run_.operations.find(n)) {
      list.history.push_back({.number = n,
                              .operation = e->operation,
                              .thread = e->thread,
                              .launch = run_.threads[e->thread].launch,
                              .block = run_.threads[e->thread].block,
                              .by = run_.threads[e->thread].name,
                              .frames = resolve(e->site)});
    }
  }
  return list;
}

/// Where those that wait now began to: before the first poll. They sleep, or have slept until
/// everyone did and have been let poll on.
protocol::wait_list requests::waiting(const protocol::waiting& /*request*/) const {
  protocol::wait_list list;
  for (const execution::thread_view& w : run_.in.exec->threads()) {
    if (w.thread->spin.began() != 0) {
      list.positions.push_back(w.thread->spin.began() - 1);
    }
  }
  return list;
}

protocol::lead_list requests::led(const protocol::leads& /*request*/) const {
  return leads_.all();
}

protocol::schedule_now requests::schedule(const protocol::schedule& /*request*/) {
  const scheduler& strategy = *run_.in.exec->desk().strategy;
  const auto turns = strategy.unfollowed(run_.over);
  sim_thread* const t = names_.thread();
  return {.schedule = strategy.describe(),
          .turns = run_.threads.turns(),
          .seed = run_.in.opts.seed,
          .fill = run_.in.opts.fill.value_or(run_.in.opts.seed),
          .unfollowed = turns ? *turns : run_.in.exec->memory().unfollowed(run_.over).value_or(""),
          .stale = chosen_.stale(t != nullptr && t->next_operation != nullptr ? t : nullptr),
          .position = run_.begun};
}

/// The position before operations of one thread. What the journal has forgotten is "forgotten": the
/// stepper comes there again, and asks for the rest.
protocol::place_back requests::back(const protocol::back& request) {
  if (names_.thread() == nullptr && !request.thread) {
    return {.position = run_.begun == 0 ? 0 : run_.begun - 1, .forgotten = 0, .rest = {}};
  }
  protocol::back rest = request;
  // An operation under way when tilesim ends the program counts as begun.
  std::uint64_t n = run_.begun;
  if (!request.thread) {
    rest.thread = names_.thread()->number;
    rest.start = rest.found = run_.begun;
    rest.next_site = reinterpret_cast<std::uintptr_t>(names_.thread()->next_site);
    n = names_.thread()->run_operation;
  }
  const std::uint64_t first = run_.threads[*rest.thread].first;
  if (rest.how == protocol::back_by::begin) {
    n = 0;
    if (first != never) {
      rest.found = first;
    }
  }
  if (rest.how == protocol::back_by::step && !request.thread && names_.thread()->spin.suspected() &&
      names_.thread()->spin.began() != 0 && names_.thread()->spin.began() <= n) {
    // It has polled and polled: all that in one step.
    n = names_.thread()->spin.began() - 1;
    rest.found = n;
    if (--rest.count == 0) {
      return {.position = n, .forgotten = 0, .rest = {}};
    }
  }
  for (; n > first; --n) {
    const auto e = run_.operations.find(n);
    if (!e) {
      return {.position = {}, .forgotten = n, .rest = rest};
    }
    if (e->thread == *rest.thread && passes(rest, n, e->site)) {
      break;
    }
  }
  return place_before(rest);
}

/// Takes operation `n` of the thread back, too. True: that was the last one.
bool requests::passes(protocol::back& rest, std::uint64_t n, const void* site) {
  if (rest.how != protocol::back_by::line) {
    rest.found = n - 1;
    return --rest.count == 0;
  }
  // All operations of one line before this one.
  const auto* const line_site = reinterpret_cast<const void*>(rest.line_site);
  const auto* const next_site = reinterpret_cast<const void*>(rest.next_site);
  if (line_site == nullptr) {
    if (!control_.points().same_line(site, next_site) || rest.found != rest.start) {
      rest.line_site = reinterpret_cast<std::uintptr_t>(site);
    }
  } else if (!control_.points().same_line(site, line_site)) {
    return true;
  }
  rest.found = n - 1;
  return false;
}

protocol::place_back requests::place_before(const protocol::back& rest) {
  if (rest.found != rest.start) {
    return {.position = rest.found, .forgotten = 0, .rest = {}};
  }
  if (rest.start == 0) {
    refuse("nothing has happened yet: there is nothing to take back");
  }
  // This thread begins here: back to the one that ran before.
  return {.position = rest.found - 1, .forgotten = 0, .rest = {}};
}

} // namespace tilesim::sim::step
