// Bad addresses: what is wrong with one, and the signals that raw accesses and Ctrl-C raise.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/findings.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace tilesim::sim {

class context;
struct sim_thread;

/// What an access does, for messages.
/// `any`: a faulting instruction of which the system does not say more.
enum class access_kind : std::uint8_t { read, write, read_write, any };
[[nodiscard]] const char* name(access_kind kind) noexcept; ///< "read", "write", "update", "access"

/// An access that cannot be performed.
struct bad_access {
  std::uintptr_t address;
  unsigned bytes; ///< 0: not known, an instruction that faulted
  access_kind kind;
};

/// True if a kernel thread may access these bytes: live simulated memory, its own stack, or a
/// variable of the program.
[[nodiscard]] bool
accessible(context& c, const sim_thread* thread, std::uintptr_t address, unsigned bytes);

/// The finding for an access that is not: which kind, which allocation, by how much.
[[nodiscard]] finding_text explain(context& c, const sim_thread* thread, const bad_access& access);

/// The finding for host code that touches live device memory.
[[nodiscard]] finding_text
explain_host_access(context& c, std::uintptr_t address, access_kind kind);

/// "byte 12 of allocation #2 (4096 bytes of device memory, allocated at saxpy.cu:12)", "the end of
/// …", "4 bytes past the end of …"; a bare address when nothing is known.
[[nodiscard]] std::string describe_address(context& c, std::uintptr_t address);

/// "memory allocated at saxpy.cu:12", or what else there lies.
[[nodiscard]] std::string describe_memory(context& c, std::uintptr_t address);

/// Installs the handlers for SIGSEGV, SIGBUS and SIGINT. Once per process.
void install_signal_handlers();

/// From now on whoever controls the run learns of signals that end it, such as SIGABRT and SIGFPE,
/// too. They end it all the same.
void tell_control_of_signals();
[[nodiscard]] bool signals_are_told() noexcept; ///< since then

/// While one lives, a kernel that makes no operation for a while loses its turn: it may poll raw
/// memory, which nobody sees. Ticks count the process's own time, so they do not disturb waiting.
class turn_clock {
public:
  turn_clock();
  ~turn_clock();
  turn_clock(const turn_clock&) = delete;
  turn_clock& operator=(const turn_clock&) = delete;

private:
  bool was_blocked_ = false; ///< the tick's signal
};

/// The launch of this thread whose kernel is being called, to take its parameters.
struct called_kernel {
  const void* site; ///< the launch's return address
  const char* name;
  std::uintptr_t stack; ///< an address on the stack above the call's frames
};
[[nodiscard]] std::optional<called_kernel> kernel_being_called() noexcept; // runtime/launch.cpp

/// While one lives, the signals of a kernel that ends the program are tilesim's, and told with its
/// block and line, whatever handlers and alternate stack the program has set up for host code.
class kernel_signals {
public:
  kernel_signals();
  ~kernel_signals();
  kernel_signals(const kernel_signals&) = delete;
  kernel_signals& operator=(const kernel_signals&) = delete;

private:
  struct saved;
  std::unique_ptr<saved> saved_;
};

/// Ctrl-C has been pressed while kernels run.
[[nodiscard]] bool interrupt_requested() noexcept;

/// The report of an interrupt begins: the alarm that would start another is called off.
void interrupt_answered() noexcept;

/// The run goes on as if nobody had pressed it.
void interrupt_forgotten() noexcept;

} // namespace tilesim::sim
