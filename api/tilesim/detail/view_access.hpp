// What the members of views share: their constraints, and how they describe tensor, view and
// indices to the machine.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/atomic.hpp>
#include <tilesim/detail/lower.hpp>
#include <tilesim/flags.hpp>
#include <tilesim/memory.hpp>
#include <tilesim/offsets.hpp>
#include <tilesim/tensor_span.hpp>

#include <utility>

namespace cuda::tiles::inline __1::detail {

// ---------------------------------------------------------------------------------- the plans

/// The index of an ordinary dimension: any numeric scalar, converted to the span's index type.
template <class I>
concept index_operand = numeric_scalar<plain<I>>;

/// The index of a gathered dimension: a tile of as many numbers.
template <class I, ::std::size_t N>
concept index_list = numeric_tile<plain<I>> && !is_scalar<plain<I>> &&
                     ::std::same_as<shape_of<plain<I>>, ::cuda::tiles::shape<N>>;

inline constexpr ::std::size_t no_list = static_cast<::std::size_t>(-1);

template <class Span, class Shape>
struct partition_plan {
  using span = Span;
  using shape = Shape;
  static constexpr auto kind = machine::tile_view::kind::partition;
  static constexpr ::std::size_t list = no_list;
  static constexpr const ::std::int64_t* traversal = nullptr;
};

template <class S>
struct strides_data;
template <class I, ::std::size_t... N>
struct strides_data<strides<I, N...>> {
  static constexpr ::std::int64_t values[] = {static_cast<::std::int64_t>(N)..., 0};
};

template <class Span, class Shape, class Strides>
struct strided_plan {
  using span = Span;
  using shape = Shape;
  static constexpr auto kind = machine::tile_view::kind::strided;
  static constexpr ::std::size_t list = no_list;
  static constexpr const ::std::int64_t* traversal = strides_data<::std::remove_cv_t<Strides>>::values;
};

template <class Span, class Shape, ::std::size_t Dim>
struct gather_plan {
  using span = Span;
  using shape = Shape;
  static constexpr auto kind = machine::tile_view::kind::gather_scatter;
  static constexpr ::std::size_t list = Dim;
  static constexpr const ::std::int64_t* traversal = nullptr;
};

/// All-zero offsets of rank N.
template <::std::size_t N>
struct no_offsets {
  template <::std::size_t... Nth>
  static offsets<::std::int32_t, static_cast<::std::ptrdiff_t>(Nth * 0)...>
      make(::std::index_sequence<Nth...>);
  using type = decltype(make(::std::make_index_sequence<N>{}));
};

template <class S>
inline constexpr bool is_positive = false;
template <class I, ::std::size_t... N>
inline constexpr bool is_positive<strides<I, N...>> = ((N != 0 && N != dynamic_stride) && ...);

/// Strides that a strided view of the span may have: static and positive, one a dimension.
template <class Strides, class Span>
concept traverses = is_positive<::std::remove_cv_t<Strides>> &&
                    (Strides::rank() == Span::extents_type::rank()) &&
                    ::std::same_as<typename Strides::stride_type, typename Span::index_type>;

// -------------------------------------------------------------------------------- constraints

template <class Plan, class... I>
struct index_check {
  template <::std::size_t... Nth>
  static constexpr bool all(::std::index_sequence<Nth...>) noexcept {
    return (one<I, Nth>() && ...);
  }
  template <class T, ::std::size_t Nth>
  static constexpr bool one() noexcept {
    if constexpr (Nth == Plan::list) {
      return index_list<T, Plan::shape::static_extent(Nth)>;
    } else {
      return index_operand<T>;
    }
  }
  static constexpr bool ok() noexcept {
    if constexpr (sizeof...(I) == Plan::shape::rank()) {
      return all(::std::make_index_sequence<sizeof...(I)>{});
    } else {
      return false;
    }
  }
};

/// One index a dimension, each of the kind that the view takes there.
template <class Plan, class... I>
concept indices_of = index_check<Plan, I...>::ok();

constexpr bool is_zero(view_padding p) noexcept {
  switch (p) {
  case view_padding::zero:
    return true;
  default:
    return false;
  }
}

/// Paddings other than zero are for basic floating-point elements.
template <class E, view_padding Pad>
concept padding_of = is_enumerator(Pad) &&(is_zero(Pad) || basic_floating_point_scalar<E>);

/// A value that a view stores: of the view's shape, not narrowing; elements neither const nor
/// volatile.
template <class T, class View>
concept stored_in = ::std::same_as<typename View::element_type, typename View::value_type> &&
                    non_narrowing_tile_convertible_to < plain<T>,
typename View::view_tile_type > ;

template <class T, class View, atomic_class C>
concept updates_in = stored_in<T, View> && is_atomic(scalar_of<typename View::value_type>.elem, C);

constexpr bool updates_with(memory_order o, thread_scope s) noexcept {
  switch (o) {
  case memory_order::relaxed:
    break;
  default:
    return false;
  }
  switch (s) {
  case thread_scope::block:
  case thread_scope::device:
    return true;
  default:
    return false;
  }
}
template <memory_order Order, thread_scope Scope>
concept update_modes = updates_with(Order, Scope);

// ----------------------------------------------------------------------------------- lowering

constexpr machine::padding machine_padding(view_padding p) noexcept {
  switch (p) {
  case view_padding::negative_zero:
    return machine::padding::neg_zero;
  case view_padding::positive_inf:
    return machine::padding::pos_inf;
  case view_padding::negative_inf:
    return machine::padding::neg_inf;
  case view_padding::nan:
    return machine::padding::nan;
  default:
    return machine::padding::zero;
  }
}

/// What becomes of elements outside the span.
struct outside {
  bool masked;
  machine::padding pad;
};

/// An extent or stride as the machine reads it: Tile IR's are unsigned.
template <class I>
TILESIM_API ::std::int64_t unsigned_value(I x) noexcept {
  return static_cast<::std::int64_t>(static_cast<::std::make_unsigned_t<I>>(x));
}

template <class M, ::std::size_t Nth>
TILESIM_API ::std::int64_t stride_of(const M& m) noexcept {
  constexpr ::std::size_t known =
      layout_mapping_static_stride<M>{}(static_cast<typename M::rank_type>(Nth));
  if constexpr (known != dynamic_stride) {
    return static_cast<::std::int64_t>(known);
  } else {
    return unsigned_value(m.stride(static_cast<typename M::rank_type>(Nth)));
  }
}
template <class E, ::std::size_t Nth>
TILESIM_API ::std::int64_t extent_of(const E& e) noexcept {
  constexpr auto known =
      static_cast<::std::size_t>(E::static_extent(static_cast<typename E::rank_type>(Nth)));
  if constexpr (known != dynamic_extent) {
    return static_cast<::std::int64_t>(known);
  } else {
    return unsigned_value(e.extent(static_cast<typename E::rank_type>(Nth)));
  }
}

/// An index as the span's index type; floating-point numbers are converted as tiles are.
template <class IndexType, class I>
TILESIM_API ::std::int64_t index_value(const I& i) noexcept {
  if constexpr (is_tile<plain<I>>) {
    return 0; // the listed dimension: see index_list_of
  } else if constexpr (integral_scalar<plain<I>>) {
    return static_cast<::std::int64_t>(static_cast<IndexType>(i));
  } else {
    return static_cast<::std::int64_t>(converted_to<IndexType>(i));
  }
}

/// The type under which an index is shown to the machine: as wide as the span's index type, with
/// the sign of what was written.
template <class IndexType, class I>
inline constexpr const machine::tile_type* index_type_of =
    &type_of<::std::conditional_t<facts_of<plain<I>>.is_signed,
                                ::std::make_signed_t<IndexType>,
                                ::std::make_unsigned_t<IndexType>>>;

template <::std::size_t Nth, class First, class... Rest>
TILESIM_API const auto& pick(const First& first, const Rest&... rest) noexcept {
  if constexpr (Nth == 0) {
    return first;
  } else {
    return pick<Nth - 1>(rest...);
  }
}

/// The tile of indices in the span's index type; nothing for views that take none.
template <class Plan, class... I>
TILESIM_API decltype(auto) index_list_of(const I&... indices) noexcept {
  if constexpr (Plan::list == no_list) {
    return nullptr;
  } else {
    return converted<typename Plan::span::index_type>(pick<Plan::list>(indices...));
  }
}
template <class List>
TILESIM_API const void* list_address(const List& list) noexcept {
  if constexpr (::std::is_null_pointer_v<List>) {
    return nullptr;
  } else {
    return address(list);
  }
}

/// The same of the listed dimension: the tile that index_list_of gives.
template <class Plan, ::std::size_t Nth, class I>
constexpr const machine::tile_type* type_of_index() noexcept {
  using IndexType = typename Plan::span::index_type;
  if constexpr (Nth == Plan::list) {
    return &type_of<plain<decltype(converted<IndexType>(::std::declval<const I&>()))>>;
  } else {
    return index_type_of<IndexType, I>;
  }
}
template <class Plan, class Nths, class... I>
struct index_types;
template <class Plan, ::std::size_t... Nth, class... I>
struct index_types<Plan, ::std::index_sequence<Nth...>, I...> {
  static constexpr const machine::tile_type* values[] = {type_of_index<Plan, Nth, I>()..., nullptr};
};

template <class Plan, class T, outside Where, class... I>
inline constexpr machine::view_form form_of{Plan::kind,
                                            static_cast<::std::uint8_t>(Plan::shape::rank()),
                                            static_cast<::std::uint8_t>(Plan::list),
                                            Where.masked,
                                            Where.pad,
                                            &type_of<T>,
                                            Plan::traversal,
                                            index_types<Plan,
                                                        ::std::make_index_sequence<sizeof...(I)>,
                                                        I...>::values};

// What the machine is given of an access but for its form: the array, the list of indices, numbers.
#define TILESIM_NUMBERS_OF_VIEW(span, indices)                                                     \
  const_cast<const void*>(static_cast<const volatile void*>((span).data_handle())),                \
      list_address(list),                                                                          \
      extent_of<typename Span::extents_type, Nth>((span).mapping().extents())...,                  \
      stride_of<typename Span::mapping_type, Nth>((span).mapping())...,                            \
      index_value<typename Span::index_type>(indices)...

template <class Plan, class T, outside Where, class Span, ::std::size_t... Nth, class... I>
TILESIM_API T load_numbered(const machine::access& how,
                            const Span& span,
                            ::std::index_sequence<Nth...>,
                            const I&... indices) noexcept {
  T result;
  const auto& list = index_list_of<Plan>(indices...);
  machine::load_view_tko(how,
                         form_of<Plan, T, Where, I...>,
                         target(result),
                         TILESIM_NUMBERS_OF_VIEW(span, indices));
  return result;
}

template <class Plan, class T, outside Where, class Span, ::std::size_t... Nth, class... I>
TILESIM_API void store_numbered(const machine::access& how,
                                const Span& span,
                                machine::in value,
                                ::std::index_sequence<Nth...>,
                                const I&... indices) noexcept {
  const auto& list = index_list_of<Plan>(indices...);
  machine::store_view_tko(
      how, form_of<Plan, T, Where, I...>, value, TILESIM_NUMBERS_OF_VIEW(span, indices));
}

template <class Plan, class T, class Span, ::std::size_t... Nth, class... I>
TILESIM_API void update_numbered(const machine::access& how,
                                 machine::rmw_mode mode,
                                 const Span& span,
                                 machine::in value,
                                 ::std::index_sequence<Nth...>,
                                 const I&... indices) noexcept {
  constexpr outside none{false, machine::padding::zero};
  const auto& list = index_list_of<Plan>(indices...);
  machine::atomic_red_view_tko(how,
                               mode,
                               sign_of(facts_of<T>),
                               form_of<Plan, T, none, I...>,
                               value,
                               TILESIM_NUMBERS_OF_VIEW(span, indices));
}

#undef TILESIM_NUMBERS_OF_VIEW

template <class Plan, class T, outside Where, class Span, class... I>
TILESIM_API T load_view(const machine::access& how,
                        const Span& span,
                        const I&... indices) noexcept {
  return load_numbered<Plan, T, Where>(
      how, span, ::std::make_index_sequence<Plan::shape::rank()>{}, indices...);
}

template <class Plan, class T, outside Where, class Span, class Value, class... I>
TILESIM_API void store_view(const machine::access& how,
                            const Span& span,
                            const Value& value,
                            const I&... indices) noexcept {
  const auto& x = converted<element_of<T>>(value);
  store_numbered<Plan, T, Where>(
      how, span, source(x), ::std::make_index_sequence<Plan::shape::rank()>{}, indices...);
}

template <class Plan, class T, class Span, class Value, class... I>
TILESIM_API void update_view(const machine::access& how,
                             machine::rmw_mode mode,
                             const Span& span,
                             const Value& value,
                             const I&... indices) noexcept {
  const auto& x = converted<element_of<T>>(value);
  update_numbered<Plan, T>(
      how, mode, span, source(x), ::std::make_index_sequence<Plan::shape::rank()>{}, indices...);
}

template <class T>
constexpr machine::rmw_mode view_addition() noexcept {
  return tilesim::is_floating(facts_of<T>.kind) ? machine::rmw_mode::addf : machine::rmw_mode::add;
}
template <class T>
constexpr machine::rmw_mode view_maximum() noexcept {
  return facts_of<T>.is_signed ? machine::rmw_mode::max : machine::rmw_mode::umax;
}
template <class T>
constexpr machine::rmw_mode view_minimum() noexcept {
  return facts_of<T>.is_signed ? machine::rmw_mode::min : machine::rmw_mode::umin;
}

} // namespace cuda::tiles::inline __1::detail
