// Accesses that are no tile operations: raw ones that the compiler reports, atomic ones of
// `__global__` code.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/memory/access_kind.hpp"
#include "sim/memory/engine.hpp"
#include "sim/memory/judging.hpp"
#include "sim/process/sections.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

class context;
struct object_update;
struct sim_thread;

/// Whether an access by a hook is the program's own, and may concern somebody else.
[[nodiscard]] inline bool hooks_judge() noexcept {
  return judging::reasons.load(std::memory_order_relaxed) != 0 && !in_library();
}

/// The same of ranges that libc accesses: in device memory, too, where the system would only say
/// that an address is bad.
[[nodiscard]] inline bool hooks_judge_ranges() noexcept {
  return (judging::reasons.load(std::memory_order_relaxed) != 0 ||
          judging::device_allocations.load(std::memory_order_relaxed) != 0) &&
         !in_library();
}

/// Bytes that are about to be accessed.
struct raw_range {
  const void* begin = nullptr;
  std::size_t bytes = 0;
  bool same_call = false; ///< by the function that makes the access before, too
  bool aligned = false;   ///< by a pointer whose type has it that the address is a multiple of them
};

void judge_raw_access(const raw_range& range, access_kind kind, const void* site) noexcept;

/// `bytes` at `pointer` are about to be accessed by the instruction after `site`: checked against
/// the registry, shown to the watchers, and a poll if it is one. Ends the run for a bad address.
inline void raw_access(const void* pointer,
                       std::size_t bytes,
                       access_kind kind,
                       const void* site,
                       bool aligned = false) noexcept {
  if (judging::reasons.load(std::memory_order_relaxed) != 0) [[unlikely]] {
    judge_raw_access({pointer, bytes, false, aligned}, kind, site);
  }
}

/// The same of a range that libc is about to access.
inline void range_access(const raw_range& range, access_kind kind, const void* site) noexcept {
  if (hooks_judge_ranges()) [[unlikely]] {
    judge_raw_access(range, kind, site);
  }
}

/// How a strong access is ordered.
struct strong_order {
  memmodel::memory_order order = memmodel::memory_order::relaxed;
  memmodel::scope scope = memmodel::scope::sys;
};

/// The same of a volatile access: relaxed, of system scope, in pieces of at most eight bytes.
/// [PTX: volatile operations] In a tile kernel it is a weak one like any other: Tile IR has no
/// volatile.
void volatile_access(const void* pointer,
                     std::size_t bytes,
                     access_kind kind,
                     const void* site,
                     bool aligned) noexcept;

/// `bytes` at `at` are about to be accessed: by the `running` thread, or by host code (nullptr).
/// Checked against the registry, which may end the run; another thread may have its turn first.
/// False if the access concerns nobody else (a thread's own stack, memory that no kernel can use),
/// or is another thread's of the host, which has been told. `aligned`: the address has to be a
/// multiple of the bytes. `order`: of a strong one, which may
/// synchronise; an atomic access is one whatever its scope. `site` becomes the place that a stepper
/// shows the access at.
[[nodiscard]] bool begin_access(sim_thread* running,
                                std::uintptr_t at,
                                std::size_t bytes,
                                access_kind kind,
                                const void*& site,
                                bool aligned,
                                const strong_order* order);

/// The simulator of an access by the running thread, or by host code (nullptr), and who makes it.
[[nodiscard]] context& context_of(const sim_thread* t);
[[nodiscard]] accessor accessor_of(const context& c, sim_thread* t);

/// What stands for an access that is about to be judged: of host code, the place with its callers.
[[nodiscard]] const void* judged_site(const context& c, const sim_thread* t, const void* site);

/// The thread has read `value`: it sleeps if it polls, until memory holds another.
/// `strong`: by an atomic access, or a volatile one.
void polled(sim_thread& t,
            std::uintptr_t at,
            std::size_t bytes,
            const void* value,
            const void* site,
            bool strong);

/// Tells the watchers of an access by code of the host.
void tell_host_access(context& c,
                      std::uintptr_t at,
                      std::size_t bytes,
                      access_kind kind,
                      const void* site,
                      bool other_thread = false);

/// Tells the watchers of an access of a thread: a weak one unless said.
void tell_access(sim_thread& t,
                 std::uintptr_t at,
                 std::size_t bytes,
                 access_kind kind,
                 const void* site,
                 const machine::access& how = {},
                 const object_update* update = nullptr);

} // namespace tilesim::sim
