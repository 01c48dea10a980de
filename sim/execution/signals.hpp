// Signals: of bad addresses, of Ctrl-C, of a kernel that ends the program.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace tilesim::sim {

// The report walks debug information: it needs more than the minimum.
constexpr std::size_t handler_stack_bytes = std::size_t{1} << 20;

/// The handler of SIGSEGV and SIGBUS. `raw`: the interrupted ucontext_t.
void on_fault(int signal, siginfo_t* info, void* raw);

/// Stops the run: the kernel that runs has raised a signal that ends the program.
[[noreturn]] void report_fatal_signal(int signal, const siginfo_t* info, const void* context);

/// While one lives, SIGSEGV, SIGBUS and, unless the program handles it itself, SIGINT are
/// tilesim's. One within another changes nothing.
class signal_handlers {
public:
  signal_handlers();
  ~signal_handlers();
  signal_handlers(const signal_handlers&) = delete;
  signal_handlers& operator=(const signal_handlers&) = delete;

private:
  bool faults_ = false;     ///< were installed by this one
  bool interrupts_ = false; ///< likewise
  stack_t alternate_{};
  stack_t stack_before_{};
};

/// Whether Ctrl-C is tilesim's at present.
[[nodiscard]] bool interrupts_are_ours() noexcept;

/// While one lives, Ctrl-C is tilesim's although the host program has a handler of its own for it,
/// as interpreters of other languages do, which only note it and look when a call comes back. What
/// has been pressed meanwhile the host's handler is told behind it.
class interrupts_taken {
public:
  interrupts_taken();
  ~interrupts_taken();
  interrupts_taken(const interrupts_taken&) = delete;
  interrupts_taken& operator=(const interrupts_taken&) = delete;

private:
  bool taken_ = false;
};

/// From now on whoever controls the run learns of signals that end it, such as SIGABRT and SIGFPE,
/// too. They end it all the same.
void tell_control_of_signals();

/// From now on signals that end this process outside of kernels, because something in it went
/// wrong, are noted in context::counts: who started the program does not see how processes end that
/// the program makes. Those for which it has handlers of its own are not.
void note_deaths();

/// The launch of this thread whose kernel is being called, to take its parameters.
struct called_kernel {
  const void* site; ///< the launch's return address
  const char* name;
  std::uintptr_t stack; ///< an address on the stack above the call's frames
};
[[nodiscard]] std::optional<called_kernel> kernel_being_called() noexcept; // runtime/launch.cpp

/// While one lives, the signals of a kernel that ends the program are tilesim's, and told with its
/// block and line, whatever handlers and alternate stack the program has set up for host code. One
/// within another changes nothing.
class kernel_signals {
public:
  kernel_signals();
  ~kernel_signals();
  kernel_signals(const kernel_signals&) = delete;
  kernel_signals& operator=(const kernel_signals&) = delete;

  struct saved;

private:
  std::unique_ptr<saved> saved_; ///< nullptr: this is one within another
};

/// Ctrl-C has been pressed while kernels run.
[[nodiscard]] bool interrupt_requested() noexcept;

/// The report of an interrupt begins: the alarm that would start another is called off.
void interrupt_answered() noexcept;

/// The run goes on as if nobody had pressed it.
void interrupt_forgotten() noexcept;

} // namespace tilesim::sim
