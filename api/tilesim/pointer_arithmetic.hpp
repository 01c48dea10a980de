// Arithmetic operations on pointers: offsets, differences and comparisons, elementwise.
//
// [arithmetic operations: pointer addition … null pointer inequality]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/lower.hpp>
#include <tilesim/tile.hpp>
#include <tilesim/tile_ops.hpp>

namespace cuda::tiles::inline __1 {
namespace detail {

template <class Ptrs>
inline constexpr bool points_to_void = ::std::is_void_v<::std::remove_pointer_t<element_of<Ptrs>>>;

template <class I, class Ptrs>
concept offset_for = pointer_operand<Ptrs> && integral_operand<I> && !points_to_void<plain<Ptrs>> &&
                     broadcast_compatible<plain<Ptrs>, plain<I>>;
template <class Ptrs, class I>
concept offset_by = offset_for<I, Ptrs>;

template <class R, class L>
concept pointer_with =
    pointer_operand<L> && pointer_operand<R> && broadcast_compatible<plain<L>, plain<R>>;
template <class Ptrs>
using pointee_of = ::std::remove_cv_t<::std::remove_pointer_t<element_of<plain<Ptrs>>>>;
template <class R, class L>
concept subtractable_from =
    pointer_with<R, L> && !points_to_void<plain<L>> && ::std::is_same_v<pointee_of<L>, pointee_of<R>>;
// The builtin comparison must exist.
template <class R, class L>
concept equatable_with = pointer_with<R, L> &&
    requires(element_of<plain<L>> l, element_of<plain<R>> r) {
  l == r;
};
template <class R, class L>
concept orderable_with = pointer_with<R, L> &&
    requires(element_of<plain<L>> l, element_of<plain<R>> r) {
  l < r;
};

template <class Ptrs, class I>
using offset_result = mutual_broadcast_t<plain<Ptrs>, plain<I>, element_of<plain<Ptrs>>>;

/// An offset as the machine takes it: signed, so an unsigned one goes to 64 bits first.
template <class I>
TILESIM_API decltype(auto) signed_offset(const I& i) noexcept {
  if constexpr (facts_of<plain<I>>.is_signed) {
    return held(i);
  } else {
    return converted<long>(i);
  }
}

/// ptr + offset, where the program wrote an operation on ptr and `written`.
template <class Ptrs, class I>
TILESIM_API offset_result<Ptrs, I> advance(const machine::attributes& modes,
                                           const Ptrs& ptr,
                                           const I& offset,
                                           machine::in written) noexcept {
  using R = offset_result<Ptrs, I>;
  using B = shape_of<R>;
  const auto& i = held(offset);
  const auto& wide_p = grown<B>(ptr);
  const auto& wide_i = grown<B>(i);
  return perform_of_written<R>(
      opcode::offset, modes, source_as<B>(wide_p), source_as<B>(wide_i), source(ptr), written);
}

template <class Ptrs, class I>
TILESIM_API offset_result<Ptrs, I> plus(const Ptrs& ptr, const I& offset) noexcept {
  const auto& o = held(offset);
  const auto& i = signed_offset(o);
  return advance(no_modes, ptr, i, source(o));
}

/// The addresses in a pointer tile.
template <class Ptrs>
TILESIM_API with_element<plain<Ptrs>, unsigned long> addresses(const Ptrs& ptr) noexcept {
  const auto& p = held(ptr);
  return perform<with_element<plain<Ptrs>, unsigned long>>(opcode::ptr_to_int, no_modes, source(p));
}

/// Addresses compare as unsigned numbers.
constexpr machine::attributes as_addresses(machine::predicate p) noexcept {
  return compared(p, machine::ordering::ordered, scalar_of<unsigned long>);
}
template <machine::predicate Predicate, class L, class R>
TILESIM_API mutual_broadcast_t<plain<L>, plain<R>, bool>
compare_pointers(const L& lhs, const R& rhs) noexcept {
  const auto& l = addresses(lhs);
  const auto& r = addresses(rhs);
  return binary_of_written<mutual_broadcast_t<plain<L>, plain<R>, bool>, unsigned long>(
      opcode::cmpi, fixed<as_addresses(Predicate)>, l, r, source(lhs), source(rhs));
}

template <machine::predicate Predicate, class Ptrs>
TILESIM_API tile_with_element_t<plain<Ptrs>, bool> compare_null(const Ptrs& ptrs) noexcept {
  const auto& a = addresses(ptrs);
  return perform<tile_with_element_t<plain<Ptrs>, bool>>(
      opcode::cmpi,
      fixed<as_addresses(Predicate)>,
      source(a),
      zero<unsigned long>());
}

} // namespace detail

/// The pointers as they are.  [arithmetic operations: pointer no-op]
template <detail::pointer_operand Ptrs>
TILESIM_API detail::plain<Ptrs> operator+(Ptrs&& ptr) noexcept {
  return detail::held(ptr);
}

/// C++'s ptr + offset, elementwise; undefined where that is. Not for pointers to void.
/// [arithmetic operations: pointer addition]
template <class Ptrs, detail::offset_for<Ptrs> I>
TILESIM_API detail::offset_result<Ptrs, I> operator+(Ptrs&& ptr, const I& offset) noexcept {
  const auto& p = detail::held(ptr);
  return detail::plus(p, offset);
}
template <class I, detail::offset_by<I> Ptrs>
TILESIM_API detail::offset_result<Ptrs, I> operator+(const I& offset, Ptrs&& ptr) noexcept {
  const auto& p = detail::held(ptr);
  return detail::plus(p, offset);
}

/// C++'s ptr - offset, elementwise; undefined where that is. Not for pointers to void.
/// [arithmetic operations: pointer subtraction]
template <class Ptrs, detail::offset_for<Ptrs> I>
TILESIM_API detail::offset_result<Ptrs, I> operator-(Ptrs&& ptr, const I& offset) noexcept {
  using N = detail::with_element<detail::plain<I>, long>;
  const auto& p = detail::held(ptr);
  const auto& o = detail::held(offset);
  const auto& i = detail::converted<long>(o);
  // Wraps: that LONG_MIN leads out of every array is said of the sum.
  const N negative =
      detail::perform<N>(detail::opcode::negi, detail::unsigned_modes, detail::source(i));
  static constexpr detail::machine::attributes minus{.written = {.spelling = "-"}};
  return detail::advance(minus, p, negative, detail::source(o));
}

/// C++'s lhs - rhs, elementwise, in elements; undefined where that is. Not for pointers to void.
/// [arithmetic operations: pointer difference]
template <class L, detail::subtractable_from<L> R>
TILESIM_API auto operator-(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, ::std::ptrdiff_t> {
  using T = mutual_broadcast_t<detail::plain<L>, detail::plain<R>, ::std::ptrdiff_t>;
  constexpr ::std::uint64_t size = detail::type_of<detail::plain<L>>.pointee_size;
  const auto& p = detail::held(lhs);
  const auto& q = detail::held(rhs);
  const auto& l = detail::addresses(p);
  const auto& r = detail::addresses(q);
  const T bytes = detail::binary<T, unsigned long>(detail::opcode::subi, detail::no_modes, l, r);
  static constexpr detail::machine::attributes minus{.round = detail::machine::rounding::zero,
                                                     .written = {.spelling = "-"}};
  return detail::perform_of_written<T>(detail::opcode::divi,
                                       minus,
                                       detail::source(bytes),
                                       detail::constant<::std::ptrdiff_t, size>(),
                                       detail::source(p),
                                       detail::source(q));
}

/// C++'s comparison of pointers, elementwise, where it exists for the two types.
/// [arithmetic operations: pointer comparison]
template <class L, detail::equatable_with<L> R>
TILESIM_API auto operator==(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, bool> {
  return detail::compare_pointers<detail::machine::predicate::equal>(
      detail::held(lhs), detail::held(rhs));
}
template <class L, detail::equatable_with<L> R>
TILESIM_API auto operator!=(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, bool> {
  return detail::compare_pointers<detail::machine::predicate::not_equal>(
      detail::held(lhs), detail::held(rhs));
}
template <class L, detail::orderable_with<L> R>
TILESIM_API auto operator<(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, bool> {
  return detail::compare_pointers<detail::machine::predicate::less_than>(
      detail::held(lhs), detail::held(rhs));
}
template <class L, detail::orderable_with<L> R>
TILESIM_API auto operator<=(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, bool> {
  return detail::compare_pointers<detail::machine::predicate::less_than_or_equal>(
      detail::held(lhs), detail::held(rhs));
}
template <class L, detail::orderable_with<L> R>
TILESIM_API auto operator>(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, bool> {
  return detail::compare_pointers<detail::machine::predicate::greater_than>(
      detail::held(lhs), detail::held(rhs));
}
template <class L, detail::orderable_with<L> R>
TILESIM_API auto operator>=(L&& lhs, R&& rhs) noexcept
    -> mutual_broadcast_t<detail::plain<L>, detail::plain<R>, bool> {
  return detail::compare_pointers<detail::machine::predicate::greater_than_or_equal>(
      detail::held(lhs), detail::held(rhs));
}

/// True where a pointer is null, and where it is not.
/// [arithmetic operations: null pointer equality, inequality]
template <detail::pointer_operand Ptrs>
TILESIM_API tile_with_element_t<detail::plain<Ptrs>, bool> operator==(Ptrs&& ptrs,
                                                                      ::std::nullptr_t) noexcept {
  return detail::compare_null<detail::machine::predicate::equal>(detail::held(ptrs));
}
template <detail::pointer_operand Ptrs>
TILESIM_API tile_with_element_t<detail::plain<Ptrs>, bool> operator==(::std::nullptr_t,
                                                                      Ptrs&& ptrs) noexcept {
  return detail::compare_null<detail::machine::predicate::equal>(detail::held(ptrs));
}
template <detail::pointer_operand Ptrs>
TILESIM_API tile_with_element_t<detail::plain<Ptrs>, bool> operator!=(Ptrs&& ptrs,
                                                                      ::std::nullptr_t) noexcept {
  return detail::compare_null<detail::machine::predicate::not_equal>(detail::held(ptrs));
}
template <detail::pointer_operand Ptrs>
TILESIM_API tile_with_element_t<detail::plain<Ptrs>, bool> operator!=(::std::nullptr_t,
                                                                      Ptrs&& ptrs) noexcept {
  return detail::compare_null<detail::machine::predicate::not_equal>(detail::held(ptrs));
}

} // namespace cuda::tiles::inline __1
