// Runs a callable as a kernel inside a context of the test's own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/context.hpp"
#include "sim/execution.hpp"

#include <utility>

namespace tilesim::sim {

template <class Kernel>
launch_id submit(context& c, dim3 grid, dim3 block, kernel_kind kind, Kernel kernel) {
  return c.exec->submit({grid, block, 0, nullptr},
                        kind,
                        {.name = "kernel",
                         .closure = new Kernel(std::move(kernel)),
                         .invoke = [](const void* k) { (*static_cast<const Kernel*>(k))(); },
                         .destroy = [](void* k) noexcept { delete static_cast<Kernel*>(k); },
                         .closure_bytes = sizeof(Kernel)},
                        nullptr);
}

/// One tile block, to its end.
template <class Kernel>
void run_block(context& c, Kernel kernel) {
  c.exec->finish(submit(c, dim3(1), dim3(1), kernel_kind::tile, std::move(kernel)));
}

} // namespace tilesim::sim
