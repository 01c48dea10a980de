// Tensor spans: a pointer, a layout mapping and an accessor: an array in memory, seen as a tensor.
//
// A span is a handle: copying it copies no element. Usable on the host as well as in tile code.
// [tensor span]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/layouts.hpp>
#include <tilesim/scalar.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace cuda::tiles::inline __1 {

// ---------------------------------------------------------------------------------- accessors

/// A program sets this to true for an accessor of its own that behaves as a plain pointer to
/// contiguous elements.  [general principles: accessor policy]
template <class A>
inline constexpr bool enable_contiguous_accessor_policy = false;

/// The accessor of plain memory.  [tensor span]
template <scalar E>
struct default_accessor {
  using element_type = E;
  using data_handle_type = E*;
  using reference = E&;
};
template <class E>
inline constexpr bool enable_contiguous_accessor_policy<default_accessor<E>> = true;

namespace detail {

template <class A>
inline constexpr bool is_accessor_policy = requires {
  typename A::element_type;
  typename A::data_handle_type;
  typename A::reference;
  requires scalar<typename A::element_type>;
  requires ::std::same_as<typename A::data_handle_type, typename A::element_type*>;
  requires ::std::same_as<typename A::reference, typename A::element_type&>;
  requires ::std::copyable<A>;
};

} // namespace detail

/// How the elements of a span are reached: today always through a plain pointer.
/// [general principles: accessor policy]
template <class T>
concept accessor_policy = enable_contiguous_accessor_policy<T> && detail::is_accessor_policy<T>;

// -------------------------------------------------------------------------------- tensor_span

namespace detail {

template <class Layout, class Extents>
concept layout_for = requires {
  typename Layout::template mapping<Extents>;
  requires layout_mapping<typename Layout::template mapping<Extents>>;
};

} // namespace detail

/// The array of `E` at a pointer: extents, layout and accessor say how. A const E is read only.
/// [tensor span]
// clang-format off
template <scalar E,
          extents_like Extents,
          class Layout = layout_right,
          accessor_policy Accessor = default_accessor<E>>
  requires detail::layout_for<Layout, Extents> && ::std::same_as<E, typename Accessor::element_type>
struct tensor_span : Accessor { // clang-format on
  static_assert(::std::same_as<Extents, ::std::remove_cv_t<Extents>>,
                "the extents of a span have no cv");
  static_assert(::std::same_as<Layout, ::std::remove_cv_t<Layout>>, "the layout of a span has no cv");

  using element_type = E;
  using value_type = ::std::remove_cv_t<E>;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  using accessor_type = Accessor;
  using index_type = typename Extents::index_type;
  using rank_type = typename Extents::rank_type;
  using data_handle_type = typename Accessor::data_handle_type;
  using reference = typename Accessor::reference;

  // clang-format off
  tensor_span(data_handle_type p, const extents_type& e) noexcept
    requires ::std::constructible_from<mapping_type, const extents_type&> &&
             ::std::default_initializable<accessor_type>
      : Accessor()
      , __handle(p)
      , __mapping(e) {}
  tensor_span(data_handle_type p, const extents_type& e, const layout_type&) noexcept
    requires ::std::constructible_from<mapping_type, const extents_type&> &&
             ::std::default_initializable<accessor_type>
      : Accessor()
      , __handle(p)
      , __mapping(e) {}
  tensor_span(data_handle_type p, const mapping_type& m) noexcept
    requires ::std::default_initializable<accessor_type>
      : Accessor()
      , __handle(p)
      , __mapping(m) {}
  tensor_span(data_handle_type p, const mapping_type& m, const accessor_type& a) noexcept
      : Accessor(a)
      , __handle(p)
      , __mapping(m) {}
  // clang-format on

  data_handle_type data_handle() const noexcept { return __handle; }
  const mapping_type& mapping() const noexcept { return __mapping; }
  const accessor_type& accessor() const noexcept { return *this; }
  const extents_type& extents() const noexcept { return __mapping.extents(); }

  static constexpr rank_type rank() noexcept { return Extents::rank(); }
  static constexpr rank_type rank_dynamic() noexcept { return Extents::rank_dynamic(); }
  static constexpr ::std::size_t static_extent(rank_type i) noexcept {
    return Extents::static_extent(i);
  }
  index_type extent(rank_type i) const noexcept { return extents().extent(i); }

  // With these members a span is extents like, so NVIDIA's compiler compares spans as extents: two
  // spans are equal when their extents are, wherever they point.
  template <extents_like R>
  friend bool operator==(const tensor_span& lhs, const R& rhs) noexcept {
    return extents_equal(lhs, rhs);
  }

private:
  data_handle_type __handle;
  [[no_unique_address]] mapping_type __mapping;
};

template <scalar E, extents_like Extents>
tensor_span(E*, Extents) -> tensor_span<E, Extents>;
template <scalar E, extents_like Extents, detail::layout_for<Extents> Layout>
tensor_span(E*, Extents, Layout) -> tensor_span<E, Extents, Layout>;
template <scalar E, layout_mapping M>
tensor_span(E*, M) -> tensor_span<E, typename M::extents_type, typename M::layout_type>;
template <scalar E, layout_mapping M, accessor_policy A>
tensor_span(E*, M, A)
    -> tensor_span<typename A::element_type, typename M::extents_type, typename M::layout_type, A>;

// --------------------------------------------------------------------------------- span likes

namespace detail {

template <class S>
concept has_span_types = requires {
  typename S::element_type;
  typename S::value_type;
  typename S::extents_type;
  typename S::mapping_type;
  typename S::layout_type;
  typename S::accessor_type;
  typename S::index_type;
  typename S::rank_type;
  typename S::data_handle_type;
  typename S::reference;
}
&&scalar<typename S::element_type>&&
    ::std::same_as<typename S::value_type, ::std::remove_cv_t<typename S::element_type>>&&
        layout_mapping<typename S::mapping_type>&& accessor_policy<typename S::accessor_type>&&
            ::std::same_as<typename S::extents_type, typename S::mapping_type::extents_type>&&
                ::std::same_as<typename S::layout_type, typename S::mapping_type::layout_type>&&
                    ::std::same_as<typename S::index_type, typename S::mapping_type::index_type>&&
                        ::std::same_as<typename S::rank_type, typename S::mapping_type::rank_type>&&
                            ::std::same_as<typename S::element_type,
                                         typename S::accessor_type::element_type>&&
                                ::std::same_as<typename S::data_handle_type,
                                             typename S::accessor_type::data_handle_type>&&
                                    ::std::same_as<typename S::reference,
                                                 typename S::accessor_type::reference>;

template <class S>
inline constexpr bool is_tensor_span_like = false;
template <has_span_types S>
inline constexpr bool is_tensor_span_like<S> = ::std::copyable<S>&& requires(const S& s) {
  { s.data_handle() } -> ::std::same_as<typename S::data_handle_type>;
  { s.mapping() } -> ::std::same_as<const typename S::mapping_type&>;
  { s.accessor() } -> ::std::same_as<const typename S::accessor_type&>;
};

} // namespace detail

/// A class with the members of tensor_span; its meaning must be theirs.
/// [general principles: tensor span like]
template <class T>
concept tensor_span_like = detail::is_tensor_span_like<::std::remove_cv_t<T>>;

} // namespace cuda::tiles::inline __1
