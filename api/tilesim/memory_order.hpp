// Memory orders of atomic tile operations, and their tags.
//
// A leaf: no tile, no scalar. There is no seq_cst and no fence; what no order is given to is weak.
// [memory operations; constant wrappers and flags: memory order]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace cuda::tiles::inline __1 {

/// How an atomic operation takes part in synchronisation.  [general principles: memory order]
enum class memory_order : ::std::uint8_t { relaxed = 0, acquire = 1, release = 2, acq_rel = 3 };

namespace detail {

// A switch, because == and < on an enumeration of this namespace would look up the operators of
// tiles.
constexpr bool is_enumerator(memory_order o) noexcept {
  switch (o) {
  case memory_order::relaxed:
  case memory_order::acquire:
  case memory_order::release:
  case memory_order::acq_rel:
    return true;
  }
  return false; // a value cast into the enumeration
}
constexpr bool is_read_order(memory_order o) noexcept {
  switch (o) {
  case memory_order::relaxed:
  case memory_order::acquire:
    return true;
  default:
    return false;
  }
}
constexpr bool is_write_order(memory_order o) noexcept {
  switch (o) {
  case memory_order::relaxed:
  case memory_order::release:
    return true;
  default:
    return false;
  }
}

} // namespace detail

/// Carries an order as a type, so that it can be an argument: `atomic_load(p,
/// memory_order_acquire_t{})`.
// clang-format off
template <memory_order Order>
  requires(detail::is_enumerator(Order))
struct memory_order_constant { // clang-format on
  using value_type = memory_order;
  using type = memory_order_constant;
  static constexpr memory_order value = Order;
  constexpr operator memory_order() const noexcept { return Order; }
  constexpr memory_order operator()() const noexcept { return Order; }
};

using memory_order_relaxed_t = memory_order_constant<memory_order::relaxed>;
using memory_order_acquire_t = memory_order_constant<memory_order::acquire>;
using memory_order_release_t = memory_order_constant<memory_order::release>;
using memory_order_acq_rel_t = memory_order_constant<memory_order::acq_rel>;

/// The orders that a read may have.  [general principles: read memory order]
template <memory_order Order>
concept read_memory_order = detail::is_read_order(Order);

/// The orders that a write may have.  [general principles: write memory order]
template <memory_order Order>
concept write_memory_order = detail::is_write_order(Order);

} // namespace cuda::tiles::inline __1
