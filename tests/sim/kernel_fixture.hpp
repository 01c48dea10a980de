// Runs a callable as a kernel inside a context of the test's own, and what such a kernel is made
// of. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"

#include <tilesim/detail/machine.hpp>

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

inline constexpr machine::tile_type int_scalar{
    element::i32, element::i32, 4, false, true, 0, 1, nullptr};
inline constexpr machine::tile_type int_pointer{
    element::ptr, element::i32, 4, false, true, 0, 1, nullptr};

/// Of scalars, as a tile operation: acquire, device scope.
inline int load(int* p) {
  int value = -1;
  machine::load_ptr_tko({machine::memory_order::acquire, machine::memory_scope::device},
                        {&int_scalar, &value},
                        {&int_pointer, &p},
                        nullptr,
                        nullptr);
  return value;
}

/// Likewise: release, device scope.
inline void store(int* p, int value) {
  machine::store_ptr_tko({machine::memory_order::release, machine::memory_scope::device},
                         {&int_pointer, &p},
                         {&int_scalar, &value},
                         nullptr);
}

} // namespace tilesim::sim
