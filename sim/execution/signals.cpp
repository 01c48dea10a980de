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
#include "sim/debug_info/call_chain.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/memory/hash.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/process/sections.hpp"
#include "sim/process/segments.hpp"
#include "sim/process/thread_marks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <span>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include <utility>
#include <vector>

namespace tilesim::sim {

namespace {

// Timers of our own: alarm(), setitimer() and their signals are the program's. QEMU keeps the last
// four signals from programs.
int grace_signal() {
  return SIGRTMAX - 4;
}
int tick_signal() {
  return SIGRTMAX - 5;
}

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

std::uintptr_t program_counter(const void* raw) {
  const auto* machine_context = &static_cast<const ucontext_t*>(raw)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine_context->gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine_context->pc;
#else
#  error "tilesim runs on x86-64 and aarch64"
#endif
}

#if defined(__aarch64__)
/// By the instruction's encoding: of the group of loads and stores, or nothing is known.
access_kind kind_of_instruction(std::uint32_t word) {
  const auto bits = [word](unsigned from, unsigned count) {
    return word >> from & ((1U << count) - 1);
  };
  if (bits(27, 1) != 1 || bits(25, 1) != 0) {
    return access_kind::any;
  }
  const auto loads = [](bool yes) { return yes ? access_kind::read : access_kind::write; };
  switch (bits(27, 3)) {
  case 1: // exclusive, ordered, structures of vectors
  case 5: // pairs
    return loads(bits(22, 1) != 0);
  case 3:
    return bits(24, 1) == 0 ? access_kind::read : access_kind::any; // literals
  default: {
    const bool updates = bits(24, 1) == 0 && bits(21, 1) == 1 && bits(10, 2) == 0;
    const bool is_vector = bits(26, 1) != 0;
    return loads(!updates && bits(22, 2) != 0 && !(is_vector && bits(22, 2) == 2));
  }
  }
}
#endif

access_kind kind_of(const void* raw) {
#if defined(__x86_64__)
  constexpr greg_t write_bit = 2;
  const bool writes =
      (static_cast<const ucontext_t*>(raw)->uc_mcontext.gregs[REG_ERR] & write_bit) != 0;
  return writes ? access_kind::write : access_kind::read;
#else
  // What the processor said of the fault, where the kernel passes it on: one of the records behind
  // the registers, each of which begins with its kind and its size.
  const auto& records = static_cast<const ucontext_t*>(raw)->uc_mcontext.__reserved;
  for (std::size_t at = 0; at + sizeof(esr_context) <= sizeof records;) {
    esr_context record{};
    std::memcpy(&record, records + at, sizeof record);
    if (record.head.magic == ESR_MAGIC) {
      constexpr std::uint64_t data_abort = 0x24; // from a lower level; 0x25 from the same
      const bool is_access = (record.esr >> 26U & 0x3eU) == data_abort;
      const bool writes = (record.esr >> 6U & 1U) != 0;
      return !is_access ? access_kind::any : writes ? access_kind::write : access_kind::read;
    }
    if (record.head.size == 0) {
      break;
    }
    at += record.head.size;
  }
  // QEMU 10.0 says nothing.
  const std::uintptr_t pc = program_counter(raw);
  if (pc == static_cast<const ucontext_t*>(raw)->uc_mcontext.fault_address) {
    return access_kind::any; // there is no instruction
  }
  std::uint32_t word = 0;
  std::memcpy(&word, reinterpret_cast<const void*>(pc), sizeof word);
  return kind_of_instruction(word);
#endif
}

std::uintptr_t stack_pointer(const void* raw) {
  const auto* machine_context = &static_cast<const ucontext_t*>(raw)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine_context->gregs[REG_RSP]);
#else
  return machine_context->sp;
#endif
}

} // namespace

bool in_user_code(const void* address) {
  Dl_info ours;
  Dl_info its;
  if (dladdr(reinterpret_cast<const void*>(&user_caller), &ours) == 0 ||
      dladdr(address, &its) == 0 || its.dli_fname == nullptr) {
    return false;
  }
  const char* file = std::strrchr(its.dli_fname, '/');
  file = file != nullptr ? file + 1 : its.dli_fname;
  return its.dli_fbase != ours.dli_fbase && std::strncmp(file, "libc.", 5) != 0 &&
         std::strncmp(file, "libc-", 5) != 0 && std::strncmp(file, "libstdc++", 9) != 0 &&
         std::strncmp(file, "ld-linux", 8) != 0;
}

namespace {

struct site_walk {
  std::span<const void*> sites;
  std::size_t count = 0;
};

_Unwind_Reason_Code note_site(_Unwind_Context* context, void* argument) {
  site_walk& w = *static_cast<site_walk*>(argument);
  if (w.count == w.sites.size()) {
    return _URC_NORMAL_STOP;
  }
  // A frame that a signal interrupted stands before an instruction; the others behind a call. There
  // may be several: a tick's handler is itself interrupted.
  int is_before = 0;
  const auto ip = _Unwind_GetIPInfo(context, &is_before);
  w.sites[w.count++] = reinterpret_cast<const void*>(ip + (is_before != 0 ? 1U : 0U));
  return _URC_NO_REASON;
}

/// The sites of this thread's frames, innermost first: as return addresses, one past an instruction
/// of the call, or of what a signal interrupted. How many there are, at most as many as fit.
std::size_t sites_of_frames(std::span<const void*> sites) {
  site_walk w{.sites = sites};
  _Unwind_Backtrace(&note_site, &w);
  return w.count;
}

/// The innermost of this thread's frames that is `wanted`; nullptr: none.
template <class Predicate>
const void* innermost_site(Predicate wanted) {
  std::array<const void*, 32> sites{};
  const auto end = sites.begin() + sites_of_frames(sites);
  const auto* const found = std::find_if(sites.begin(), end, wanted);
  return found != end ? *found : nullptr;
}

} // namespace

const void* user_caller(const void* return_address) {
  if (in_user_code(return_address)) {
    return return_address;
  }
  const void* const found = innermost_site(&in_user_code);
  return found != nullptr ? found : return_address;
}

const void* user_line(const void* raw) {
  const void* const found =
      innermost_site([](const void* site) { return in_user_code(site) && !resolve(site).empty(); });
  return found != nullptr ? found : user_site(raw);
}

const void* user_site(const void* raw) {
  // A site is a return address: one past the instruction.
  return user_caller(reinterpret_cast<const void*>(program_counter(raw) + 1));
}

namespace {

/// Whoever controls the run learns where it ends. Once: what the handler does may crash, too.
void tell_control(int signal, const void* raw) {
  static volatile std::sig_atomic_t told = 0;
  run_control* control = impl_of(*context::current().exec).control;
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

void reraise(int signal, const struct sigaction& old) {
  sigaction(signal, &old, nullptr);
  // Returning repeats the instruction, now under the former handler.
}

// raise() or kill(): no address, and no instruction that would fault again.
void sent_by_somebody(int signal, const struct sigaction& old) {
  sigaction(signal, &old, nullptr);
  raise(signal);
}

} // namespace

void on_fault(int signal, siginfo_t* info, void* raw) {
  const library_section inside;
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
  const access_kind kind = kind_of(raw);
  // A frame larger than the guard moves the stack pointer past it at once.
  if (thread != nullptr &&
      (thread->stack->stack().overflowed_at(at) ||
       (at < thread->stack->stack().low && stack_pointer(raw) < thread->stack->stack().low))) {
    c.found.stop(user_site(raw),
                 {.kind = finding_kind::stack_overflow,
                  .message = fmt::format("{} of {} needs more than its stack of {} bytes",
                                         thread->name(),
                                         thread->launch->kernel.name,
                                         thread->stack->stack().high - thread->stack->stack().low),
                  .remedy =
                      "tiles live on the kernel's stack: use smaller tiles or fewer at a time, "
                      "look for recursion, or raise --stack-bytes"});
  }
  if (thread != nullptr) {
    c.exec->refused({at, 0, kind});
    c.found.stop(user_site(raw), explain(c, thread, {at, 0, kind}));
  }
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
  if (c.mem.in_arena(at)) {
    const allocation* a = c.mem.find(info->si_addr);
    if (a != nullptr && a->live && a->kind == memory_kind::device) {
      c.found.stop(fault_with_callers(user_site(raw)), explain_host_access(c, at, kind));
    }
    c.found.stop(fault_with_callers(user_site(raw)), explain(c, nullptr, {at, 0, kind}));
  }
  tell_control(signal, raw);
  reraise(signal, signal == SIGBUS ? old_bus : old_segv);
}

namespace {

void on_end(int signal, siginfo_t* /*info*/, void* raw) {
  const library_section inside;
  tell_control(signal, raw);
  struct sigaction fatal {};
  fatal.sa_handler = SIG_DFL;
  sigaction(signal, &fatal, nullptr);
  raise(signal); // once this handler has returned
}

std::int64_t now_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

std::int64_t nanoseconds_of(clockid_t clock) {
  timespec used{};
  clock_gettime(clock, &used);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

std::int64_t processor_nanoseconds() {
  return nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/// A timer of the kernel's, through its system calls: handlers may use them, and a child of fork(),
/// which has none of its parent's timers, makes its own.
class system_timer {
public:
  system_timer() = default;
  ~system_timer() {
    if (process_ == getpid()) {
      syscall(SYS_timer_delete, id_);
    }
  }
  system_timer(const system_timer&) = delete;
  system_timer& operator=(const system_timer&) = delete;

  /// `thread`: who gets the signal; 0 for the process.
  /// `value`: what the handler is told.
  void arm(clockid_t clock,
           int signal,
           pid_t thread,
           std::int64_t first,
           std::int64_t every,
           int value = 0) {
    if (process_ != getpid()) {
      sigevent event{};
      event.sigev_notify = thread != 0 ? SIGEV_THREAD_ID : SIGEV_SIGNAL;
      event.sigev_signo = signal;
      event._sigev_un._tid = thread;
      event.sigev_value.sival_int = value;
      if (syscall(SYS_timer_create, clock, &event, &id_) != 0) {
        return;
      }
      process_ = getpid();
    }
    constexpr std::int64_t second = 1'000'000'000;
    const itimerspec when{{every / second, every % second}, {first / second, first % second}};
    syscall(SYS_timer_settime, id_, 0, &when, nullptr);
  }
  void disarm() const {
    if (process_ == getpid()) {
      const itimerspec never{};
      syscall(SYS_timer_settime, id_, 0, &never, nullptr);
    }
  }

private:
  int id_ = 0;
  pid_t process_ = 0;
};

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
  const bool stepped = impl_of(*c.exec).control != nullptr;
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

// How long a kernel may go without an operation before its turn ends, in microseconds.
constexpr std::int64_t tick_nanoseconds = 10'000'000;
// How many of these until it is not expected to make another.
constexpr unsigned longest_idle_ticks = 6'000;

/// The program itself, without its libraries: where an interrupted thread holds none of their
/// locks.
const segment& program_code() {
  static const segment code = [] {
    const std::vector<segment> all = loaded_segments();
    return *std::find_if(
        all.begin(), all.end(), [](const segment& s) { return s.of_program && s.executable; });
  }();
  return code;
}

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
  if (thread.operations != w.operations_then) {
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
  static const sim_thread* last_thread = nullptr;
  static std::uint64_t last_operations = 0;
  static unsigned idle_ticks = 0;
  sim_thread* thread = execution::impl::running;
  if (thread == nullptr) {
    return;
  }
  const std::uintptr_t pc = program_counter(raw);
  const bool may_leave = !for_library && program_code().contains(pc) && !in_masking_handler(raw);
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
  if (interrupted == 0) {
    return;
  }
  // On a busy machine a stepped program may not have got its turn: what counts is how long it ran.
  constexpr std::int64_t enough = grace_nanoseconds / 2;
  constexpr std::int64_t at_most = 5'000'000'000;
  run_control* control = impl_of(*context::current().exec).control;
  if (control != nullptr && processor_nanoseconds() - interrupted_after < enough &&
      now_nanoseconds() - interrupted_at < at_most) {
    call_in_a_moment();
    return;
  }
  if (control != nullptr && execution::impl::running == nullptr) {
    stop_host(*control, raw, for_library);
    return;
  }
  if (sim_thread* thread = execution::impl::running) {
    thread->site = user_site(raw);
  }
  impl_of(*context::current().exec).report_interrupt();
}

} // namespace

namespace {

/// Of the thread that runs kernels: a tick counts its time, and arrives in it.
system_timer& ticks() {
  thread_local system_timer timer;
  return timer;
}

} // namespace

namespace {

thread_local bool clock_runs = false;
const thread_mark mark_of_clock([]() noexcept -> void* { return &clock_runs; }, sizeof clock_runs);

} // namespace

turn_clock::turn_clock() {
#if defined(__SANITIZE_THREAD__)
  return; // that sanitizer delivers signals from inside its own runtime, where no fiber may be left
#endif
  static const bool handled = [] {
    struct sigaction tick {};
    tick.sa_sigaction = on_tick;
    tick.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER; // on the kernel's own stack
    program_code(); // known before a handler asks: it may not allocate
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

namespace {

bool control_is_told = false;

} // namespace

bool signals_are_told() noexcept {
  return control_is_told;
}

void tell_control_of_signals() {
  control_is_told = true;
  struct sigaction action {};
  action.sa_sigaction = on_end;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (const int signal : {SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) {
    sigaction(signal, &action, nullptr);
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
