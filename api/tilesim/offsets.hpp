// Offsets: starting positions along dimensions, static, dynamic or mixed; signed where extents are
// not.
//
// NVIDIA's compiler has this family; its reference does not describe it. Usable on the host as
// well.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/mixed_values.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace cuda::tiles::inline __1 {

/// The static value that stands for an offset known only at run time.
enum : ::std::ptrdiff_t { dynamic_offset = PTRDIFF_MIN };

/// Where, in elements, something starts along each dimension. Not on the reference's pages.
template <integral I, ::std::ptrdiff_t... Offsets>
struct offsets {
  static_assert(::std::is_same_v<I, ::std::remove_cv_t<I>>, "the offset type of offsets has no cv");

  using offset_type = I;
  using rank_type = ::std::size_t;

  static constexpr rank_type rank() noexcept { return values::rank; }
  static constexpr rank_type rank_dynamic() noexcept { return values::rank_dynamic; }
  static constexpr ::std::ptrdiff_t static_offset(rank_type i) noexcept {
    return values::static_values[i];
  }
  constexpr offset_type offset(rank_type i) const noexcept { return __values.get(i); }

  constexpr offsets() noexcept = default;

  /// One value per offset, some of them static: theirs are ignored.
  // clang-format off
  template <detail::index_argument<I>... T>
    requires(sizeof...(T) != rank_dynamic() && sizeof...(T) == rank())
  constexpr explicit offsets(T... given) noexcept // clang-format on
      : __values(detail::given_values{}, static_cast<I>(static_cast<T&&>(given))...) {}

  /// One value per dynamic offset; no constant expression, in NVIDIA's header as here.
  // clang-format off
  template <detail::index_argument<I>... T>
    requires(sizeof...(T) != 0 && sizeof...(T) == rank_dynamic())
  explicit offsets(T... given) noexcept // clang-format on
      : __values(detail::given_values{}, static_cast<I>(static_cast<T&&>(given))...) {}

private:
  using values = detail::mixed_values<I, ::std::ptrdiff_t, dynamic_offset, Offsets...>;

public: // a structural type
  [[no_unique_address]] values __values;
};

template <class... T>
offsets(T...) -> offsets<::std::int32_t, detail::static_value<T, ::std::ptrdiff_t, dynamic_offset>...>;

namespace detail {

template <class T>
inline constexpr bool is_offsets_like = requires(const ::std::remove_reference_t<T>* o,
                                                 ::std::size_t i) {
  typename T::rank_type;
  typename T::offset_type;
  static_cast<::std::size_t>(T::rank());
  static_cast<::std::size_t>(T::rank_dynamic());
  static_cast<::std::ptrdiff_t>(T::static_offset(i));
  static_cast<typename T::offset_type>(o->offset(i));
  requires index_number<typename T::offset_type>;
  requires ::std::is_copy_constructible_v<T>;
};
template <class I, ::std::ptrdiff_t... O>
inline constexpr bool is_offsets_like<offsets<I, O...>> = index_number<I>;

} // namespace detail

/// A class with the members of `offsets`.
template <class T>
concept offsets_like = detail::is_offsets_like<::std::remove_cv_t<T>>;

/// True if two offsets have the same rank and values, whatever their types.
template <offsets_like L, offsets_like R>
constexpr bool offsets_equal(const L& lhs, const R& rhs) noexcept {
  if (static_cast<::std::size_t>(L::rank()) != static_cast<::std::size_t>(R::rank())) {
    return false;
  }
  for (::std::size_t i = 0; i < static_cast<::std::size_t>(L::rank()); ++i) {
    if (!detail::same_number(lhs.offset(static_cast<typename L::rank_type>(i)),
                             rhs.offset(static_cast<typename R::rank_type>(i)))) {
      return false;
    }
  }
  return true;
}

template <class I, ::std::ptrdiff_t... L, offsets_like R>
constexpr bool operator==(const offsets<I, L...>& lhs, const R& rhs) noexcept {
  return offsets_equal(lhs, rhs);
}

} // namespace cuda::tiles::inline __1
