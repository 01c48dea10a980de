// Warps: __syncwarp, votes, shuffles, matches and reductions of the lanes that a mask names.
//
// Threads of a block are lanes of warps of 32 by their number in it, x first. Who calls waits for
// the others of its mask that have not ended.  [CUDA C++ Programming Guide: Warp Vote, Match,
// Reduce, Shuffle Functions; PTX: shfl.sync, vote.sync, match.sync, redux.sync, bar.warp.sync]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

struct __half; // NOLINT(bugprone-reserved-identifier)
struct __half2;
struct __nv_bfloat16;
struct __nv_bfloat162;

namespace tilesim::detail {

/// Of cuda_fp16.h and cuda_bf16.h.
template <class T>
concept half_type = ::std::is_same_v<T, __half> || ::std::is_same_v<T, __half2> ||
                    ::std::is_same_v<T, __nv_bfloat16> || ::std::is_same_v<T, __nv_bfloat162>;

enum class warp_operation : unsigned char {
  sync,
  ballot,
  all,
  any,
  shuffle,
  shuffle_up,
  shuffle_down,
  shuffle_xor,
  match_any,
  match_all,
  add,
  min,
  max,
  unsigned_min,
  unsigned_max,
  bits_and,
  bits_or,
  bits_xor,
  active, ///< which lanes come here
};

/// What a lane brings along, and what it is given.
struct warp_request {
  warp_operation operation;
  unsigned mask;
  ::std::uint64_t value; ///< brought along: a number, or whether a predicate holds
  unsigned lane;         ///< of shuffles: the operand
  unsigned width;
  ::std::uint64_t result; ///< given
  unsigned bytes;         ///< of the value
};

/// The running thread's lane takes part; r.result is what it is given.
TILESIM_EXPORT void perform_in_warp(warp_request& r) noexcept;

template <class T>
TILESIM_API ::std::uint64_t word_of(const T& value) {
  static_assert(::std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  ::std::uint64_t word = 0;
  __builtin_memcpy(&word, &value, sizeof value);
  return word;
}

template <class T>
TILESIM_API T shuffle(warp_operation o, unsigned mask, T value, unsigned lane, int width) {
  warp_request r{o,
                 mask,
                 word_of(value),
                 lane,
                 static_cast<unsigned>(width),
                 0,
                 static_cast<unsigned>(sizeof value)};
  perform_in_warp(r);
  __builtin_memcpy(&value, &r.result, sizeof value);
  return value;
}

TILESIM_API unsigned
in_warp(warp_operation o, unsigned mask, ::std::uint64_t value, unsigned bytes = 4) {
  warp_request r{o, mask, value, 0, 32, 0, bytes};
  perform_in_warp(r);
  return static_cast<unsigned>(r.result);
}

} // namespace tilesim::detail

TILESIM_API void __syncwarp(unsigned mask = 0xffffffffU) {
  ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::sync, mask, 0);
}
TILESIM_API unsigned __activemask() {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::active, 0, 0);
}
TILESIM_API unsigned __ballot_sync(unsigned mask, int predicate) {
  return ::tilesim::detail::in_warp(
      ::tilesim::detail::warp_operation::ballot, mask, predicate != 0 ? 1 : 0);
}
TILESIM_API int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(::tilesim::detail::in_warp(
      ::tilesim::detail::warp_operation::all, mask, predicate != 0 ? 1 : 0));
}
TILESIM_API int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(::tilesim::detail::in_warp(
      ::tilesim::detail::warp_operation::any, mask, predicate != 0 ? 1 : 0));
}

// Overloads, as CUDA has them: what is smaller becomes an int, and classes and pointers are none.
#define TILESIM_SHUFFLES(T, head)                                                                  \
  head TILESIM_API T __shfl_sync(unsigned mask, T value, int source, int width = 32) {             \
    return ::tilesim::detail::shuffle(::tilesim::detail::warp_operation::shuffle,                  \
                                      mask,                                                        \
                                      value,                                                       \
                                      static_cast<unsigned>(source),                               \
                                      width);                                                      \
  }                                                                                                \
  head TILESIM_API T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {      \
    return ::tilesim::detail::shuffle(                                                             \
        ::tilesim::detail::warp_operation::shuffle_up, mask, value, delta, width);                 \
  }                                                                                                \
  head TILESIM_API T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {    \
    return ::tilesim::detail::shuffle(                                                             \
        ::tilesim::detail::warp_operation::shuffle_down, mask, value, delta, width);               \
  }                                                                                                \
  head TILESIM_API T __shfl_xor_sync(unsigned mask, T value, int lanes, int width = 32) {          \
    return ::tilesim::detail::shuffle(::tilesim::detail::warp_operation::shuffle_xor,              \
                                      mask,                                                        \
                                      value,                                                       \
                                      static_cast<unsigned>(lanes),                                \
                                      width);                                                      \
  }
#define TILESIM_MATCHES(T)                                                                         \
  TILESIM_API unsigned __match_any_sync(unsigned mask, T value) {                                  \
    return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::match_any,                \
                                      mask,                                                        \
                                      ::tilesim::detail::word_of(value),                           \
                                      static_cast<unsigned>(sizeof value));                        \
  }                                                                                                \
  TILESIM_API unsigned __match_all_sync(unsigned mask, T value, int* predicate) {                  \
    const unsigned lanes =                                                                         \
        ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::match_all,                   \
                                   mask,                                                           \
                                   ::tilesim::detail::word_of(value),                              \
                                   static_cast<unsigned>(sizeof value));                           \
    *predicate = lanes != 0 ? 1 : 0;                                                               \
    return lanes;                                                                                  \
  }
#define TILESIM_HANDED_ROUND(T)                                                                    \
  TILESIM_SHUFFLES(T, )                                                                            \
  TILESIM_MATCHES(T)
TILESIM_HANDED_ROUND(int)
TILESIM_HANDED_ROUND(unsigned)
TILESIM_HANDED_ROUND(long)
TILESIM_HANDED_ROUND(unsigned long)
TILESIM_HANDED_ROUND(long long)
TILESIM_HANDED_ROUND(unsigned long long)
TILESIM_HANDED_ROUND(float)
TILESIM_HANDED_ROUND(double)
TILESIM_SHUFFLES(Half, template <::tilesim::detail::half_type Half>)
#undef TILESIM_HANDED_ROUND
#undef TILESIM_MATCHES
#undef TILESIM_SHUFFLES

TILESIM_API unsigned __reduce_add_sync(unsigned mask, unsigned value) {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::add, mask, value);
}
TILESIM_API unsigned __reduce_min_sync(unsigned mask, unsigned value) {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::unsigned_min, mask, value);
}
TILESIM_API unsigned __reduce_max_sync(unsigned mask, unsigned value) {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::unsigned_max, mask, value);
}
TILESIM_API int __reduce_add_sync(unsigned mask, int value) {
  return static_cast<int>(::tilesim::detail::in_warp(
      ::tilesim::detail::warp_operation::add, mask, static_cast<unsigned>(value)));
}
TILESIM_API int __reduce_min_sync(unsigned mask, int value) {
  return static_cast<int>(::tilesim::detail::in_warp(
      ::tilesim::detail::warp_operation::min, mask, static_cast<unsigned>(value)));
}
TILESIM_API int __reduce_max_sync(unsigned mask, int value) {
  return static_cast<int>(::tilesim::detail::in_warp(
      ::tilesim::detail::warp_operation::max, mask, static_cast<unsigned>(value)));
}
TILESIM_API unsigned __reduce_and_sync(unsigned mask, unsigned value) {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::bits_and, mask, value);
}
TILESIM_API unsigned __reduce_or_sync(unsigned mask, unsigned value) {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::bits_or, mask, value);
}
TILESIM_API unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
  return ::tilesim::detail::in_warp(::tilesim::detail::warp_operation::bits_xor, mask, value);
}
