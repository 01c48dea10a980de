// Turns: a thread runs, until it waits, makes way or ends, and what comes of that.
//
// Threads of a block that meet, or that only run through, follow one another without the loop where
// nobody would decide anything between them: in the order that round robin gives them.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/execution/closed_rounds.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/passing_on.hpp"
#include "sim/execution/shared_variables.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/detail/thread_index.hpp>

#include <algorithm>
#include <new>
#include <utility>

namespace tilesim::sim {

machine::index3 unravel(std::uint64_t linear, const dim3& extents) {
  return {static_cast<std::uint32_t>(linear % extents.x),
          static_cast<std::uint32_t>(linear / extents.x % extents.y),
          static_cast<std::uint32_t>(linear / extents.x / extents.y)};
}

void become_of_block(const sim_thread& t) {
  detail::block_index = {t.block.x, t.block.y, t.block.z};
  detail::grid_dim = t.launch->config.grid;
  detail::block_dim = t.launch->config.block;
  detail::running_block = 0;
  if (t.team != nullptr) {
    detail::running_block = t.team->serial;
    show_shared_variables(t);
  }
}

void execution::impl::tell_of_starts() {
  if (started_untold != 0) {
    strategy->have_started(std::exchange(started_untold, 0));
  }
}

void execution::impl::set_up(worker& w, launch_state& l) {
  tell_of_starts();
  const std::uint64_t block = strategy->block(l.id, l.next.nth_block, l.blocks);
  TILESIM_ASSERT(block < l.blocks, l.id, l.started, block, l.blocks);
  sim_thread& t = w.thread;
  if (l.next.begins_block()) {
    l.next.block = unravel(block, l.config.grid);
  }
  // In its place: a copy of so many members would wait for each of them.
  ::new (static_cast<thread_facts*>(&t)) thread_facts{
      {.self = &w, .thread = l.next.thread, .rank = l.next.rank, .number = last_thread++},
      {.owner = &owner, .launch = &l, .block = l.next.block},
      {},
      {},
      &w.stack};
  t.spin.begin();
  ++l.started;
  l.next.advance(l.config.block);
  w.state = worker::status::running;
  if (l.kind == kernel_kind::simt) {
    join_block(w);
  }
  watchers.tell([&](watcher& a) { a.thread_begins(t); });
}

// The loop wakes sleepers, looks at limits and signals, and asks the strategy.
void execution::impl::allow_skips() noexcept {
  constexpr unsigned most_in_a_row = 256;
  skips = takes_the_oldest && sleeping.empty() && !announces && !watchers.wanted().turns &&
                  control == nullptr && taker == nullptr && ruling == nullptr &&
                  suspected == nullptr && !look_often && !idle_since && !left
              ? most_in_a_row
              : 0;
}

worker* execution::impl::start_without_loop(launch_state& l) {
  // Without a worker to spare there may be no memory for one more: the loop tells that.
  if (l.started == l.threads() || launches.front().get() != &l || supply_for(l.kind).idle.empty() ||
      !may_skip_loop()) {
    return nullptr;
  }
  tell_of_starts();
  const std::size_t choice = strategy->pick({}, true);
  TILESIM_ASSERT(choice == 0, choice); // to start one: no other can go on
  made_at_start = made;
  return &start_next();
}

bool execution::impl::goes_on_with_next(worker& w) {
  launch_state& l = *w.thread.launch;
  if (l.kind != kernel_kind::simt || l.started == l.threads() || launches.front().get() != &l ||
      !runnable.empty() || !may_skip_loop()) {
    return false;
  }
  owner.exec->memory().settle();
  end(w);
  set_up(w, l);
  strategy->begins_turn();
  begin_turn(w);
  return true;
}

// What end(), leave_block(), set_up(), join_block() and begin_turn() come to where nobody looks on,
// nobody of the block waits, and the worker, the block and the launch stay the same.
bool execution::impl::follows_at_once(worker& w) noexcept {
  sim_thread& t = w.thread;
  launch_state& l = *t.launch;
  thread_block* const b = l.starting;
  if (b == nullptr || b != t.team || !b->warps.empty() || !b->barrier.waiting.empty() ||
      !runnable.empty() || !watchers.empty() || expected_at != made ||
      launches.front().get() != &l || !may_skip_loop()) {
    return false;
  }
  owner.exec->memory().settle();
  ++changes;
  b->members[t.rank] = nullptr;
  ++b->ended;
  ++l.ended;
  ++l.started;
  ++started_untold;
  t.thread = l.next.thread;
  t.rank = l.next.rank;
  l.next.advance(l.config.block);
  t.number = last_thread++;
  static_cast<thread_doings&>(t) = {};
  static_cast<thread_prospects&>(t) = {};
  t.spin.begin();
  b->members[t.rank] = &t;
  if (++b->begun == b->size()) {
    l.starting = nullptr;
  }
  strategy->begins_turn();
  detail::thread_index = {t.thread.x, t.thread.y, t.thread.z};
  return true;
}

void execution::impl::leave_for_next(worker& w) {
  const launch_state& l = *w.thread.launch;
  w.state = worker::status::finished;
  if (!fiber::can_pass() || l.kind != kernel_kind::simt || w.thread.team->gathering != 0 ||
      runnable.empty() || l.starting != nullptr || l.ended + 1 == l.threads() || !may_skip_loop()) {
    w.stack.suspend();
    return;
  }
  owner.exec->memory().settle();
  supply_for(l.kind).idle.push_back(&w);
  end(w);
  fetch_ahead(runnable.next().begin(), runnable.next().end());
  strategy->begins_turn();
  worker& next = *runnable.take(0);
  begin_turn(next);
  w.stack.pass_to(next.stack);
}

void execution::impl::turn(worker& w) {
  TILESIM_ASSERT(running == nullptr);
  TILESIM_ASSERT(w.state == worker::status::running, w.thread.number, w.state);
  allow_skips();
  begin_turn(w);
  if (ruling != nullptr) {
    ruling->begin_turn(&w, made);
  }
  if (look_often && !owner.opts.repeatable) {
    const frequent_looks often(w);
    w.stack.resume();
  } else {
    w.before_turn = w.interruptions;
    w.stack.resume();
  }
  worker& last = *running->self; // others may have followed it
  running = nullptr;
  skips = 0;
  tell_of_starts();
  if (left) {
    owner.leave(*left);
  }
  after_turn(last);
}

void execution::impl::after_turn(worker& w) {
  owner.exec->memory().settle(); // the scheduler looks at what is polled, other blocks run
  if (!w.out_of_time || w.thread.operations != w.thread.operations_then) {
    w.out_of_time = w.goes_round = false;
    w.interruptions = w.recurrences = 0;
  }
  switch (w.state) {
  case worker::status::running:
    make_runnable(w);
    break;
  case worker::status::sleeping:
    sleeping.push_back(&w);
    come_to_a_stop(w.thread);
    if (ruling != nullptr) {
      ruling->fell_asleep(w.thread);
    }
    if (w.thread.spin.restless()) {
      const std::uint64_t while_others_run = ruling != nullptr ? 1024 : std::uint64_t{1} << 20;
      restless_until = std::min(restless_until, made + while_others_run);
    }
    break;
  case worker::status::meets:
    come_to_a_stop(w.thread); // who opens the barrier lets it go on
    break;
  case worker::status::finished:
    supply_for(w.thread.launch->kind).idle.push_back(&w);
    end(w);
    break;
  case worker::status::gone:
  case worker::status::left:
    abandon(w);
    break;
  }
}

void execution::impl::come_to_a_stop(const sim_thread& t) {
  if (t.team != nullptr && t.team->gathering != 0) {
    open_active(*t.team, t.rank / warp_size);
  }
}

} // namespace tilesim::sim
