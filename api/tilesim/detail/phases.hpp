// Phases of barriers that are made of atomics, and asynchronous copies that a phase awaits: what the
// simulator is told of them, since accesses of memory alone do not say it.
//
// A phase is named by an object's address and a number. A barrier's is in the upper bits of its word:
// arrivals that are to come yet, arrivals that each phase expects, the phase.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstddef>
#include <cstdint>

namespace tilesim::detail {

/// Of arrivals in a barrier's word: as many as a device has threads, and far more.
inline constexpr unsigned barrier_count_bits = 21;

// --- Arrivals.

/// The running thread is about to arrive at a barrier's phase.
TILESIM_EXPORT void arrives(const void* word) noexcept;
/// It has arrived with `count` where `left` were expected; `what`: at a "cuda::barrier".
TILESIM_EXPORT void
arrived_too_often(const char* what, ::std::uint64_t count, ::std::uint64_t left) noexcept;
/// A barrier is initialised with as many arrivals, of which it can expect `most`.
TILESIM_EXPORT void
barrier_begins(const void* word, ::std::ptrdiff_t expected, ::std::ptrdiff_t most) noexcept;
/// Its arrival, its last atomic access, was a phase's last one.
TILESIM_EXPORT void phase_ends(const void* word) noexcept;
/// The phase that a barrier is in: no access by the thread.
[[nodiscard]] TILESIM_EXPORT ::std::uint64_t phase_of(const void* word) noexcept;

// --- Copies.

/// What the running thread accesses plainly is accessed by an asynchronous copy of its own, up to
/// the end, which says what awaits the copy.
TILESIM_EXPORT void begin_copy() noexcept;
TILESIM_EXPORT void end_copy(const void* object, ::std::uint64_t phase) noexcept;
/// The running thread has waited for an object's phases up to this one.
TILESIM_EXPORT void copies_awaited(const void* object, ::std::uint64_t end) noexcept;
/// A thread's share of a copy: of words where the places are aligned so.
TILESIM_API void copy_share(void* to,
                            const void* from,
                            ::std::size_t bytes,
                            ::std::size_t rank,
                            ::std::size_t threads) {
  constexpr ::std::size_t word = 4;
  const auto misaligned = reinterpret_cast<::std::uintptr_t>(to) |
                          reinterpret_cast<::std::uintptr_t>(from) | bytes;
  if (misaligned % word == 0) {
    for (::std::size_t i = rank; i < bytes / word; i += threads) {
      static_cast<unsigned*>(to)[i] = static_cast<const unsigned*>(from)[i];
    }
  } else {
    for (::std::size_t i = rank; i < bytes; i += threads) {
      static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    }
  }
}

// Copies that a thread commits in groups, and waits for by how many are behind.  [PTX: cp.async, cp.async.commit_group,
// cp.async.wait_group]

/// What ends a copy that belongs to the group that the running thread commits next.
TILESIM_EXPORT void end_copy_of_group() noexcept;
TILESIM_EXPORT void commit_copies() noexcept;
/// It has waited for all groups but the newest `prior`.
TILESIM_EXPORT void groups_awaited(::std::uint64_t prior) noexcept;
/// All groups so far, and the one to come, are what another object's phase awaits, too.
TILESIM_EXPORT void groups_handed_on(const void* to, ::std::uint64_t phase) noexcept;

} // namespace tilesim::detail
