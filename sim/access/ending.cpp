// Kernels that end the program: by a signal, an exception, exit(), raise() and their kin, or a
// process or thread of their own.
//
// A GPU ends the launch, and NVIDIA's compiler refuses the calls. Here they are the host's: without
// a word the program would be gone, and nobody would know by which block.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/ending.hpp"

#include "sim/access/program_handlers.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/core/context.hpp"
#include "sim/core/ends.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/execution/signal_place.hpp"
#include "sim/execution/signals.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/keyed_pages.hpp"
#include "sim/process/outside.hpp"
#include "sim/process/sections.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <memory>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <typeinfo>
#include <unistd.h>
#include <unwind.h>

namespace tilesim::sim {

namespace {

std::string by(const sim_thread& thread) {
  return fmt::format("by {} of {}", thread.name(), thread.launch->kernel.name);
}

/// The type of the exception that nobody caught, if it is one that ends the program.
std::string uncaught_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    return {};
  }
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name{
      abi::__cxa_demangle(type->name(), nullptr, nullptr, &status), std::free};
  return status == 0 ? name.get() : type->name();
}

finding_text fatal_signal(int signal, const siginfo_t* info) {
  const std::string name = fmt::format("SIG{}", sigabbrev_np(signal));
  if (signal == SIGABRT) {
    if (const std::string type = uncaught_exception(); !type.empty()) {
      return {.kind = finding_kind::crash,
              .message = fmt::format("an exception of type {} leaves the kernel", type),
              .remedy = "device code has no exceptions: write what went wrong to memory"};
    }
    return {.kind = finding_kind::crash,
            .message = "the kernel aborts the program",
            .remedy = "look at what abort(), std::terminate() or a check of the standard library's "
                      "says there; device code has none of them"};
  }
  if (info->si_code <= 0) {
    return {.kind = finding_kind::crash,
            .message = fmt::format("the kernel raises {}", name),
            .remedy = "device code has no signals: return from the kernel instead"};
  }
  if (signal == SIGFPE) {
    return {.kind = finding_kind::crash,
            .message = "integer division by zero, or of the most negative integer by -1, between "
                       "plain integers (SIGFPE)",
            .remedy = "test the divisor; a GPU goes on with an unspecified result"};
  }
  return {.kind = finding_kind::crash,
          .message = fmt::format("the kernel ends the program by a trap ({})", name),
          .remedy =
              "follow the condition that led to __builtin_trap(), or to the end of a function "
              "that returns nothing"};
}

constexpr std::array fault_signals{SIGSEGV, SIGBUS};
constexpr std::array fatal_signals{SIGABRT, SIGFPE, SIGILL, SIGTRAP};

/// How many handlers of signals run on this stack: each stands on a frame that a signal has
/// interrupted.
unsigned running_handlers() noexcept {
  unsigned count = 0;
  _Unwind_Backtrace(
      [](_Unwind_Context* frame, void* counter) {
        int is_interrupted = 0;
        static_cast<void>(_Unwind_GetIPInfo(frame, &is_interrupted));
        *static_cast<unsigned*>(counter) += is_interrupted != 0 ? 1U : 0U;
        return _URC_NO_REASON;
      },
      &count);
  return count;
}

/// A stack for handlers: a kernel's own may be what has overflowed.
class handler_stack {
public:
  handler_stack()
      : memory_(mmap(nullptr,
                     handler_stack_bytes,
                     PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                     -1,
                     0)) {}
  ~handler_stack() { munmap(memory_, handler_stack_bytes); }
  handler_stack(const handler_stack&) = delete;
  handler_stack& operator=(const handler_stack&) = delete;

  /// Puts it in place of another, or of none. False: it stood there already.
  bool put(stack_t& before) const {
    sigaltstack(nullptr, &before);
    const bool large = (before.ss_flags & SS_DISABLE) == 0 && before.ss_size >= handler_stack_bytes;
    if (large || memory_ == MAP_FAILED) {
      return false;
    }
    stack_t own{};
    own.ss_sp = memory_;
    own.ss_size = handler_stack_bytes;
    return sigaltstack(&own, nullptr) == 0;
  }

private:
  void* memory_;
};

} // namespace

void stop_at_trap(const void* site, const char* how) {
  finding_text text{.kind = finding_kind::crash,
                    .message = fmt::format("the kernel {}", how),
                    .details = {"a GPU ends the launch with cudaErrorLaunchFailure"},
                    .remedy = "follow the condition that led to it"};
  if (const sim_thread* const thread = execution::current()) {
    text.details.insert(text.details.begin(), by(*thread));
  }
  context::current().found.stop(site, std::move(text));
}

void report_fatal_signal(int signal, const siginfo_t* info, const void* context) {
  finding_text text = fatal_signal(signal, info);
  text.details.push_back(by(*execution::current()));
  context::current().found.stop(user_line(context), std::move(text));
}

struct kernel_signals::saved {
  struct one {
    int signal;
    struct sigaction before;
  };
  std::array<one, fault_signals.size() + fatal_signals.size()> actions{};
  std::size_t count = 0;
  stack_t stack{};
  bool stack_replaced = false;

  void replace(int signal, const struct sigaction& ours, const struct sigaction& before) {
    sigaction(signal, &ours, nullptr);
    actions.at(count++) = {signal, before};
  }

  /// Host code's, of another thread while a kernel runs, or between two runs: it is as if there
  /// were no handler of ours.
  void pass_on(int signal, const siginfo_t* info) const {
    const auto* const one = std::ranges::find(actions, signal, &one::signal);
    sigaction(signal, &one->before, nullptr);
    if (info->si_code <= 0) {
      raise(signal);
    } // else the instruction is repeated
  }
};

namespace {

const kernel_signals::saved* former = nullptr; ///< of the outermost kernel_signals

void on_fatal_signal(int signal, siginfo_t* info, void* context) {
  if (signal == SIGTRAP && take_step(context)) {
    return;
  }
  const library_section inside;
  keyed_pages::reopen_in_handler();
  // Not if a handler of the program's has raised it, on top of a kernel that has nothing to do with
  // it.
  if (execution::current() != nullptr && !in_program_handler() && running_handlers() < 2) {
    report_fatal_signal(signal, info, context);
  }
  sim::context* const c = sim::context::existing();
  if (signal == SIGABRT && c != nullptr && c->ends->process_goes_on()) {
    c->leave({.status = 128 + signal, .signal = signal});
  }
  former->pass_on(signal, info);
}

} // namespace

kernel_signals::kernel_signals() {
  if (former != nullptr) {
    return;
  }
  saved_ = std::make_unique<saved>();
  former = saved_.get();
  thread_local const handler_stack stack;
  saved_->stack_replaced = stack.put(saved_->stack);
  struct sigaction before {};
  struct sigaction ours {};
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ours.sa_sigaction = on_fault;
  for (const int signal : fault_signals) {
    sigaction(signal, nullptr, &before);
    if (before.sa_sigaction != on_fault) {
      saved_->replace(signal, ours, before);
    }
  }
  ours.sa_sigaction = on_fatal_signal;
  for (const int signal : fatal_signals) {
    sigaction(signal, nullptr, &before);
    saved_->replace(signal, ours, before);
  }
}

kernel_signals::~kernel_signals() {
  if (saved_ == nullptr) {
    return;
  }
  former = nullptr;
  for (std::size_t i = 0; i < saved_->count; ++i) {
    sigaction(saved_->actions.at(i).signal, &saved_->actions.at(i).before, nullptr);
  }
  if (saved_->stack_replaced) {
    sigaltstack(&saved_->stack, nullptr);
  }
}

namespace {

/// The library's own function behind one of ours of the same name.
template <class Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool called_by_library(const void* return_address) {
  Dl_info ours;
  Dl_info its;
  return dladdr(reinterpret_cast<const void*>(&report_fatal_signal), &ours) != 0 &&
         dladdr(return_address, &its) != 0 && ours.dli_fbase == its.dli_fbase;
}

/// exit() and its kin: host code of a run that the process outlives ends the run alone.
[[maybe_unused]] void end_program(const void* return_address, const char* call, int status) {
  refuse_in_kernel(return_address, fmt::format("{}({})", call, status), "ends the program");
  context* const c = context::existing();
  if (c != nullptr && c->ends->process_goes_on() && !in_library()) {
    c->leave({.status = status});
  }
}

/// _exit() and its kin: what a process that the program has made has found is told all the same.
/// The status that it is to end with.
[[maybe_unused]] int leave_program(const void* return_address, const char* call, int status) {
  end_program(return_address, call, status);
  context* const c = context::existing();
  if (c != nullptr && c->told.child && !in_library()) {
    const library_section inside;
    c->found.tell(in_report::how_ended);
  }
  return c != nullptr && !in_library() ? c->told_status(status) : status;
}

/// Whether a signal ends the program: one that has a handler, ours or the program's, does not. Ours
/// of SIGINT is for Ctrl-C, which a kernel does not press.
bool ends_program(int signal) {
  constexpr std::array harmless{
      SIGCHLD, SIGCONT, SIGURG, SIGWINCH, SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU};
  struct sigaction now {};
  return signal != 0 && std::ranges::find(harmless, signal) == harmless.end() &&
         sigaction(signal, nullptr, &now) == 0 &&
         (now.sa_handler == SIG_DFL || (signal == SIGINT && interrupts_are_ours()));
}

/// raise() and its kin. SIGKILL has no handler that could tell of it; those of other signals are
/// the program's.
[[maybe_unused]] void refuse_signal(const void* return_address, const char* call, int signal) {
  if (execution::current() == nullptr || !ends_program(signal)) {
    return;
  }
  const char* const name = sigabbrev_np(signal);
  const std::string text = name != nullptr ? fmt::format("SIG{}", name) : fmt::to_string(signal);
  refuse_in_kernel(return_address, fmt::format("{}({})", call, text), "ends the program");
}

[[maybe_unused]] bool reaches_us(pid_t process) {
  return process == getpid() || process == 0 || process == -1 || process == -getpgrp();
}

} // namespace

void refuse_in_kernel(const void* return_address, const std::string& call, const char* what) {
  const sim_thread* thread = execution::current();
  if (thread == nullptr || in_program_handler() || running_handlers() != 0) {
    return;
  }
  const library_section inside;
  if (called_by_library(return_address)) {
    return;
  }
  context::current().found.stop(
      user_caller(return_address),
      {.kind = finding_kind::wrong_context,
       .message = fmt::format("a kernel calls {}, which {}", call, what),
       .details = {by(*thread)},
       .remedy = "device code has no such function, and NVIDIA's compiler refuses the call: return "
                 "from the kernel instead"});
}

} // namespace tilesim::sim

// fork() stands in outside.cpp, which notes processes of the host's, too.
#if defined(__has_feature) && !defined(TILESIM_OWN_CALLS)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#    define TILESIM_OWN_CALLS 0 // clang++'s sanitizers have functions of these names in the program
#  endif
#endif
#ifndef TILESIM_OWN_CALLS
#  define TILESIM_OWN_CALLS 1
#endif

#if TILESIM_OWN_CALLS
using tilesim::sim::end_program;
using tilesim::sim::leave_program;
using tilesim::sim::reaches_us;
using tilesim::sim::real;
using tilesim::sim::refuse_in_kernel;
using tilesim::sim::refuse_signal;

// NOLINTBEGIN(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp): the names are libc's.
extern "C" {

TILESIM_EXPORT __attribute__((noreturn)) void exit(int status) noexcept {
  end_program(TILESIM_SITE, "exit", status);
  real<void(int)>("exit")(status);
  std::abort(); // it does not return
}

TILESIM_EXPORT __attribute__((noreturn)) void quick_exit(int status) noexcept {
  status = leave_program(TILESIM_SITE, "quick_exit", status);
  real<void(int)>("quick_exit")(status);
  std::abort();
}

TILESIM_EXPORT __attribute__((noreturn)) void _exit(int status) {
  status = leave_program(TILESIM_SITE, "_exit", status);
  for (;;) {
    syscall(SYS_exit_group, status);
  }
}

TILESIM_EXPORT __attribute__((noreturn)) void _Exit(int status) noexcept {
  status = leave_program(TILESIM_SITE, "_Exit", status);
  for (;;) {
    syscall(SYS_exit_group, status);
  }
}

TILESIM_EXPORT int pthread_create(pthread_t* newthread,
                                  const pthread_attr_t* attr,
                                  void* (*start_routine)(void*),
                                  void* arg) noexcept {
  refuse_in_kernel(TILESIM_SITE, "pthread_create()", "starts a thread of the host's");
  static auto* const next =
      real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>("pthread_create");
  return next(newthread, attr, start_routine, arg);
}

TILESIM_EXPORT __attribute__((noreturn)) void pthread_exit(void* retval) {
  refuse_in_kernel(TILESIM_SITE, "pthread_exit()", "ends the host's thread that runs it");
  real<void(void*)>("pthread_exit")(retval);
  std::abort();
}

// Handlers raise signals, too: these two are no more than the system's calls.
TILESIM_EXPORT int raise(int sig) noexcept {
  refuse_signal(TILESIM_SITE, "raise", sig);
  return static_cast<int>(syscall(SYS_tgkill, getpid(), gettid(), sig));
}

TILESIM_EXPORT int kill(pid_t pid, int sig) noexcept {
  if (reaches_us(pid)) {
    refuse_signal(TILESIM_SITE, "kill", sig);
  }
  return static_cast<int>(syscall(SYS_kill, pid, sig));
}

TILESIM_EXPORT int pthread_kill(pthread_t threadid, int signo) noexcept {
  refuse_signal(TILESIM_SITE, "pthread_kill", signo);
  static auto* const next = real<int(pthread_t, int)>("pthread_kill");
  return next(threadid, signo);
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
#endif

// A name of its own here, and libc's for the linker: a sanitizer may have another of that name.
extern "C" {
pid_t own_fork() __asm__("fork");
TILESIM_EXPORT pid_t own_fork() {
  tilesim::sim::refuse_in_kernel(TILESIM_SITE, "fork()", "copies the program");
  tilesim::sim::did_outside("starts a process");
  return tilesim::sim::real<pid_t()>("fork")();
}
}
