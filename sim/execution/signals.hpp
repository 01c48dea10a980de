// Signals: of bad addresses, of Ctrl-C, of a kernel that ends the program, and of a clock that ends
// turns.
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

/// Is it code of the program's own: neither ours nor the C or C++ library's?
[[nodiscard]] bool in_user_code(const void* address);

/// The innermost return address of the user's own code where a signal arrived: behind the
/// interrupted instruction, or in who called the library that it stands in.
[[nodiscard]] const void* user_site(const void* context);

/// The innermost of these frames that has a line: what a program has of the C++ library in it
/// (-static-libstdc++) has none. For a report that ends the run; it reads debug information.
[[nodiscard]] const void* user_line(const void* context);

/// The same for a function that the program has called: `return_address` is its own.
[[nodiscard]] const void* user_caller(const void* return_address);

/// The handler of SIGSEGV and SIGBUS.
void on_fault(int signal, siginfo_t* info, void* context);

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

/// From now on whoever controls the run learns of signals that end it, such as SIGABRT and SIGFPE,
/// too. They end it all the same.
void tell_control_of_signals();
[[nodiscard]] bool signals_are_told() noexcept; ///< since then

/// While one lives, a kernel that makes no operation for a while loses its turn: it may poll raw
/// memory, which nobody sees. Ticks count the process's own time, so they do not disturb waiting.
/// One within another changes nothing.
class turn_clock {
public:
  turn_clock();
  ~turn_clock();
  turn_clock(const turn_clock&) = delete;
  turn_clock& operator=(const turn_clock&) = delete;

private:
  bool armed_ = false;       ///< by this one
  bool was_blocked_ = false; ///< the tick's signal
};

struct worker;

/// While one lives, it is looked often whether the block whose turn it is goes round: comes back to
/// the very same registers and stack, without an operation. Then it loses its turn at once. Who
/// does not soon is left alone for the rest of its turn: it computes.
class frequent_looks {
public:
  explicit frequent_looks(worker& w);
  ~frequent_looks();
  frequent_looks(const frequent_looks&) = delete;
  frequent_looks& operator=(const frequent_looks&) = delete;
};

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
