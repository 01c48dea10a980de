// The page on assumptions: each promise broken beside the same promise kept. A value goes through
// unchanged either way.
//
// check.py reads the comments, see arithmetic.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using namespace ct::literals;

template <class T> __tile__ void use(const T&) {}

__tile_global__ void aligned(int* x) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  use(ct::assume_aligned<256>(x));
  use(ct::assume_aligned(x + 4 * i, 16_ic));
  use(ct::assume_aligned_strided<16, 4, 0>(x + i));
  x = ct::assume_aligned<16>(x + 1); // error: assume_aligned does not hold: expected a multiple of 16, got 0x… [broken-assumption]
                                     // | a scalar ptr, by tile block (0,0,0) of aligned
                                     // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_aligned(x + 3 + 2 * i, 16_ic)); // error: assume_aligned does not hold: expected a multiple of 16, got 0x… [broken-assumption]
  use(ct::assume_aligned_strided<16, 4, 0>(x + i)); // error: assume_aligned_strided does not hold: expected groups of 4 along dimension 0 that begin at a multiple of 16 and rise in single steps, got 0x… [broken-assumption]
                                                    // | element (0) of a ptr tile [8], by tile block (0,0,0) of aligned
                                                    // | to fix: correct the value or drop the assumption: the compiler may rely on it
}

// Every row assumed aligned, which depends on the stride.
__tile_global__ void rows(const float* x, int good, int bad) {
  int row = ct::bid().x;
  use(ct::assume_aligned<16>(x + row * good));
  use(ct::assume_aligned<16>(x + row * bad)); // error: assume_aligned does not hold: expected a multiple of 16, got 0x… [broken-assumption]
                                              // | a scalar ptr, by tile block (1,0,0) of rows
}

__tile_global__ void divisible(int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto square = ct::iota<ct::tile<int, ct::shape<4, 4>>>();
  use(ct::assume_divisible<8>(n));
  use(ct::assume_divisible(8 * i - 16, 8_ic));
  use(ct::assume_divisible_strided<4, 4, 0>(i));
  use(ct::assume_divisible_strided(square, 4_ic, 4_ic, 1_ic));
  use(ct::assume_divisible<16>(n)); // error: assume_divisible does not hold: expected a multiple of 16, got 8 [broken-assumption]
                                    // | a scalar i32, by tile block (0,0,0) of divisible
                                    // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_divisible(4 * i, 8_ic)); // error: assume_divisible does not hold: expected a multiple of 8, got 4 [broken-assumption]
  use(ct::assume_divisible_strided<4, 4, 0>(i + 1)); // error: assume_divisible_strided does not hold: expected groups of 4 along dimension 0 that begin at a multiple of 4 and rise in single steps, got 1 [broken-assumption]
                                                     // | element (0) of an i32 tile [8], by tile block (0,0,0) of divisible
                                                     // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_divisible_strided(square, 4_ic, 4_ic, 0_ic)); // error: assume_divisible_strided does not hold: expected groups of 4 along dimension 0 that begin at a multiple of 4 and rise in single steps, got 1 [broken-assumption]
}

__tile_global__ void bounded(int n) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  use(ct::assume_bounded_below<8>(n));
  use(ct::assume_bounded_above(i, 7_ic));
  use(ct::assume_bounded<0, 7>(i));
  use(ct::assume_bounded_below<9>(n)); // error: assume_bounded_below does not hold: expected at least 9, got 8 [broken-assumption]
                                       // | a scalar i32, by tile block (0,0,0) of bounded
                                       // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_bounded_above(i, 6_ic)); // error: assume_bounded_above does not hold: expected at most 6, got 7 [broken-assumption]
                                          // | element (7) of an i32 tile [8], by tile block (0,0,0) of bounded
                                          // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_bounded<1, 7>(i)); // error: assume_bounded does not hold: expected at least 1, got 0 [broken-assumption]
                                    // | element (0) of an i32 tile [8], by tile block (0,0,0) of bounded
                                    // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_bounded(ct::element_cast<unsigned>(i - 1), 0_ic, 7_ic)); // error: assume_bounded does not hold: expected at most 7, got 4294967295 [broken-assumption]
                                                                          // | element (0) of an i32 tile [8], by tile block (0,0,0) of bounded
                                                                          // | to fix: correct the value or drop the assumption: the compiler may rely on it
}

__tile_global__ void blocked(int* x) {
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto square = ct::iota<ct::tile<int, ct::shape<4, 4>>>();
  use(ct::assume_blocked<ct::shape<4>>(i / 4));
  use(ct::assume_blocked<ct::shape<3>>(x + i / 3));
  use(ct::assume_blocked(square / 8, ct::shape<2, 4>{}));
  use(ct::assume_blocked<ct::shape<4>>(i / 2)); // error: assume_blocked does not hold: expected all elements of one group to be equal, got 1 [broken-assumption]
                                                // | element (2) of an i32 tile [8], by tile block (0,0,0) of blocked
                                                // | to fix: correct the value or drop the assumption: the compiler may rely on it
  use(ct::assume_blocked<ct::shape<3>>(i / 4)); // error: assume_blocked does not hold: expected all elements of one group to be equal, got 1 [broken-assumption]
  use(ct::assume_blocked(square / 4, ct::shape<2, 4>{})); // error: assume_blocked does not hold: expected all elements of one group to be equal, got 1 [broken-assumption]
}

// [integer range] What a range promises of its step.
__tile_global__ void ranges(int step, unsigned none) {
  int turns = 0;
  for (int i : ct::irange(0, 5, step)) {
    turns += i;
  }
  for (int i : ct::irange(5, 0, -step)) { // error: irange's promise of a positive step does not hold: expected at least 1, got -1 [broken-assumption]
    turns += i; // none: empty
  }
  for (int i : ct::irange(0, 5, -step)) { // error: irange's promise of a positive step does not hold: expected at least 1, got -1 [broken-assumption]
    turns += i; // one
  }
  for (unsigned i : ct::irange(0u, 5u, none)) { // error: irange's promise of a positive step does not hold: expected at least 1, got 0 [broken-assumption]
    turns += i;
  }
  use(ct::assume_bounded(turns, 10_ic, 10_ic));
}

int main() {
  int* x = nullptr;
  cudaMalloc(&x, 64 * sizeof(int));
  aligned<<<1, 1>>>(x);
  rows<<<5, 1>>>((const float*)x, 12, 13);
  divisible<<<1, 1>>>(8);
  bounded<<<1, 1>>>(8);
  blocked<<<1, 1>>>(x);
  ranges<<<1, 1>>>(1, 0);
  cudaDeviceSynchronize();
}
