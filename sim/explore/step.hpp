// The steps that a thread can make: a tree, in which what its reads have taken leads from one to
// the next.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/explore/threads.hpp"
#include "sim/contract/schedule_string.hpp"

#include <tilesim/report.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tilesim::sim::exploring {

using memmodel::explore::instruction;
using memmodel::explore::step_kind;
using memmodel::explore::written;

/// What a thread says of asynchronous copies of its own.
struct copy_note {
  enum class kind : std::uint8_t { ended, awaited, handed_on };
  kind what = kind::ended;
  std::uint32_t copy = 0;    ///< of one that has ended: which of the thread's
  std::uintptr_t object = 0; ///< a barrier's word, or a thread's pipeline:
  std::uint64_t number = 0;  ///< its phase, as far as the thread knows by itself
  std::uintptr_t to = 0;     ///< of copies that are handed on: likewise, of what awaits them
  std::uint64_t to_number = 0;
};

/// step::strong of what is no strong read.
inline constexpr std::uint64_t not_strong = ~std::uint64_t{0};

/// From here on lies no memory, but what threads tell each other where they exchange values: each
/// place is written once, and who reads it waits for that.
inline constexpr std::uintptr_t exchanges_begin = std::uintptr_t{1} << 62U;
[[nodiscard]] constexpr bool is_exchange(std::uintptr_t address) noexcept {
  return address >= exchanges_begin;
}

struct step {
  step* before = nullptr;                  ///< nullptr: it is the thread's first
  std::vector<std::uint64_t> given;        ///< what the reads of the one before have taken
  std::shared_ptr<const instruction> what; ///< of an operation only what it does to shared places
  const void* site = nullptr;
  std::size_t number = 0; ///< of the thread's steps
  std::size_t round = 0;  ///< so many accesses of memory has the thread made here before

  // --- For replays.
  turn_point point;                  ///< where the thread stands before it
  std::vector<std::uint64_t> strong; ///< by element: which of the thread's strong reads it is

  // --- Waiting.
  std::optional<std::uint64_t> state; ///< of the thread, before it; nothing: unknown
  std::uint64_t private_writes = 0;   ///< so far
  /// Of a thread that is stuck: its round begins there; the step itself: it polls what others do
  /// not write.
  const step* waits_from = nullptr;

  std::uint32_t copy = 0;       ///< which of the thread's asynchronous copies makes it; 0: none
  std::vector<copy_note> notes; ///< since the step before

  // --- What it came upon since the step before.
  std::vector<finding> found;
  bool some_found = false;   ///< here or before
  std::string printed;       ///< likewise
  bool some_printed = false; ///< here or before
  bool stopped = false;      ///< the last of them ends the program

  /// Of an update: what an element writes that has read a value.
  std::map<std::pair<std::size_t, std::uint64_t>, std::optional<written>> modified;
  /// Of an end: what the thread has left in private places, by byte.
  std::vector<std::pair<std::uintptr_t, std::uint8_t>> left;

  /// Likewise: a number's address and size, and what the thread has added to it.
  std::vector<std::tuple<std::uintptr_t, std::uint32_t, std::uint64_t>> added;

  std::vector<std::unique_ptr<step>> next; ///< by what its reads have taken

  [[nodiscard]] bool reads() const noexcept {
    return what->kind == step_kind::load || what->kind == step_kind::update;
  }
  /// How many values its reads take.
  [[nodiscard]] std::size_t values() const noexcept { return reads() ? what->elements.size() : 0; }
};

/// It waits for others that come to the same.
[[nodiscard]] inline bool meets(const step& s) noexcept {
  return s.what->kind == step_kind::barrier || s.what->awaits;
}

/// Performed at one place, they do the same.
[[nodiscard]] inline bool same_operation(const step& a, const step& b) {
  const instruction& x = *a.what;
  const instruction& y = *b.what;
  const auto same_element = [](const memmodel::explore::element& e,
                               const memmodel::explore::element& f) {
    return e.number == f.number && e.bytes == f.bytes && e.store.value == f.store.value;
  };
  return a.site == b.site && x.kind == y.kind && x.order == y.order && x.scope == y.scope &&
         std::ranges::equal(x.elements, y.elements, same_element);
}

/// Calls f(last step, what the reads up to it have taken) for each run that is known.
template <class F>
void for_each_run(const step& s, std::vector<std::uint64_t> taken, const F& f) {
  taken.insert(taken.end(), s.given.begin(), s.given.end());
  if (s.next.empty()) {
    f(s, taken);
  }
  for (const auto& next : s.next) {
    for_each_run(*next, taken, f);
  }
}

} // namespace tilesim::sim::exploring
