// Integer, conversion and cache intrinsics of device code: __popc, __float_as_int, __ldg …
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/atomic_access.hpp> // integers of 16 bytes
#include <tilesim/detail/device_warp.hpp> // half_type
#include <tilesim/detail/machine.hpp>

#include <math.h>

namespace tilesim::detail {

template <class To, class From>
TILESIM_API To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  return __builtin_bit_cast(To, from);
}

/// To an integer as the device converts: NaN gives 0, what does not fit the nearest that does.
template <class To, class From>
TILESIM_API To to_integer(From x) {
  constexpr To low = static_cast<To>(-1) < To{0} ? static_cast<To>(To{1} << (8 * sizeof(To) - 1)) : To{0};
  constexpr To high = static_cast<To>(~low);
  if (x != x) { // [PTX, cvt: NaN results]
    return sizeof(From) == 8 || sizeof(To) == 8 ? static_cast<To>(1ULL << (8 * sizeof(To) - 1)) : To{0};
  }
  if (x <= static_cast<From>(low)) {
    return low;
  }
  return x >= static_cast<From>(high) ? high : static_cast<To>(x);
}

} // namespace tilesim::detail

// Bits as they are.
TILESIM_API int __float_as_int(float x) { return ::tilesim::detail::bits_as<int>(x); }
TILESIM_API unsigned __float_as_uint(float x) { return ::tilesim::detail::bits_as<unsigned>(x); }
TILESIM_API float __int_as_float(int x) { return ::tilesim::detail::bits_as<float>(x); }
TILESIM_API float __uint_as_float(unsigned x) { return ::tilesim::detail::bits_as<float>(x); }
TILESIM_API long long __double_as_longlong(double x) {
  return ::tilesim::detail::bits_as<long long>(x);
}
TILESIM_API double __longlong_as_double(long long x) { return ::tilesim::detail::bits_as<double>(x); }
TILESIM_API int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
TILESIM_API int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
TILESIM_API double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned>(hi)) << 32 | static_cast<unsigned>(lo)));
}

// Counting and moving bits.
TILESIM_API int __popc(unsigned x) { return __builtin_popcount(x); }
TILESIM_API int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
TILESIM_API int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned>(x)); }
TILESIM_API int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
TILESIM_API int __ffs(int x) { return __builtin_ffs(x); }
TILESIM_API int __ffsll(long long x) { return __builtin_ffsll(x); }
TILESIM_API unsigned __brev(unsigned x) {
  unsigned result = 0;
  for (int i = 0; i < 32; ++i) {
    result |= (x >> i & 1U) << (31 - i);
  }
  return result;
}
TILESIM_API unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}
TILESIM_API unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>(
      (static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31U) >> 32);
}
TILESIM_API unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  return static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31U));
}
/// Byte i of the result is byte (s >> 4i & 7) of y:x. NVIDIA's compiler clears bit 3 of selectors, by
/// which PTX's prmt would spread the byte's sign.
TILESIM_API unsigned __byte_perm(unsigned x, unsigned y, unsigned s) {
  const unsigned long long both = static_cast<unsigned long long>(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned selector = s >> (4 * i) & 7U;
    result |= (static_cast<unsigned>(both >> (8 * selector)) & 0xffU) << (8 * i);
  }
  return result;
}

// Integer arithmetic.
TILESIM_API int __mulhi(int x, int y) { return static_cast<int>(static_cast<long long>(x) * y >> 32); }
TILESIM_API unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<unsigned long long>(x) * y >> 32);
}
TILESIM_API long long __mul64hi(long long x, long long y) {
  return static_cast<long long>(static_cast<::tilesim::detail::int128>(x) * y >> 64);
}
TILESIM_API unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  return static_cast<unsigned long long>(static_cast<::tilesim::detail::uint128>(x) * y >> 64);
}
TILESIM_API int __mul24(int x, int y) {
  return static_cast<int>(static_cast<long long>(static_cast<int>(static_cast<unsigned>(x) << 8) >> 8) *
                          (static_cast<int>(static_cast<unsigned>(y) << 8) >> 8));
}
TILESIM_API unsigned __umul24(unsigned x, unsigned y) { return (x & 0xffffffU) * (y & 0xffffffU); }
TILESIM_API unsigned __sad(int x, int y, unsigned z) {
  const long long difference = static_cast<long long>(x) - y;
  return z + static_cast<unsigned>(difference < 0 ? -difference : difference);
}
TILESIM_API unsigned __usad(unsigned x, unsigned y, unsigned z) { return z + (x < y ? y - x : x - y); }
TILESIM_API int __hadd(int x, int y) { return static_cast<int>((static_cast<long long>(x) + y) >> 1); }
TILESIM_API int __rhadd(int x, int y) {
  return static_cast<int>((static_cast<long long>(x) + y + 1) >> 1);
}
TILESIM_API unsigned __uhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y) >> 1);
}
TILESIM_API unsigned __urhadd(unsigned x, unsigned y) {
  return static_cast<unsigned>((static_cast<unsigned long long>(x) + y + 1) >> 1);
}

// Conversions: _rn to nearest even, _rz toward zero, _rd down, _ru up.
#define TILESIM_TO_INTEGER(from, name, to)                                                         \
  TILESIM_API to __##from##2##name##_rn(from x) {                                                  \
    return ::tilesim::detail::to_integer<to>(static_cast<from>(__builtin_rint(x)));                                 \
  }                                                                                                \
  TILESIM_API to __##from##2##name##_rz(from x) { return ::tilesim::detail::to_integer<to>(x); }   \
  TILESIM_API to __##from##2##name##_rd(from x) {                                                  \
    return ::tilesim::detail::to_integer<to>(static_cast<from>(__builtin_floor(x)));                                \
  }                                                                                                \
  TILESIM_API to __##from##2##name##_ru(from x) {                                                  \
    return ::tilesim::detail::to_integer<to>(static_cast<from>(__builtin_ceil(x)));                                 \
  }
TILESIM_TO_INTEGER(float, int, int)
TILESIM_TO_INTEGER(float, uint, unsigned)
TILESIM_TO_INTEGER(float, ll, long long)
TILESIM_TO_INTEGER(float, ull, unsigned long long)
TILESIM_TO_INTEGER(double, int, int)
TILESIM_TO_INTEGER(double, uint, unsigned)
TILESIM_TO_INTEGER(double, ll, long long)
TILESIM_TO_INTEGER(double, ull, unsigned long long)
#undef TILESIM_TO_INTEGER

TILESIM_API float __int2float_rn(int x) { return static_cast<float>(x); }
TILESIM_API float __uint2float_rn(unsigned x) { return static_cast<float>(x); }
TILESIM_API float __ll2float_rn(long long x) { return static_cast<float>(x); }
TILESIM_API float __ull2float_rn(unsigned long long x) { return static_cast<float>(x); }
TILESIM_API double __int2double_rn(int x) { return x; }
TILESIM_API double __uint2double_rn(unsigned x) { return x; }
TILESIM_API double __ll2double_rn(long long x) { return static_cast<double>(x); }
TILESIM_API double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
TILESIM_API float __double2float_rn(double x) { return static_cast<float>(x); }

namespace tilesim::detail {

/// Numbers, vectors of them and half-precision ones.
template <class T>
concept cached_type =
    (::std::is_arithmetic_v<T> && !::std::is_same_v<T, bool> && sizeof(T) <= 8) || half_type<T> ||
    requires(T v) { v.x; };

} // namespace tilesim::detail

// Loads and stores that name a cache: plain ones here.
#define TILESIM_LOAD(name)                                                                         \
  template <::tilesim::detail::cached_type T>                                                      \
  TILESIM_API T name(const T* ptr) {                                                               \
    return *ptr;                                                                                   \
  }
TILESIM_LOAD(__ldg)
TILESIM_LOAD(__ldca)
TILESIM_LOAD(__ldcg)
TILESIM_LOAD(__ldcs)
TILESIM_LOAD(__ldlu)
TILESIM_LOAD(__ldcv)
#undef TILESIM_LOAD
#define TILESIM_STORE(name)                                                                        \
  template <class T, class U>                                                                      \
  TILESIM_API void name(T* ptr, U value) {                                                         \
    *ptr = value;                                                                                  \
  }
TILESIM_STORE(__stwb)
TILESIM_STORE(__stcg)
TILESIM_STORE(__stcs)
TILESIM_STORE(__stwt)
#undef TILESIM_STORE
