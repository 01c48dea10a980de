// make_char1 to make_double4: CUDA's vector types from their elements.
//
// Inlined at every level: from -O1 on g++ does not report the store of what a call returns,
// p[i] = make_float4(…), and -O1 by itself puts hardly any in line.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include <tilesim/detail/letters_begin.h>
#define __VECTOR_FUNCTIONS_HPP__

#include <vector_types.h>

#define TILESIM_MAKE4(name, type)                                                                  \
  [[gnu::always_inline]] constexpr name make_##name(type x, type y, type z, type w) {              \
    return name{x, y, z, w};                                                                       \
  }
#define TILESIM_MAKE(name, type)                                                                   \
  [[gnu::always_inline]] constexpr name##1 make_##name##1(type x) {                                \
    return name##1{x};                                                                             \
  }                                                                                                \
  [[gnu::always_inline]] constexpr name##2 make_##name##2(type x, type y) {                        \
    return name##2{x, y};                                                                          \
  }                                                                                                \
  [[gnu::always_inline]] constexpr name##3 make_##name##3(type x, type y, type z) {                \
    return name##3{x, y, z};                                                                       \
  }                                                                                                \
  TILESIM_MAKE4(name##4, type)

TILESIM_MAKE(char, signed char)
TILESIM_MAKE(uchar, unsigned char)
TILESIM_MAKE(short, short)
TILESIM_MAKE(ushort, unsigned short)
TILESIM_MAKE(int, int)
TILESIM_MAKE(uint, unsigned int)
TILESIM_MAKE(long, long)
TILESIM_MAKE(ulong, unsigned long)
TILESIM_MAKE(longlong, long long)
TILESIM_MAKE(ulonglong, unsigned long long)
TILESIM_MAKE(float, float)
TILESIM_MAKE(double, double)

TILESIM_MAKE4(long4_16a, long)
TILESIM_MAKE4(long4_32a, long)
TILESIM_MAKE4(ulong4_16a, unsigned long)
TILESIM_MAKE4(ulong4_32a, unsigned long)
TILESIM_MAKE4(longlong4_16a, long long)
TILESIM_MAKE4(longlong4_32a, long long)
TILESIM_MAKE4(ulonglong4_16a, unsigned long long)
TILESIM_MAKE4(ulonglong4_32a, unsigned long long)
TILESIM_MAKE4(double4_16a, double)
TILESIM_MAKE4(double4_32a, double)

#undef TILESIM_MAKE
#undef TILESIM_MAKE4

#include <tilesim/detail/letters_end.h>

#endif
