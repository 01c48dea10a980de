// Atomic accesses that are no tile operations: cuda::atomic_ref, atomicAdd, std::atomic.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "sim/access/hooks.hpp"
#include "sim/memory/engine.hpp"

#include <cstddef>
#include <cstdint>

namespace tilesim::sim {

struct object_update;

/// An atomic access as it was asked for. One of the order weak is atomic for its own thread only
/// (cuda::thread_scope_thread).
struct atomic_access {
  std::uintptr_t address = 0;
  std::size_t bytes = 0;
  memmodel::memory_order order{};
  memmodel::scope scope{};
  const void* site = nullptr;
  bool by_reference = false;             ///< by an atomic_ref
  const object_update* update = nullptr; ///< where it is known what one does
};

/// The bytes of the largest access that the run performs at once; larger vectors are accessed
/// element by element [memory_engine::widest_object].
[[nodiscard]] std::size_t widest_atomic_access(const sim_thread* t);

// Each checks the access, performs it, and tells of it; `t`, the running thread, goes to sleep if
// it polls. `t` is nullptr: host code.

/// *out = *address.
void load_atomically(sim_thread* t, const atomic_access& a, void* out);
/// *address = *value.
void store_atomically(sim_thread* t, const atomic_access& a, const void* value);
/// *old = *address; *address = f(*old).
void update_atomically(sim_thread* t, const atomic_access& a, const object_change& f, void* old);
/// Bit for bit: *address = *desired and true; or *expected = *address and false.
[[nodiscard]] bool compare_exchange_atomically(sim_thread* t,
                                               const atomic_access& a,
                                               void* expected,
                                               const void* desired);

/// A fence of the running thread, or of host code.
void perform_fence(sim_thread* t,
                   memmodel::memory_order order,
                   memmodel::scope s,
                   const void* site);

} // namespace tilesim::sim
