// <cuda/warp>: lane masks, and shuffles and matches of values of any size, word by word.
//
// libcu++'s own give a device's code where a host's compiler is given it, and its results convert
// by a template, which g++ does not take for an operand of an operator.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/device_warp.hpp>
#include <tilesim/detail/tiles_of_warps.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace cuda::device {

namespace tilesim_detail {

TILESIM_API int own_lane() {
  return static_cast<int>(::tilesim::detail::lane());
}

} // namespace tilesim_detail

class lane_mask {
public:
  TILESIM_API explicit constexpr lane_mask(::std::uint32_t lanes = 0) noexcept
      : lanes_(lanes) {}
  [[nodiscard]] TILESIM_API constexpr ::std::uint32_t value() const noexcept { return lanes_; }
  TILESIM_API explicit constexpr operator ::std::uint32_t() const noexcept { return lanes_; }

  [[nodiscard]] TILESIM_API static constexpr lane_mask none() noexcept { return lane_mask{}; }
  [[nodiscard]] TILESIM_API static constexpr lane_mask all() noexcept {
    return lane_mask{0xffffffff};
  }
  [[nodiscard]] TILESIM_API static lane_mask all_active() noexcept {
    return lane_mask{::__activemask()};
  }
  [[nodiscard]] TILESIM_API static lane_mask this_lane() noexcept { return lane_mask{own()}; }
  [[nodiscard]] TILESIM_API static lane_mask all_less() noexcept { return lane_mask{own() - 1}; }
  [[nodiscard]] TILESIM_API static lane_mask all_less_equal() noexcept {
    return lane_mask{own() | (own() - 1)};
  }
  [[nodiscard]] TILESIM_API static lane_mask all_greater() noexcept { return ~all_less_equal(); }
  [[nodiscard]] TILESIM_API static lane_mask all_greater_equal() noexcept { return ~all_less(); }
  [[nodiscard]] TILESIM_API static lane_mask all_not_equal() noexcept { return ~this_lane(); }

  [[nodiscard]] TILESIM_API friend constexpr lane_mask operator&(lane_mask a, lane_mask b) noexcept {
    return lane_mask{a.lanes_ & b.lanes_};
  }
  [[nodiscard]] TILESIM_API friend constexpr lane_mask operator|(lane_mask a, lane_mask b) noexcept {
    return lane_mask{a.lanes_ | b.lanes_};
  }
  [[nodiscard]] TILESIM_API friend constexpr lane_mask operator^(lane_mask a, lane_mask b) noexcept {
    return lane_mask{a.lanes_ ^ b.lanes_};
  }
  [[nodiscard]] TILESIM_API friend constexpr lane_mask operator<<(lane_mask a, int by) noexcept {
    return lane_mask{a.lanes_ << by};
  }
  [[nodiscard]] TILESIM_API friend constexpr lane_mask operator>>(lane_mask a, int by) noexcept {
    return lane_mask{a.lanes_ >> by};
  }
  [[nodiscard]] TILESIM_API friend constexpr lane_mask operator~(lane_mask a) noexcept {
    return lane_mask{~a.lanes_};
  }
  TILESIM_API constexpr lane_mask& operator&=(lane_mask b) noexcept { return *this = *this & b; }
  TILESIM_API constexpr lane_mask& operator|=(lane_mask b) noexcept { return *this = *this | b; }
  TILESIM_API constexpr lane_mask& operator^=(lane_mask b) noexcept { return *this = *this ^ b; }
  TILESIM_API constexpr lane_mask& operator<<=(int by) noexcept { return *this = *this << by; }
  TILESIM_API constexpr lane_mask& operator>>=(int by) noexcept { return *this = *this >> by; }
  [[nodiscard]] TILESIM_API friend constexpr bool operator==(lane_mask a, lane_mask b) noexcept {
    return a.lanes_ == b.lanes_;
  }

private:
  TILESIM_API static ::std::uint32_t own() noexcept {
    return ::std::uint32_t{1} << tilesim_detail::own_lane();
  }

  ::std::uint32_t lanes_;
};

/// `pred`: the lane that it comes from is one of the part.
template <class T>
struct warp_shuffle_result {
  T data;
  bool pred;
  [[nodiscard]] TILESIM_API operator T() const // NOLINT(google-explicit-constructor)
    requires(!::std::is_array_v<T>)
  {
    return data;
  }
};

namespace tilesim_detail {

/// An integral_constant, whosever.
template <class W>
concept width = requires { W::value; };

template <class T>
constexpr bool is_bare_pointer =
    ::std::is_pointer_v<T> && !::std::is_void_v<::std::remove_pointer_t<T>>;

/// A value in words, the last of them filled up with zeros.
template <class T>
struct words {
  static constexpr ::std::size_t count = (sizeof(T) + 3) / 4;
  ::std::uint32_t word[count] = {};
  TILESIM_API explicit words(const T& value) { ::std::memcpy(word, &value, sizeof(T)); }
};

/// The words of a value that other lanes' are held against: its padding says nothing.
template <class T>
TILESIM_API words<T> compared(const T& value) {
#if defined(__has_builtin) && __has_builtin(__builtin_clear_padding)
  T copy = value;
  __builtin_clear_padding(&copy);
  return words<T>(copy);
#else
  return words<T>(value);
#endif
}

/// `from`: the lane that is read, which is one of the part where `in_part` says so.
template <int Width, class T>
TILESIM_API warp_shuffle_result<::std::remove_cv_t<T>>
shuffled(const T& data, int from, bool in_part, ::std::uint32_t mask) {
  using value = ::std::remove_cv_t<T>;
  static_assert(::std::is_default_constructible_v<T>);
  static_assert(!is_bare_pointer<value>, "non-void pointers are not allowed");
  static_assert(Width >= 1 && Width <= 32 && (Width & (Width - 1)) == 0);
  warp_shuffle_result<value> result;
  if constexpr (Width == 1) {
    ::std::memcpy(&result.data, &data, sizeof(value));
    result.pred = true;
  } else {
    words<value> all(data);
    for (::std::uint32_t& word : all.word) {
      word = ::__shfl_sync(mask, word, from);
    }
    ::std::memcpy(&result.data, all.word, sizeof(value));
    result.pred = in_part;
  }
  return result;
}

/// The lane that stands `by` from the running one; its own where the part does not have that.
/// [PTX: shfl.sync]
template <int Width>
struct source {
  int lane;
  bool in_part;
  TILESIM_API explicit source(int at)
      : lane(own_lane())
      , in_part((at & ~(Width - 1)) == (own_lane() & ~(Width - 1))) {
    lane = in_part ? at : lane;
  }
};

} // namespace tilesim_detail

#define TILESIM_WARP_SHUFFLE(name, at)                                                             \
  template <int Width = 32, class T>                                                               \
  [[nodiscard]] TILESIM_API warp_shuffle_result<::std::remove_cv_t<T>> name(                       \
      const T& data, int by, ::std::uint32_t mask = 0xffffffff) {                                  \
    const tilesim_detail::source<Width> from(at);                                                  \
    return tilesim_detail::shuffled<Width>(data, from.lane, from.in_part, mask);                   \
  }                                                                                                \
  template <class T, tilesim_detail::width W>                                                      \
  [[nodiscard]] TILESIM_API warp_shuffle_result<::std::remove_cv_t<T>> name(                       \
      const T& data, int by, ::std::uint32_t mask, W /*width*/) {                                  \
    return name<W::value>(data, by, mask);                                                         \
  }                                                                                                \
  template <class T, tilesim_detail::width W>                                                      \
  [[nodiscard]] TILESIM_API warp_shuffle_result<::std::remove_cv_t<T>> name(                       \
      const T& data, int by, W /*width*/) {                                                        \
    return name<W::value>(data, by, 0xffffffff);                                                   \
  }
TILESIM_WARP_SHUFFLE(warp_shuffle_idx,
                     (tilesim_detail::own_lane() & ~(Width - 1)) | (by & (Width - 1)))
TILESIM_WARP_SHUFFLE(warp_shuffle_up, tilesim_detail::own_lane() - by)
TILESIM_WARP_SHUFFLE(warp_shuffle_down, tilesim_detail::own_lane() + by)
TILESIM_WARP_SHUFFLE(warp_shuffle_xor, tilesim_detail::own_lane() ^ by)
#undef TILESIM_WARP_SHUFFLE

template <class T>
[[nodiscard]] TILESIM_API lane_mask
warp_match_any(const T& data, const lane_mask mask = lane_mask::all()) noexcept {
  static_assert(::std::is_trivially_copyable_v<T>, "data must be trivially copyable");
  lane_mask all = mask;
  for (const ::std::uint32_t word : tilesim_detail::compared(data).word) {
    all &= lane_mask{::__match_any_sync(mask.value(), word)};
  }
  return all;
}
template <class T>
[[nodiscard]] TILESIM_API bool
warp_match_all(const T& data, const lane_mask mask = lane_mask::all()) noexcept {
  static_assert(::std::is_trivially_copyable_v<T>, "data must be trivially copyable");
  bool all = true;
  for (const ::std::uint32_t word : tilesim_detail::compared(data).word) {
    int agree = 0;
    static_cast<void>(::__match_all_sync(mask.value(), word, &agree));
    all = all && agree != 0;
  }
  return all;
}

} // namespace cuda::device
