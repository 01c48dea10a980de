// Traps and clocks of `__global__` code.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/ending.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/entry.hpp"

#include <tilesim/detail/device_sync.hpp>

#include <fmt/format.h>

namespace tilesim::detail {

void trap() noexcept {
  const sim::library_section inside;
  sim::stop_at_trap(TILESIM_SITE, "calls __trap");
}

void not_simulated(const char* what, const char* instead) noexcept {
  const sim::library_section inside;
  sim::context::current().found.stop(TILESIM_SITE,
                                     {.kind = finding_kind::unsupported,
                                      .message = fmt::format("{} is not simulated", what),
                                      .remedy = instead});
}

bool in_kernel() noexcept {
  return sim::execution::current() != nullptr;
}

} // namespace tilesim::detail
