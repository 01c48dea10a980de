// Memory operations: atomic read-modify-write through tiles of pointers.
//
// Each returns the values that it replaced. Every element is one atomic read-write; the elements of
// one call have no order among themselves. An order has no default; a scope's is system.
// [memory operations]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/lower.hpp>
#include <tilesim/memory.hpp>
#include <tilesim/memory_order.hpp>
#include <tilesim/thread_scope.hpp>
#include <tilesim/tile.hpp>

namespace cuda::tiles::inline __1 {
namespace detail {

/// Which elements an operation takes; all take integers of 32 and 64 bits.
enum class atomic_class : ::std::uint8_t { bits, sum, exchange };

constexpr bool is_atomic(element e, atomic_class c) noexcept {
  switch (e) {
  case element::i32:
  case element::i64:
    return true;
  case element::f32:
  case element::f64:
    switch (c) {
    case atomic_class::bits:
      return false;
    default:
      return true;
    }
  case element::f16:
  case element::bf16:
    switch (c) {
    case atomic_class::sum:
      return true;
    default:
      return false;
    }
  default:
    return false;
  }
}

template <class Value, class Ptrs, atomic_class C>
concept update_for = value_for<Value, Ptrs> &&
    is_atomic(facts_of<tile_load_t<plain<Ptrs>>>.elem, C);

/// The machine's mode for max and min, by the signedness of the element.
template <class Ptrs>
constexpr machine::rmw_mode extreme(machine::rmw_mode with_sign,
                                    machine::rmw_mode without) noexcept {
  return facts_of<tile_load_t<Ptrs>>.is_signed ? with_sign : without;
}
template <class Ptrs>
constexpr machine::rmw_mode addition() noexcept {
  return tilesim::is_floating(facts_of<tile_load_t<Ptrs>>.kind) ? machine::rmw_mode::addf
                                                                : machine::rmw_mode::add;
}

template <class Ptrs, class Value>
TILESIM_API tile_load_t<plain<Ptrs>> update(const machine::access& how,
                                            machine::rmw_mode mode,
                                            const Ptrs& ptrs,
                                            const Value& value) noexcept {
  using T = tile_load_t<plain<Ptrs>>;
  const auto& p = held(ptrs);
  const auto& v = converted<element_of<T>>(value);
  T old;
  machine::atomic_rmw_tko(
      how, mode, sign_of(facts_of<T>), target(old), source(p), source(v), nullptr);
  return old;
}

template <class Ptrs, class Value, class Mask>
TILESIM_API tile_load_t<plain<Ptrs>> update_some(const machine::access& how,
                                                 machine::rmw_mode mode,
                                                 const Ptrs& ptrs,
                                                 const Value& value,
                                                 const Mask& mask) noexcept {
  using T = tile_load_t<plain<Ptrs>>;
  using S = shape_of<plain<Ptrs>>;
  const auto& p = held(ptrs);
  const auto& v = converted<element_of<T>>(value);
  const auto& m = converted<bool>(mask);
  const auto& wide_m = grown<S>(m);
  const machine::in where = source_as<S>(wide_m);
  T old;
  machine::atomic_rmw_tko(
      how, mode, sign_of(facts_of<T>), target(old), source(p), source(v), &where);
  return old;
}

/// -value, as atomic_sub adds it. That it overflows is the atomic's finding, since elements that
/// are masked out compute nothing: so this negation wraps.
template <class T, class Value>
TILESIM_API T negated(const Value& value) noexcept {
  if constexpr (integral_tile<T>) {
    return perform<T>(opcode::negi, unsigned_modes, source(value));
  } else {
    return perform<T>(opcode::negf, no_modes, source(value));
  }
}

/// An access that says which values atomic_sub was given.
constexpr machine::access subtracting(machine::access how, const machine::in* operands) noexcept {
  how.written = {"atomic_sub", operands};
  return how;
}

} // namespace detail

/// *ptrs &= values, atomically; gives the old values. 32- and 64-bit integers.
/// _masked: where the mask is true; elsewhere no access, and an unspecified result.
/// [memory operations: atomic_and]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_and(Ptrs&& ptrs,
           const Value& values,
           memory_order_constant<Order> = {},
           thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::machine::rmw_mode::and_,
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_and_masked(Ptrs&& ptrs,
                  const Value& values,
                  Mask&& mask,
                  memory_order_constant<Order> = {},
                  thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::machine::rmw_mode::and_,
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// *ptrs |= values, as atomic_and.  [memory operations: atomic_or]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>> atomic_or(Ptrs&& ptrs,
                                                       const Value& values,
                                                       memory_order_constant<Order> = {},
                                                       thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::machine::rmw_mode::or_,
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_or_masked(Ptrs&& ptrs,
                 const Value& values,
                 Mask&& mask,
                 memory_order_constant<Order> = {},
                 thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::machine::rmw_mode::or_,
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// *ptrs ^= values, as atomic_and.  [memory operations: atomic_xor]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_xor(Ptrs&& ptrs,
           const Value& values,
           memory_order_constant<Order> = {},
           thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::machine::rmw_mode::xor_,
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_xor_masked(Ptrs&& ptrs,
                  const Value& values,
                  Mask&& mask,
                  memory_order_constant<Order> = {},
                  thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::machine::rmw_mode::xor_,
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// *ptrs = max(*ptrs, values), as atomic_and.  [memory operations: atomic_max]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_max(Ptrs&& ptrs,
           const Value& values,
           memory_order_constant<Order> = {},
           thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::extreme<detail::plain<Ptrs>>(detail::machine::rmw_mode::max,
                                                             detail::machine::rmw_mode::umax),
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_max_masked(Ptrs&& ptrs,
                  const Value& values,
                  Mask&& mask,
                  memory_order_constant<Order> = {},
                  thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::extreme<detail::plain<Ptrs>>(detail::machine::rmw_mode::max,
                                                                  detail::machine::rmw_mode::umax),
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// *ptrs = min(*ptrs, values), as atomic_and.  [memory operations: atomic_min]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_min(Ptrs&& ptrs,
           const Value& values,
           memory_order_constant<Order> = {},
           thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::extreme<detail::plain<Ptrs>>(detail::machine::rmw_mode::min,
                                                             detail::machine::rmw_mode::umin),
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::bits> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_min_masked(Ptrs&& ptrs,
                  const Value& values,
                  Mask&& mask,
                  memory_order_constant<Order> = {},
                  thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::extreme<detail::plain<Ptrs>>(detail::machine::rmw_mode::min,
                                                                  detail::machine::rmw_mode::umin),
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// *ptrs += values, atomically; gives the old values. Signed overflow is undefined; floating point
/// is rounded to nearest, and whether it flushes subnormals is unspecified. 32- and 64-bit
/// integers, float, double, half, bfloat16.  [memory operations: atomic_add]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::sum> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_add(Ptrs&& ptrs,
           const Value& values,
           memory_order_constant<Order> = {},
           thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::addition<detail::plain<Ptrs>>(),
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::sum> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_add_masked(Ptrs&& ptrs,
                  const Value& values,
                  Mask&& mask,
                  memory_order_constant<Order> = {},
                  thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::addition<detail::plain<Ptrs>>(),
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// *ptrs = *ptrs + (-values), as atomic_add: a signed value whose negation overflows is undefined.
/// [memory operations: atomic_sub]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::sum> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_sub(Ptrs&& ptrs,
           const Value& values,
           memory_order_constant<Order> = {},
           thread_scope_constant<Scope> = {}) noexcept {
  using T = tile_load_t<detail::plain<Ptrs>>;
  const auto& p = detail::held(ptrs);
  const auto& v = detail::converted<tile_element_t<T>>(values);
  const T negative = detail::negated<T>(v);
  const detail::machine::in operands[] = {detail::source(p), detail::source(v)};
  return detail::update(detail::subtracting(detail::strong_access<Order, Scope>, operands),
                        detail::addition<detail::plain<Ptrs>>(),
                        p,
                        negative);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::sum> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_sub_masked(Ptrs&& ptrs,
                  const Value& values,
                  Mask&& mask,
                  memory_order_constant<Order> = {},
                  thread_scope_constant<Scope> = {}) noexcept {
  using T = tile_load_t<detail::plain<Ptrs>>;
  const auto& p = detail::held(ptrs);
  const auto& v = detail::converted<tile_element_t<T>>(values);
  const T negative = detail::negated<T>(v);
  const detail::machine::in operands[] = {detail::source(p), detail::source(v)};
  return detail::update_some(detail::subtracting(detail::strong_access<Order, Scope>, operands),
                             detail::addition<detail::plain<Ptrs>>(),
                             p,
                             negative,
                             detail::held(mask));
}

/// *ptrs = values, atomically; gives the old values. 32- and 64-bit integers, float, double.
/// [memory operations: atomic_xchg]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::exchange> Value>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_xchg(Ptrs&& ptrs,
            const Value& values,
            memory_order_constant<Order> = {},
            thread_scope_constant<Scope> = {}) noexcept {
  return detail::update(detail::strong_access<Order, Scope>,
                        detail::machine::rmw_mode::xchg,
                        detail::held(ptrs),
                        values);
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::exchange> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_xchg_masked(Ptrs&& ptrs,
                   const Value& values,
                   Mask&& mask,
                   memory_order_constant<Order> = {},
                   thread_scope_constant<Scope> = {}) noexcept {
  return detail::update_some(detail::strong_access<Order, Scope>,
                             detail::machine::rmw_mode::xchg,
                             detail::held(ptrs),
                             values,
                             detail::held(mask));
}

/// Where *ptrs equals cmp bit for bit, stores val; elsewhere stores back what it read. Gives what
/// it read. 32- and 64-bit integers, float, double.  [memory operations: atomic_compare_exchange]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::exchange> Cmp,
          detail::update_for<Ptrs, detail::atomic_class::exchange> Val>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_compare_exchange(Ptrs&& ptrs,
                        const Cmp& cmp,
                        const Val& val,
                        memory_order_constant<Order> = {},
                        thread_scope_constant<Scope> = {}) noexcept {
  using T = tile_load_t<detail::plain<Ptrs>>;
  const auto& p = detail::held(ptrs);
  const auto& c = detail::converted<tile_element_t<T>>(cmp);
  const auto& v = detail::converted<tile_element_t<T>>(val);
  T old;
  detail::machine::atomic_cas_tko(detail::strong_access<Order, Scope>,
                                  detail::target(old),
                                  detail::source(p),
                                  detail::source(c),
                                  detail::source(v),
                                  nullptr);
  return old;
}

/// The same where the mask is true; elsewhere no access, and cmps as the result.
/// [memory operations: atomic_compare_exchange]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::update_for<Ptrs, detail::atomic_class::exchange> Cmp,
          detail::update_for<Ptrs, detail::atomic_class::exchange> Val,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_compare_exchange_masked(Ptrs&& ptrs,
                               const Cmp& cmps,
                               const Val& vals,
                               Mask&& mask,
                               memory_order_constant<Order> = {},
                               thread_scope_constant<Scope> = {}) noexcept {
  using T = tile_load_t<detail::plain<Ptrs>>;
  using S = tile_shape_t<T>;
  const auto& p = detail::held(ptrs);
  const auto& c = detail::converted<tile_element_t<T>>(cmps);
  const auto& v = detail::converted<tile_element_t<T>>(vals);
  const auto& held_mask = detail::held(mask);
  const auto& m = detail::converted<bool>(held_mask);
  const auto& wide_m = detail::grown<S>(m);
  const detail::machine::in where = detail::source_as<S>(wide_m);
  T old;
  detail::machine::atomic_cas_tko(detail::strong_access<Order, Scope>,
                                  detail::target(old),
                                  detail::source(p),
                                  detail::source(c),
                                  detail::source(v),
                                  &where);
  return old;
}

} // namespace cuda::tiles::inline __1
