// cuda::thread_scope, cuda::atomic_ref, cuda::atomic, fences, and what cuda::std:: has of <atomic>.
//
// The contents of <cuda/atomic>. What is in cuda::std:: is of system scope and has no fetch_min and
// fetch_max. What is well-formed is held against NVIDIA's compiler by
// tests/api_tables/references.cu and atomic_objects.cu, what members give against a device by
// tests/simt/atomic_members.cu.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_access.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda {

/// Which threads an atomic operation is atomic and ordered for. libcu++'s numbers.
enum thread_scope {
  thread_scope_system = 0,
  thread_scope_device = 1,
  thread_scope_block = 2,
  thread_scope_thread = 10,
};

namespace std {
/// A type of its own: std::memory_order does not convert to it.
enum class memory_order : unsigned {
  relaxed = __ATOMIC_RELAXED,
  consume = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_consume = memory_order::consume;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;
} // namespace std
using ::cuda::std::memory_order;
using ::cuda::std::memory_order_acq_rel;
using ::cuda::std::memory_order_acquire;
using ::cuda::std::memory_order_consume;
using ::cuda::std::memory_order_relaxed;
using ::cuda::std::memory_order_release;
using ::cuda::std::memory_order_seq_cst;

template <class T, thread_scope Scope>
class atomic_ref;
namespace std {
using ::cuda::thread_scope;
using ::cuda::thread_scope_block;
using ::cuda::thread_scope_device;
using ::cuda::thread_scope_system;
using ::cuda::thread_scope_thread;
template <class T>
class atomic_ref;
} // namespace std

namespace tilesim_detail {

using ::tilesim::detail::order;
using ::tilesim::detail::scope;

constexpr order to_order(memory_order o) noexcept {
  return static_cast<order>(static_cast<int>(o));
}

/// What an addition to a T takes: pointers move by elements.
template <class T>
using difference = ::std::conditional_t<::std::is_pointer_v<T>, ::std::ptrdiff_t, T>;

/// As NVIDIA's libcu++ has it, and not as a standard library may: of 16 bytes, too.
template <class T>
constexpr bool is_integer =
    ::std::is_integral_v<T> || ::std::is_same_v<T, ::tilesim::detail::int128> ||
    ::std::is_same_v<T, ::tilesim::detail::uint128>;
template <class T>
constexpr bool is_number = ::std::is_arithmetic_v<T> || is_integer<T>;
template <class T>
constexpr bool counts = is_integer<T> && !::std::is_same_v<T, bool>;

template <class Derived>
constexpr bool refers = false;
template <class T, thread_scope Scope>
constexpr bool refers<atomic_ref<T, Scope>> = true;
template <class T>
constexpr bool refers<::std::atomic_ref<T>> = true;

template <class Derived>
constexpr bool refers_to_const = false;
template <class T, thread_scope Scope>
constexpr bool refers_to_const<atomic_ref<const T, Scope>> = true;
template <class T>
constexpr bool refers_to_const<::std::atomic_ref<const T>> = true;

/// How the simulator is told of an access by a Derived.
template <class Derived>
constexpr scope scope_of(thread_scope s) noexcept {
  return static_cast<scope>(static_cast<int>(s) |
                            (refers<Derived> ? static_cast<int>(scope::by_reference) : 0));
}

/// Whether not all bits of a T are part of its value. clang++ cannot say: nothing has any there.
template <class T>
TILESIM_API bool has_padding() noexcept {
#if __has_builtin(__builtin_clear_padding)
  if constexpr (!::std::is_scalar_v<T> && !::std::has_unique_object_representations_v<T>) {
    union {
      unsigned char bytes[sizeof(T)];
      T object;
    } all;
    __builtin_memset(all.bytes, 0xff, sizeof(T));
    __builtin_clear_padding(&all.object);
    for (const unsigned char byte : all.bytes) {
      if (byte != 0xff) {
        return true;
      }
    }
  }
#endif
  return false;
}

/// What no operation is needed for; Derived::tilesim_address() says where the value lives.
template <class Derived, class T>
class atomic_operations {
  static_assert(::std::is_trivially_copyable_v<T>, "atomics are of trivially copyable types");

protected:
  TILESIM_API T* at() const volatile noexcept {
    return static_cast<const volatile Derived*>(this)->tilesim_address();
  }
  /// The same to change what is there: asking whether that is well-formed finds it so, as with
  /// NVIDIA's libcu++, and doing it is an error.
  TILESIM_API T* place() const volatile noexcept {
    static_assert(!refers_to_const<Derived>,
                  "an atomic_ref to a const object can be loaded and waited for, not changed; let "
                  "it refer to an object that is not const");
    return at();
  }

public:
  static constexpr bool is_always_lock_free = sizeof(T) <= 8;
};

/// The members. Whoever may read the value, and change it, says so by qualifiers: a reference is no
/// part of what it refers to, an object may be volatile.
#define TILESIM_MEMBERS(name, reads, qualifier)                                                    \
  template <class Derived, class T, thread_scope Scope, bool Extended>                             \
  class name : public atomic_operations<Derived, T> {                                              \
    static constexpr scope where = scope_of<Derived>(Scope);                                       \
                                                                                                   \
  public:                                                                                          \
    [[nodiscard]] TILESIM_API bool is_lock_free() reads noexcept { return sizeof(T) <= 8; }        \
    TILESIM_API T load(memory_order o = memory_order_seq_cst) reads noexcept {                     \
      return ::tilesim::detail::atomic_load(this->at(), to_order(o), where);                       \
    }                                                                                              \
    TILESIM_API operator T() reads noexcept { return load(); }                                     \
    /* Waits until the value is no longer `old`: a spin, which the scheduler recognises. */        \
    TILESIM_API void wait(T old, memory_order o = memory_order_seq_cst) reads noexcept {           \
      for (T now = load(o); __builtin_memcmp(&now, &old, sizeof(T)) == 0; now = load(o)) {         \
      }                                                                                            \
    }                                                                                              \
    TILESIM_API void notify_one() qualifier noexcept {}                                            \
    TILESIM_API void notify_all() qualifier noexcept {}                                            \
    TILESIM_API void store(T value, memory_order o = memory_order_seq_cst) qualifier noexcept {    \
      ::tilesim::detail::atomic_store(this->place(), value, to_order(o), where);                   \
    }                                                                                              \
    TILESIM_API T exchange(T value, memory_order o = memory_order_seq_cst) qualifier noexcept {    \
      return ::tilesim::detail::atomic_exchange(this->place(), value, to_order(o), where);         \
    }                                                                                              \
    TILESIM_API bool compare_exchange_strong(T& expected,                                          \
                                             T desired,                                            \
                                             memory_order success,                                 \
                                             memory_order failure) qualifier noexcept {            \
      return ::tilesim::detail::atomic_compare_exchange(                                           \
          this->place(), expected, desired, false, to_order(success), to_order(failure), where);   \
    }                                                                                              \
    TILESIM_API bool compare_exchange_strong(                                                      \
        T& expected, T desired, memory_order o = memory_order_seq_cst) qualifier noexcept {        \
      return ::tilesim::detail::atomic_compare_exchange(                                           \
          this->place(),                                                                           \
          expected,                                                                                \
          desired,                                                                                 \
          false,                                                                                   \
          to_order(o),                                                                             \
          without_release(to_order(o)),                                                            \
          where);                                                                                  \
    }                                                                                              \
    TILESIM_API bool compare_exchange_weak(T& expected,                                            \
                                           T desired,                                              \
                                           memory_order success,                                   \
                                           memory_order failure) qualifier noexcept {              \
      return ::tilesim::detail::atomic_compare_exchange(                                           \
          this->place(), expected, desired, true, to_order(success), to_order(failure), where);    \
    }                                                                                              \
    TILESIM_API bool compare_exchange_weak(                                                        \
        T& expected, T desired, memory_order o = memory_order_seq_cst) qualifier noexcept {        \
      return ::tilesim::detail::atomic_compare_exchange(                                           \
          this->place(),                                                                           \
          expected,                                                                                \
          desired,                                                                                 \
          true,                                                                                    \
          to_order(o),                                                                             \
          without_release(to_order(o)),                                                            \
          where);                                                                                  \
    }                                                                                              \
    TILESIM_API T fetch_add(T value, memory_order o = memory_order_seq_cst) qualifier noexcept     \
        requires(is_number<T>) {                                                                   \
      return ::tilesim::detail::atomic_fetch_add(this->place(), value, to_order(o), where);        \
    }                                                                                              \
    TILESIM_API T fetch_sub(T value, memory_order o = memory_order_seq_cst) qualifier noexcept     \
        requires(is_number<T>) {                                                                   \
      return ::tilesim::detail::atomic_fetch_sub(this->place(), value, to_order(o), where);        \
    }                                                                                              \
    TILESIM_API T fetch_min(const T& value,                                                        \
                            memory_order o = memory_order_seq_cst) qualifier noexcept              \
        requires(Extended) {                                                                       \
      return ::tilesim::detail::atomic_fetch_min(this->place(), value, to_order(o), where);        \
    }                                                                                              \
    TILESIM_API T fetch_max(const T& value,                                                        \
                            memory_order o = memory_order_seq_cst) qualifier noexcept              \
        requires(Extended) {                                                                       \
      return ::tilesim::detail::atomic_fetch_max(this->place(), value, to_order(o), where);        \
    }                                                                                              \
    TILESIM_API T fetch_and(T value, memory_order o = memory_order_seq_cst) qualifier noexcept     \
        requires(is_integer<T>) {                                                                  \
      return ::tilesim::detail::atomic_fetch_and(this->place(), value, to_order(o), where);        \
    }                                                                                              \
    TILESIM_API T fetch_or(T value, memory_order o = memory_order_seq_cst) qualifier noexcept      \
        requires(is_integer<T>) {                                                                  \
      return ::tilesim::detail::atomic_fetch_or(this->place(), value, to_order(o), where);         \
    }                                                                                              \
    TILESIM_API T fetch_xor(T value, memory_order o = memory_order_seq_cst) qualifier noexcept     \
        requires(is_integer<T>) {                                                                  \
      return ::tilesim::detail::atomic_fetch_xor(this->place(), value, to_order(o), where);        \
    }                                                                                              \
    TILESIM_API T fetch_add(::std::ptrdiff_t n,                                                    \
                            memory_order o = memory_order_seq_cst) qualifier noexcept              \
        requires(::std::is_pointer_v<T>) {                                                         \
      return ::tilesim::detail::atomic_update(                                                     \
          this->place(), to_order(o), where, [=](T old) { return old + n; });                      \
    }                                                                                              \
    TILESIM_API T fetch_sub(::std::ptrdiff_t n,                                                    \
                            memory_order o = memory_order_seq_cst) qualifier noexcept              \
        requires(::std::is_pointer_v<T>) {                                                         \
      return ::tilesim::detail::atomic_update(                                                     \
          this->place(), to_order(o), where, [=](T old) { return old - n; });                      \
    }                                                                                              \
    TILESIM_API T operator++(int) qualifier noexcept                                               \
        requires(is_number<T> || ::std::is_pointer_v<T>) {                                         \
      return fetch_add(1);                                                                         \
    }                                                                                              \
    TILESIM_API T operator--(int) qualifier noexcept                                               \
        requires(is_number<T> || ::std::is_pointer_v<T>) {                                         \
      return fetch_sub(1);                                                                         \
    }                                                                                              \
    TILESIM_API T operator++() qualifier noexcept                                                  \
        requires(is_number<T> || ::std::is_pointer_v<T>) {                                         \
      return static_cast<T>(fetch_add(1) + 1);                                                     \
    }                                                                                              \
    TILESIM_API T operator--() qualifier noexcept                                                  \
        requires(is_number<T> || ::std::is_pointer_v<T>) {                                         \
      return static_cast<T>(fetch_sub(1) - 1);                                                     \
    }                                                                                              \
    TILESIM_API T operator+=(difference<T> v) qualifier noexcept                                   \
        requires(is_number<T> || ::std::is_pointer_v<T>) {                                         \
      return static_cast<T>(fetch_add(v) + v);                                                     \
    }                                                                                              \
    TILESIM_API T operator-=(difference<T> v) qualifier noexcept                                   \
        requires(is_number<T> || ::std::is_pointer_v<T>) {                                         \
      return static_cast<T>(fetch_sub(v) - v);                                                     \
    }                                                                                              \
    TILESIM_API T operator&=(T v) qualifier noexcept requires(is_integer<T>) {                     \
      return static_cast<T>(fetch_and(v) & v);                                                     \
    }                                                                                              \
    TILESIM_API T operator|=(T v) qualifier noexcept requires(is_integer<T>) {                     \
      return static_cast<T>(fetch_or(v) | v);                                                      \
    }                                                                                              \
    TILESIM_API T operator^=(T v) qualifier noexcept requires(is_integer<T>) {                     \
      return static_cast<T>(fetch_xor(v) ^ v);                                                     \
    }                                                                                              \
  };
TILESIM_MEMBERS(members_of_reference, const, const)
TILESIM_MEMBERS(members_of_object, const volatile, volatile)
#undef TILESIM_MEMBERS

/// A void, qualified as a T is.
template <class T, class V = ::std::conditional_t<::std::is_volatile_v<T>, volatile void, void>>
using void_as = ::std::conditional_t<::std::is_const_v<T>, const V, V>;

/// Atomic access to an object that lives elsewhere. It may be volatile.
template <class Derived, class Referred, thread_scope Scope, bool Extended>
class reference : public members_of_reference<
                      Derived,
                      ::std::remove_cv_t<Referred>,
                      Scope,
                      Extended && !::std::is_volatile_v<Referred>> {
  using T = ::std::remove_cv_t<Referred>;
  static_assert(sizeof(T) <= 16, "atomic_ref is of objects of at most 16 bytes");

public:
  using value_type = Referred;
  static constexpr ::std::size_t required_alignment = sizeof(T);

  TILESIM_API explicit constexpr reference(Referred& object)
      : address_(const_cast<T*>(&object)) {
    if (__builtin_is_constant_evaluated()) {
      return;
    }
    if constexpr ((sizeof(T) & (sizeof(T) - 1)) != 0) {
      ::tilesim::detail::refer_with_odd_size(sizeof(T));
    } else if (has_padding<T>()) {
      ::tilesim::detail::refer_with_padding(sizeof(T));
    }
  }
  TILESIM_API reference(const reference&) noexcept = default;
  reference& operator=(const reference&) = delete;

  [[nodiscard]] TILESIM_API void_as<Referred>* address() const noexcept { return address_; }
  /// For the base.
  TILESIM_API T* tilesim_address() const volatile noexcept { return address_; }

private:
  T* address_;
};

/// What objects of a size are aligned to: small ones take a word, large ones have a lock behind
/// them, which is a word.
constexpr ::std::size_t alignment_of_object(::std::size_t bytes) noexcept {
  return bytes < 4 || bytes > 8 ? 4 : bytes;
}
/// As large as the lock of an object that is not lock free; the simulator needs none.
template <bool There>
struct room_for_lock {};
template <>
struct room_for_lock<true> {
  unsigned word = 0;
};

/// An object that is accessed atomically only.
template <class Derived, class T, thread_scope Scope, bool Extended>
class object : public members_of_object<Derived, T, Scope, Extended> {
  static_assert(sizeof(T) <= 4 || sizeof(T) >= 8, "an atomic object has no 5, 6 or 7 bytes");

public:
  using value_type = T;

  object() noexcept = default;
  constexpr object(T value) noexcept // NOLINT(google-explicit-constructor)
      : value_(value) {}
  object(const object&) = delete;
  object& operator=(const object&) = delete;

  /// For the base.
  TILESIM_API T* tilesim_address() const volatile noexcept { return const_cast<T*>(&value_); }

private:
  alignas(alignment_of_object(sizeof(T)) > alignof(T) ? alignment_of_object(sizeof(T))
                                                      : alignof(T)) T value_;
  [[no_unique_address]] room_for_lock<(sizeof(T) > 8)> lock_;
};

} // namespace tilesim_detail

template <class T, thread_scope Scope = thread_scope_system>
class atomic_ref : public tilesim_detail::reference<atomic_ref<T, Scope>, T, Scope, true> {
public:
  using tilesim_detail::reference<atomic_ref, T, Scope, true>::reference;
  TILESIM_API ::std::remove_cv_t<T> operator=(::std::remove_cv_t<T> value) const noexcept {
    this->store(value);
    return value;
  }
};

template <class T, thread_scope Scope = thread_scope_system>
class atomic : public tilesim_detail::object<atomic<T, Scope>, T, Scope, true> {
public:
  using tilesim_detail::object<atomic, T, Scope, true>::object;
  atomic() noexcept = default;
  TILESIM_API T operator=(T value) noexcept {
    this->store(value);
    return value;
  }
  TILESIM_API T operator=(T value) volatile noexcept {
    this->store(value);
    return value;
  }
};

template <class T>
atomic_ref(T&) -> atomic_ref<T>;
template <class T>
atomic(T) -> atomic<T>;

TILESIM_API void atomic_thread_fence(memory_order o,
                                     thread_scope scope = thread_scope_system) noexcept {
  ::tilesim::detail::fence(tilesim_detail::to_order(o),
                           static_cast<::tilesim::detail::scope>(scope));
}
/// Between a thread and what interrupts it: compilers alone are concerned.
TILESIM_API void atomic_signal_fence(memory_order o) noexcept {
  ::std::atomic_signal_fence(static_cast<::std::memory_order>(o));
}

namespace std {
using namespace ::std;

template <class T>
class atomic_ref : public tilesim_detail::reference<atomic_ref<T>, T, thread_scope_system, false> {
public:
  using tilesim_detail::reference<atomic_ref, T, thread_scope_system, false>::reference;
  TILESIM_API ::std::remove_cv_t<T> operator=(::std::remove_cv_t<T> value) const noexcept {
    this->store(value);
    return value;
  }
};

template <class T>
class atomic : public tilesim_detail::object<atomic<T>, T, thread_scope_system, false> {
public:
  using tilesim_detail::object<atomic, T, thread_scope_system, false>::object;
  constexpr atomic() noexcept // zero, unlike cuda::atomic
    requires(::std::is_default_constructible_v<T>)
      : tilesim_detail::object<atomic, T, thread_scope_system, false>(T()) {}
  TILESIM_API T operator=(T value) noexcept {
    this->store(value);
    return value;
  }
  TILESIM_API T operator=(T value) volatile noexcept {
    this->store(value);
    return value;
  }
};

template <class T>
atomic_ref(T&) -> atomic_ref<T>;
template <class T>
atomic(T) -> atomic<T>;

class atomic_flag {
public:
  atomic_flag() noexcept = default;
  constexpr atomic_flag(bool value) noexcept // NOLINT(google-explicit-constructor)
      : value_(value) {}
  atomic_flag(const atomic_flag&) = delete;
  atomic_flag& operator=(const atomic_flag&) = delete;

  TILESIM_API bool test_and_set(memory_order o = memory_order_seq_cst) volatile noexcept {
    return value_.exchange(true, o);
  }
  TILESIM_API void clear(memory_order o = memory_order_seq_cst) volatile noexcept {
    value_.store(false, o);
  }
  TILESIM_API bool test(memory_order o = memory_order_seq_cst) const volatile noexcept {
    return value_.load(o);
  }
  TILESIM_API void wait(bool old, memory_order o = memory_order_seq_cst) const volatile noexcept {
    value_.wait(old, o);
  }
  TILESIM_API void notify_one() volatile noexcept {}
  TILESIM_API void notify_all() volatile noexcept {}

private:
  ::cuda::atomic<bool> value_;
};

TILESIM_API void atomic_thread_fence(memory_order o) noexcept {
  ::cuda::atomic_thread_fence(o);
}
TILESIM_API void atomic_signal_fence(memory_order o) noexcept {
  ::cuda::atomic_signal_fence(o);
}

// libcu++'s macros. [cuda/std/atomic]
#define LIBCUDACXX_ATOMIC_FLAG_INIT {false}
#define LIBCUDACXX_ATOMIC_VAR_INIT(...) {__VA_ARGS__}
#define LIBCUDACXX_ATOMIC_BOOL_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_CHAR_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_CHAR16_T_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_CHAR32_T_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_WCHAR_T_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_SHORT_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_INT_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_LONG_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_LLONG_LOCK_FREE 2
#define LIBCUDACXX_ATOMIC_POINTER_LOCK_FREE 2
#ifndef __cccl_lib_atomic_is_always_lock_free
#  define __cccl_lib_atomic_is_always_lock_free 201603L
#endif

#define TILESIM_ATOMIC_NAME(name, type) using atomic_##name = atomic<type>;
TILESIM_ATOMIC_NAME(bool, bool)
TILESIM_ATOMIC_NAME(char, char)
TILESIM_ATOMIC_NAME(schar, signed char)
TILESIM_ATOMIC_NAME(uchar, unsigned char)
TILESIM_ATOMIC_NAME(short, short)
TILESIM_ATOMIC_NAME(ushort, unsigned short)
TILESIM_ATOMIC_NAME(int, int)
TILESIM_ATOMIC_NAME(uint, unsigned int)
TILESIM_ATOMIC_NAME(long, long)
TILESIM_ATOMIC_NAME(ulong, unsigned long)
TILESIM_ATOMIC_NAME(llong, long long)
TILESIM_ATOMIC_NAME(ullong, unsigned long long)
TILESIM_ATOMIC_NAME(char16_t, char16_t)
TILESIM_ATOMIC_NAME(char32_t, char32_t)
TILESIM_ATOMIC_NAME(wchar_t, wchar_t)
#define TILESIM_ATOMIC_WIDTHS(bits)                                                                \
  TILESIM_ATOMIC_NAME(int##bits##_t, ::std::int##bits##_t)                                         \
  TILESIM_ATOMIC_NAME(uint##bits##_t, ::std::uint##bits##_t)                                       \
  TILESIM_ATOMIC_NAME(int_least##bits##_t, ::std::int_least##bits##_t)                             \
  TILESIM_ATOMIC_NAME(uint_least##bits##_t, ::std::uint_least##bits##_t)                           \
  TILESIM_ATOMIC_NAME(int_fast##bits##_t, ::std::int_fast##bits##_t)                               \
  TILESIM_ATOMIC_NAME(uint_fast##bits##_t, ::std::uint_fast##bits##_t)
TILESIM_ATOMIC_WIDTHS(8)
TILESIM_ATOMIC_WIDTHS(16)
TILESIM_ATOMIC_WIDTHS(32)
TILESIM_ATOMIC_WIDTHS(64)
#undef TILESIM_ATOMIC_WIDTHS
TILESIM_ATOMIC_NAME(intptr_t, ::std::intptr_t)
TILESIM_ATOMIC_NAME(uintptr_t, ::std::uintptr_t)
TILESIM_ATOMIC_NAME(size_t, ::std::size_t)
TILESIM_ATOMIC_NAME(ptrdiff_t, ::std::ptrdiff_t)
TILESIM_ATOMIC_NAME(intmax_t, ::std::intmax_t)
TILESIM_ATOMIC_NAME(uintmax_t, ::std::uintmax_t)
#undef TILESIM_ATOMIC_NAME

} // namespace std

} // namespace cuda
