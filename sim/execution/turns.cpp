// Turns: a thread runs, until it waits, makes way or ends, and what comes of that.
//
// Threads of a block that meet, or that only run through, follow one another without the loop where
// nobody would decide anything between them: in the order that round robin gives them.
//
// SPDX-License-Identifier: Apache-2.0
#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/shared_variables.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/detail/thread_index.hpp>

#include <algorithm>
#include <new>

namespace tilesim::sim {

machine::index3 unravel(std::uint64_t linear, const dim3& extents) {
  return {static_cast<std::uint32_t>(linear % extents.x),
          static_cast<std::uint32_t>(linear / extents.x % extents.y),
          static_cast<std::uint32_t>(linear / extents.x / extents.y)};
}

void become(const sim_thread& t) {
  detail::thread_index = {t.thread.x, t.thread.y, t.thread.z};
  if (t.team != nullptr && t.team->serial == detail::running_block) {
    return; // another one of this block was it
  }
  detail::block_index = {t.block.x, t.block.y, t.block.z};
  detail::grid_dim = t.launch->config.grid;
  detail::block_dim = t.launch->config.block;
  detail::running_block = 0;
  if (t.team != nullptr) {
    detail::running_block = t.team->serial;
    show_shared_variables(t);
  }
}

void execution::impl::set_up(worker& w, launch_state& l) {
  const std::uint64_t block = strategy->block(l.id, l.next.nth_block, l.blocks);
  TILESIM_ASSERT(block < l.blocks, l.id, l.started, block, l.blocks);
  sim_thread& t = w.thread;
  if (l.next.begins_block()) {
    l.next.block = unravel(block, l.config.grid);
  }
  // In its place: a copy of so many members would wait for each of them.
  ::new (static_cast<thread_facts*>(&t)) thread_facts{.owner = &owner,
                                                      .launch = &l,
                                                      .block = l.next.block,
                                                      .thread = l.next.thread,
                                                      .rank = l.next.rank,
                                                      .stack = &w.stack,
                                                      .self = &w,
                                                      .number = last_thread++};
  t.spin.begin();
  ++l.started;
  l.next.advance(l.config.block);
  w.state = worker::status::running;
  if (l.kind == kernel_kind::simt) {
    join_block(w);
  }
  watchers.tell([&](watcher& a) { a.thread_begins(t); });
}

void worker::fetch() const noexcept {
  constexpr std::size_t line = 64;
  const auto at = reinterpret_cast<std::uintptr_t>(this);
  const auto end = reinterpret_cast<std::uintptr_t>(&thread.spin) + line;
  for (std::uintptr_t a = at; a < end; a += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(a), 1);
  }
}

// The loop wakes sleepers, looks at limits and signals, and asks the strategy.
void execution::impl::allow_skips() noexcept {
  constexpr unsigned most_in_a_row = 256;
  skips = takes_the_oldest && sleeping.empty() && !announces && watchers.empty() &&
                  control == nullptr && taker == nullptr && ruling == nullptr &&
                  suspected == nullptr && !look_often && !left
              ? most_in_a_row
              : 0;
}

void execution::impl::begin_turn(worker& w) {
  running = &w.thread;
  w.out_of_time = w.goes_round = false;
  w.operations_then = w.thread.operations;
  become(w.thread);
}

void execution::impl::pass_on(worker& w) {
  worker* const next = fiber::can_pass() && w.thread.team->gathering == 0
                           ? next_without_loop(*w.thread.launch)
                           : nullptr;
  if (next == nullptr) {
    w.stack.suspend();
    return;
  }
  begin_turn(*next);
  w.stack.pass_to(next->stack);
}

worker* execution::impl::next_without_loop(launch_state& l) {
  if (!runnable.empty()) {
    if (!may_skip_loop()) {
      return nullptr;
    }
    fetch_ahead(runnable.begin(), runnable.end());
    return runnable.take(0);
  }
  // Without a worker to spare there may be no memory for one more: the loop tells that.
  if (l.started == l.threads() || launches.front().get() != &l || idle_workers.empty() ||
      !may_skip_loop()) {
    return nullptr;
  }
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
  end(w);
  set_up(w, l);
  begin_turn(w);
  return true;
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
  if (left) {
    owner.leave(*left);
  }
  after_turn(last);
}

void execution::impl::after_turn(worker& w) {
  owner.exec->memory().settle(); // the scheduler looks at what is polled, other blocks run
  if (!w.out_of_time || w.thread.operations != w.operations_then) {
    w.out_of_time = w.goes_round = false;
    w.interruptions = w.recurrences = 0;
  }
  switch (w.state) {
  case worker::status::running:
    can_go_on(w);
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
    idle_workers.push_back(&w);
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
