// Signal handlers of hooked programs, and jumps out of them.
//
// A handler arrives in whatever the thread does: in a kernel its accesses would count as the tile
// block's, in the library or in malloc a judgement would find locks taken. So hooked code that
// installs a handler installs one of ours in its place, which calls the program's inside of a
// library_section: what it accesses is not judged, and no turn of a kernel ends in it. The system
// keeps the flags and the mask, and resets SA_RESETHAND itself; kept here is only which function
// stands behind ours. Whoever asks for the handler gets the program's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/program_handlers.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/signal_place.hpp"
#include "sim/execution/signals.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"
#include "sim/process/thread_marks.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <span>

namespace tilesim::sim {

namespace {

/// A handler of the program's that runs. They lie on the stacks of the handlers.
struct running_handler {
  std::uintptr_t frame; ///< what it calls lies below on its stack
  unsigned outside;     ///< whose code it has interrupted
  running_handler* outer;
};
thread_local running_handler* innermost = nullptr;
const thread_mark mark_of_handler([]() noexcept {
  return std::as_writable_bytes(std::span(&innermost, 1));
});

class handler_section {
public:
  handler_section() noexcept
      : self_{reinterpret_cast<std::uintptr_t>(this), current_sections(), innermost} {
    set_sections(self_.outside + 1);
    innermost = &self_;
  }
  ~handler_section() {
    innermost = self_.outer;
    set_sections(self_.outside);
  }
  handler_section(const handler_section&) = delete;
  handler_section& operator=(const handler_section&) = delete;

private:
  running_handler self_;
};

using handler = void (*)(int);
using action = void (*)(int, siginfo_t*, void*);

template <class Function>
using by_signal = std::array<std::atomic<Function>, NSIG>;

// Of either form: an action that the system still has calls what belongs to it.
by_signal<handler> handlers;
by_signal<action> actions;
static_assert(std::atomic<handler>::is_always_lock_free); // handlers read it, and install others

// Exceptions may pass through. Not inline: the frame is to be of the section's caller.
[[gnu::noinline]] void call_handler(int signal) {
  const handler_section inside;
  handlers[static_cast<unsigned>(signal)].load()(signal);
}

[[gnu::noinline]] void call_action(int signal, siginfo_t* info, void* context) {
  const handler_section inside;
  actions[static_cast<unsigned>(signal)].load()(signal, info, context);
}

/// The system keeps both forms in one place.
handler same(action a) {
  struct sigaction both {};
  both.sa_sigaction = a;
  return both.sa_handler;
}

bool is_signal(int signal) {
  return signal > 0 && signal < NSIG;
}

/// SIG_DFL, SIG_IGN, SIG_HOLD and SIG_ERR are none.
bool is_function(handler h) {
  constexpr std::uintptr_t last_special = 2;
  return h != SIG_ERR && reinterpret_cast<std::uintptr_t>(h) > last_special;
}

/// What stands behind the handlers of a signal at one time.
struct behind {
  handler one_argument = nullptr;
  action three_arguments = nullptr;

  explicit behind(int signal) {
    if (is_signal(signal)) {
      one_argument = handlers[static_cast<unsigned>(signal)];
      three_arguments = actions[static_cast<unsigned>(signal)];
    }
  }
  [[nodiscard]] handler instead_of(handler installed) const {
    return installed == &call_handler        ? one_argument
           : installed == same(&call_action) ? same(three_arguments)
                                             : installed;
  }
};

handler ours_for(int signal, handler programs) {
  // A handler that has been asked for by other means is ours already.
  if (!is_signal(signal) || !is_function(programs) || programs == &call_handler) {
    return programs;
  }
  handlers[static_cast<unsigned>(signal)] = programs;
  return &call_handler;
}

action ours_for(int signal, action programs) {
  if (!is_signal(signal) || !is_function(same(programs)) || programs == &call_action) {
    return programs;
  }
  actions[static_cast<unsigned>(signal)] = programs;
  return &call_action;
}

/// signal() and its kin.
template <class Install>
handler install(int signal, handler programs, Install real) {
  const behind before(signal);
  return before.instead_of(real(signal, ours_for(signal, programs)));
}

int install(int signal, const struct sigaction* programs, struct sigaction* before) {
  const behind stood(signal);
  struct sigaction ours {};
  if (programs != nullptr) {
    ours = *programs;
    if ((ours.sa_flags & SA_SIGINFO) != 0) {
      ours.sa_sigaction = ours_for(signal, ours.sa_sigaction);
    } else {
      ours.sa_handler = ours_for(signal, ours.sa_handler);
    }
  }
  const int result = sigaction(signal, programs != nullptr ? &ours : nullptr, before);
  if (result == 0 && before != nullptr) {
    before->sa_handler = stood.instead_of(before->sa_handler);
  }
  return result;
}

// glibc hides the stack pointer of a jmp_buf behind a number of the process's.
std::uintptr_t hidden_stack_pointer(const __jmp_buf_tag* to) {
#if defined(__x86_64__)
  constexpr std::size_t at = 6;
#else
  constexpr std::size_t at = 13;
#endif
  return static_cast<std::uintptr_t>(to->__jmpbuf[at]);
}

/// Where the stack will end after a jump.
[[gnu::noinline]] std::uintptr_t stack_pointer_of(const __jmp_buf_tag* to) {
  std::uintptr_t hidden = hidden_stack_pointer(to);
#if defined(__x86_64__)
  asm("ror $17, %0\n\txor %%fs:0x30, %0" : "+r"(hidden) : : "cc");
  return hidden;
#else
  jmp_buf here;
  if (_setjmp(here) != 0) {
    return 0;
  }
  std::uintptr_t sp = 0;
  asm("mov %0, sp" : "=r"(sp));
  return hidden ^ hidden_stack_pointer(here) ^ sp;
#endif
}

/// The program jumps: handlers that it leaves by that have ended.
void jumps(const __jmp_buf_tag* to, const void* site) {
  const std::uintptr_t target = stack_pointer_of(to);
  const bool by_handler = innermost != nullptr;
  auto lowest = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  while (innermost != nullptr && (target < lowest || target >= innermost->frame)) {
    lowest = innermost->frame;
    set_sections(innermost->outside);
    innermost = innermost->outer;
  }
  const sim_thread* const thread = execution::current();
  if (thread == nullptr || innermost != nullptr || thread->stack->stack().contains(target)) {
    return;
  }
  const library_section inside;
  context::current().found.stop(
      user_caller(site),
      {.kind = finding_kind::wrong_context,
       .message = by_handler ? "a signal handler jumps out of the kernel that it has interrupted"
                             : "a kernel jumps out of itself by longjmp()",
       .details = {fmt::format("by {} of {}", thread->name(), thread->launch->kernel.name)},
       .remedy = by_handler ? "let the handler set a flag; a GPU's kernel ends by itself alone"
                            : "device code has no such function: return from the kernel instead"});
}

} // namespace

bool in_program_handler() noexcept {
  return innermost != nullptr;
}

} // namespace tilesim::sim

#define HOOK(result, name) extern "C" TILESIM_EXPORT result tilesim_hook_##name
using signal_handler = void (*)(int);
extern "C" signal_handler bsd_signal(int, signal_handler); // headers hide it, programs may link it
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" // sigset

// NOLINTBEGIN(bugprone-reserved-identifier): the names are libc's.
HOOK(int, sigaction)(int signal, const struct sigaction* now, struct sigaction* before) {
  return tilesim::sim::install(signal, now, before);
}
HOOK(int, __sigaction)(int signal, const struct sigaction* now, struct sigaction* before) {
  return tilesim::sim::install(signal, now, before);
}
#define TILESIM_SIGNAL(name)                                                                       \
  HOOK(signal_handler, name)(int number, signal_handler h) {                                       \
    return tilesim::sim::install(number, h, &::name);                                              \
  }
TILESIM_SIGNAL(signal)
TILESIM_SIGNAL(bsd_signal)
TILESIM_SIGNAL(ssignal)
TILESIM_SIGNAL(sysv_signal)
TILESIM_SIGNAL(__sysv_signal)
TILESIM_SIGNAL(sigset)

#define TILESIM_JUMP(name, real)                                                                   \
  extern "C" [[noreturn]] TILESIM_EXPORT void tilesim_hook_##name(__jmp_buf_tag* to, int value) {  \
    tilesim::sim::jumps(to, TILESIM_SITE);                                                         \
    real(to, value);                                                                               \
  }
TILESIM_JUMP(longjmp, longjmp)
TILESIM_JUMP(_longjmp, _longjmp)
TILESIM_JUMP(siglongjmp, siglongjmp)
TILESIM_JUMP(__longjmp_chk, longjmp) // it refuses to leave an alternate stack that it does not see
// NOLINTEND(bugprone-reserved-identifier)
