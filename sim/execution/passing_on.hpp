// Threads that wait for others of their block pass control on: in line, where they come to wait, as
// each frame between a kernel and the switch is a line of a stack that has to come to the caches.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/memory/engine.hpp"

#include <tilesim/detail/shared_memory.hpp>
#include <tilesim/detail/thread_index.hpp>

namespace tilesim::sim {

inline void become(const sim_thread& t) {
  detail::thread_index = {t.thread.x, t.thread.y, t.thread.z};
  if (t.team == nullptr || t.team->serial != detail::running_block) {
    become_of_block(t); // else another one of this block was it
  }
}

inline void execution::impl::begin_turn(worker& w) {
  running = &w.thread;
  w.out_of_time = w.goes_round = false;
  w.thread.operations_then = w.thread.operations;
  become(w.thread);
}

inline worker* execution::impl::next_without_loop(launch_state& l) {
  if (runnable.empty()) {
    return start_without_loop(l);
  }
  if (!may_skip_loop()) {
    return nullptr;
  }
  fetch_ahead(runnable.next().begin(), runnable.next().end());
  strategy->begins_turn();
  return runnable.take(0);
}

inline void execution::impl::pass_on(worker& w) {
  worker* const next = fiber::can_pass() && w.thread.team->gathering == 0
                           ? next_without_loop(*w.thread.launch)
                           : nullptr;
  if (next == nullptr) {
    w.stack.suspend();
    return;
  }
  owner.exec->memory().settle();
  begin_turn(*next);
  w.stack.pass_to(next->stack);
}

/// What pass_on() comes to where nobody looks, and others of the same block can go on.
inline void execution::impl::pass_on_quickly(worker& w) {
  --skips;
  fetch_ahead(runnable.next().begin(), runnable.next().end());
  strategy->begins_turn();
  owner.exec->memory().settle();
  worker& next = *runnable.take(0);
  running = &next.thread;
  next.out_of_time = next.goes_round = false;
  next.thread.operations_then = next.thread.operations;
  if (next.thread.team == w.thread.team) {
    const machine::index3& at = next.thread.thread;
    detail::thread_index = {at.x, at.y, at.z};
  } else {
    become(next.thread);
  }
  w.stack.pass_to(next.stack);
}

/// The running thread waits until others of its block let it go on.
inline void execution::impl::wait_for_others(sim_thread& t) {
  t.self->state = worker::status::meets;
  ++meeting_count;
  pass_on(*t.self);
  t.spin.progressed(); // here: whoever lets all go on need not look at each
}

} // namespace tilesim::sim
