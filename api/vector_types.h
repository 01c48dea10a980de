// CUDA's vector types: char1 to double4, and dim3.
//
// Sizes and alignments are checked against NVIDIA's compiler by tests/sim/runtime/probe/layout.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include <host_defines.h>

// Alignment of the two- and four-element types; one and three elements are aligned as one.
#define TILESIM_VECTORS(name, type, two, four)                                                     \
  struct name##1 {                                                                                 \
    type x;                                                                                        \
  };                                                                                               \
  struct __attribute__((aligned(two))) name##2 {                                                   \
    type x, y;                                                                                     \
  };                                                                                               \
  struct name##3 {                                                                                 \
    type x, y, z;                                                                                  \
  };                                                                                               \
  struct __attribute__((aligned(four))) name##4 {                                                  \
    type x, y, z, w;                                                                               \
  };

// clang-format off
TILESIM_VECTORS(char,      signed char,         2,  4)
TILESIM_VECTORS(uchar,     unsigned char,       2,  4)
TILESIM_VECTORS(short,     short,               4,  8)
TILESIM_VECTORS(ushort,    unsigned short,      4,  8)
TILESIM_VECTORS(int,       int,                 8, 16)
TILESIM_VECTORS(uint,      unsigned int,        8, 16)
TILESIM_VECTORS(long,      long,               16, 16)
TILESIM_VECTORS(ulong,     unsigned long,      16, 16)
TILESIM_VECTORS(longlong,  long long,          16, 16)
TILESIM_VECTORS(ulonglong, unsigned long long, 16, 16)
TILESIM_VECTORS(float,     float,               8, 16)
TILESIM_VECTORS(double,    double,             16, 16)
// clang-format on
#undef TILESIM_VECTORS

// Four elements of eight bytes, the alignment in the name.
#define TILESIM_VECTOR4(name, type)                                                                \
  struct __attribute__((aligned(16))) name##_16a {                                                 \
    type x, y, z, w;                                                                               \
  };                                                                                               \
  struct __attribute__((aligned(32))) name##_32a {                                                 \
    type x, y, z, w;                                                                               \
  };
TILESIM_VECTOR4(long4, long)
TILESIM_VECTOR4(ulong4, unsigned long)
TILESIM_VECTOR4(longlong4, long long)
TILESIM_VECTOR4(ulonglong4, unsigned long long)
TILESIM_VECTOR4(double4, double)
#undef TILESIM_VECTOR4

/// A grid's or a block's size; what is not given is 1.
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx)
      , y(vy)
      , z(vz) {}
  constexpr dim3(uint3 v)
      : x(v.x)
      , y(v.y)
      , z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
