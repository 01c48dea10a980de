// Blocks: which are alive, and going to another one.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/step/requests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

namespace tilesim::sim::step {

namespace {

template <class Index>
protocol::coordinates three(const Index& at) {
  return {at.x, at.y, at.z};
}

} // namespace

protocol::thread message_of(const sim_thread& t) {
  protocol::thread told{.number = t.number,
                        .launch = t.launch->id,
                        .kernel = t.launch->kernel.name,
                        .block = three(t.block),
                        .linear = t.linear_block(),
                        .name = t.name(),
                        .operations = t.operations,
                        .in_block = {}};
  if (t.launch->threads_per_block != 1) {
    told.in_block = three(t.thread);
    told.linear_in_block = t.rank;
  }
  return told;
}

std::string next_operation_of(const sim_thread& t) {
  return t.next_operation != nullptr ? t.next_operation : "";
}

protocol::block_list requests::blocks(const protocol::blocks& request) {
  protocol::block_list list;
  std::vector<execution::thread_view> alive = run_.in.exec->threads();
  std::ranges::sort(alive, {}, [](const execution::thread_view& w) { return w.thread->number; });
  list.alive = alive.size();
  alive.resize(std::min(alive.size(), request.most));
  for (const auto& [thread, sleeps, meets] : alive) {
    protocol::live_thread one{message_of(*thread)};
    one.current = thread == names_.thread();
    one.state = meets ? "meets" : sleeps ? "waits" : "stands";
    if (thread->next_site != nullptr) {
      one.operation = next_operation_of(*thread);
      one.place = place(thread->next_site);
      one.frames = resolve(thread->next_site);
    }
    if (sleeps) {
      for (const watched_cell& c : thread->spin.watched()) {
        one.waits_for.push_back({run_.known.describe(c.address), c.value});
      }
    }
    list.blocks.push_back(std::move(one));
  }
  for (const launch_state* l : run_.in.exec->launches()) {
    // Who stands behind its last operation has ended for whoever looks.
    const bool one_more = names_.behind() != nullptr && names_.behind()->launch == l;
    list.launches.push_back({.id = l->id,
                             .kernel = l->kernel.name,
                             .grid = three(l->config.grid),
                             .threads = l->threads(),
                             .started = l->started,
                             .ended = l->ended + (one_more ? 1 : 0),
                             .place = place(l->site)});
  }
  return list;
}

namespace {

/// The number of the block that is named.
std::uint64_t wanted_block(const launch_state& launch, const protocol::block_name& given) {
  const dim3& grid = launch.config.grid;
  if (const auto* const block = std::get_if<std::uint64_t>(&given)) {
    if (*block >= launch.blocks) {
      refuse(fmt::format("block {} is outside the grid of {} blocks", *block, launch.blocks));
    }
    return *block;
  }
  const auto [x, y, z] = std::get<protocol::coordinates>(given);
  if (x >= grid.x || y >= grid.y || z >= grid.z) {
    refuse(fmt::format("block ({},{},{}) is outside the grid of {}x{}x{} blocks",
                       x,
                       y,
                       z,
                       grid.x,
                       grid.y,
                       grid.z));
  }
  return x + (grid.x * (y + (grid.y * z)));
}

/// The number of the thread that is named in its block; none: whichever can go on.
std::optional<std::uint64_t> wanted_thread(const launch_state& launch,
                                           const std::optional<protocol::block_name>& given) {
  if (!given) {
    return launch.threads_per_block == 1 ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  const dim3& threads = launch.config.block;
  if (const auto* const thread = std::get_if<std::uint64_t>(&*given)) {
    if (*thread >= launch.threads_per_block) {
      refuse(fmt::format(
          "thread {} is outside a block of {} threads", *thread, launch.threads_per_block));
    }
    return *thread;
  }
  const auto [x, y, z] = std::get<protocol::coordinates>(*given);
  if (x >= threads.x || y >= threads.y || z >= threads.z) {
    refuse(fmt::format("thread ({},{},{}) is outside a block of {}x{}x{} threads",
                       x,
                       y,
                       z,
                       threads.x,
                       threads.y,
                       threads.z));
  }
  return x + (threads.x * (y + (std::uint64_t{threads.y} * z)));
}

/// The thread is the next to begin, of a block of which others have begun.
bool begins_next(const launch_state& launch,
                 std::uint64_t block,
                 const std::optional<std::uint64_t>& thread) {
  return thread && launch.starting != nullptr && launch.starting->number == block &&
         launch.next.rank == *thread;
}

bool waits(const execution::thread_view& w) {
  return w.meets || (w.sleeps && !w.thread->spin.may_go_on(w.thread->owner->exec->desk().changes));
}

} // namespace

const launch_state& requests::wanted_launch(const protocol::switch_to& request) const {
  if (!request.launch) {
    return *names_.who()->launch;
  }
  const std::uint64_t id = *request.launch;
  const auto running = run_.in.exec->launches();
  const auto it = std::ranges::find(running, id, &launch_state::id);
  if (it == running.end()) {
    refuse(fmt::format("launch {} does not run now", id));
  }
  return **it;
}

/// Of the threads of a block that have started, the one that is wanted; nullptr: none has started.
const sim_thread* requests::started_thread(const launch_state& launch,
                                           std::uint64_t block,
                                           std::optional<std::uint64_t> thread) const {
  bool started = false;
  for (const execution::thread_view& w : run_.in.exec->threads()) {
    const sim_thread& t = *w.thread;
    if (t.launch != &launch || t.linear_block() != block) {
      continue;
    }
    started = true;
    if (thread ? t.rank != *thread : waits(w)) {
      continue;
    }
    if (w.meets) {
      refuse(fmt::format("{} waits for others of its block, in {} at {}; let one of them run first",
                         t.name(),
                         t.meets_by,
                         place(t.meets_at)));
    }
    if (waits(w)) {
      std::string for_what;
      for (const watched_cell& c : t.spin.watched()) {
        for_what += (for_what.empty() ? "" : ", ") + run_.known.describe(c.address);
      }
      refuse(fmt::format(
          "{} waits for {} to change; let another block run first", t.name(), for_what));
    }
    return &t;
  }
  if (started && !thread) {
    refuse(fmt::format("every thread of block {} that has started waits or has ended; block {} "
                       "thread N names one of its {} threads",
                       block,
                       block,
                       launch.threads_per_block));
  }
  if (started) {
    refuse(fmt::format("thread {} of block {} has ended or not started; 'info blocks' lists those "
                       "that are alive",
                       *thread,
                       block));
  }
  return nullptr;
}

/// Refuses a block that cannot start now.
void requests::check_start(const launch_state& launch, std::uint64_t block) const {
  if (steering_.has_started({launch.id, block})) {
    refuse(fmt::format("block {} of {} has ended", block, launch.kernel.name));
  }
  const auto running = run_.in.exec->launches();
  const auto first_to_start = std::ranges::find_if(
      running, [](const launch_state* l) { return l->started < l->threads(); });
  if (*first_to_start != &launch) {
    refuse(fmt::format("block {} of {} cannot start yet: the blocks of launch {}, {}, start first",
                       block,
                       launch.kernel.name,
                       (*first_to_start)->id,
                       (*first_to_start)->kernel.name));
  }
  if (const std::uint64_t begun = launch.started % launch.threads_per_block; begun != 0) {
    refuse(fmt::format("block {} of {} cannot start yet: of the block before, {} of {} threads "
                       "have not begun, and threads begin in order; 'info blocks' lists those "
                       "that have",
                       block,
                       launch.kernel.name,
                       launch.threads_per_block - begun,
                       launch.threads_per_block));
  }
}

protocol::switched requests::switch_to(const protocol::switch_to& request) {
  if (run_.over) {
    refuse("the run is over: no block goes on");
  }
  if (names_.who() == nullptr) {
    refuse("no kernel runs: there is no block to go to");
  }
  const launch_state& launch = wanted_launch(request);
  const std::uint64_t block = wanted_block(launch, request.block);
  protocol::directive made{.at = run_.begun, .thread = {}, .launch = {}, .block = block};
  const std::optional<std::uint64_t> thread = wanted_thread(launch, request.thread);
  if (begins_next(launch, block, thread)) {
    made.launch = launch.id;
  } else if (const sim_thread* t = started_thread(launch, block, thread)) {
    made.thread = t->number;
  } else {
    check_start(launch, block);
    made.launch = launch.id;
  }
  steering_.make(made);
  control_.go_to(run_.begun);
  switched_ = true;
  return {made};
}

} // namespace tilesim::sim::step
