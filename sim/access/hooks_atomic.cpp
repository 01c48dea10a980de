// Atomic accesses of hooked programs that do not come through <cuda/atomic>: std::atomic and the
// __atomic builtins. Their scope is the system.  [libcu++: cuda::std::atomic]
//
// Host code may run on several OS threads, so the operation itself is a real atomic one, in the
// strongest order.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/atomics.hpp"
#include "sim/access/host_threads.hpp"
#include "sim/core/execution.hpp"

#include <tilesim/detail/machine.hpp>

namespace {

using tilesim::memmodel::memory_order;
using tilesim::sim::access_kind;
using tilesim::sim::atomic_effect;

/// The compiler's numbers: std::memory_order.
memory_order order_of(int o) {
  switch (o) {
  case __ATOMIC_RELAXED:
    return memory_order::relaxed;
  case __ATOMIC_CONSUME:
  case __ATOMIC_ACQUIRE:
    return memory_order::acquire;
  case __ATOMIC_RELEASE:
    return memory_order::release;
  case __ATOMIC_ACQ_REL:
    return memory_order::acq_rel;
  default:
    return memory_order::sc;
  }
}

template <class T, class F>
void perform(const volatile T* p, access_kind kind, memory_order order, const void* site, F f) {
  const bool orders = order != memory_order::relaxed;
  if (orders && kind != access_kind::read) {
    tilesim::sim::host_releases();
  }
  tilesim::sim::perform_atomic(tilesim::sim::execution::current(),
                               {.address = reinterpret_cast<std::uintptr_t>(p),
                                .bytes = sizeof(T),
                                .kind = kind,
                                .order = order,
                                .scope = tilesim::memmodel::scope::sys,
                                .site = site},
                               f);
  if (orders && kind != access_kind::write) {
    tilesim::sim::host_acquires();
  }
}

// 16 bytes: the host's operations would need libatomic; a lock makes them atomic among themselves
// and with those of cuda::atomic_ref.
__extension__ using tilesim_uint128 = unsigned __int128;
using tilesim::sim::wide_objects;

template <class T>
T load_now(const volatile T* p) {
  if constexpr (sizeof(T) == 16) {
    const std::scoped_lock lock(wide_objects);
    return *p;
  } else {
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
  }
}

/// True if *p was `expected` and is `desired` now; `expected` is what was there.
template <class T>
bool exchange_if_equal(volatile T* p, T& expected, T desired) {
  if constexpr (sizeof(T) == 16) {
    const std::scoped_lock lock(wide_objects);
    const T before = *p;
    const bool equal = before == expected;
    if (equal) {
      *p = desired;
    }
    expected = before;
    return equal;
  } else {
    return __atomic_compare_exchange_n(
        p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

template <class T>
T load(const volatile T* p, int order, const void* site) {
  T value{};
  perform(p, access_kind::read, order_of(order), site, [&] {
    value = load_now(p);
    return atomic_effect{};
  });
  return value;
}

/// *p = change(*p); gives what was there.
template <class T, class F>
T update(volatile T* p, access_kind kind, int order, const void* site, F change) {
  T before{};
  perform(p, kind, order_of(order), site, [&] {
    T now{};
    before = load_now(p);
    do {
      now = change(before);
    } while (!exchange_if_equal(p, before, now));
    return atomic_effect{.writes = true, .changes = now != before};
  });
  return before;
}

template <class T>
bool compare_exchange(
    volatile T* p, T& expected, T desired, int success, int failure, const void* site) {
  bool equal = false;
  const memory_order order = tilesim::sim::stronger(order_of(success), order_of(failure));
  perform(p, access_kind::read_write, order, site, [&] {
    equal = exchange_if_equal(p, expected, desired);
    return atomic_effect{.writes = equal, .changes = equal && expected != desired};
  });
  return equal;
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compiler's.
#define TILESIM_SITE __builtin_return_address(0)

extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic_thread_fence(int order) {
  if (order != __ATOMIC_RELAXED) {
    tilesim::sim::host_releases();
    tilesim::sim::host_acquires();
    tilesim::sim::perform_fence(tilesim::sim::execution::current(),
                                order_of(order),
                                tilesim::memmodel::scope::sys,
                                TILESIM_SITE);
  }
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic_signal_fence(int /*order*/) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

#define TILESIM_ATOMIC_RMW(bits, type, name, expression)                                           \
  extern "C" TILESIM_EXPORT type tilesim_hook___tsan_atomic##bits##_##name(                        \
      volatile type* p, type value, int order) {                                                   \
    return update(p, access_kind::read_write, order, TILESIM_SITE, [&](type old) {                 \
      static_cast<void>(old);                                                                      \
      return static_cast<type>(expression);                                                        \
    });                                                                                            \
  }
#define TILESIM_ATOMIC(bits, type)                                                                 \
  extern "C" TILESIM_EXPORT type tilesim_hook___tsan_atomic##bits##_load(const volatile type* p,   \
                                                                         int order) {              \
    return load(p, order, TILESIM_SITE);                                                           \
  }                                                                                                \
  extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic##bits##_store(                         \
      volatile type* p, type value, int order) {                                                   \
    update(p, access_kind::write, order, TILESIM_SITE, [&](type) { return value; });               \
  }                                                                                                \
  TILESIM_ATOMIC_RMW(bits, type, exchange, value)                                                  \
  TILESIM_ATOMIC_RMW(bits, type, fetch_add, old + value)                                           \
  TILESIM_ATOMIC_RMW(bits, type, fetch_sub, old - value)                                           \
  TILESIM_ATOMIC_RMW(bits, type, fetch_and, old& value)                                            \
  TILESIM_ATOMIC_RMW(bits, type, fetch_or, old | value)                                            \
  TILESIM_ATOMIC_RMW(bits, type, fetch_xor, old ^ value)                                           \
  TILESIM_ATOMIC_RMW(bits, type, fetch_nand, ~(old & value))                                       \
  extern "C" TILESIM_EXPORT int tilesim_hook___tsan_atomic##bits##_compare_exchange_strong(        \
      volatile type* p, type* expected, type desired, int order, int failure) {                    \
    return compare_exchange(p, *expected, desired, order, failure, TILESIM_SITE);                  \
  }                                                                                                \
  extern "C" TILESIM_EXPORT int tilesim_hook___tsan_atomic##bits##_compare_exchange_weak(          \
      volatile type* p, type* expected, type desired, int order, int failure) {                    \
    return compare_exchange(p, *expected, desired, order, failure, TILESIM_SITE);                  \
  }                                                                                                \
  extern "C" TILESIM_EXPORT type tilesim_hook___tsan_atomic##bits##_compare_exchange_val(          \
      volatile type* p, type expected, type desired, int order, int failure) {                     \
    compare_exchange(p, expected, desired, order, failure, TILESIM_SITE);                          \
    return expected;                                                                               \
  }
TILESIM_ATOMIC(8, std::uint8_t)
TILESIM_ATOMIC(16, std::uint16_t)
TILESIM_ATOMIC(32, std::uint32_t)
TILESIM_ATOMIC(64, std::uint64_t)
TILESIM_ATOMIC(128, tilesim_uint128)
// NOLINTEND(bugprone-reserved-identifier)
