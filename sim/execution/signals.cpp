// Signals: raw accesses that fault, stacks that overflow, and Ctrl-C.
//
// A kernel's `p[i]` is an ordinary instruction in `run`, so a bad one arrives here as SIGSEGV. The
// handler decides whose fault it is and reports it; what is the program's own affair (a null
// dereference in host code) is left to the handler that was there before.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/signals.hpp"

#include "sim/contract/exit_codes.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/signal_place.hpp"
#include "sim/execution/system_timer.hpp"
#include "sim/execution/vector_operand.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/process/keyed_pages.hpp"
#include "sim/process/sections.hpp"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim {

namespace {

// How long a kernel may go without a tile operation before Ctrl-C stops waiting for the next one.
constexpr std::int64_t grace_nanoseconds = 200'000'000;

// Ctrl-C pressed twice ends the run without a report; signals that follow one another faster than
// this are one press (`timeout` sends its signal to the process and to its group).
constexpr std::int64_t one_press_nanoseconds = 500'000'000;

volatile std::sig_atomic_t interrupted = 0;
volatile std::int64_t interrupted_at = 0;    // nanoseconds of the monotonic clock
volatile std::int64_t interrupted_after = 0; // nanoseconds that the process had run
struct sigaction old_segv;
struct sigaction old_bus;
struct sigaction old_int;

/// Whoever controls the run learns where it ends. Once: what the handler does may crash, too.
void tell_control(int signal, const void* raw) {
  static volatile std::sig_atomic_t told = 0;
  run_control* control = context::current().exec->desk().control;
  if (control == nullptr || told != 0) {
    return;
  }
  told = 1;
  constexpr std::size_t most = 64;
  std::array<const void*, most> all{};
  std::array<const void*, most + 1> users{};
  std::size_t count = 0;
  // A site is a return address: one past the instruction.
  const auto* pc = reinterpret_cast<const void*>(program_counter(raw) + 1);
  if (in_user_code(pc)) {
    users[count++] = pc;
  }
  for (const void* site : std::span(all).first(sites_of_frames(all))) {
    if (site != pc && in_user_code(site)) {
      users[count++] = site;
    }
  }
  control->dies(signal, std::span(users).first(count));
}

void note_death(int signal) {
  if (const context* const c = context::existing()) {
    c->counts->signal = static_cast<std::uint64_t>(signal);
  }
}

void reraise(int signal, const struct sigaction& old) {
  if (old.sa_handler == SIG_DFL) {
    note_death(signal);
  }
  sigaction(signal, &old, nullptr);
  // Returning repeats the instruction, now under the former handler.
}

// raise() or kill(): no address, and no instruction that would fault again.
void sent_by_somebody(int signal, const struct sigaction& old) {
  sigaction(signal, &old, nullptr);
  raise(signal);
}

/// A launch calls what a pointer to a kernel points to, here as in what NVIDIA's compiler makes of
/// it: through a null pointer the host's code goes to address 0.
void tell_null_launch(context& c, const void* raw) {
  const auto called = kernel_being_called();
  if (!called || program_counter(raw) != 0) {
    return;
  }
  c.found.stop(called->site,
               {.kind = finding_kind::bad_launch,
                .message = fmt::format("the launch of {} calls a null pointer", called->name),
                .details = {"with CUDA, too, the program ends here by SIGSEGV: <<<…>>> calls the "
                            "kernel's host function, before any error could be returned"},
                .remedy = "let the pointer point to a kernel; cudaLaunchKernel and "
                          "cudaLaunchKernelEx return cudaErrorInvalidDeviceFunction instead"});
}

/// What a kernel has done there: an access, or a call through a pointer to no function. Of that
/// there is no instruction whose line could be told, but the call's is.
void tell_fault_of_kernel(context& c,
                          const sim_thread& thread,
                          const void* raw,
                          const bad_access& access) {
  constexpr std::uintptr_t null_page = 4096;
  const std::uintptr_t called = program_counter(raw);
  if (called != access.address || !thread.stack->stack().contains(stack_pointer(raw))) {
    c.exec->refused(access);
    c.found.stop(user_site(raw), explain(c, &thread, access));
    return;
  }
  const bool null = called < null_page;
  c.found.stop(site_of_call(raw),
               {.kind = null ? finding_kind::null_pointer : finding_kind::wild_pointer,
                .message = null ? "call through a null pointer"
                                : fmt::format("call of address {:#x}, where no code lies", called),
                .details = {fmt::format("by {} of {}", thread.name(), thread.launch->kernel.name)},
                .remedy = "let the pointer that is called point to a function"});
}

/// si_code of faults of which the processor gives no address (SI_KERNEL).
constexpr int no_address = 0x80;

/// A vector that is not aligned as compilers take it to be, or an address that none is.
void tell_refused_operand(context& c,
                          const sim_thread& thread,
                          const siginfo_t& info,
                          const void* raw) {
  const auto operand =
      info.si_code == no_address ? interrupted_operand(raw) : std::optional<vector_operand>();
  if (!operand) {
    return;
  }
  const access_kind kind = operand->writes ? access_kind::write : access_kind::read;
  const bad_access access{operand->address, operand->bytes, kind};
  c.exec->refused(access);
  constexpr std::uint64_t addresses = std::uint64_t{1} << 47U;
  if (operand->address >= addresses || operand->address % operand->bytes == 0) {
    c.found.stop(user_site(raw), explain(c, &thread, access));
  }
  c.found.stop(user_site(raw), misaligned_text(c, thread, access));
}

/// Host code has come to where there is simulated memory.
void tell_host_fault(context& c, std::uintptr_t at, access_kind kind, const void* raw) {
  if (c.mem.in_arena(at)) {
    const allocation* a = c.mem.find(reinterpret_cast<const void*>(at));
    if (a != nullptr && a->live && a->kind == memory_kind::device) {
      c.found.stop(fault_with_callers(user_site(raw)), explain_host_access(c, at, kind));
    }
    c.found.stop(fault_with_callers(user_site(raw)), explain(c, nullptr, {at, 0, kind}));
  }
}

} // namespace

void on_fault(int signal, siginfo_t* info, void* raw) {
  const library_section inside;
  keyed_pages::reopen_in_handler();
  if (info->si_code <= 0) {
    if (execution::current() != nullptr && info->si_pid == getpid()) {
      report_fatal_signal(signal, info, raw);
    }
    tell_control(signal, raw);
    sent_by_somebody(signal, signal == SIGBUS ? old_bus : old_segv);
    return;
  }
  context& c = context::current();
  const sim_thread* thread = execution::current();
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const access_kind kind = interrupted_access(raw);
  // A frame larger than the guard moves the stack pointer past it at once.
  if (thread != nullptr &&
      (thread->stack->stack().overflowed_at(at) ||
       (at < thread->stack->stack().low && stack_pointer(raw) < thread->stack->stack().low))) {
    c.found.stop(user_site(raw),
                 {.kind = finding_kind::stack_overflow,
                  .message = fmt::format("{} of {} needs more than its stack of {} bytes",
                                         thread->name(),
                                         thread->launch->kernel.name,
                                         thread->stack->stack().bytes),
                  .remedy =
                      "tiles live on the kernel's stack: use smaller tiles or fewer at a time, "
                      "look for recursion, or raise --stack-bytes"});
  }
  if (thread != nullptr) {
    tell_refused_operand(c, *thread, *info, raw);
    tell_fault_of_kernel(c, *thread, raw, {at, 0, kind});
  }
  tell_null_launch(c, raw);
  // A launch calls the kernel on the stack of its thread, whose frame is then as large as a
  // block's.
  constexpr std::uintptr_t reach = std::uintptr_t{16} << 30U;
  if (const auto called = kernel_being_called(); called && at < called->stack &&
                                                 called->stack - at < reach &&
                                                 at + 4096 >= stack_pointer(raw)) {
    rlimit limit{};
    getrlimit(RLIMIT_STACK, &limit);
    c.found.stop(
        called->site,
        {.kind = finding_kind::stack_overflow,
         .message = fmt::format("{} needs more than the stack of {} bytes of the thread "
                                "that launches it",
                                called->name,
                                limit.rlim_cur),
         .remedy = "tiles live on the kernel's stack: use smaller tiles or fewer at a time"});
  }
  tell_host_fault(c, at, kind, raw);
  tell_control(signal, raw);
  reraise(signal, signal == SIGBUS ? old_bus : old_segv);
}

namespace {

void on_end(int signal, siginfo_t* /*info*/, void* raw) {
  const library_section inside;
  keyed_pages::reopen_in_handler();
  tell_control(signal, raw);
  struct sigaction fatal {};
  fatal.sa_handler = SIG_DFL;
  sigaction(signal, &fatal, nullptr);
  raise(signal); // once this handler has returned
}

/// Never destroyed: Ctrl-C may come at the very end.
system_timer& grace() {
  static auto& timer = *new system_timer;
  return timer;
}

/// The alarm that looks whether an operation has answered.
void call_in_a_moment() {
  grace().arm(CLOCK_MONOTONIC, grace_signal(), 0, grace_nanoseconds, 0);
}

void on_interrupt(int /*signal*/) {
  context& c = context::current();
  // Under the stepper the host goes on to the next operation and stops there.
  const bool stepped = c.exec->desk().control != nullptr;
  if (c.exec->idle() && !stepped) {
    sigaction(SIGINT, &old_int, nullptr);
    raise(SIGINT);
    return;
  }
  const std::int64_t now = now_nanoseconds();
  if (interrupted != 0) {
    if (now - interrupted_at >= one_press_nanoseconds) {
      _exit(exit_interrupted); // pressed twice
    }
    return;
  }
  interrupted_at = now;
  interrupted = 1;
  if (!c.exec->idle() || stepped) {
    interrupted_after = processor_nanoseconds();
    call_in_a_moment();
  }
}

/// Does it wait for the system? Between two looks it has not moved on then.
bool waits_in_system(const void* raw) {
  static std::uintptr_t seen = 0;
  const std::uintptr_t pc = program_counter(raw);
#if defined(__x86_64__)
  constexpr std::array<unsigned char, 2> call = {0x0f, 0x05};
#else
  constexpr std::array<unsigned char, 4> call = {0x01, 0x00, 0x00, 0xd4};
#endif
  return std::exchange(seen, pc) == pc &&
         std::memcmp(reinterpret_cast<const void*>(pc - call.size()), call.data(), call.size()) ==
             0;
}

/// Host code has come to no operation since Ctrl-C. It is stopped where it holds no lock of a
/// library's; when it does not come there it is ended.
void stop_host(run_control& control, const void* raw, bool for_library) {
  constexpr std::int64_t too_long = 10'000'000'000;
  if ((!for_library && program_code().contains(program_counter(raw))) || waits_in_system(raw)) {
    if (!control.interrupted_in_host(user_site(raw))) {
      sigaction(SIGINT, &old_int, nullptr);
      raise(SIGINT);
    }
    interrupt_forgotten();
  } else if (now_nanoseconds() - interrupted_at < too_long) {
    call_in_a_moment();
  } else {
    _exit(exit_interrupted);
  }
}

/// The kernel has made no tile operation since Ctrl-C: report from here.
void on_alarm(int /*signal*/, siginfo_t* /*info*/, void* raw) {
  const bool for_library = in_library();
  const library_section inside;
  keyed_pages::reopen_in_handler();
  if (interrupted == 0) {
    return;
  }
  // On a busy machine a stepped program may not have got its turn: what counts is how long it ran.
  constexpr std::int64_t enough = grace_nanoseconds / 2;
  constexpr std::int64_t at_most = 5'000'000'000;
  run_desk& desk = context::current().exec->desk();
  run_control* control = desk.control;
  if (desk.explores && execution::current() == nullptr) {
    call_in_a_moment(); // a kernel that computes for ever may follow
    return;
  }
  if (control != nullptr && processor_nanoseconds() - interrupted_after < enough &&
      now_nanoseconds() - interrupted_at < at_most) {
    call_in_a_moment();
    return;
  }
  if (control != nullptr && execution::current() == nullptr) {
    stop_host(*control, raw, for_library);
    return;
  }
  if (sim_thread* thread = execution::current()) {
    thread->site = user_site(raw);
  }
  context::current().exec->report_interrupt();
}

} // namespace

bool interrupt_requested() noexcept {
  return interrupted != 0;
}

void interrupt_answered() noexcept {
  grace().disarm();
}

void interrupt_forgotten() noexcept {
  interrupt_answered();
  interrupted = 0;
}

void note_deaths() {
  for (const int signal : {SIGABRT, SIGFPE, SIGILL, SIGTRAP}) {
    struct sigaction action {};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_DFL) {
      action.sa_handler = [](int raised) {
        note_death(raised);
        raise(raised); // which does what it did before
      };
      action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
      sigaction(signal, &action, nullptr);
    }
  }
}

void tell_control_of_signals() {
  struct sigaction action {};
  action.sa_sigaction = on_end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) {
    sigaction(signal, &action, nullptr);
  }
}

namespace {

void take_interrupts() {
  struct sigaction interrupt {};
  interrupt.sa_handler = on_interrupt;
  interrupt.sa_flags = SA_RESTART;
  sigaction(SIGINT, &interrupt, &old_int);
  grace(); // made now, not inside a handler
  struct sigaction alarm {};
  alarm.sa_sigaction = on_alarm;
  alarm.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigaction(grace_signal(), &alarm, nullptr);
}

} // namespace

bool interrupts_are_ours() noexcept {
  struct sigaction now {};
  return sigaction(SIGINT, nullptr, &now) == 0 && now.sa_handler == on_interrupt;
}

interrupts_taken::interrupts_taken() {
  struct sigaction before {};
  sigaction(SIGINT, nullptr, &before);
  taken_ = before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN &&
           before.sa_handler != on_interrupt;
  if (taken_) {
    take_interrupts();
  }
}

interrupts_taken::~interrupts_taken() {
  if (!taken_) {
    return;
  }
  const bool pressed = interrupt_requested();
  interrupt_forgotten();
  sigaction(SIGINT, &old_int, nullptr);
  if (pressed) {
    raise(SIGINT);
  }
}

signal_handlers::signal_handlers() {
  struct sigaction action {};
  sigaction(SIGSEGV, nullptr, &action);
  faults_ = action.sa_sigaction != on_fault;
  if (faults_) {
    alternate_.ss_size = handler_stack_bytes;
    alternate_.ss_sp = mmap(nullptr,
                            handler_stack_bytes,
                            PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                            -1,
                            0);
    sigaltstack(&alternate_, &stack_before_);
    action = {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &action, &old_segv);
    sigaction(SIGBUS, &action, &old_bus);
  }
  // A program that handles or ignores Ctrl-C itself keeps doing so.
  struct sigaction before {};
  sigaction(SIGINT, nullptr, &before);
  interrupts_ = before.sa_handler == SIG_DFL;
  if (interrupts_) {
    take_interrupts();
  }
  static const bool warm = [] { // the unwinder is bound now, not inside a handler
    std::array<const void*, 1> one{};
    sites_of_frames(one);
    return true;
  }();
  static_cast<void>(warm);
}

signal_handlers::~signal_handlers() {
  if (interrupts_) {
    sigaction(SIGINT, &old_int, nullptr);
  }
  if (faults_) {
    sigaction(SIGSEGV, &old_segv, nullptr);
    sigaction(SIGBUS, &old_bus, nullptr);
    sigaltstack(&stack_before_, nullptr);
    munmap(alternate_.ss_sp, alternate_.ss_size);
  }
}

} // namespace tilesim::sim
