// Integers packed into words, and sums of products and maxima: __vadd4, __dp4a, __viaddmax_s32 …
//
// A word is two integers of 16 bits or four of 8.  [CUDA Math API: SIMD Intrinsics, Integer
// Intrinsics; CUDA C++ Programming Guide: DPX]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tilesim/detail/machine.hpp>
#include <vector_types.h>

namespace tilesim::detail {

template <unsigned Bits, bool Signed>
constexpr int part(unsigned word, unsigned i) {
  const unsigned field = word >> (i * Bits) & ((1U << Bits) - 1);
  return Signed ? static_cast<int>(field << (32 - Bits)) >> (32 - Bits) : static_cast<int>(field);
}

/// Applies f to the parts of both words; each result's low bits are its part.
template <unsigned Bits, bool Signed, class F>
constexpr unsigned by_parts(unsigned a, unsigned b, F f) {
  unsigned result = 0;
  for (unsigned i = 0; i < 32 / Bits; ++i) {
    result |= (static_cast<unsigned>(f(part<Bits, Signed>(a, i), part<Bits, Signed>(b, i))) &
               ((1U << Bits) - 1))
              << (i * Bits);
  }
  return result;
}
template <unsigned Bits, bool Signed, class F>
constexpr unsigned sum_of_parts(unsigned a, unsigned b, F f) {
  unsigned result = 0;
  for (unsigned i = 0; i < 32 / Bits; ++i) {
    result += static_cast<unsigned>(f(part<Bits, Signed>(a, i), part<Bits, Signed>(b, i)));
  }
  return result;
}
template <unsigned Bits, bool Signed>
constexpr int saturated(int x) {
  constexpr int low = Signed ? -(1 << (Bits - 1)) : 0;
  constexpr int high = Signed ? (1 << (Bits - 1)) - 1 : (1 << Bits) - 1;
  return x < low ? low : x > high ? high : x;
}
constexpr int magnitude(int x) {
  return x < 0 ? -x : x;
}
constexpr int smaller(int a, int b) {
  return a < b ? a : b;
}
constexpr int larger(int a, int b) {
  return a < b ? b : a;
}

} // namespace tilesim::detail

// clang-format off
#define TILESIM_PACKED(name, bits, sign, expression)                                               \
  TILESIM_API unsigned name(unsigned x, unsigned y) {                                              \
    return ::tilesim::detail::by_parts<bits, sign>(x, y, [](int a, int b) { return expression; }); \
  }
#define TILESIM_PACKED_1(name, bits, sign, expression)                                             \
  TILESIM_API unsigned name(unsigned x) {                                                          \
    return ::tilesim::detail::by_parts<bits, sign>(x, 0, [](int a, int) { return expression; });   \
  }
#define TILESIM_COMPARED(name, n, bits, sign, condition)                                           \
  TILESIM_PACKED(__vcmp##name##n, bits, sign, (condition) ? -1 : 0)                                \
  TILESIM_PACKED(__vset##name##n, bits, sign, (condition) ? 1 : 0)
#define TILESIM_WORDS(n, bits)                                                                     \
  TILESIM_PACKED(__vadd##n, bits, false, a + b)                                                    \
  TILESIM_PACKED(__vsub##n, bits, false, a - b)                                                    \
  TILESIM_PACKED(__vaddss##n, bits, true, (::tilesim::detail::saturated<bits, true>(a + b)))       \
  TILESIM_PACKED(__vaddus##n, bits, false, (::tilesim::detail::saturated<bits, false>(a + b)))     \
  TILESIM_PACKED(__vsubss##n, bits, true, (::tilesim::detail::saturated<bits, true>(a - b)))       \
  TILESIM_PACKED(__vsubus##n, bits, false, (::tilesim::detail::saturated<bits, false>(a - b)))     \
  TILESIM_PACKED(__vabsdiffs##n, bits, true, ::tilesim::detail::magnitude(a - b))                  \
  TILESIM_PACKED(__vabsdiffu##n, bits, false, ::tilesim::detail::magnitude(a - b))                 \
  TILESIM_PACKED(__vavgs##n, bits, true, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)                      \
  TILESIM_PACKED(__vavgu##n, bits, false, (a + b + 1) >> 1)                                        \
  TILESIM_PACKED(__vhaddu##n, bits, false, (a + b) >> 1)                                           \
  TILESIM_PACKED(__vmaxs##n, bits, true, ::tilesim::detail::larger(a, b))                          \
  TILESIM_PACKED(__vmaxu##n, bits, false, ::tilesim::detail::larger(a, b))                         \
  TILESIM_PACKED(__vmins##n, bits, true, ::tilesim::detail::smaller(a, b))                         \
  TILESIM_PACKED(__vminu##n, bits, false, ::tilesim::detail::smaller(a, b))                        \
  TILESIM_PACKED_1(__vabs##n, bits, true, ::tilesim::detail::magnitude(a))                         \
  TILESIM_PACKED_1(__vabsss##n, bits, true, (::tilesim::detail::saturated<bits, true>(::tilesim::detail::magnitude(a)))) \
  TILESIM_PACKED_1(__vneg##n, bits, true, -a)                                                      \
  TILESIM_PACKED_1(__vnegss##n, bits, true, (::tilesim::detail::saturated<bits, true>(-a)))        \
  TILESIM_COMPARED(eq, n, bits, false, a == b)                                                     \
  TILESIM_COMPARED(ne, n, bits, false, a != b)                                                     \
  TILESIM_COMPARED(ges, n, bits, true, a >= b)                                                     \
  TILESIM_COMPARED(geu, n, bits, false, a >= b)                                                    \
  TILESIM_COMPARED(gts, n, bits, true, a > b)                                                      \
  TILESIM_COMPARED(gtu, n, bits, false, a > b)                                                     \
  TILESIM_COMPARED(les, n, bits, true, a <= b)                                                     \
  TILESIM_COMPARED(leu, n, bits, false, a <= b)                                                    \
  TILESIM_COMPARED(lts, n, bits, true, a < b)                                                      \
  TILESIM_COMPARED(ltu, n, bits, false, a < b)                                                     \
  TILESIM_API unsigned __vsads##n(unsigned x, unsigned y) {                                        \
    return ::tilesim::detail::sum_of_parts<bits, true>(x, y, [](int a, int b) { return ::tilesim::detail::magnitude(a - b); }); \
  }                                                                                                \
  TILESIM_API unsigned __vsadu##n(unsigned x, unsigned y) {                                        \
    return ::tilesim::detail::sum_of_parts<bits, false>(x, y, [](int a, int b) { return ::tilesim::detail::magnitude(a - b); }); \
  }
TILESIM_WORDS(2, 16)
TILESIM_WORDS(4, 8)

// DPX: sums wrap; _relu: at least 0.
namespace tilesim::detail {
template <class T> constexpr T max_of(T a, T b) { return a < b ? b : a; }
template <class T> constexpr T min_of(T a, T b) { return b < a ? b : a; }
constexpr int relu_max(int a, int b) { return max_of(max_of(a, b), 0); }
constexpr int relu_min(int a, int b) { return max_of(min_of(a, b), 0); }
} // namespace tilesim::detail
#define TILESIM_DPX(kind, type, extreme)                                                           \
  TILESIM_API type __viadd##extreme##_##kind(type a, type b, type c) {                             \
    return ::tilesim::detail::extreme##_of(static_cast<type>(static_cast<unsigned>(a) + static_cast<unsigned>(b)), c); \
  }                                                                                                \
  TILESIM_API type __vi##extreme##3_##kind(type a, type b, type c) {                               \
    return ::tilesim::detail::extreme##_of(::tilesim::detail::extreme##_of(a, b), c);              \
  }
TILESIM_DPX(s32, int, max)
TILESIM_DPX(s32, int, min)
TILESIM_DPX(u32, unsigned, max)
TILESIM_DPX(u32, unsigned, min)
#undef TILESIM_DPX
#define TILESIM_DPX_RELU(extreme)                                                                  \
  TILESIM_API int __viadd##extreme##_s32_relu(int a, int b, int c) {                               \
    return ::tilesim::detail::max_of(__viadd##extreme##_s32(a, b, c), 0);                          \
  }                                                                                                \
  TILESIM_API int __vi##extreme##3_s32_relu(int a, int b, int c) {                                 \
    return ::tilesim::detail::max_of(__vi##extreme##3_s32(a, b, c), 0);                            \
  }                                                                                                \
  TILESIM_API int __vi##extreme##_s32_relu(int a, int b) {                                         \
    return ::tilesim::detail::relu_##extreme(a, b);                                                \
  }                                                                                                \
  TILESIM_PACKED(__vi##extreme##_s16x2_relu, 16, true, ::tilesim::detail::relu_##extreme(a, b))
TILESIM_DPX_RELU(max)
TILESIM_DPX_RELU(min)
#undef TILESIM_DPX_RELU
#define TILESIM_DPX_WORDS(kind, letter, extreme)                                                   \
  TILESIM_API unsigned __viadd##extreme##_##kind(unsigned a, unsigned b, unsigned c) {             \
    return __v##extreme##letter##2(__vadd2(a, b), c);                                              \
  }                                                                                                \
  TILESIM_API unsigned __vi##extreme##3_##kind(unsigned a, unsigned b, unsigned c) {               \
    return __v##extreme##letter##2(__v##extreme##letter##2(a, b), c);                              \
  }
TILESIM_DPX_WORDS(s16x2, s, max)
TILESIM_DPX_WORDS(s16x2, s, min)
TILESIM_DPX_WORDS(u16x2, u, max)
TILESIM_DPX_WORDS(u16x2, u, min)
#undef TILESIM_DPX_WORDS
#define TILESIM_DPX_WORDS_RELU(extreme)                                                            \
  TILESIM_API unsigned __viadd##extreme##_s16x2_relu(unsigned a, unsigned b, unsigned c) {         \
    return __vmaxs2(__viadd##extreme##_s16x2(a, b, c), 0);                                         \
  }                                                                                                \
  TILESIM_API unsigned __vi##extreme##3_s16x2_relu(unsigned a, unsigned b, unsigned c) {           \
    return __vmaxs2(__vi##extreme##3_s16x2(a, b, c), 0);                                           \
  }
TILESIM_DPX_WORDS_RELU(max)
TILESIM_DPX_WORDS_RELU(min)
#undef TILESIM_DPX_WORDS_RELU
// Which one it was: the first, where both are the same.
#define TILESIM_DPX_WHICH(kind, type, extreme, first)                                              \
  TILESIM_API type __vib##extreme##_##kind(type a, type b, bool* pred) {                           \
    *pred = first;                                                                                 \
    return *pred ? a : b;                                                                          \
  }
TILESIM_DPX_WHICH(s32, int, max, a >= b)
TILESIM_DPX_WHICH(u32, unsigned, max, a >= b)
TILESIM_DPX_WHICH(s32, int, min, a <= b)
TILESIM_DPX_WHICH(u32, unsigned, min, a <= b)
#undef TILESIM_DPX_WHICH
#define TILESIM_DPX_WHICH2(kind, sign, extreme, first)                                             \
  TILESIM_API unsigned __vib##extreme##_##kind(unsigned x, unsigned y, bool* pred_hi, bool* pred_lo) { \
    bool which[2];                                                                                 \
    unsigned result = 0;                                                                           \
    for (unsigned i = 0; i < 2; ++i) {                                                             \
      const int a = ::tilesim::detail::part<16, sign>(x, i);                                       \
      const int b = ::tilesim::detail::part<16, sign>(y, i);                                       \
      which[i] = first;                                                                            \
      result |= (static_cast<unsigned>(which[i] ? a : b) & 0xffffU) << (16 * i);                   \
    }                                                                                              \
    *pred_hi = which[1];                                                                           \
    *pred_lo = which[0];                                                                           \
    return result;                                                                                 \
  }
TILESIM_DPX_WHICH2(s16x2, true, max, a >= b)
TILESIM_DPX_WHICH2(u16x2, false, max, a >= b)
TILESIM_DPX_WHICH2(s16x2, true, min, a <= b)
TILESIM_DPX_WHICH2(u16x2, false, min, a <= b)
#undef TILESIM_DPX_WHICH2
// clang-format on
#undef TILESIM_WORDS
#undef TILESIM_COMPARED
#undef TILESIM_PACKED_1
#undef TILESIM_PACKED

// Sums of products: of four bytes, and of two halves of a word and two bytes of another.
namespace tilesim::detail {

template <bool Signed>
constexpr unsigned dot4(unsigned a, unsigned b, unsigned c) {
  return c + sum_of_parts<8, Signed>(a, b, [](int x, int y) { return x * y; });
}
template <bool Signed>
constexpr unsigned dot2(unsigned a, unsigned b, unsigned c, unsigned first) {
  for (unsigned i = 0; i < 2; ++i) {
    c += static_cast<unsigned>(part<16, Signed>(a, i)) *
         static_cast<unsigned>(part<8, Signed>(b, first + i));
  }
  return c;
}
template <class To, class From>
TILESIM_API To word_as(const From& from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

} // namespace tilesim::detail

#define TILESIM_DOT(type, sign, bytes, halves)                                                     \
  TILESIM_API type __dp4a(type a, type b, type c) {                                                \
    return static_cast<type>(::tilesim::detail::dot4<sign>(                                        \
        static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c)));            \
  }                                                                                                \
  TILESIM_API type __dp4a(bytes a, bytes b, type c) {                                              \
    return __dp4a(::tilesim::detail::word_as<type>(a), ::tilesim::detail::word_as<type>(b), c);    \
  }                                                                                                \
  TILESIM_API type __dp2a_lo(type a, type b, type c) {                                             \
    return static_cast<type>(::tilesim::detail::dot2<sign>(                                        \
        static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c), 0));         \
  }                                                                                                \
  TILESIM_API type __dp2a_lo(halves a, bytes b, type c) {                                          \
    return __dp2a_lo(::tilesim::detail::word_as<type>(a), ::tilesim::detail::word_as<type>(b), c); \
  }                                                                                                \
  TILESIM_API type __dp2a_hi(type a, type b, type c) {                                             \
    return static_cast<type>(::tilesim::detail::dot2<sign>(                                        \
        static_cast<unsigned>(a), static_cast<unsigned>(b), static_cast<unsigned>(c), 2));         \
  }                                                                                                \
  TILESIM_API type __dp2a_hi(halves a, bytes b, type c) {                                          \
    return __dp2a_hi(::tilesim::detail::word_as<type>(a), ::tilesim::detail::word_as<type>(b), c); \
  }
TILESIM_DOT(int, true, char4, short2)
TILESIM_DOT(unsigned, false, uchar4, ushort2)
#undef TILESIM_DOT

/// Shifts of 32 and more are ones of 32.
TILESIM_API unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32 ? lo
                     : static_cast<unsigned>(
                           (static_cast<unsigned long long>(hi) << 32 | lo) << shift >> 32);
}
TILESIM_API unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
  return shift >= 32
             ? hi
             : static_cast<unsigned>((static_cast<unsigned long long>(hi) << 32 | lo) >> shift);
}
/// The offset-th bit that is set, counted from the base on: 0 is the base itself, negative ones
/// count down. All ones: there is none.
TILESIM_API unsigned __fns(unsigned mask, unsigned base, int offset) {
  if (offset == 0) {
    return (mask >> (base & 31U) & 1U) != 0 ? base : 0xffffffffU;
  }
  int left = offset < 0 ? -offset : offset;
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += offset < 0 ? -1 : 1) {
    if ((mask >> static_cast<unsigned>(i) & 1U) != 0 && --left == 0) {
      return static_cast<unsigned>(i);
    }
  }
  return 0xffffffffU;
}
