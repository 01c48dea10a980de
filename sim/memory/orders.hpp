// Orders and scopes. Four vocabularies have words for them: the machine's (Tile IR), the memory
// model's (PTX), that of cuda::atomic_ref, and the compiler's numbers. What the simulator works
// with are the model's; these are the ways there, the way back for those that speak the machine's,
// and what is done with orders.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "memmodel/event.hpp"
#include "memmodel/words.hpp"

#include <tilesim/detail/atomic_access.hpp>
#include <tilesim/detail/machine.hpp>

#include <algorithm>

namespace tilesim::sim {

// To the model's.

[[nodiscard]] constexpr memmodel::memory_order model_order(machine::memory_order o) noexcept {
  switch (o) {
  case machine::memory_order::weak:
    return memmodel::memory_order::weak;
  case machine::memory_order::relaxed:
    return memmodel::memory_order::relaxed;
  case machine::memory_order::acquire:
    return memmodel::memory_order::acquire;
  case machine::memory_order::release:
    return memmodel::memory_order::release;
  case machine::memory_order::acq_rel:
    return memmodel::memory_order::acq_rel;
  }
  return memmodel::memory_order::weak;
}

[[nodiscard]] constexpr memmodel::scope model_scope(machine::memory_scope s) noexcept {
  switch (s) {
  case machine::memory_scope::tl_blk:
    return memmodel::scope::cta;
  case machine::memory_scope::device:
    return memmodel::scope::gpu;
  case machine::memory_scope::sys:
    return memmodel::scope::sys;
  }
  return memmodel::scope::sys;
}

/// A consume is an acquire, as compilers have it.
[[nodiscard]] constexpr memmodel::memory_order model_order(detail::order o) noexcept {
  switch (o) {
  case detail::order::relaxed:
    return memmodel::memory_order::relaxed;
  case detail::order::consume:
  case detail::order::acquire:
    return memmodel::memory_order::acquire;
  case detail::order::release:
    return memmodel::memory_order::release;
  case detail::order::acq_rel:
    return memmodel::memory_order::acq_rel;
  case detail::order::seq_cst:
    return memmodel::memory_order::sc;
  }
  return memmodel::memory_order::sc;
}

/// The compiler's numbers, which are std::memory_order's and detail::order's.
[[nodiscard]] constexpr memmodel::memory_order model_order(int compilers) noexcept {
  return model_order(static_cast<detail::order>(compilers));
}

/// The narrowest that holds the scope: PTX has none of one thread.
[[nodiscard]] constexpr memmodel::scope model_scope(detail::scope s) noexcept {
  switch (s) {
  case detail::scope::system:
    return memmodel::scope::sys;
  case detail::scope::device:
    return memmodel::scope::gpu;
  case detail::scope::block:
  case detail::scope::thread:
  case detail::scope::by_reference: // no scope by itself
    return memmodel::scope::cta;
  }
  return memmodel::scope::cta;
}

// To the machine's, which has no sequentially consistent order, nor clusters.

[[nodiscard]] constexpr machine::memory_order machine_order(memmodel::memory_order o) noexcept {
  switch (o) {
  case memmodel::memory_order::weak:
    return machine::memory_order::weak;
  case memmodel::memory_order::relaxed:
    return machine::memory_order::relaxed;
  case memmodel::memory_order::acquire:
    return machine::memory_order::acquire;
  case memmodel::memory_order::release:
    return machine::memory_order::release;
  case memmodel::memory_order::acq_rel:
  case memmodel::memory_order::sc:
    return machine::memory_order::acq_rel;
  }
  return machine::memory_order::acq_rel;
}

[[nodiscard]] constexpr machine::memory_scope machine_scope(memmodel::scope s) noexcept {
  switch (s) {
  case memmodel::scope::cta:
    return machine::memory_scope::tl_blk;
  case memmodel::scope::cluster:
  case memmodel::scope::gpu:
    return machine::memory_scope::device;
  case memmodel::scope::sys:
    return machine::memory_scope::sys;
  }
  return machine::memory_scope::device;
}

// Words, as C++ and cuda::tiles spell them.

[[nodiscard]] constexpr const char* name(memmodel::memory_order o) noexcept {
  return memmodel::cpp_word(o);
}

[[nodiscard]] constexpr const char* name(memmodel::scope s) noexcept {
  return memmodel::cpp_word(s);
}

[[nodiscard]] constexpr const char* name(machine::memory_order o) noexcept {
  return name(model_order(o));
}

[[nodiscard]] constexpr const char* name(machine::memory_scope s) noexcept {
  return name(model_scope(s));
}

// What is done with orders.

/// The order of a compare-exchange that was given two.  [libcu++: compare_exchange]
[[nodiscard]] constexpr memmodel::memory_order stronger(memmodel::memory_order a,
                                                        memmodel::memory_order b) noexcept {
  using memmodel::memory_order;
  const bool both = (a == memory_order::acquire && b == memory_order::release) ||
                    (a == memory_order::release && b == memory_order::acquire);
  return both ? memory_order::acq_rel : std::max(a, b);
}

/// What is left of an order for an access that turned out to be that. Sequential consistency is a
/// fence before.  [libcu++: lowering of orders]
[[nodiscard]] constexpr memmodel::memory_order
performed_order(memmodel::memory_order asked, bool reads, bool writes) noexcept {
  using memmodel::memory_order;
  switch (asked) {
  case memory_order::sc:
    return reads ? memory_order::acquire : memory_order::relaxed;
  case memory_order::acquire:
    return reads ? asked : memory_order::relaxed;
  case memory_order::release:
    return writes ? asked : memory_order::relaxed;
  case memory_order::acq_rel:
    return !reads ? memory_order::release : !writes ? memory_order::acquire : asked;
  case memory_order::weak:
  case memory_order::relaxed:
    return asked;
  }
  return asked;
}

} // namespace tilesim::sim
