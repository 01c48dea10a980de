// What the threads of a block do together: __syncthreads and its kin.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/execution/phased_meeting.hpp"
#include "sim/memory/block_memory.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/entry.hpp"

#include <tilesim/detail/address_spaces.hpp>
#include <tilesim/detail/atomic_access.hpp>
#include <tilesim/detail/device_sync.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace tilesim::detail {

namespace {

/// The running thread of a launch that is cooperative begins `name`.
sim::sim_thread& begin_meeting_of_grid(const void* site, const char* name) {
  sim::sim_thread& t = sim::begin_meeting(site, name);
  if (!t.launch->config.cooperative) {
    t.owner->found.stop(site,
                        {.kind = sim::finding_kind::bad_launch,
                         .message = fmt::format("{} in a launch of {} that is not cooperative",
                                                name,
                                                t.launch->kernel.name),
                         .remedy = "launch the kernel by cudaLaunchCooperativeKernel"});
  }
  return t;
}

} // namespace

void grid_barrier() noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  constexpr const char* name = sim::grid_barrier_name;
  sim::meet_grid(begin_meeting_of_grid(site, name), site, name);
}

void named_barrier(unsigned number, unsigned count, bool waits) noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  sim::sim_thread& t = sim::begin_meeting(site, waits ? "barrier.sync" : "barrier.arrive");
  sim::meet_named(t, site, number, count, waits ? sim::coming::sync : sim::coming::arrive, false);
}

unsigned long long arrive_at_barrier(bool of_grid) noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  return of_grid
             ? sim::arrive_in_grid(begin_meeting_of_grid(site, "grid_group::barrier_arrive"), site)
             : sim::arrive_in_block(sim::begin_meeting(site, "thread_block::barrier_arrive"), site);
}

void wait_at_barrier(bool of_grid, unsigned long long arrived) noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  if (of_grid) {
    sim::wait_in_grid(begin_meeting_of_grid(site, "grid_group::barrier_wait"), site, arrived);
  } else {
    sim::wait_in_block(sim::begin_meeting(site, "thread_block::barrier_wait"), site, arrived);
  }
}

void part_barrier(unsigned first, unsigned count) noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  constexpr const char* name = "thread_block_tile::sync";
  sim::sim_thread& t = sim::begin_meeting(site, name);
  sim::meet_part(t, site, name, first, count);
}

bool launch_is_cooperative() noexcept {
  const sim::sim_thread* const t = sim::execution::current();
  return t != nullptr && t->launch->config.cooperative;
}

bool is_shared(const void* p) noexcept {
  const sim::library_section inside;
  return sim::context::current().shared.holds(reinterpret_cast<std::uintptr_t>(p));
}

bool flushes_float_sums(const void* p) noexcept {
  return sim::execution::current() != nullptr && !is_shared(p);
}

size_t shared_offset(const void* p) noexcept {
  const sim::library_section inside;
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  const sim::block_memory* const m = sim::context::current().shared.region(at);
  return m == nullptr ? at : at - m->begin;
}

void* shared_pointer(size_t offset) noexcept {
  const sim::library_section inside;
  const sim::sim_thread* const t = sim::execution::current();
  return t == nullptr || t->team == nullptr || t->team->memory == nullptr
             ? reinterpret_cast<void*>(offset)
             : reinterpret_cast<void*>(t->team->memory->begin + offset);
}

void perform_in_warp(warp_request& r) noexcept {
  const sim::library_section inside;
  const void* const site = TILESIM_SITE;
  const char* const name = sim::warp_names.at(static_cast<unsigned>(r.operation));
  sim::sim_thread& t = sim::begin_meeting(site, name);
  sim::meet_warp(t, site, name, r);
}

} // namespace tilesim::detail
