// cuda::std's functions of <atomic>, with an order and without.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_types.hpp>

#include <type_traits>

namespace cuda::std {

template <class T>
TILESIM_API void atomic_init(volatile atomic<T>* p, typename atomic<T>::value_type value) noexcept {
  p->store(value, memory_order_relaxed);
}
template <class T>
TILESIM_API bool atomic_is_lock_free(const volatile atomic<T>* p) noexcept {
  return p->is_lock_free();
}
template <class T>
TILESIM_API T atomic_load(const volatile atomic<T>* p) noexcept {
  return p->load();
}
template <class T>
TILESIM_API T atomic_load_explicit(const volatile atomic<T>* p, memory_order o) noexcept {
  return p->load(o);
}
template <class T>
TILESIM_API void atomic_store(volatile atomic<T>* p,
                              typename atomic<T>::value_type value) noexcept {
  p->store(value);
}
template <class T>
TILESIM_API void atomic_store_explicit(volatile atomic<T>* p,
                                       typename atomic<T>::value_type value,
                                       memory_order o) noexcept {
  p->store(value, o);
}
#define TILESIM_ATOMIC_FUNCTION(name, argument, constraint)                                        \
  template <class T>                                                                               \
  requires(constraint)                                                                             \
      TILESIM_API T atomic_##name(volatile atomic<T>* p, argument value) noexcept {                \
    return p->name(value);                                                                         \
  }                                                                                                \
  template <class T>                                                                               \
  requires(constraint) TILESIM_API T atomic_##name##_explicit(                                     \
      volatile atomic<T>* p, argument value, memory_order o) noexcept {                            \
    return p->name(value, o);                                                                      \
  }
TILESIM_ATOMIC_FUNCTION(exchange, typename atomic<T>::value_type, true)
TILESIM_ATOMIC_FUNCTION(fetch_add,
                        tilesim_detail::difference<typename atomic<T>::value_type>,
                        tilesim_detail::counts<T> || ::std::is_pointer_v<T>)
TILESIM_ATOMIC_FUNCTION(fetch_sub,
                        tilesim_detail::difference<typename atomic<T>::value_type>,
                        tilesim_detail::counts<T> || ::std::is_pointer_v<T>)
// Of these the value says its type, too.
TILESIM_ATOMIC_FUNCTION(fetch_add, T, ::std::is_floating_point_v<T>)
TILESIM_ATOMIC_FUNCTION(fetch_sub, T, ::std::is_floating_point_v<T>)
TILESIM_ATOMIC_FUNCTION(fetch_and, typename atomic<T>::value_type, tilesim_detail::counts<T>)
TILESIM_ATOMIC_FUNCTION(fetch_or, typename atomic<T>::value_type, tilesim_detail::counts<T>)
TILESIM_ATOMIC_FUNCTION(fetch_xor, typename atomic<T>::value_type, tilesim_detail::counts<T>)
#undef TILESIM_ATOMIC_FUNCTION
#define TILESIM_ATOMIC_EXCHANGE(name)                                                              \
  template <class T>                                                                               \
  TILESIM_API bool atomic_##name(volatile atomic<T>* p,                                            \
                                 typename atomic<T>::value_type* expected,                         \
                                 typename atomic<T>::value_type desired) noexcept {                \
    return p->name(*expected, desired);                                                            \
  }                                                                                                \
  template <class T>                                                                               \
  TILESIM_API bool atomic_##name##_explicit(volatile atomic<T>* p,                                 \
                                            typename atomic<T>::value_type* expected,              \
                                            typename atomic<T>::value_type desired,                \
                                            memory_order success,                                  \
                                            memory_order failure) noexcept {                       \
    return p->name(*expected, desired, success, failure);                                          \
  }
TILESIM_ATOMIC_EXCHANGE(compare_exchange_weak)
TILESIM_ATOMIC_EXCHANGE(compare_exchange_strong)
#undef TILESIM_ATOMIC_EXCHANGE
template <class T>
TILESIM_API void atomic_wait(const volatile atomic<T>* p,
                             typename atomic<T>::value_type old) noexcept {
  p->wait(old);
}
template <class T>
TILESIM_API void atomic_wait_explicit(const volatile atomic<T>* p,
                                      typename atomic<T>::value_type old,
                                      memory_order o) noexcept {
  p->wait(old, o);
}
template <class T>
TILESIM_API void atomic_notify_one(volatile atomic<T>* p) noexcept {
  p->notify_one();
}
template <class T>
TILESIM_API void atomic_notify_all(volatile atomic<T>* p) noexcept {
  p->notify_all();
}
TILESIM_API bool atomic_flag_test_and_set(volatile atomic_flag* p) noexcept {
  return p->test_and_set();
}
TILESIM_API bool atomic_flag_test_and_set_explicit(volatile atomic_flag* p,
                                                   memory_order o) noexcept {
  return p->test_and_set(o);
}
TILESIM_API bool atomic_flag_test(const volatile atomic_flag* p) noexcept {
  return p->test();
}
TILESIM_API bool atomic_flag_test_explicit(const volatile atomic_flag* p, memory_order o) noexcept {
  return p->test(o);
}
TILESIM_API void atomic_flag_clear(volatile atomic_flag* p) noexcept {
  p->clear();
}
TILESIM_API void atomic_flag_clear_explicit(volatile atomic_flag* p, memory_order o) noexcept {
  p->clear(o);
}
TILESIM_API void atomic_flag_wait(const volatile atomic_flag* p, bool old) noexcept {
  p->wait(old);
}
TILESIM_API void
atomic_flag_wait_explicit(const volatile atomic_flag* p, bool old, memory_order o) noexcept {
  p->wait(old, o);
}
TILESIM_API void atomic_flag_notify_one(volatile atomic_flag* p) noexcept {
  p->notify_one();
}
TILESIM_API void atomic_flag_notify_all(volatile atomic_flag* p) noexcept {
  p->notify_all();
}

} // namespace cuda::std
