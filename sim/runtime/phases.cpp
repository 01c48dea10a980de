// Phases of barriers that are made of atomics: who arrives too often, and asynchronous copies that
// a phase awaits.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/memory/engine.hpp"
#include "sim/naming/unwind.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/entry.hpp"

#include <tilesim/detail/phases.hpp>

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <utility>

namespace tilesim::detail {

namespace {

std::uintptr_t number(const void* p) noexcept {
  return reinterpret_cast<std::uintptr_t>(p);
}

std::string with_kernel(const sim::sim_thread& t) {
  return fmt::format("{} of {}", t.name(), t.launch->kernel.name);
}

void report_arrival(const sim::sim_thread& t, const void* site, sim::finding_text f) {
  sim::findings& found = t.owner->found;
  if (found.repeated(site, finding_kind::barrier_arrivals)) {
    return;
  }
  f.kind = finding_kind::barrier_arrivals;
  f.remedy =
      "initialise it with as many as arrive in a phase, and let each wait for the phase before "
      "it arrives again";
  found.add(site, std::move(f));
}

} // namespace

// [thread.barrier.class: arrive, preconditions] What the phase expects is left of its last arrival
// on until the next one begins: nothing.
void arrives(const void* word) noexcept {
  const sim::library_section inside;
  sim::sim_thread* const t = sim::execution::current();
  if (t == nullptr) {
    return;
  }
  t->owner->barriers[number(word)] = t->launch->id;
  const auto end = t->owner->exec->memory().unordered_phase_end(*t, number(word));
  if (!end) {
    return;
  }
  const void* const site = sim::step::calling_place(TILESIM_SITE);
  report_arrival(
      *t,
      site,
      {.message =
           "arrival at a cuda::barrier that may come before its phase is over, and is then one "
           "more than that expects",
       .details = {fmt::format("by {}", with_kernel(*t)),
                   fmt::format("the last one that the phase expects: by {}, at {}",
                               end->who,
                               sim::place(end->site)),
                   "nothing orders the two"},
       .other = end->site,
       .parties = {{t->launch->id, t->linear_thread(), {}}, {t->launch->id, end->thread, {}}}});
}

// [thread.barrier.class: constructor, preconditions; PTX: mbarrier.init, "the range of count is 1
// to 2^20 - 1", of what lies in shared memory]
void barrier_begins(const void* word, std::ptrdiff_t expected, std::ptrdiff_t most) noexcept {
  const sim::library_section inside;
  const sim::sim_thread* const t = sim::execution::current();
  if (t == nullptr) {
    return;
  }
  const bool in_shared = t->owner->shared.holds(number(word));
  const std::ptrdiff_t least = in_shared ? 1 : 0;
  const void* const site = sim::step::calling_place(TILESIM_SITE);
  if ((expected >= least && expected <= most) ||
      t->owner->found.repeated(site, finding_kind::barrier_arrivals)) {
    return;
  }
  t->owner->found.add(
      site,
      {.kind = finding_kind::barrier_arrivals,
       .message = fmt::format("a cuda::barrier{} for {} arrivals, where {} to {} can be expected",
                              in_shared ? " in shared memory" : "",
                              expected,
                              least,
                              most),
       .details = {fmt::format("by {}", with_kernel(*t))},
       .remedy = "initialise it with as many as arrive in a phase"});
}

void arrived_too_often(const char* what, std::uint64_t count, std::uint64_t left) noexcept {
  const sim::library_section inside;
  const sim::sim_thread* const t = sim::execution::current();
  if (t == nullptr) {
    return;
  }
  report_arrival(*t,
                 sim::step::calling_place(TILESIM_SITE),
                 {.message = fmt::format("more arrive at a {} than it expects", what),
                  .details = {fmt::format("by {}, with {}, where {} {} expected",
                                          with_kernel(*t),
                                          count,
                                          left == 0 ? "none" : fmt::format("{} more", left),
                                          left > 1 ? "are" : "is")},
                  .parties = {{t->launch->id, t->linear_thread(), {}}}});
}

void phase_ends(const void* word) noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->owner->exec->memory().phase_ended(*t, number(word));
  }
}

std::uint64_t phase_of(const void* word) noexcept {
  return std::atomic_ref(*static_cast<std::uint64_t*>(const_cast<void*>(word)))
             .load(std::memory_order_relaxed) >>
         (2 * barrier_count_bits);
}

void begin_copy() noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->owner->exec->memory().copy_begins(*t);
  }
}

void end_copy(const void* object, std::uint64_t phase) noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->owner->exec->memory().copy_ends(*t, {number(object), phase});
  }
}

void copies_awaited(const void* object, std::uint64_t end) noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->owner->exec->memory().copies_awaited(*t, {number(object), end});
  }
}

// A thread's groups have no object in its memory: what they are named by is the thread.
void end_copy_of_group() noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->owner->exec->memory().copy_ends(*t, {number(t), t->copy_groups});
  }
}

void commit_copies() noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    ++t->copy_groups;
  }
}

void groups_awaited(std::uint64_t prior) noexcept {
  const sim::library_section inside;
  sim::sim_thread* const t = sim::execution::current();
  if (t != nullptr && t->copy_groups > prior) {
    t->owner->exec->memory().copies_awaited(*t, {number(t), t->copy_groups - prior});
  }
}

void groups_handed_on(const void* to, std::uint64_t phase) noexcept {
  const sim::library_section inside;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->owner->exec->memory().copies_handed_on(
        *t, {number(t), t->copy_groups + 1}, {number(to), phase});
  }
}

} // namespace tilesim::detail
