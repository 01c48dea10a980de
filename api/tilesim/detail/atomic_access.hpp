// The seam of every atomic access of `__global__` code: cuda::atomic_ref, atomicAdd, __threadfence.
//
// The simulator performs each, so that it is checked, ordered and seen like any other access, in
// programs with hooks and without. Bytes go across, types stay here.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <type_traits>

namespace tilesim::detail {

/// libcu++'s numbers: cuda::thread_scope.
enum class scope : int {
  system = 0,
  device = 1,
  block = 2,
  thread = 10,
  by_reference = 0x100, ///< added to one of the others: an access by an atomic_ref
};
/// The compiler's own numbers: std::memory_order.
enum class order : int {
  relaxed = __ATOMIC_RELAXED,
  consume = __ATOMIC_CONSUME,
  acquire = __ATOMIC_ACQUIRE,
  release = __ATOMIC_RELEASE,
  acq_rel = __ATOMIC_ACQ_REL,
  seq_cst = __ATOMIC_SEQ_CST,
};

/// How an update makes another value of the one at `value`.
struct atomic_change {
  void (*apply)(void* value, const void* argument);
  const void* argument;
  /// What it comes to, where it is an operation of these with `operand`, of the object's type: who
  /// asks in which order updates may come is told. Floats and doubles are `addf` alone.
  machine::rmw_mode rule = machine::rmw_mode::xchg;
  const void* operand = nullptr; ///< nullptr: it is none of these
};

TILESIM_EXPORT void fence(order o, scope s) noexcept;
/// Tell that an atomic_ref refers to an object of a type that has padding bits, of a size that no
/// atomic access has.
TILESIM_EXPORT void refer_with_padding(unsigned bytes) noexcept;
TILESIM_EXPORT void refer_with_odd_size(unsigned bytes) noexcept;
/// *out = *p, of `bytes` bytes.
TILESIM_EXPORT void
read_atomically(const void* p, unsigned bytes, void* out, order o, scope s) noexcept;
/// *p = *value.
TILESIM_EXPORT void
write_atomically(void* p, unsigned bytes, const void* value, order o, scope s) noexcept;
/// *old = *p; *p = change(*p).
TILESIM_EXPORT void change_atomically(
    void* p, unsigned bytes, const atomic_change& change, void* old, order o, scope s) noexcept;
/// Compares bit for bit: *p = *desired and true, or *expected = *p and false. On failure nothing is
/// written.
TILESIM_EXPORT bool compare_exchange_atomically(void* p,
                                                unsigned bytes,
                                                void* expected,
                                                const void* desired,
                                                order success,
                                                order failure,
                                                scope s) noexcept;

template <class T>
TILESIM_API T atomic_load(const T* p, order o, scope s) {
  T value;
  read_atomically(p, sizeof(T), &value, o, s);
  return value;
}
template <class T>
TILESIM_API void atomic_store(T* p, T value, order o, scope s) {
  write_atomically(p, sizeof(T), &value, o, s);
}

/// Compares bit for bit. On failure `expected` receives what was read. Never fails without reason.
template <class T>
TILESIM_API bool atomic_compare_exchange(
    T* p, T& expected, T desired, bool /*weak*/, order success, order failure, scope s) {
  return compare_exchange_atomically(p, sizeof(T), &expected, &desired, success, failure, s);
}

/// What a failed compare-exchange may be ordered as, when only one order was given.
constexpr order without_release(order o) {
  return o == order::acq_rel ? order::acquire : o == order::release ? order::relaxed : o;
}

/// `Change` as a function of bytes.
template <class T, class Change>
TILESIM_API void apply_change(void* value, const void* argument) {
  T& v = *static_cast<T*>(value);
  v = static_cast<T>((*static_cast<const Change*>(argument))(v));
}

/// Reads, applies `change` to the value, writes; gives what was read.
template <class T, class Change>
TILESIM_API T atomic_update(T* p, order o, scope s, const Change& change) {
  T old;
  change_atomically(p, sizeof(T), {&apply_change<T, Change>, &change}, &old, o, s);
  return old;
}

/// The same of a change that is an operation with `operand`.
template <class T, class Change>
TILESIM_API T atomic_update_by(
    machine::rmw_mode rule, T* p, T operand, order o, scope s, const Change& change) {
  constexpr bool is_float = ::std::is_same_v<T, float> || ::std::is_same_v<T, double>;
  const bool known = ::std::is_integral_v<T> || (is_float && rule == machine::rmw_mode::addf);
  T old;
  change_atomically(p,
                    sizeof(T),
                    {&apply_change<T, Change>, &change, rule, known ? &operand : nullptr},
                    &old,
                    o,
                    s);
  return old;
}

template <class T>
TILESIM_API T atomic_exchange(T* p, T value, order o, scope s) {
  return atomic_update_by(machine::rmw_mode::xchg, p, value, o, s, [=](T) { return value; });
}

/// Whether an atomic addition of floats there makes zeros of subnormal ones: a GPU's thread does so
/// in global memory, but not in shared memory.  [PTX, atom: "atom.add.f32 on global memory flushes
/// subnormal inputs and results"]
TILESIM_EXPORT bool flushes_float_sums(const void* p) noexcept;
/// A subnormal one becomes a zero of its sign.
TILESIM_API float flushed(float x) {
  return __builtin_fabsf(x) < __FLT_MIN__ ? __builtin_copysignf(0.0F, x) : x;
}

__extension__ typedef __int128 int128; // NOLINT(modernize-use-using): it takes the extension's mark
__extension__ typedef unsigned __int128 uint128; // NOLINT(modernize-use-using)

/// What integers of that size are added as: they wrap.
template <class T>
using wrapping =
    ::std::conditional_t<(sizeof(T) > sizeof(unsigned long long)), uint128, unsigned long long>;

/// old + value and old - value; integers wrap.
template <class T>
TILESIM_API T atomic_fetch_add(T* p, T value, order o, scope s) {
  constexpr machine::rmw_mode rule =
      ::std::is_integral_v<T> ? machine::rmw_mode::add : machine::rmw_mode::addf;
  if constexpr (::std::is_same_v<T, float>) {
    if (flushes_float_sums(p)) {
      return atomic_update_by(
          rule, p, value, o, s, [=](T old) { return flushed(flushed(old) + flushed(value)); });
    }
  }
  return atomic_update_by(rule, p, value, o, s, [=](T old) {
    if constexpr (requires { value & value; }) {
      return static_cast<T>(static_cast<wrapping<T>>(old) + static_cast<wrapping<T>>(value));
    } else {
      return old + value;
    }
  });
}
template <class T>
TILESIM_API T atomic_fetch_sub(T* p, T value, order o, scope s) {
  if constexpr (::std::is_same_v<T, float> || ::std::is_same_v<T, double>) {
    return atomic_fetch_add(p, -value, o, s);
  } else {
    const auto change = [=](T old) {
      if constexpr (requires { value & value; }) {
        return static_cast<T>(static_cast<wrapping<T>>(old) - static_cast<wrapping<T>>(value));
      } else {
        return old - value;
      }
    };
    if constexpr (::std::is_integral_v<T>) {
      const auto negated = static_cast<T>(wrapping<T>{0} - static_cast<wrapping<T>>(value));
      return atomic_update_by(machine::rmw_mode::add, p, negated, o, s, change);
    } else {
      return atomic_update(p, o, s, change);
    }
  }
}
template <class T>
TILESIM_API T atomic_fetch_and(T* p, T value, order o, scope s) {
  return atomic_update_by(
      machine::rmw_mode::and_, p, value, o, s, [=](T old) { return old & value; });
}
template <class T>
TILESIM_API T atomic_fetch_or(T* p, T value, order o, scope s) {
  return atomic_update_by(
      machine::rmw_mode::or_, p, value, o, s, [=](T old) { return old | value; });
}
template <class T>
TILESIM_API T atomic_fetch_xor(T* p, T value, order o, scope s) {
  return atomic_update_by(
      machine::rmw_mode::xor_, p, value, o, s, [=](T old) { return old ^ value; });
}
template <class T>
TILESIM_API T atomic_fetch_min(T* p, T value, order o, scope s) {
  constexpr machine::rmw_mode rule =
      ::std::is_signed_v<T> ? machine::rmw_mode::min : machine::rmw_mode::umin;
  return atomic_update_by(
      rule, p, value, o, s, [=](T old) { return value < old ? value : old; });
}
template <class T>
TILESIM_API T atomic_fetch_max(T* p, T value, order o, scope s) {
  constexpr machine::rmw_mode rule =
      ::std::is_signed_v<T> ? machine::rmw_mode::max : machine::rmw_mode::umax;
  return atomic_update_by(
      rule, p, value, o, s, [=](T old) { return old < value ? value : old; });
}

} // namespace tilesim::detail
