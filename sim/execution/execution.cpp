// Launches, blocks and the scheduler's loop.
//
// A worker is a fiber with the simulated thread that it runs; when the thread ends the worker takes
// the next one, so a launch of a hundred thousand blocks that do not wait needs one stack.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"

#include "memmodel/assertion.hpp"
#include "sim/contract/exit_codes.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/core/context.hpp"
#include "sim/core/floating_modes.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/closed_rounds.hpp"
#include "sim/execution/compute_points.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/signals.hpp"
#include "sim/memory/access_kind.hpp"
#include "sim/memory/engine.hpp"
#include "sim/memory/judging.hpp"
#include "sim/process/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <span>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>

namespace tilesim::sim {

namespace {

// Sleepers are looked at when nothing else can run, and otherwise once in so many turns.
constexpr unsigned turns_between_wakes = 8;

void worker_main(void* argument) {
  // Here a kernel's stack ends, for the unwinder, too: an exception that nobody catches is told
  // where it is thrown.
#if defined(__x86_64__)
  asm volatile(".cfi_undefined rip");
#elif defined(__aarch64__)
  asm volatile(".cfi_undefined x30");
#endif
  auto& w = *static_cast<worker*>(argument);
  for (;;) {
    execution::impl& run = *w.run;
    {
      const detail::bound_kernel kernel = w.thread.launch->kernel;
      const program_section program;
      do {
        set_floating_modes(kernel_floating_modes); // the thread before may have left others
        kernel.invoke(kernel.closure);
      } while (run.follows_at_once(w));
    }
    if (!run.goes_on_with_next(w)) {
      run.leave_for_next(w);
    }
  }
}

} // namespace

[[gnu::tls_model("initial-exec")]] constinit thread_local sim_thread* execution::impl::running =
    nullptr;

worker::worker(execution::impl& in, stack_memory memory)
    : run(&in)
    , stack(memory, worker_main, this) {}

std::string sim_thread::name() const {
  const std::string block_name = fmt::format("block ({},{},{})", block.x, block.y, block.z);
  if (launch == nullptr || (launch->threads_per_block == 1 && launch->kind != kernel_kind::simt)) {
    return "tile " + block_name;
  }
  return fmt::format("thread ({},{},{}) of {}", thread.x, thread.y, thread.z, block_name);
}

namespace {

/// A thread of a device has 512 KiB of local memory at most, here in larger frames. Stacks that lie
/// near one another share tables of pages: a barrier of many threads is a third faster.
std::size_t thread_stack_bytes(std::size_t of_tile_blocks) {
  constexpr std::size_t enough = std::size_t{8} << 20;
  return std::max(of_tile_blocks / 8, std::min(of_tile_blocks, enough));
}

} // namespace

execution::impl::impl(context& c)
    : owner(c)
    , for_tile_blocks{.bytes = c.opts.stack_bytes}
    , for_threads{.bytes = thread_stack_bytes(c.opts.stack_bytes)}
    , begun(std::chrono::steady_clock::now())
    , asks_before_compute(asks_before_compute_in(c.opts.turns)) {
  strategy = make_scheduler(c.opts);
  announces = asks_before_compute;
  takes_the_oldest = c.opts.schedule == "round-robin" && !c.opts.record && !c.opts.choices;
}

execution::impl::~impl() {
  for (const auto& l : launches) {
    l->kernel.destroy(l->kernel.closure);
  }
}

worker& execution::impl::start_next() {
  launch_state* launch = nullptr;
  for (const auto& l : launches) {
    if (l->started < l->threads()) {
      launch = l.get();
      break;
    }
  }
  TILESIM_ASSERT(launch != nullptr); // who asks for one has seen that there is one
  supply& from = supply_for(launch->kind);
  worker* w = nullptr;
  if (!from.idle.empty()) {
    fetch_ahead(from.idle.rbegin(), from.idle.rend());
    w = from.idle.back();
    from.idle.pop_back();
  } else {
    const stack_memory stack = from.stacks.take();
    if (stack.low == 0) {
      owner.found.stop(
          launch->site,
          {.kind = finding_kind::limit,
           .message = fmt::format("no memory for one more {0}'s stack: {1} {0}s wait "
                                  "for others, each with a stack of {2} bytes",
                                  noun_of_alive(),
                                  sleeping.size() + runnable.size() + meeting_count,
                                  from.bytes),
           .remedy = "launch fewer blocks that wait, or run with --stack-bytes set lower"});
    }
    workers.push_back(std::make_unique<worker>(*this, stack));
    w = workers.back().get();
  }
  set_up(*w, *launch);
  return *w;
}

bool execution::impl::can_start() const noexcept {
  return std::any_of(
      launches.begin(), launches.end(), [](const auto& l) { return l->started < l->threads(); });
}

void execution::impl::make_runnable(worker& w) {
  runnable.push_back(&w, w.thread.number);
}

void execution::impl::wake_changed() {
  const auto asleep = std::stable_partition(sleeping.begin(), sleeping.end(), [this](worker* w) {
    return !w->thread.spin.may_go_on(changes);
  });
  for (auto it = asleep; it != sleeping.end(); ++it) {
    (*it)->thread.spin.wake(false);
    (*it)->state = worker::status::running;
    TILESIM_ASSERT((*it)->thread.launch != nullptr, (*it)->thread.number);
    make_runnable(**it);
  }
  sleeping.erase(asleep, sleeping.end());
}

void execution::impl::abandon(worker& w) {
  if (w.state == worker::status::gone) {
    failure = failure.value_or(w.thread.launch->kind);
  }
  supply& from = supply_for(w.thread.launch->kind);
  end(w);
  const stack_memory stack = w.stack.stack();
  std::erase_if(workers, [&w](const auto& other) { return other.get() == &w; });
  from.stacks.give_back(stack);
}

void execution::impl::end(worker& w) {
  launch_state* launch = w.thread.launch;
  TILESIM_ASSERT(launch != nullptr && launch->ended < launch->started, w.thread.number);
  strategy->ended(w.thread.number);
  ++changes;
  idle_since.reset();
  look_often = false;
  expect_an_end();
  watchers.tell([&](watcher& a) { a.thread_ends(w.thread); });
  if (w.thread.team != nullptr) {
    leave_block(w.thread);
  }
  if (++launch->ended == launch->threads()) {
    watchers.tell([&](watcher& a) { a.launch_ends(*launch); });
    launch->kernel.destroy(launch->kernel.closure);
    std::erase_if(launches, [launch](const auto& l) { return l.get() == launch; });
  }
}

void execution::impl::run_until_stalled(bool for_host) {
  if (running != nullptr) {
    owner.found.stop(running->site,
                     {.kind = finding_kind::wrong_context,
                      .message = "a kernel launched a kernel or synchronised",
                      .remedy = "launch from host code: tile kernels cannot launch"});
  }
  TILESIM_ASSERT(!kernels_run.has_value());
  kernels_run.emplace(owner.mem, this_stack_place());
  host_goes_on = for_host;
  makes_room = false;
  detail::running_block = 0; // another run's may have had that number
  run_turns(for_host);
  kernels_run.reset();
}

void execution::impl::run_turns(bool for_host) {
  for (unsigned turns = 0;; ++turns) {
    if (!sleeping.empty() &&
        (runnable.empty() || turns % turns_between_wakes == 0 || strategy->wakes_at_once() ||
         (ruling != nullptr && std::exchange(woken_at, changes) != changes))) {
      wake_changed();
    }
    wake_restless();
    const bool startable = can_start();
    if (runnable.empty() && !startable) {
      return;
    }
    if (for_host && ruling != nullptr && ruling->hands_over()) {
      stop_following();
      follow_at = made; // at once, if it waits for them
      expect_looks();
      return;
    }
    const bool by_clock = !runnable.empty() && (!startable || is_full()) &&
                          std::all_of(runnable.begin(), runnable.end(), [](const worker* w) {
                            return w->out_of_time;
                          });
    makes_room = by_clock && !for_host && others_wait();
    if (by_clock && (for_host || makes_room)) {
      return;
    }
    look_for_progress(by_clock);
    check_limits(turns);
    // While it is looked at whether anybody does more than wait, everybody gets turns.
    const std::size_t most_offered = startable && start_is_overdue(turns)        ? 0
                                     : suspected != nullptr || ruling != nullptr ? 1
                                                                                 : runnable.size();
    if (ruling != nullptr) {
      bring_forward(ruling->next_turn());
    }
    const std::size_t offered = std::min(most_offered, runnable.size());
    const std::optional<std::size_t> by_count = strategy->pick_among(offered, startable);
    const std::size_t choice =
        by_count ? *by_count : strategy->pick(runnable.numbers(offered), startable);
    TILESIM_ASSERT(choice < offered + (startable ? 1U : 0U), choice, offered, startable);
    if (choice < offered) {
      worker& w = *runnable.take(choice);
      if (by_count) {
        strategy->picked(w.thread.number);
      }
      turn(w);
    } else {
      made_at_start = made;
      turn(start_next());
    }
  }
}

void execution::impl::expect_an_end() {
  if (expected_at == made) {
    return; // it is as it was when another one ended
  }
  made_at_end = made;
  follow_at = made + std::min(std::uint64_t{1} << 16, operations_without_end() / 16);
  if (operations_without_end() == 0) {
    follow_at = std::numeric_limits<std::uint64_t>::max();
  }
  stop_following();
  look_again_later();
  expected_at = made;
}

void execution::impl::check_limits(unsigned turns) {
  if (stuck) {
    report_no_progress("a kernel has computed for a minute without an operation");
  }
  if (owner.opts.timeout > 0 &&
      (turns % 64 == 0 || (!runnable.empty() && runnable.back()->out_of_time))) {
    check_timeout(runnable.empty() ? nullptr : runnable.back()->thread.site);
  }
  if (control == nullptr && interrupt_requested()) { // else the stepper stops before an operation
    report_interrupt();
  }
}

bool execution::impl::out_of_time() const {
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begun;
  return owner.opts.timeout > 0 && elapsed.count() > owner.opts.timeout;
}

void execution::impl::check_timeout(const void* site) {
  if (out_of_time()) {
    owner.found.stop(site,
                     {.kind = finding_kind::limit,
                      .message = fmt::format("the run took longer than --timeout {} seconds",
                                             owner.opts.timeout),
                      .details = standings()});
  }
}

void execution::impl::report_interrupt() {
  interrupt_answered();
  if (explores && running != nullptr) { // it is told by who explores
    owner.found.leave();
  }
  owner.found.add(running != nullptr ? running->site : nullptr,
                  {.kind = finding_kind::interrupted,
                   .message = "interrupted; the blocks stand so",
                   .details = standings(),
                   .severity = finding::level::note});
  if (owner.found.tell) {
    owner.found.tell(in_report::how_interrupted);
  }
  owner.leave({.how = run_end::interrupted, .status = owner.told_status(exit_interrupted)});
}

void execution::impl::look_who_watches() {
  announces = asks_before_compute || control != nullptr || watchers.wanted().before;
  skips = 0;
}

watcher& execution::impl::attach(std::unique_ptr<watcher> w) {
  watcher& it = watchers.add(std::move(w));
  look_who_watches();
  return it;
}

void execution::impl::detach(const watcher& w) {
  watchers.remove(w);
  look_who_watches();
}

void run_desk::announce(sim_thread& t,
                        const void* site,
                        const char* operation,
                        step_kind kind,
                        const coming_read* read) {
  t.next_site = site;
  t.next_operation = operation;
  t.next_kind = kind;
  t.next_read = read;
  if (control != nullptr) {
    control->hold(t); // which asks the strategy
  } else {
    make_way(kind);
  }
  watchers.tell([&](watcher& w) { w.before(t); });
  t.next_read = nullptr;
}

execution::execution(context& c)
    : memory_(make_direct_engine())
    , impl_(std::make_unique<impl>(c))
    , desk_(impl_.get()) {}

execution::~execution() = default;

void execution::use(std::unique_ptr<memory_engine> engine) {
  memory_ = std::move(engine);
}

void execution::refused(const bad_access& access) {
  impl_->watchers.tell([&](watcher& w) { w.refused(access); });
}

watcher& execution::attach(std::unique_ptr<watcher> w) {
  return impl_->attach(std::move(w));
}

void execution::detach(const watcher& w) {
  impl_->detach(w);
}

const watcher_list& execution::watchers() const noexcept {
  return impl_->watchers;
}

void execution::steer(run_control& control) {
  impl_->control = &control;
  impl_->look_who_watches();
}

bool execution::is_steered() const noexcept {
  return impl_->control != nullptr;
}

std::vector<std::string> execution::standings() const {
  return impl_->standings();
}

std::vector<execution::thread_view> execution::threads() const {
  std::vector<thread_view> all;
  for (const auto& w : impl_->workers) {
    if (w->state != worker::status::finished && w->thread.launch != nullptr) {
      all.push_back(
          {&w->thread, w->state == worker::status::sleeping, w->state == worker::status::meets});
    }
  }
  return all;
}

std::vector<const launch_state*> execution::launches() const {
  std::vector<const launch_state*> all;
  for (const auto& l : impl_->launches) {
    all.push_back(l.get());
  }
  return all;
}

std::size_t execution::stacks() const noexcept {
  return impl_->workers.size();
}

void execution::check_timeout(const void* site) {
  impl_->check_timeout(site);
}

void execution::report_interrupt() {
  impl_->report_interrupt();
}

launch_id execution::submit(const detail::launch_config& config,
                            kernel_kind kind,
                            const detail::bound_kernel& kernel,
                            const void* site) {
  auto l = std::make_unique<launch_state>();
  l->id = ++impl_->last_launch;
  l->config = config;
  l->kind = kind;
  l->kernel = kernel;
  l->site = site;
  l->blocks = std::uint64_t{config.grid.x} * config.grid.y * config.grid.z;
  l->threads_per_block = std::uint64_t{config.block.x} * config.block.y * config.block.z;
  if (l->threads() == 0) {
    kernel.destroy(kernel.closure);
    return impl_->last_launch;
  }
  l->order = impl_->owner.current_work;
  TILESIM_ASSERT(l->order.number != 0, l->id); // numbers in a lane count from 1
  memory_->begin(*l);
  impl_->strategy->begin(l->id, l->blocks, l->threads_per_block);
  impl_->watchers.tell([&](watcher& w) { w.launch_begins(*l); });
  if (idle()) {
    impl_->expect_an_end(); // only now it is known for sure how the code was built
  }
  impl_->launches.push_back(std::move(l));
  return impl_->last_launch;
}

void execution::run_the_submitted() {
  if (!impl_->owner.opts.launches_wait) {
    run();
  }
}

void execution::run() {
  if (idle()) {
    return;
  }
  if (impl_->taker != nullptr) { // who takes launches does so where the host waits,
    if (impl_->judge != nullptr && impl_->judge->is_known()) { // or where their end is known
      impl_->hand_over();
    }
    return;
  }
  ++impl_->changes; // the host may have made some
  impl_->run_until_stalled(true);
  // A program that polls the runtime instead of waiting for it: let its kernels poll on, too.
  if (!idle() && impl_->runnable.empty() && impl_->wake_stalled()) {
    impl_->run_until_stalled(true);
  }
}

bool execution::done(launch_id id) const noexcept {
  return std::none_of(
      impl_->launches.begin(), impl_->launches.end(), [id](const auto& l) { return l->id == id; });
}

bool execution::idle() const noexcept {
  return impl_->launches.empty();
}

void execution::finish(launch_id id) {
  const auto finished = [&] { return id == 0 ? idle() : done(id); };
  if (impl_->taker != nullptr && !finished()) {
    impl_->hand_over();
    return;
  }
  ++impl_->changes;           // the host may have made some
  bool looked_behind = false; // the end of the host's last other thread
  while (!finished()) {
    impl_->run_until_stalled(false);
    if (finished()) {
      return;
    }
    if (impl_->makes_room) {
      impl_->let_others();
      continue;
    }
    if (impl_->wake_stalled()) {
      continue;
    }
    if (impl_->sleeping.empty()) {
      impl_->report_stuck_meeting();
    }
    const bool others = impl::host_has_other_threads();
    if (!impl_->waits_for_memory_of_host() || (!others && looked_behind)) {
      impl_->judge_the_waiting();
      continue;
    }
    looked_behind = !others;
    if (looked_behind) {
      continue; // who has ended since the blocks looked may have written before
    }
    impl_->let_others();
    impl_->check_limits(0);
  }
}

void execution::let_others_by(std::function<bool()> wanted, std::function<void()> pause) {
  impl_->others_wait = std::move(wanted);
  impl_->let_others = std::move(pause);
}

sim_thread* execution::current() noexcept {
  return impl::running;
}

std::uint64_t execution::operations() const noexcept {
  return impl_->operations;
}

std::optional<kernel_kind> execution::failure() const noexcept {
  return impl_->failure;
}

void execution::forget_failure() noexcept {
  impl_->failure.reset();
}

void execution::leave_run(const run_outcome& outcome) noexcept {
  impl_->left = outcome;
  give_up();
}

void execution::abandon() noexcept {
  impl::running = nullptr;
  impl_->kernels_run.reset();
}

void execution::give_up() noexcept {
  sim_thread& t = *impl::running;
  t.self->state = worker::status::gone;
  t.stack->suspend();
  std::abort(); // nobody resumes it
}

void execution::leave() noexcept {
  sim_thread& t = *impl::running;
  t.self->state = worker::status::left;
  t.stack->suspend();
  std::abort(); // nobody resumes it
}

void execution::yield() noexcept {
  impl::running->stack->suspend();
}

void execution::sleep() noexcept {
  sim_thread& t = *impl::running;
  t.self->state = worker::status::sleeping;
  t.stack->suspend();
}

} // namespace tilesim::sim
