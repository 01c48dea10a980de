// Threads of the submitted launches, each run alone.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/lone_runs.hpp"

#include "memmodel/assertion.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/launch_taker.hpp"
#include "sim/execution/passing_on.hpp"
#include "sim/memory/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tilesim::sim {

namespace {

/// What the first frames of a kernel find on its stack is the same in each of its runs, so that two
/// states of one that waits can be compared.
constexpr std::size_t cleared_bytes = std::size_t{16} << 10;

} // namespace

lone_runs::lone_runs(context& c)
    : context_(c) {
  for (const auto& l : impl_of(*c.exec).launches) {
    for (std::uint64_t n = 0; n < l->threads(); ++n) {
      if (l->kind == kernel_kind::simt && n % l->threads_per_block == 0) {
        // Whose shared memory is, and who meets; none of its threads counts as there.
        blocks_.push_back(std::make_unique<thread_block>());
        blocks_.back()->launch = l.get();
        blocks_.back()->number = n / l->threads_per_block;
        blocks_.back()->serial = ++impl_of(*c.exec).last_block;
        blocks_.back()->members.assign(l->threads_per_block, nullptr);
      }
      threads_.push_back(
          {l.get(), n, nullptr, l->kind == kernel_kind::simt ? blocks_.back().get() : nullptr});
    }
  }
}

lone_runs::~lone_runs() {
  for (lone_thread& t : threads_) {
    if (t.runs != nullptr) {
      const stack_memory stack = t.runs->stack.stack();
      t.runs.reset();
      supply_for(t).give_back(stack);
    }
  }
  for (const auto& b : blocks_) {
    impl_of(*context_.exec).give_back_shared_memory(*b);
  }
}

stack_pool& lone_runs::supply_for(const lone_thread& t) const noexcept {
  return impl_of(*context_.exec).supply_for(t.launch->kind).stacks;
}

sim_thread& lone_runs::thread(std::size_t thread) noexcept {
  return threads_[thread].runs->thread;
}

void lone_runs::begin(std::size_t thread) {
  lone_thread& t = threads_[thread];
  stack_memory stack;
  if (t.runs != nullptr) {
    stack = t.runs->stack.stack();
  } else {
    stack = supply_for(t).take();
  }
  if (stack.low == 0) {
    context_.found.stop(
        t.launch->site,
        {.kind = finding_kind::limit,
         .message = fmt::format("no memory for the stacks of {} blocks, each of {} bytes",
                                threads_.size(),
                                impl_of(*context_.exec).supply_for(t.launch->kind).bytes),
         .remedy = "launch fewer blocks, or explore with --stack-bytes set lower"});
  }
  const std::size_t cleared = std::min<std::size_t>(cleared_bytes, stack.high - stack.low);
  stack.forget_frames(); // the run before was left where it stood
  std::memset(reinterpret_cast<void*>(stack.high - cleared), 0, cleared);
  if (t.runs == nullptr) {
    t.runs = std::make_unique<worker>(impl_of(*context_.exec), stack);
  } else {
    // At the same address, which lies on the stack: states of two runs are compared by its bytes.
    std::destroy_at(t.runs.get());
    std::construct_at(t.runs.get(), impl_of(*context_.exec), stack);
  }
  const std::uint64_t per_block = t.launch->threads_per_block;
  t.runs->thread = sim_thread{{{.self = t.runs.get(),
                                .team = t.team,
                                .thread = unravel(t.linear % per_block, t.launch->config.block),
                                .rank = static_cast<std::uint32_t>(t.linear % per_block),
                                .number = thread},
                               {.owner = &context_,
                                .launch = t.launch,
                                .block = unravel(t.linear / per_block, t.launch->config.grid)},
                               {},
                               {},
                               &t.runs->stack}};
}

lone_runs::stop lone_runs::resume(std::size_t thread) {
  worker& w = *threads_[thread].runs;
  using impl = execution::impl;
  TILESIM_ASSERT(impl::running == nullptr, thread);
  TILESIM_ASSERT(w.state == worker::status::running || w.state == worker::status::sleeping, thread);
  w.state = worker::status::running;
  impl::running = &w.thread;
  become(w.thread);
  w.stack.resume();
  impl::running = nullptr;
  context_.exec->memory().settle();
  switch (w.state) {
  case worker::status::finished:
    return stop::ended;
  case worker::status::gone:
  case worker::status::left:
    return stop::left;
  case worker::status::sleeping:
    return w.thread.spin.waits_for_ever(impl_of(*context_.exec).changes) ? stop::waits
                                                                         : stop::paused;
  case worker::status::meets: // it is of no block
  case worker::status::running:
    break;
  }
  return stop::paused;
}

void lone_runs::pause() noexcept {
  execution::yield();
}

void take_launches(context& c, launch_taker& taker) {
  impl_of(*c.exec).taker = &taker;
}

void tell_work_to_come(context& c, work_to_come all) {
  impl_of(*c.exec).to_come = std::move(all);
}

bool comes_beside(const context& c, const work_order& launch) {
  const work_to_come& all = impl_of(*c.exec).to_come;
  return all && std::ranges::any_of(all(false),
                                    [&](const work_order& o) { return o.may_run_beside(launch); });
}

bool precedes_all_to_come(const context& c, const work_order& work) {
  const work_order& host = c.host_order;
  const std::uint32_t known = work.lane == host.lane ? host.number : host.at(work.lane);
  const work_to_come& all = impl_of(*c.exec).to_come;
  return known >= work.number && (!all || std::ranges::none_of(all(true), [&](const work_order& o) {
           return o.may_run_beside(work);
         }));
}

void execution::impl::hand_over() {
  TILESIM_ASSERT(!kernels_run.has_value());
  kernels_run.emplace(owner.mem, this_stack_place());
  {
    lone_runs threads(owner);
    taker->take(threads);
  }
  kernels_run.reset();
  taker->go_on();
  ++changes;
  while (!launches.empty()) {
    const std::unique_ptr<launch_state> over = std::move(launches.back());
    launches.pop_back();
    watchers.tell([&](watcher& w) { w.launch_ends(*over); });
    over->kernel.destroy(over->kernel.closure);
  }
}

} // namespace tilesim::sim
