// Atomic accesses of hooked programs that do not come through <cuda/atomic>: std::atomic and the
// __atomic builtins. Their scope is the system.  [libcu++: cuda::std::atomic]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/atomics.hpp"
#include "sim/access/host_threads.hpp"
#include "sim/core/execution.hpp"
#include "sim/memory/orders.hpp"
#include "sim/process/call_site.hpp"

#include <tilesim/detail/machine.hpp>

#include <cstdint>
#include <cstring>

namespace {

using tilesim::memmodel::memory_order;
using tilesim::sim::access_kind;
using tilesim::sim::model_order;
using tilesim::sim::stronger;

// 16 bytes, too: the host's operations would need libatomic.
__extension__ using tilesim_uint128 = unsigned __int128;

/// Code of the host may learn from it what a host function has released, and release itself.
template <class F>
void perform(access_kind kind, memory_order order, F f) {
  const bool orders = order != memory_order::relaxed;
  if (orders && kind != access_kind::read) {
    tilesim::sim::host_releases();
  }
  f();
  if (orders && kind != access_kind::write) {
    tilesim::sim::host_acquires();
  }
}

template <class T>
tilesim::sim::atomic_access describe(const volatile T* p, memory_order order, const void* site) {
  return {.address = reinterpret_cast<std::uintptr_t>(p),
          .bytes = sizeof(T),
          .order = order,
          .scope = tilesim::memmodel::scope::sys,
          .site = site};
}

template <class T>
T load(const volatile T* p, int order, const void* site) {
  T value{};
  perform(access_kind::read, model_order(order), [&] {
    tilesim::sim::load_atomically(
        tilesim::sim::execution::current(), describe(p, model_order(order), site), &value);
  });
  return value;
}

template <class T>
void store(volatile T* p, T value, int order, const void* site) {
  perform(access_kind::write, model_order(order), [&] {
    tilesim::sim::store_atomically(
        tilesim::sim::execution::current(), describe(p, model_order(order), site), &value);
  });
}

/// *p = change(*p); gives what was there.
template <class T, class F>
T update(volatile T* p, int order, const void* site, const F& change) {
  T before{};
  const auto apply = [](void* value, const void* f) {
    T now;
    std::memcpy(&now, value, sizeof now);
    now = (*static_cast<const F*>(f))(now);
    std::memcpy(value, &now, sizeof now);
  };
  perform(access_kind::read_write, model_order(order), [&] {
    tilesim::sim::update_atomically(tilesim::sim::execution::current(),
                                    describe(p, model_order(order), site),
                                    {apply, &change},
                                    &before);
  });
  return before;
}

template <class T>
bool compare_exchange(
    volatile T* p, T& expected, T desired, int success, int failure, const void* site) {
  bool equal = false;
  const memory_order order = stronger(model_order(success), model_order(failure));
  perform(access_kind::read_write, order, [&] {
    equal = tilesim::sim::compare_exchange_atomically(
        tilesim::sim::execution::current(), describe(p, order, site), &expected, &desired);
  });
  return equal;
}

} // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compiler's.
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic_thread_fence(int order) {
  if (order != __ATOMIC_RELAXED) {
    tilesim::sim::host_releases();
    tilesim::sim::host_acquires();
    tilesim::sim::perform_fence(tilesim::sim::execution::current(),
                                model_order(order),
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
    return update(p, order, TILESIM_SITE, [&](type old) {                                          \
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
    store(p, value, order, TILESIM_SITE);                                                          \
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
