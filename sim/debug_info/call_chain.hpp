// Calls of the runtime with their callers: a place in host code that is more than one return
// address.
//
// A class that wraps cudaMalloc makes all its calls from one line: which of its objects a call
// serves, only the callers tell. Who calls is taken down as return addresses, which is cheap, and
// looked up in the debug information when somebody asks (sim/debug_info/source_site). A chain that
// has been interned stands wherever a site does, which is else a return address.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/debug_info/preserved_registers.hpp"
#include "sim/debug_info/stack_place.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tilesim::sim {

/// A frame of the host's stack that waits for a call to return.
struct host_frame {
  const void* pc = nullptr; ///< where the call returns to
  std::uintptr_t cfa = 0;   ///< canonical frame address
  std::uintptr_t sp = 0;    ///< at the call
  std::array<std::uintptr_t, preserved_registers.size()> preserved = {};
  /// The launch in it for which the kernel is being called: what is inlined there further in than
  /// this place is the kernel's. Else nullptr.
  const void* launch = nullptr;

  /// What the frame does: the launch, or the call.
  [[nodiscard]] const void* place() const noexcept { return launch != nullptr ? launch : pc; }
};

/// The frames of the program that wait for what this thread does, innermost first: from the call
/// that returns to `site`, or, without one, from the first that is the program's.
[[nodiscard]] std::vector<host_frame> waiting_frames(const void* site = nullptr);

/// The place of a call of the runtime with its callers: to be asked for in the call itself. `site`:
/// its return address, which it is where no more can be had.
[[nodiscard]] const void* with_callers(const void* site);

/// The place of an access by host code with its callers, as often as it may be asked for: the
/// frames are walked once, and then only looked at, as long as the same ones wait. `site` is where
/// the call returns to that the compiler or the program has put at the access.
[[nodiscard]] const void* access_with_callers(const void* site);

/// The same of an instruction that a signal has interrupted, whose `site` is one past it; nothing
/// is kept of it.
[[nodiscard]] const void* fault_with_callers(const void* site);

/// While it lives, who called the program's code that runs in it is not its caller: a stream's host
/// function runs in a call of the runtime that may have nothing to do with it. `frame`: the address
/// of the frame that calls back.
class called_back {
public:
  explicit called_back(const void* frame) noexcept;
  ~called_back();
  called_back(const called_back&) = delete;
  called_back& operator=(const called_back&) = delete;

private:
  std::uintptr_t outer_;
  std::pair<std::uintptr_t, const void*> binding_;
};

/// While it lives, the thread calls a kernel for the launch at `site`, to bind its parameters: the
/// frames of that call are no host code's. `launch`: an object of the launching function's frame.
class binding_kernel {
public:
  binding_kernel(const void* launch, const void* site) noexcept;
  ~binding_kernel();
  binding_kernel(const binding_kernel&) = delete;
  binding_kernel& operator=(const binding_kernel&) = delete;
};

/// While it lives, host code waits for this thread: its frames are known, and may be asked for on
/// any stack of the thread's.
class waiting_host {
public:
  explicit waiting_host(const void* site = nullptr);
  /// The same without a walk before somebody asks. The function that has noted the place has not
  /// returned when this one's life ends, unless it was left for good.
  explicit waiting_host(const stack_place& here) noexcept;
  ~waiting_host();
  waiting_host(const waiting_host&) = delete;
  waiting_host& operator=(const waiting_host&) = delete;

  /// The innermost that lives; nullptr: host code goes on by itself.
  [[nodiscard]] static const waiting_host* current() noexcept;
  [[nodiscard]] std::span<const host_frame> frames() const;
  /// Another each time.
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

private:
  mutable std::optional<std::vector<host_frame>> frames_; ///< nullopt: nobody has asked
  stack_place here_;
  std::uintptr_t outermost_;                       ///< of the thread's stack, when it began
  std::pair<std::uintptr_t, const void*> binding_; ///< likewise: the launch that calls its kernel
  std::uint64_t number_;
  const waiting_host* outer_;
};

/// An allocating call: the program's pointer that the address was put into, and who waited for it.
struct allocating_call {
  std::uintptr_t filled = 0;
  std::vector<host_frame> frames;
};

/// A chain of calls that has been interned.
struct call_chain {
  std::vector<const void*> calls;         ///< return addresses, innermost first
  bool access = false;                    ///< of memory, whose own line is what a person looks for
  std::vector<allocating_call*> allocate; ///< of such calls: one for each pointer and stack
};

/// The chain behind a site; nullptr if it is a return address.
[[nodiscard]] const call_chain* chain_of(const void* site);

/// The return address of the innermost call at a site.
[[nodiscard]] const void* code_of(const void* site);

/// The sites of all chains that have allocated, and how many there are: only more ever come.
[[nodiscard]] std::vector<const void*> allocating_sites();
[[nodiscard]] std::size_t count_allocating_sites();

struct noted_allocation {
  const void* site;          ///< the call's, as with_callers() has it
  const allocating_call* by; ///< nullptr where nothing is known of it
};
/// Keeps what a call allocates into, which returns to `return_address`: `out`, the program's
/// pointer.
[[nodiscard]] noted_allocation note_allocation(const void* return_address, const void* out);

} // namespace tilesim::sim
