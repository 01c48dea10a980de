// Views: the tiles of a tensor span, to be loaded and stored by their indices.
//
// A partition view cuts the span into tiles that touch; a strided view places them at any distance;
// a gather-scatter view takes the elements that a tile of indices lists along one dimension. A
// member with `_masked` in its name treats elements outside the span as padding or leaves them out;
// for the others there must be none.  [partition view] [strided view] [gather scatter view]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/view_access.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/memory_order.hpp>
#include <tilesim/tensor_span.hpp>
#include <tilesim/thread_scope.hpp>
#include <tilesim/tile.hpp>

namespace cuda::tiles::inline __1 {
namespace detail {

// What the three views have in common. `Plan` says which one it is.
template <class Span, class Shape, class Plan>
class view_members {
public:
  static_assert(::std::same_as<Span, ::std::remove_cv_t<Span>>, "the span of a view has no cv");
  static_assert(::std::same_as<Shape, ::std::remove_cv_t<Shape>>, "the shape of a view has no cv");

  using span_type = Span;
  using view_shape_type = Shape;
  using element_type = typename Span::element_type;
  using value_type = typename Span::value_type;
  using index_type = typename Span::index_type;
  using rank_type = typename Span::rank_type;
  using view_tile_type = tile<value_type, Shape>;

  constexpr const span_type& span() const noexcept { return __span; }

  // ------------------------------------------------------------------------------------- loads

  /// The tile at the indices, one weak read an element.  [load]
  template <class... I>
    requires detail::indices_of<Plan, I...>
  TILESIM_API view_tile_type load(const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, unmasked>(weak_access, __span, indices...);
  }

  /// The same, with padding for elements outside the span.  [load_masked]
  template <view_padding Pad = default_view_padding(), class... I>
    requires detail::indices_of<Plan, I...> && detail::padding_of<value_type, Pad>
  TILESIM_API view_tile_type load_masked(const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, padded_with(Pad)>(
        weak_access, __span, indices...);
  }
  template <view_padding Pad, class... I>
    requires detail::indices_of<Plan, I...> && detail::padding_of<value_type, Pad>
  TILESIM_API view_tile_type
  load_masked(view_padding_constant<Pad>, const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, padded_with(Pad)>(
        weak_access, __span, indices...);
  }

  /// As load, each element an atomic read.  [atomic_load]
  template <memory_order Order, thread_scope Scope = default_thread_scope(), class... I>
    requires detail::indices_of<Plan, I...> && read_memory_order<Order>
  TILESIM_API view_tile_type atomic_load(const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, unmasked>(
        strong_access<Order, Scope>, __span, indices...);
  }
  template <memory_order Order, class... I>
    requires detail::indices_of<Plan, I...> && read_memory_order<Order>
  TILESIM_API view_tile_type
  atomic_load(memory_order_constant<Order>, const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, unmasked>(
        strong_access<Order, default_thread_scope()>, __span, indices...);
  }
  template <memory_order Order, thread_scope Scope, class... I>
    requires detail::indices_of<Plan, I...> && read_memory_order<Order>
  TILESIM_API view_tile_type atomic_load(memory_order_constant<Order>,
                                         thread_scope_constant<Scope>,
                                         const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, unmasked>(
        strong_access<Order, Scope>, __span, indices...);
  }

  /// As load_masked, each element an atomic read. The padding has no default.
  /// [atomic_load_masked]
  template <view_padding Pad,
            memory_order Order,
            thread_scope Scope = default_thread_scope(),
            class... I>
    requires detail::indices_of<Plan, I...> && detail::padding_of<value_type, Pad> &&
             read_memory_order<Order>
  TILESIM_API view_tile_type atomic_load_masked(const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, padded_with(Pad)>(
        strong_access<Order, Scope>, __span, indices...);
  }
  template <view_padding Pad, memory_order Order, class... I>
    requires detail::indices_of<Plan, I...> && detail::padding_of<value_type, Pad> &&
             read_memory_order<Order>
  TILESIM_API view_tile_type atomic_load_masked(view_padding_constant<Pad>,
                                                memory_order_constant<Order>,
                                                const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, padded_with(Pad)>(
        strong_access<Order, default_thread_scope()>, __span, indices...);
  }
  template <view_padding Pad, memory_order Order, thread_scope Scope, class... I>
    requires detail::indices_of<Plan, I...> && detail::padding_of<value_type, Pad> &&
             read_memory_order<Order>
  TILESIM_API view_tile_type atomic_load_masked(view_padding_constant<Pad>,
                                                memory_order_constant<Order>,
                                                thread_scope_constant<Scope>,
                                                const I&... indices) const noexcept {
    return detail::load_view<Plan, view_tile_type, padded_with(Pad)>(
        strong_access<Order, Scope>, __span, indices...);
  }

  // ------------------------------------------------------------------------------------ stores

  /// Writes the tile at the indices, one weak write an element. The value has the view's shape and
  /// does not narrow. Elements that share their place in memory race.  [store]
  template <class T, class... I>
    requires detail::indices_of<Plan, I...> && detail::stored_in<T, view_members>
  TILESIM_API void store(const T& value, const I&... indices) const noexcept {
    detail::store_view<Plan, view_tile_type, unmasked>(weak_access, __span, value, indices...);
  }

  /// The same for the elements inside the span.  [store_masked]
  template <class T, class... I>
    requires detail::indices_of<Plan, I...> && detail::stored_in<T, view_members>
  TILESIM_API void store_masked(const T& value, const I&... indices) const noexcept {
    detail::store_view<Plan, view_tile_type, padded_with(default_view_padding())>(
        weak_access, __span, value, indices...);
  }

// Each element an atomic write: order and scope as template arguments, as an order, as both.
// clang-format off
#define TILESIM_ATOMIC_STORE(name, bounds)                                                         \
  template <memory_order Order,                                                                    \
            thread_scope Scope = default_thread_scope(),                                           \
            class T,                                                                               \
            class... I>                                                                            \
    requires detail::indices_of<Plan, I...> && detail::stored_in<T, view_members> &&               \
             write_memory_order<Order>                                                             \
  TILESIM_API void name(const T& value, const I&... indices) const noexcept {                      \
    detail::store_view<Plan, view_tile_type, bounds>(                                              \
        strong_access<Order, Scope>, __span, value, indices...);                                   \
  }                                                                                                \
  template <memory_order Order, class T, class... I>                                               \
    requires detail::indices_of<Plan, I...> && detail::stored_in<T, view_members> &&               \
             write_memory_order<Order>                                                             \
  TILESIM_API void name(                                                                           \
      const T& value, memory_order_constant<Order>, const I&... indices) const noexcept {          \
    detail::store_view<Plan, view_tile_type, bounds>(                                              \
        strong_access<Order, default_thread_scope()>, __span, value, indices...);                  \
  }                                                                                                \
  template <memory_order Order, thread_scope Scope, class T, class... I>                           \
    requires detail::indices_of<Plan, I...> && detail::stored_in<T, view_members> &&               \
             write_memory_order<Order>                                                             \
  TILESIM_API void name(const T& value,                                                            \
                        memory_order_constant<Order>,                                              \
                        thread_scope_constant<Scope>,                                              \
                        const I&... indices) const noexcept {                                      \
    detail::store_view<Plan, view_tile_type, bounds>(                                              \
        strong_access<Order, Scope>, __span, value, indices...);                                   \
  }
  // clang-format on

  /// As store, each element an atomic write.  [atomic_store]
  TILESIM_ATOMIC_STORE(atomic_store, unmasked)
  /// As store_masked, each element an atomic write.  [atomic_store_masked]
  TILESIM_ATOMIC_STORE(atomic_store_masked, padded_with(default_view_padding()))
#undef TILESIM_ATOMIC_STORE

protected:
  constexpr explicit view_members(const Span& span) noexcept
      : __span(span) {}

private:
  static constexpr outside unmasked{false, machine::padding::zero};
  static constexpr outside padded_with(view_padding p) noexcept {
    return {true, machine_padding(p)};
  }

  Span __span;
};

// Atomic read-modify-write, of partition and strided views: relaxed, of block or device scope, both
// given as objects. They give nothing back.
template <class Span, class Shape, class Plan>
class updating_view_members : public view_members<Span, Shape, Plan> {
  using base = view_members<Span, Shape, Plan>;
  using view_tile = tile<typename Span::value_type, Shape>;

public:
// clang-format off
#define TILESIM_VIEW_UPDATE(name, taken, mode)                                                     \
  template <memory_order Order, thread_scope Scope, class T, class... I>                           \
    requires detail::indices_of<Plan, I...> && detail::updates_in<T, base, taken> &&               \
             detail::update_modes<Order, Scope>                                                    \
  TILESIM_API void name(const T& value,                                                            \
                        memory_order_constant<Order>,                                              \
                        thread_scope_constant<Scope>,                                              \
                        const I&... indices) const noexcept {                                      \
    detail::update_view<Plan, view_tile>(                                                          \
        strong_access<Order, Scope>, mode, this->span(), value, indices...);                       \
  }
  // clang-format on

  /// The element becomes element + value; signed overflow is undefined.  [atomic_add]
  TILESIM_VIEW_UPDATE(atomic_add, atomic_class::sum, detail::view_addition<view_tile>())

  /// The element becomes element + (-value); signed overflow of either is undefined.  [atomic_sub]
  // clang-format off
  template <memory_order Order, thread_scope Scope, class T, class... I>
    requires detail::indices_of<Plan, I...> && detail::updates_in<T, base, atomic_class::sum> &&
             detail::update_modes<Order, Scope>
  TILESIM_API void atomic_sub(const T& value, // clang-format on
                              memory_order_constant<Order>,
                              thread_scope_constant<Scope>,
                              const I&... indices) const noexcept {
    const auto& x = detail::converted<typename Span::value_type>(value);
    const view_tile negative = detail::negated<view_tile>(x);
    const machine::in operands[] = {detail::source(negative), detail::source(x)};
    detail::update_view<Plan, view_tile>(
        detail::subtracting(strong_access<Order, Scope>, operands),
        detail::view_addition<view_tile>(),
        this->span(),
        negative,
        indices...);
  }

  /// Bitwise.  [atomic_and] [atomic_or] [atomic_xor]
  TILESIM_VIEW_UPDATE(atomic_and, atomic_class::bits, machine::rmw_mode::and_)
  TILESIM_VIEW_UPDATE(atomic_or, atomic_class::bits, machine::rmw_mode::or_)
  TILESIM_VIEW_UPDATE(atomic_xor, atomic_class::bits, machine::rmw_mode::xor_)
  /// The greater, or the lesser, of element and value.  [atomic_max] [atomic_min]
  TILESIM_VIEW_UPDATE(atomic_max, atomic_class::bits, detail::view_maximum<view_tile>())
  TILESIM_VIEW_UPDATE(atomic_min, atomic_class::bits, detail::view_minimum<view_tile>())
#undef TILESIM_VIEW_UPDATE

protected:
  using base::base;
};

} // namespace detail

/// The span cut into tiles of Shape; tile (j, …) begins at element (j * Shape[0], …).
/// [partition view]
// clang-format off
template <tensor_span_like Span, tile_shape Shape>
  requires(Shape::rank() == Span::extents_type::rank())
struct partition_view
    : detail::updating_view_members<Span, Shape, detail::partition_plan<Span, Shape>> {
  constexpr partition_view(const Span& span, const Shape&) noexcept
      : detail::updating_view_members<Span, Shape, detail::partition_plan<Span, Shape>>(span) {}
};
template <class Span, class Shape>
partition_view(Span, Shape) -> partition_view<Span, Shape>;

/// Tiles of Shape; tile (j, …) begins at element (j * Strides[0], …). The last parameter is NVIDIA's
/// and all zero.  [strided view]
template <tensor_span_like Span,
          tile_shape Shape,
          strides_like Strides,
          class Offsets = typename detail::no_offsets<Shape::rank()>::type>
  requires(Shape::rank() == Span::extents_type::rank()) && detail::traverses<Strides, Span> &&
          ::std::same_as<Offsets, typename detail::no_offsets<Shape::rank()>::type>
struct strided_view
    : detail::updating_view_members<Span, Shape, detail::strided_plan<Span, Shape, Strides>> {
  constexpr strided_view(const Span& span, const Shape&, const Strides&) noexcept
      : detail::updating_view_members<Span, Shape, detail::strided_plan<Span, Shape, Strides>>(
            span) {}
};
template <class Span, class Shape, class Strides>
strided_view(Span, Shape, Strides) -> strided_view<Span, Shape, Strides>;

namespace detail {

// The number of a dimension as an argument. A guide cannot deduce D of integral_constant<D> itself
// everywhere: g++ 13 does not find the constraint of the class's own `integral auto` met there.
template <auto D>
integral_constant<D> as_constant(integral_constant<D>);
template <class D>
concept dimension_number = requires(D d) { detail::as_constant(d); } && D::value >= 0;
template <dimension_number D>
consteval ::std::size_t dimension_of() noexcept {
  return static_cast<::std::size_t>(D::value);
}

} // namespace detail

/// Tiles of Shape that begin at the element of the indices; along Dim the index is a tile that lists
/// the elements to take, in any order.  [gather scatter view]
template <tensor_span_like Span, tile_shape Shape, ::std::size_t Dim>
  requires(Shape::rank() == Span::extents_type::rank() && Dim < Shape::rank())
struct gather_scatter_view
    : detail::view_members<Span, Shape, detail::gather_plan<Span, Shape, Dim>> {
  template <detail::dimension_number D>
    requires(detail::dimension_of<D>() == Dim)
  constexpr gather_scatter_view(const Span& span, const Shape&, D) noexcept
      : detail::view_members<Span, Shape, detail::gather_plan<Span, Shape, Dim>>(span) {}
};
template <class Span, class Shape, detail::dimension_number D>
gather_scatter_view(Span, Shape, D) -> gather_scatter_view<Span, Shape, detail::dimension_of<D>()>;
// clang-format on

} // namespace cuda::tiles::inline __1
