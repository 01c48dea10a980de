// Memory operations: loads and stores through tiles of pointers, weak and atomic.
//
// Each element is one access; the accesses of one call have no order among themselves. An order has
// no default; a scope's is system.  [memory operations]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/lower.hpp>
#include <tilesim/memory_order.hpp>
#include <tilesim/thread_scope.hpp>
#include <tilesim/tile.hpp>

namespace cuda::tiles::inline __1 {
namespace detail {

template <class Ptrs>
constexpr bool is_loadable() noexcept {
  if constexpr (tilesim::is_pointer(facts_of<Ptrs>.kind)) {
    using T = ::std::remove_pointer_t<element_of<Ptrs>>;
    return !::std::is_void_v<T> && !::std::is_volatile_v<T>;
  } else {
    return false;
  }
}
template <class Ptrs>
constexpr bool is_storeable() noexcept {
  if constexpr (is_loadable<Ptrs>()) {
    return !::std::is_const_v<::std::remove_pointer_t<element_of<Ptrs>>>;
  } else {
    return false;
  }
}

} // namespace detail

/// A tile of pointers that may be read: not to void, not to volatile.  [memory operations]
template <class T>
concept loadable_tile = detail::is_loadable<T>();

/// A tile of pointers that may be written, too: not to const.  [memory operations]
template <class T>
concept storeable_tile = detail::is_storeable<T>();

/// What a load through T gives: a scalar for one pointer, else a tile of T's shape.
template <loadable_tile T>
using tile_load_t =
    tile_with_element_t<T, ::std::remove_cv_t<::std::remove_pointer_t<tile_element_t<T>>>>;

namespace detail {

template <class Ptrs>
concept loadable_operand = loadable_tile<plain<Ptrs>>;
template <class Ptrs, memory_order Order>
concept readable_in = loadable_operand<Ptrs> && read_memory_order<Order>;

template <class Mask, class Ptrs>
concept mask_for = tile_operand<Mask> && broadcastable_to<plain<Mask>, shape_of<plain<Ptrs>>>;
template <class Padding, class Ptrs>
concept padding_for = tile_operand<Padding> &&
    broadcastable_to<plain<Padding>, shape_of<plain<Ptrs>>> &&
    converts_without_narrowing<element_of<plain<Padding>>, element_of<tile_load_t<plain<Ptrs>>>>();

template <class Value, class Ptrs>
concept value_for = storeable_tile<plain<Ptrs>> &&
    non_narrowing_tile_convertible_to<plain<Value>, tile_load_t<plain<Ptrs>>>;
template <class Value, class Ptrs, memory_order Order>
concept written_to = value_for<Value, Ptrs> && write_memory_order<Order>;

inline constexpr machine::access weak_access{};
constexpr machine::access access_of(memory_order o, thread_scope s) noexcept {
  machine::access a;
  switch (o) {
  case memory_order::relaxed:
    a.order = machine::memory_order::relaxed;
    break;
  case memory_order::acquire:
    a.order = machine::memory_order::acquire;
    break;
  case memory_order::release:
    a.order = machine::memory_order::release;
    break;
  case memory_order::acq_rel:
    a.order = machine::memory_order::acq_rel;
    break;
  }
  switch (s) {
  case thread_scope::block:
    a.scope = machine::memory_scope::tl_blk;
    break;
  case thread_scope::device:
    a.scope = machine::memory_scope::device;
    break;
  case thread_scope::system:
    a.scope = machine::memory_scope::sys;
    break;
  }
  return a;
}
template <memory_order Order, thread_scope Scope>
inline constexpr machine::access strong_access = access_of(Order, Scope);

template <class Ptrs>
TILESIM_API tile_load_t<plain<Ptrs>> load_all(const machine::access& how,
                                              const Ptrs& ptrs) noexcept {
  const auto& p = held(ptrs);
  tile_load_t<plain<Ptrs>> result;
  machine::load_ptr_tko(how, target(result), source(p), nullptr, nullptr);
  return result;
}

template <class Ptrs, class Mask>
TILESIM_API tile_load_t<plain<Ptrs>>
load_some(const machine::access& how, const Ptrs& ptrs, const Mask& mask) noexcept {
  using S = shape_of<plain<Ptrs>>;
  const auto& p = held(ptrs);
  const auto& m = converted<bool>(mask);
  const auto& wide_m = grown<S>(m);
  const machine::in where = source_as<S>(wide_m);
  tile_load_t<plain<Ptrs>> result;
  machine::load_ptr_tko(how, target(result), source(p), &where, nullptr);
  return result;
}

template <class Ptrs, class Mask, class Padding>
TILESIM_API tile_load_t<plain<Ptrs>> load_padded(const machine::access& how,
                                                 const Ptrs& ptrs,
                                                 const Mask& mask,
                                                 const Padding& padding) noexcept {
  using T = tile_load_t<plain<Ptrs>>;
  using S = shape_of<plain<Ptrs>>;
  const auto& p = held(ptrs);
  const auto& m = converted<bool>(mask);
  const auto& wide_m = grown<S>(m);
  const auto& pad = converted<element_of<T>>(padding);
  const auto& wide_pad = grown<S>(pad);
  const machine::in where = source_as<S>(wide_m);
  const machine::in otherwise = source_as<S>(wide_pad);
  T result;
  machine::load_ptr_tko(how, target(result), source(p), &where, &otherwise);
  return result;
}

template <class Ptrs, class Value>
TILESIM_API void
store_all(const machine::access& how, const Ptrs& ptrs, const Value& value) noexcept {
  const auto& p = held(ptrs);
  const auto& v = converted<element_of<tile_load_t<plain<Ptrs>>>>(value);
  machine::store_ptr_tko(how, source(p), source(v), nullptr);
}

template <class Ptrs, class Value, class Mask>
TILESIM_API void store_some(const machine::access& how,
                            const Ptrs& ptrs,
                            const Value& value,
                            const Mask& mask) noexcept {
  using S = shape_of<plain<Ptrs>>;
  const auto& p = held(ptrs);
  const auto& v = converted<element_of<tile_load_t<plain<Ptrs>>>>(value);
  const auto& m = converted<bool>(mask);
  const auto& wide_m = grown<S>(m);
  const machine::in where = source_as<S>(wide_m);
  machine::store_ptr_tko(how, source(p), source(v), &where);
}

} // namespace detail

// --------------------------------------------------------------------------------------- loads

/// The values that the pointers point to; one weak read each. Undefined if any may not be read.
/// [memory operations: load]
template <detail::loadable_operand Ptrs>
TILESIM_API tile_load_t<detail::plain<Ptrs>> load(Ptrs&& ptrs) noexcept {
  return detail::load_all(detail::weak_access, detail::held(ptrs));
}

/// The same where the mask is true; elsewhere no access and an unspecified value, or the padding.
/// Mask and padding are broadcast to the pointers' shape; the padding's elements must not narrow.
/// [memory operations: load_masked]
template <detail::loadable_operand Ptrs, detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>> load_masked(Ptrs&& ptrs, Mask&& mask) noexcept {
  return detail::load_some(detail::weak_access, detail::held(ptrs), detail::held(mask));
}
template <detail::loadable_operand Ptrs,
          detail::mask_for<Ptrs> Mask,
          detail::padding_for<Ptrs> Padding>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
load_masked(Ptrs&& ptrs, Mask&& mask, const Padding& padding) noexcept {
  return detail::load_padded(
      detail::weak_access, detail::held(ptrs), detail::held(mask), padding);
}

/// As load, each element an atomic read of the given order and scope.
/// [memory operations: atomic_load]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          detail::readable_in<Order> Ptrs>
TILESIM_API tile_load_t<detail::plain<Ptrs>> atomic_load(
    Ptrs&& ptrs, memory_order_constant<Order> = {}, thread_scope_constant<Scope> = {}) noexcept {
  return detail::load_all(detail::strong_access<Order, Scope>, detail::held(ptrs));
}

/// As load_masked, each element an atomic read.  [memory operations: atomic_load_masked]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          detail::readable_in<Order> Ptrs,
          detail::mask_for<Ptrs> Mask>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_load_masked(Ptrs&& ptrs,
                   Mask&& mask,
                   memory_order_constant<Order> = {},
                   thread_scope_constant<Scope> = {}) noexcept {
  return detail::load_some(
      detail::strong_access<Order, Scope>, detail::held(ptrs), detail::held(mask));
}
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          detail::readable_in<Order> Ptrs,
          detail::mask_for<Ptrs> Mask,
          detail::padding_for<Ptrs> Padding>
TILESIM_API tile_load_t<detail::plain<Ptrs>>
atomic_load_masked(Ptrs&& ptrs,
                   Mask&& mask,
                   const Padding& padding,
                   memory_order_constant<Order> = {},
                   thread_scope_constant<Scope> = {}) noexcept {
  return detail::load_padded(
      detail::strong_access<Order, Scope>, detail::held(ptrs), detail::held(mask), padding);
}

// -------------------------------------------------------------------------------------- stores

/// Writes each element of value through its pointer; one weak write each. The value has the
/// pointers' shape and does not narrow. Equal pointers in one call race.
/// [memory operations: store]
template <class Ptrs, detail::value_for<Ptrs> Value>
TILESIM_API void store(Ptrs&& ptrs, const Value& value) noexcept {
  detail::store_all(detail::weak_access, detail::held(ptrs), value);
}

/// The same where the mask is true.  [memory operations: store_masked]
template <class Ptrs, detail::value_for<Ptrs> Value, detail::mask_for<Ptrs> Mask>
TILESIM_API void store_masked(Ptrs&& ptrs, const Value& value, Mask&& mask) noexcept {
  detail::store_some(detail::weak_access, detail::held(ptrs), value, detail::held(mask));
}

/// As store, each element an atomic write of the given order and scope.
/// [memory operations: atomic_store]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::written_to<Ptrs, Order> Value>
TILESIM_API void atomic_store(Ptrs&& ptrs,
                              const Value& value,
                              memory_order_constant<Order> = {},
                              thread_scope_constant<Scope> = {}) noexcept {
  detail::store_all(detail::strong_access<Order, Scope>, detail::held(ptrs), value);
}

/// As store_masked, each element an atomic write.  [memory operations: atomic_store_masked]
template <memory_order Order,
          thread_scope Scope = default_thread_scope(),
          class Ptrs,
          detail::written_to<Ptrs, Order> Value,
          detail::mask_for<Ptrs> Mask>
TILESIM_API void atomic_store_masked(Ptrs&& ptrs,
                                     const Value& value,
                                     Mask&& mask,
                                     memory_order_constant<Order> = {},
                                     thread_scope_constant<Scope> = {}) noexcept {
  detail::store_some(
      detail::strong_access<Order, Scope>, detail::held(ptrs), value, detail::held(mask));
}

} // namespace cuda::tiles::inline __1
