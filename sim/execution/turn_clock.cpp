// A clock that ends turns: of who makes no operation for 10 ms, or is seen to go round.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/turn_clock.hpp"

#include "sim/core/context.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/signal_place.hpp"
#include "sim/execution/system_timer.hpp"
#include "sim/memory/hash.hpp"
#include "sim/process/keyed_pages.hpp"
#include "sim/process/sections.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <ucontext.h>
#include <unistd.h>

namespace tilesim::sim {

namespace {

// How long a kernel may go without an operation before its turn ends, in microseconds.
constexpr std::int64_t tick_nanoseconds = 10'000'000;
// How many of these until it is not expected to make another.
constexpr unsigned longest_idle_ticks = 6'000;

enum class seen : std::uint8_t { never, in_this_turn, earlier };

/// Notes where a kernel is interrupted: one that comes back to the very same state goes round. In
/// one turn it may do so though others bring it on by their turns.
seen note_state(worker& w, const void* raw) {
  constexpr std::size_t red_zone = 128;
  constexpr std::size_t most_of_stack = std::size_t{1} << 16;
  const auto* machine_context = &static_cast<const ucontext_t*>(raw)->uc_mcontext;
#if defined(__x86_64__)
  constexpr std::size_t general = REG_RIP + 1; // what follows is no state of the program's
  std::uint64_t hash =
      hash_bytes(0, reinterpret_cast<std::uintptr_t>(machine_context->gregs), general * 8);
  if (machine_context->fpregs != nullptr) {
    hash = hash_bytes(hash,
                      reinterpret_cast<std::uintptr_t>(machine_context->fpregs->_xmm),
                      sizeof machine_context->fpregs->_xmm);
  }
#else
  std::uint64_t hash = hash_bytes(mix(machine_context->pc, machine_context->sp),
                                  reinterpret_cast<std::uintptr_t>(machine_context->regs),
                                  sizeof machine_context->regs);
#endif
  const stack_memory& stack = w.stack.stack();
  const std::uintptr_t from = stack_pointer(raw) - red_zone;
  if (stack.contains(from)) {
    hash = hash_bytes(hash, from, std::min(stack.high - from, most_of_stack));
  }
  seen when = seen::never;
  const std::size_t known = std::min<std::size_t>(w.interruptions, w.interrupted_at.size());
  for (std::uint64_t i = w.interruptions - known; i < w.interruptions; ++i) {
    if (w.interrupted_at[i % w.interrupted_at.size()] == hash) {
      when = i < w.before_turn ? seen::earlier : seen::in_this_turn;
      break;
    }
  }
  w.recurrences += when == seen::earlier ? 1 : 0;
  if (when != seen::in_this_turn) {
    w.interrupted_at[w.interruptions++ % w.interrupted_at.size()] = hash;
  }
  return when;
}

// Real time, which is counted finely; what counts is how far the block has come meanwhile.
constexpr std::int64_t look_nanoseconds = 50'000;
constexpr std::int64_t least_between_looks = 20'000;
constexpr unsigned looks_each_turn = 12; // fewer than states are kept
constexpr int is_look = 1;               // what the handler is told

/// Of the thread that runs kernels, as ticks are.
system_timer& looks() {
  thread_local system_timer timer;
  return timer;
}

void end_turn(sim_thread& thread, std::uintptr_t pc) {
  thread.site = reinterpret_cast<const void*>(pc + 1);
  thread.self->out_of_time = true;
  impl_of(*thread.owner->exec).look_often = true;
  execution::yield();
}

/// One of the frequent looks, where the kernel may lose its turn.
void look_at(sim_thread& thread, const void* raw) {
  worker& w = *thread.self;
  if (thread.operations != thread.operations_then) {
    looks().disarm(); // it works
    return;
  }
  if (nanoseconds_of(CLOCK_THREAD_CPUTIME_ID) - w.looked_at < least_between_looks) {
    return;
  }
  if (note_state(w, raw) != seen::never) {
    w.goes_round = true;
    end_turn(thread, program_counter(raw));
    return;
  }
  if (w.interruptions - w.before_turn >= looks_each_turn) {
    looks().disarm();
  }
  w.looked_at = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
}

/// What the thread that runs kernels blocks by itself; set before ticks come.
thread_local sigset_t usual_mask;

/// A handler of the program's runs, and blocks signals while it does: left now, it would block them
/// until its block's next turn.
bool in_masking_handler(const void* raw) {
  const sigset_t& now = static_cast<const ucontext_t*>(raw)->uc_sigmask;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&now, signal) == 1 && sigismember(&usual_mask, signal) == 0) {
      return true;
    }
  }
  return false;
}

/// Ends the turn of a kernel that has made no operation since the last tick. Leaving a fiber from a
/// handler is sound here: the handler runs on the fiber's own stack, and the fiber was in the
/// user's code, not inside a library's.
void on_tick(int /*signal*/, siginfo_t* info, void* raw) {
  const bool for_library = in_library(); // the program's operator new, say
  const library_section inside;
  keyed_pages::reopen_in_handler();
  static const sim_thread* last_thread = nullptr;
  static std::uint64_t last_operations = 0;
  static unsigned idle_ticks = 0;
  sim_thread* thread = execution::impl::running;
  if (thread == nullptr) {
    return;
  }
  const std::uintptr_t pc = program_counter(raw);
  // On its own stack: not in the switch to or from it.
  const bool may_leave = !for_library && program_code().contains(pc) &&
                         thread->stack->stack().contains(stack_pointer(raw)) &&
                         !in_masking_handler(raw);
  if (info->si_value.sival_int == is_look) {
    if (may_leave) {
      look_at(*thread, raw);
    }
    return;
  }
  const bool idle = thread == last_thread && thread->operations == last_operations;
  last_thread = thread;
  last_operations = thread->operations;
  idle_ticks = idle ? idle_ticks + 1 : 0;
  execution::impl& state = impl_of(*thread->owner->exec);
  const bool stuck =
      thread->owner->opts.idle_ops.value_or(0) != 0 && idle_ticks >= longest_idle_ticks;
  // Where turns may not depend on the clock, a kernel is left only to be ended.
  if (idle && may_leave && (!thread->owner->opts.repeatable || stuck || state.out_of_time())) {
    last_thread = nullptr;
    state.stuck = stuck;
    thread->self->goes_round = note_state(*thread->self, raw) != seen::never;
    end_turn(*thread, pc);
  }
}

/// Of the thread that runs kernels: a tick counts its time, and arrives in it.
system_timer& ticks() {
  thread_local system_timer timer;
  return timer;
}

thread_local bool clock_runs = false;

} // namespace

turn_clock::turn_clock() {
#if defined(__SANITIZE_THREAD__)
  return; // that sanitizer delivers signals from inside its own runtime, where no fiber may be left
#endif
  static const bool handled = [] {
    struct sigaction tick {};
    tick.sa_sigaction = on_tick;
    tick.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER; // on the kernel's own stack
    static_cast<void>(program_code()); // known before a handler asks: it may not allocate
    return sigaction(tick_signal(), &tick, nullptr) == 0;
  }();
  if (!handled || clock_runs) {
    return;
  }
  armed_ = clock_runs = true;
  // A program that waits for its signals in one thread blocks all of them in the others.
  sigset_t ours;
  sigset_t before;
  sigemptyset(&ours);
  sigaddset(&ours, tick_signal());
  pthread_sigmask(SIG_UNBLOCK, &ours, &before);
  was_blocked_ = sigismember(&before, tick_signal()) == 1;
  usual_mask = before;
  ticks().arm(CLOCK_THREAD_CPUTIME_ID,
              tick_signal(),
              static_cast<pid_t>(syscall(SYS_gettid)),
              tick_nanoseconds,
              tick_nanoseconds);
}

turn_clock::~turn_clock() {
  if (!armed_) {
    return;
  }
  clock_runs = false;
  ticks().disarm();
  if (was_blocked_) {
    sigset_t ours;
    sigemptyset(&ours);
    sigaddset(&ours, tick_signal());
    pthread_sigmask(SIG_BLOCK, &ours, nullptr);
  }
}

frequent_looks::frequent_looks(worker& w) {
  w.before_turn = w.interruptions;
#if !defined(__SANITIZE_THREAD__)
  w.looked_at = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
  looks().arm(CLOCK_MONOTONIC,
              tick_signal(),
              static_cast<pid_t>(syscall(SYS_gettid)),
              look_nanoseconds,
              look_nanoseconds,
              is_look);
#endif
}

frequent_looks::~frequent_looks() {
  looks().disarm();
}

} // namespace tilesim::sim
