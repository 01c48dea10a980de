// Atomic accesses that are no tile operations: cuda::atomic_ref, atomicAdd, std::atomic.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/access/hooks.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>

namespace tilesim::sim {

/// An atomic access as it was asked for. One of the order weak is atomic for its own thread only
/// (cuda::thread_scope_thread).
struct atomic_access {
  std::uintptr_t address;
  std::size_t bytes;
  access_kind kind;
  memmodel::memory_order order;
  memmodel::scope scope;
  const void* site;
};

/// What an atomic access turned out to do: a failed compare-exchange writes nothing.
/// [PTX: atomic operations that result in a write]
struct atomic_effect {
  bool writes = false;
  bool changes = false; ///< memory holds something else now
};

/// Objects that no instruction of the host accesses at once: held while one is, whoever asks for
/// it, so that they are atomic among each other.
extern std::mutex wide_objects;

/// The order of a compare-exchange that was given two.  [libcu++: compare_exchange]
[[nodiscard]] memmodel::memory_order stronger(memmodel::memory_order a,
                                              memmodel::memory_order b) noexcept;

/// Tells the engine and the observers of an access that has just been performed; a thread that
/// polls goes to sleep.
void performed(sim_thread* t, const atomic_access& a, const atomic_effect& effect);

/// Checks an atomic access, performs it by `f`, which gives its effect, and tells of it.
template <class F>
void perform_atomic(sim_thread* t, atomic_access a, F f) {
  if (!hooks_judge()) {
    f();
    return;
  }
  const library_section inside;
  const bool seen = begin_access(t, a.address, a.bytes, a.kind, a.site, true);
  const atomic_effect effect = f();
  if (seen) {
    performed(t, a, effect);
  }
}

/// A fence of the running thread, or of host code.
void perform_fence(sim_thread* t,
                   memmodel::memory_order order,
                   memmodel::scope s,
                   const void* site);

} // namespace tilesim::sim
