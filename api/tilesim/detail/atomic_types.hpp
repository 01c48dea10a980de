// cuda::thread_scope, cuda::atomic_ref, cuda::atomic, cuda::atomic_thread_fence.
//
// The contents of <cuda/atomic>; cuda::std:: has the same at system scope.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_access.hpp>

#include <atomic>
#include <cstddef>
#include <type_traits>

namespace cuda {

/// Which threads an atomic operation is atomic and ordered for. libcu++'s numbers.
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10,
};

using ::std::memory_order;
using ::std::memory_order_acq_rel;
using ::std::memory_order_acquire;
using ::std::memory_order_consume;
using ::std::memory_order_relaxed;
using ::std::memory_order_release;
using ::std::memory_order_seq_cst;

namespace tilesim_detail {

using ::tilesim::detail::order;
using ::tilesim::detail::scope;

constexpr order to_order(memory_order o) noexcept {
  return static_cast<order>(static_cast<int>(o));
}

/// What atomic_ref and atomic have in common; Derived::address() says where the value lives.
template <class Derived, class T, thread_scope Scope>
class atomic_operations {
  static constexpr scope where = static_cast<scope>(Scope);
  TILESIM_API T* at() const noexcept { return static_cast<const Derived*>(this)->address(); }

public:
  using value_type = T;
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;

  [[nodiscard]] TILESIM_API bool is_lock_free() const noexcept { return is_always_lock_free; }

  TILESIM_API void store(T value, memory_order o = memory_order_seq_cst) const noexcept {
    ::tilesim::detail::atomic_store(at(), value, to_order(o), where);
  }
  TILESIM_API T load(memory_order o = memory_order_seq_cst) const noexcept {
    return ::tilesim::detail::atomic_load(at(), to_order(o), where);
  }
  TILESIM_API operator T() const noexcept { return load(); }

  TILESIM_API T exchange(T value, memory_order o = memory_order_seq_cst) const noexcept {
    return ::tilesim::detail::atomic_exchange(at(), value, to_order(o), where);
  }

  TILESIM_API bool compare_exchange_strong(T& expected,
                                           T desired,
                                           memory_order success,
                                           memory_order failure) const noexcept {
    return ::tilesim::detail::atomic_compare_exchange(
        at(), expected, desired, false, to_order(success), to_order(failure), where);
  }
  TILESIM_API bool compare_exchange_strong(
      T& expected, T desired, memory_order o = memory_order_seq_cst) const noexcept {
    return ::tilesim::detail::atomic_compare_exchange(
        at(), expected, desired, false, to_order(o), without_release(to_order(o)), where);
  }
  TILESIM_API bool compare_exchange_weak(T& expected,
                                         T desired,
                                         memory_order success,
                                         memory_order failure) const noexcept {
    return ::tilesim::detail::atomic_compare_exchange(
        at(), expected, desired, true, to_order(success), to_order(failure), where);
  }
  TILESIM_API bool compare_exchange_weak(
      T& expected, T desired, memory_order o = memory_order_seq_cst) const noexcept {
    return ::tilesim::detail::atomic_compare_exchange(
        at(), expected, desired, true, to_order(o), without_release(to_order(o)), where);
  }

#define TILESIM_FETCH(op, constraint)                                                              \
  TILESIM_API T fetch_##op(T value, memory_order o = memory_order_seq_cst) const noexcept          \
    requires(constraint)                                                                           \
  {                                                                                                \
    return ::tilesim::detail::atomic_fetch_##op(at(), value, to_order(o), where);                  \
  }
  TILESIM_FETCH(add, ::std::is_arithmetic_v<T>)
  TILESIM_FETCH(sub, ::std::is_arithmetic_v<T>)
  TILESIM_FETCH(min, ::std::is_arithmetic_v<T>)
  TILESIM_FETCH(max, ::std::is_arithmetic_v<T>)
  TILESIM_FETCH(and, ::std::is_integral_v<T>)
  TILESIM_FETCH(or, ::std::is_integral_v<T>)
  TILESIM_FETCH(xor, ::std::is_integral_v<T>)
#undef TILESIM_FETCH

  /// Pointers move by elements.
  TILESIM_API T fetch_add(::std::ptrdiff_t n, memory_order o = memory_order_seq_cst) const noexcept
    requires ::std::is_pointer_v<T>
  {
    return ::tilesim::detail::atomic_update(at(), to_order(o), where, [=](T old) { return old + n; });
  }
  TILESIM_API T fetch_sub(::std::ptrdiff_t n, memory_order o = memory_order_seq_cst) const noexcept
    requires ::std::is_pointer_v<T>
  {
    return ::tilesim::detail::atomic_update(at(), to_order(o), where, [=](T old) { return old - n; });
  }

  TILESIM_API T operator++(int) const noexcept { return fetch_add(1); }
  TILESIM_API T operator--(int) const noexcept { return fetch_sub(1); }
  TILESIM_API T operator++() const noexcept { return static_cast<T>(fetch_add(1) + 1); }
  TILESIM_API T operator--() const noexcept { return static_cast<T>(fetch_sub(1) - 1); }
  TILESIM_API T operator+=(T v) const noexcept { return static_cast<T>(fetch_add(v) + v); }
  TILESIM_API T operator-=(T v) const noexcept { return static_cast<T>(fetch_sub(v) - v); }
  TILESIM_API T operator&=(T v) const noexcept { return static_cast<T>(fetch_and(v) & v); }
  TILESIM_API T operator|=(T v) const noexcept { return static_cast<T>(fetch_or(v) | v); }
  TILESIM_API T operator^=(T v) const noexcept { return static_cast<T>(fetch_xor(v) ^ v); }

  /// Waits until the value is no longer `old`: a spin, which the scheduler recognises.
  TILESIM_API void wait(T old, memory_order o = memory_order_seq_cst) const noexcept {
    while (load(o) == old) {
    }
  }
  TILESIM_API void notify_one() const noexcept {}
  TILESIM_API void notify_all() const noexcept {}
};

} // namespace tilesim_detail

/// Atomic access to an object that lives elsewhere.
template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public tilesim_detail::atomic_operations<atomic_ref<T, Scope>, T, Scope> {
  static_assert(::std::is_trivially_copyable_v<T>);

public:
  static constexpr ::std::size_t required_alignment = sizeof(T);

  TILESIM_API explicit atomic_ref(T& object) noexcept
      : address_(&object) {}
  TILESIM_API atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;
  TILESIM_API T operator=(T value) const noexcept {
    this->store(value);
    return value;
  }

  /// For the base.
  TILESIM_API T* address() const noexcept { return address_; }

private:
  T* address_;
};

/// An object that is accessed atomically only.
template <class T, thread_scope Scope = thread_scope_system>
class atomic : public tilesim_detail::atomic_operations<atomic<T, Scope>, T, Scope> {
  static_assert(::std::is_trivially_copyable_v<T>);

public:
  atomic() noexcept = default;
  constexpr atomic(T value) noexcept
      : value_(value) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;
  TILESIM_API T operator=(T value) noexcept {
    this->store(value);
    return value;
  }

  /// For the base.
  TILESIM_API T* address() const noexcept { return const_cast<T*>(&value_); }

private:
  alignas(sizeof(T)) T value_;
};

TILESIM_API void atomic_thread_fence(memory_order o,
                                     thread_scope scope = thread_scope_system) noexcept {
  ::tilesim::detail::fence(tilesim_detail::to_order(o), static_cast<::tilesim::detail::scope>(scope));
}

namespace std {
using namespace ::std;
template <class T>
using atomic_ref = ::cuda::atomic_ref<T, thread_scope_system>;
template <class T>
using atomic = ::cuda::atomic<T, thread_scope_system>;
TILESIM_API void atomic_thread_fence(memory_order o) noexcept {
  ::cuda::atomic_thread_fence(o);
}
} // namespace std

} // namespace cuda
