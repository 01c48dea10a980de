// The Arithmetic page, sentence by sentence: every "undefined" beside a neighbour that is defined.
//
// check.py reads the comments: a line has the findings that `// error:` names, with the details
// that `// |` lines below give, and none otherwise. The operands come from the tables in main().
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <climits>
#include <cstdio>

namespace ct = cuda::tiles;
template <class E> using tile4 = ct::tile<E, ct::shape<4>>;
using i8 = tile4<signed char>;
using u8 = tile4<unsigned char>;
using i16 = tile4<short>;
using i32 = tile4<int>;
using u32 = tile4<unsigned>;
using i64 = tile4<long>;
using u64 = tile4<unsigned long>;
using b1 = tile4<bool>;

using s8 = signed char; // scalars
using c8 = unsigned char;
using s16 = short;

template <class T> __tile__ void use(const T&) {}

// x everywhere but y in element 2
template <class T> __tile__ T but(ct::tile_element_t<T> x, ct::tile_element_t<T> y) {
  return ct::select(ct::iota<i32>() == 2, ct::full<T>(y), ct::full<T>(x));
}

__tile_global__ void addition() {
  use(ct::full<i32>(INT_MAX - 1) + 1);
  use(ct::full<i32>(INT_MIN + 1) + -1);
  use(but<i32>(1, INT_MAX) + 1); // error: signed overflow: 2147483647 + 1 does not fit i32 [signed-overflow]
                                 // | element (2) of an i32 tile [4], by tile block (0,0,0) of addition
                                 // | to fix: use an unsigned type where wrapping is meant, or a wider one
  use(ct::full<i32>(INT_MIN) + but<i32>(0, -1)); // error: signed overflow: -2147483648 + -1 does not fit i32 [signed-overflow]
  use(ct::full<i8>(127) + s8(1));                // error: signed overflow: 127 + 1 does not fit i8 [signed-overflow]
                                                 // | so are 3 more elements of this tile
  use(ct::full<i16>(-32768) + s16(-1));          // error: signed overflow: -32768 + -1 does not fit i16 [signed-overflow]
  use(ct::full<i64>(LONG_MAX) + 1L);             // error: signed overflow: 9223372036854775807 + 1 does not fit i64 [signed-overflow]
  use(ct::add(INT_MAX, 1));                      // error: signed overflow: add(2147483647, 1) does not fit i32 [signed-overflow]
                                                 // | a scalar i32, by tile block (0,0,0) of addition
  use(ct::add(INT_MAX - 1, 1));
  use(ct::full<u32>(UINT_MAX) + 1u);
  use(ct::full<u8>(255) + c8(1));
  use(ct::full<b1>(true) + true); // one bit, unsigned: false
  use(+ct::full<i8>(127));        // promotion changes no value
}

__tile_global__ void subtraction() {
  use(ct::full<i32>(INT_MIN + 1) - 1);
  use(but<i32>(0, INT_MIN) - 1);       // error: signed overflow: -2147483648 - 1 does not fit i32 [signed-overflow]
  use(ct::sub(0L, LONG_MIN));          // error: signed overflow: sub(0, -9223372036854775808) does not fit i64 [signed-overflow]
  use(ct::sub(-1L, LONG_MIN));
  use(0u - ct::full<u32>(1));
}

__tile_global__ void negation() {
  use(-ct::full<i32>(INT_MIN + 1));
  use(-but<i32>(1, INT_MIN));          // error: signed overflow: -(-2147483648) does not fit i32 [signed-overflow]
  use(-ct::full<i8>(-128));            // error: signed overflow: -(-128) does not fit i8 [signed-overflow]
  use(-ct::full<u32>(1));
  use(-ct::full<u8>(128));
  use(-ct::full<b1>(true));
}

__tile_global__ void multiplication() {
  use(ct::full<i32>(46341) * 46340);
  use(ct::full<i32>(46341) * 46341);   // error: signed overflow: 46341 * 46341 does not fit i32 [signed-overflow]
  use(ct::full<i32>(INT_MIN) * -1);    // error: signed overflow: -2147483648 * -1 does not fit i32 [signed-overflow]
  use(ct::mul(1L << 62, 2L));          // error: signed overflow: mul(4611686018427387904, 2) does not fit i64 [signed-overflow]
  use(ct::mul(1L << 62, -2L));
  use(ct::full<i8>(16) * s8(8));       // error: signed overflow: 16 * 8 does not fit i8 [signed-overflow]
  use(ct::full<i8>(16) * s8(-8));
  use(ct::full<u32>(UINT_MAX) * 2u);
}

__tile_global__ void division() {
  use(ct::full<i32>(7) / 1);
  use(ct::full<i32>(7) / but<i32>(1, 0)); // error: division by zero: 7 / 0 [division-by-zero]
                                          // | element (2) of an i32 tile [4], by tile block (0,0,0) of division
  use(ct::full<u32>(7) / 0u);             // error: division by zero: 7 / 0 [division-by-zero]
  use(ct::full<i32>(INT_MIN) / -1);       // error: unrepresentable quotient: -2147483648 / -1 does not fit i32 [unrepresentable-quotient]
                                          // | element (0) of an i32 tile [4], by tile block (0,0,0) of division
                                          // | to fix: divide in a wider type, or treat a divisor of -1 by itself
  use(ct::full<i32>(INT_MIN + 1) / -1);
  use(ct::full<i32>(INT_MIN) / 1);
  use(ct::div(-128L, 0L));                // error: division by zero: div(-128, 0) [division-by-zero]
  use(ct::full<i8>(-128) / s8(-1));       // error: unrepresentable quotient: -128 / -1 does not fit i8 [unrepresentable-quotient]
  use(ct::full<u32>(0x80000000u) / UINT_MAX);
  use(ct::full<b1>(true) / false);        // error: division by zero: true / false [division-by-zero]
  use(ct::full<tile4<float>>(1) / 0);     // of floating point: infinity
  // Both kinds in one call are two findings.
  use(ct::full<i32>(INT_MIN) / but<i32>(-1, 0)); // error: division by zero: -2147483648 / 0 [division-by-zero]; unrepresentable quotient: -2147483648 / -1 does not fit i32 [unrepresentable-quotient]
                                                 // | so are 2 more elements of this tile
}

__tile_global__ void rounded_division() {
  use(ct::ceildiv(ct::full<i32>(7), 2));
  use(ct::ceildiv(ct::full<i32>(7), 0));        // error: division by zero: ceildiv(7, 0) [division-by-zero]
  use(ct::ceildiv(ct::full<u32>(7), 0u));       // error: division by zero: ceildiv(7, 0) [division-by-zero]
  use(ct::ceildiv(ct::full<i32>(INT_MIN), -1)); // error: unrepresentable quotient: ceildiv(-2147483648, -1) does not fit i32 [unrepresentable-quotient]
  use(ct::ceildiv(INT_MIN, -2));
  use(ct::floordiv(ct::full<i32>(7), 2));
  use(ct::floordiv(ct::full<i32>(-7), 0));      // error: division by zero: floordiv(-7, 0) [division-by-zero]
  use(ct::floordiv(ct::full<u64>(7), 0ul));     // error: division by zero: floordiv(7, 0) [division-by-zero]
  use(ct::floordiv(INT_MIN, -1));               // error: unrepresentable quotient: floordiv(-2147483648, -1) does not fit i32 [unrepresentable-quotient]
  use(ct::floordiv(INT_MIN, -3));
}

__tile_global__ void remainders() {
  use(ct::full<i32>(7) % 3);
  use(ct::full<i32>(7) % 0);                    // error: division by zero: 7 % 0 [division-by-zero]
  use(ct::full<i32>(INT_MIN) % -1);             // error: unrepresentable quotient: -2147483648 % -1, whose quotient does not fit i32 [unrepresentable-quotient]
  use(ct::full<i32>(INT_MIN) % 1);
  use(ct::remainder(ct::full<u32>(7), 0u));     // error: division by zero: remainder(7, 0) [division-by-zero]
  use(ct::remainder(LONG_MIN, -1L));            // error: unrepresentable quotient: remainder(-9223372036854775808, -1), whose quotient does not fit i64 [unrepresentable-quotient]
  use(ct::remainder(LONG_MIN, -2L));
  use(ct::remainder(1.0f, 0.0f)); // NaN
}

__tile_global__ void bits() {
  use(ct::full<i32>(-1) & INT_MIN);
  use(~ct::full<i32>(INT_MIN));
}

// The count keeps its own type and need not be that of the value.
__tile_global__ void left_shift() {
  use(ct::full<i32>(1) << 31);  // representable or not, the result is taken modulo 2^N
  use(ct::full<i32>(-1) << 31); // a negative left operand is defined
  use(ct::full<i32>(1) << but<i32>(0, 32)); // error: shift count out of range: 1 << 32, where an i32 takes 0 to 31 [shift-out-of-range]
                                            // | element (2) of an i32 tile [4], by tile block (0,0,0) of left_shift
                                            // | to fix: mask the count (n & 31), or select the result for larger ones
  use(ct::full<i32>(1) << -1);              // error: shift count out of range: 1 << -1, where an i32 takes 0 to 31 [shift-out-of-range]
  use(ct::full<u32>(1) << ct::full<i8>(-1)); // error: shift count out of range: 1 << -1, where a u32 takes 0 to 31 [shift-out-of-range]
  use(ct::full<i8>(1) << ct::full<u64>(ULONG_MAX)); // error: shift count out of range: 1 << 18446744073709551615, where an i8 takes 0 to 7 [shift-out-of-range]
  use(ct::full<i8>(1) << ct::full<i32>(256)); // error: shift count out of range: 1 << 256, where an i8 takes 0 to 7 [shift-out-of-range]
  use(ct::full<i8>(1) << ct::full<u64>(7));
  use(ct::full<i64>(1) << ct::full<i8>(63));
  use(ct::full<i64>(1) << ct::full<u8>(64)); // error: shift count out of range: 1 << 64, where an i64 takes 0 to 63 [shift-out-of-range]
  // a column of values and a row of counts
  using column = ct::tile<short, ct::shape<4, 1>>;
  using row = ct::tile<int, ct::shape<1, 4>>;
  use(ct::full<column>(3) << ct::iota<row>() * 5); // 0, 5, 10, 15
  use(ct::full<column>(3) << ct::iota<row>() * 6); // error: shift count out of range: 3 << 18, where an i16 takes 0 to 15 [shift-out-of-range]
                                                   // | element (0,3) of an i16 tile [4x4], by tile block (0,0,0) of left_shift
                                                   // | so are 3 more elements of this tile
}

__tile_global__ void right_shift() {
  use(ct::full<i32>(INT_MIN) >> 31);
  use(ct::full<i32>(INT_MIN) >> 32);     // error: shift count out of range: -2147483648 >> 32, where an i32 takes 0 to 31 [shift-out-of-range]
  use(ct::full<u32>(1) >> -1);           // error: shift count out of range: 1 >> -1, where a u32 takes 0 to 31 [shift-out-of-range]
  use(ct::full<i16>(1) >> ct::full<u64>(1ul << 40)); // error: shift count out of range: 1 >> 1099511627776, where an i16 takes 0 to 15 [shift-out-of-range]
  use(ct::full<i16>(1) >> ct::full<u64>(15));
}

__tile_global__ void extremes() {
  use(ct::max(ct::full<i32>(INT_MIN), INT_MAX));
  use(ct::min(ct::full<i32>(INT_MIN), INT_MAX));
  use(ct::abs(ct::full<i32>(INT_MIN + 1)));
  use(ct::abs(but<i32>(-5, INT_MIN)));   // error: signed overflow: abs(-2147483648) does not fit i32 [signed-overflow]
  use(ct::abs(ct::full<i16>(-32768)));   // error: signed overflow: abs(-32768) does not fit i16 [signed-overflow]
  use(ct::abs(ct::full<u32>(UINT_MAX)));
  use(ct::mulhi(ct::full<i32>(INT_MIN), INT_MIN)); // never undefined
  use(ct::mulhi(ct::full<i64>(LONG_MIN), -1L));
}

// [general: scalar conversion] Truncation, where the integer type has the result.
__tile_global__ void conversions() {
  using f32 = tile4<float>;
  use(ct::element_cast<int>(ct::full<f32>(-2147483648.0f)));
  use(ct::element_cast<int>(but<f32>(0, 2147483648.0f))); // error: conversion out of range: 2147483648 does not fit i32 [conversion-out-of-range]
                                                          // | element (2) of an i32 tile [4], by tile block (0,0,0) of conversions
  use(ct::element_cast<unsigned>(ct::full<f32>(-0.75f)));
  use(ct::element_cast<unsigned>(ct::full<f32>(-1.0f))); // error: conversion out of range: -1 does not fit u32 [conversion-out-of-range]
  use(ct::element_cast<long>(ct::full<f32>(__builtin_nanf("")))); // error: conversion out of range: nan does not fit i64 [conversion-out-of-range]
  use(ct::element_cast<signed char>(ct::full<tile4<double>>(300))); // error: conversion out of range: 300 does not fit i8 [conversion-out-of-range]
  use(ct::element_cast<signed char>(ct::full<i32>(300))); // integers are taken modulo 2^N
  use(ct::element_cast<bool>(ct::full<f32>(1e30f)));
}

// [memory operations: atomic_add, atomic_sub]
__tile_global__ void atomics(int* p, unsigned* u) {
  constexpr ct::memory_order_relaxed_t relaxed;
  using pointers = ct::tile<int*, ct::shape<4>>;
  const pointers q = p + ct::iota<i32>(); // INT_MAX, INT_MIN, 0, 5
  const b1 first = ct::iota<i32>() == 0;
  use(ct::atomic_add_masked(q, ct::full<i32>(1), !first, relaxed));
  use(ct::atomic_sub_masked(q, ct::full<i32>(1), first, relaxed));
  use(ct::atomic_add(q, ct::full<i32>(2), relaxed)); // error: atomic overflow: atomic_add of 2 to 2147483646 does not fit i32 [atomic-overflow]
                                                     // | element (0) of an i32 tile [4], by tile block (0,0,0) of atomics
                                                     // | to fix: use an unsigned type where the result may wrap, or a wider one
  ct::store(q, ct::iota<i32>() * -1);                                     // 0, -1, -2, -3
  use(ct::atomic_sub(q, ct::select(first, ct::full<i32>(0), ct::full<i32>(INT_MAX)), relaxed)); // error: atomic overflow: atomic_sub of 2147483647 from -2 does not fit i32 [atomic-overflow]
                                                                          // | so is 1 more element of this tile
  // The negation overflows although the difference exists; where masked out, nothing is negated.
  ct::store(q, ct::full<i32>(-5));
  use(ct::atomic_sub_masked(q, ct::select(first, ct::full<i32>(INT_MIN), ct::full<i32>(1)), !first, relaxed));
  use(ct::atomic_sub(p, INT_MIN, relaxed)); // error: atomic overflow: atomic_sub of -2147483648 from -5, whose negation does not fit i32 [atomic-overflow]
  use(ct::atomic_add(u, 1u, relaxed));
  use(ct::atomic_sub(u, 5u, relaxed));
}

// [tile operations: extract]
__tile_global__ void parts() {
  using i4x8 = ct::tile<int, ct::shape<4, 8>>;
  use(ct::extract(ct::full<i4x8>(1), ct::shape<2, 2>{}, 1, 3));
  use(ct::extract(ct::full<i4x8>(1), ct::shape<2, 2>{}, 1, 4)); // error: extract index out of range: sub-tile 4 along dimension 1, where an i32 tile [4x8] has 4 of this shape [extract-index]
  // | by tile block (0,0,0) of parts
  // | to fix: indices of extract count sub-tiles, not elements
  use(ct::extract(ct::full<i4x8>(1), ct::shape<2, 2>{}, -1, 0)); // error: extract index out of range: sub-tile -1 along dimension 0, where an i32 tile [4x8] has 2 of this shape [extract-index]
}

// [assumptions]
__tile_global__ void assumptions() {
  const i32 n = ct::iota<i32>() * 8;
  use(ct::assume_divisible<8>(n));
  use(ct::assume_divisible<16>(n)); // error: assume_divisible does not hold: expected a multiple of 16, got 8 [broken-assumption]
                                    // | element (1) of an i32 tile [4], by tile block (0,0,0) of assumptions
  use(ct::assume_bounded<0, 24>(n));
  use(ct::assume_bounded<0, 16>(n)); // error: assume_bounded does not hold: expected at most 16, got 24 [broken-assumption]
}

// Another block than the first, in two dimensions; and a place that is reached again is one finding.
__tile_global__ void by_block(int* out) {
  const ct::tile<int, ct::shape<2, 4>> n = ct::iota<ct::tile<int, ct::shape<2, 4>>>();
  const int block = ct::bid().x;
  use(n * (block == 1 ? 1000000000 : 1)); // error: signed overflow: 3 * 1000000000 does not fit i32 [signed-overflow]
                                          // | element (0,3) of an i32 tile [2x4], by tile block (1,0,0) of by_block
                                          // | so are 4 more elements of this tile
  // What the hardware gives follows.
  for (int i = 0; i < 3; ++i) {
    ct::store(out, ct::add(INT_MAX, i + 1)); // error: signed overflow: add(2147483647, 1) does not fit i32 [signed-overflow]
  }
}

int main() {
  int* p = nullptr;
  cudaMallocManaged(&p, 4 * sizeof(int));
  unsigned* u = nullptr;
  cudaMallocManaged(&u, sizeof(unsigned));
  addition<<<1, 1>>>();
  subtraction<<<1, 1>>>();
  negation<<<1, 1>>>();
  multiplication<<<1, 1>>>();
  division<<<1, 1>>>();
  rounded_division<<<1, 1>>>();
  remainders<<<1, 1>>>();
  bits<<<1, 1>>>();
  left_shift<<<1, 1>>>();
  right_shift<<<1, 1>>>();
  extremes<<<1, 1>>>();
  conversions<<<1, 1>>>();
  cudaDeviceSynchronize();
  const int before[] = {INT_MAX, INT_MIN, 0, 5};
  for (int i = 0; i < 4; ++i) {
    p[i] = before[i];
  }
  *u = UINT_MAX;
  atomics<<<1, 1>>>(p, u);
  parts<<<1, 1>>>();
  assumptions<<<1, 1>>>();
  cudaDeviceSynchronize();
  std::printf("%d %u\n", p[0], *u);
  by_block<<<2, 1>>>(p);
  cudaDeviceSynchronize();
  std::printf("%d\n", *p);
}
