// The seam of every atomic access of `__global__` code: cuda::atomic_ref, atomicAdd, __threadfence.
//
// Today an access goes straight to memory by the compiler's own atomics; what routes it through the
// machine changes this file alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

namespace tilesim::detail {

/// libcu++'s numbers: cuda::thread_scope.
enum class scope : int { system = 0, device = 1, block = 2, thread = 10 };
/// The compiler's own numbers: std::memory_order.
enum class order : int {
  relaxed = __ATOMIC_RELAXED,
  consume = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};

TILESIM_API void fence(order o, scope) {
  // A fence's order must be a constant for the hooks of later releases to see it as it is.
  switch (o) {
  case order::relaxed:
    return;
  case order::consume:
  case order::acquire:
    return __atomic_thread_fence(__ATOMIC_ACQUIRE);
  case order::release:
    return __atomic_thread_fence(__ATOMIC_RELEASE);
  case order::acq_rel:
    return __atomic_thread_fence(__ATOMIC_ACQ_REL);
  case order::seq_cst:
    return __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
}

template <class T>
TILESIM_API T atomic_load(const T* p, order o, scope) {
  T value;
  __atomic_load(const_cast<T*>(p), &value, static_cast<int>(o));
  return value;
}
template <class T>
TILESIM_API void atomic_store(T* p, T value, order o, scope) {
  __atomic_store(p, &value, static_cast<int>(o));
}
template <class T>
TILESIM_API T atomic_exchange(T* p, T value, order o, scope) {
  T old;
  __atomic_exchange(p, &value, &old, static_cast<int>(o));
  return old;
}

/// Compares bit for bit. On failure `expected` receives what was read.
template <class T>
TILESIM_API bool
atomic_compare_exchange(T* p, T& expected, T desired, bool weak, order success, order failure, scope) {
  return __atomic_compare_exchange(
      p, &expected, &desired, weak, static_cast<int>(success), static_cast<int>(failure));
}

/// What a failed compare-exchange may be ordered as, when only one order was given.
constexpr order without_release(order o) {
  return o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
}

/// Reads, applies `change`, writes: any operation that has no instruction of its own.
template <class T, class Change>
TILESIM_API T atomic_update(T* p, order o, scope s, Change change) {
  T old = atomic_load(p, order::relaxed, s);
  while (!atomic_compare_exchange(p, old, static_cast<T>(change(old)), true, o, order::relaxed, s)) {
  }
  return old;
}

template <class T>
TILESIM_API T atomic_fetch_add(T* p, T value, order o, scope s) {
  if constexpr (requires { value & value; }) {
    return __atomic_fetch_add(p, value, static_cast<int>(o));
  } else {
    return atomic_update(p, o, s, [=](T old) { return old + value; });
  }
}
template <class T>
TILESIM_API T atomic_fetch_sub(T* p, T value, order o, scope s) {
  if constexpr (requires { value & value; }) {
    return __atomic_fetch_sub(p, value, static_cast<int>(o));
  } else {
    return atomic_update(p, o, s, [=](T old) { return old - value; });
  }
}
template <class T>
TILESIM_API T atomic_fetch_and(T* p, T value, order o, scope) {
  return __atomic_fetch_and(p, value, static_cast<int>(o));
}
template <class T>
TILESIM_API T atomic_fetch_or(T* p, T value, order o, scope) {
  return __atomic_fetch_or(p, value, static_cast<int>(o));
}
template <class T>
TILESIM_API T atomic_fetch_xor(T* p, T value, order o, scope) {
  return __atomic_fetch_xor(p, value, static_cast<int>(o));
}
template <class T>
TILESIM_API T atomic_fetch_min(T* p, T value, order o, scope s) {
  return atomic_update(p, o, s, [=](T old) { return value < old ? value : old; });
}
template <class T>
TILESIM_API T atomic_fetch_max(T* p, T value, order o, scope s) {
  return atomic_update(p, o, s, [=](T old) { return old < value ? value : old; });
}

} // namespace tilesim::detail
