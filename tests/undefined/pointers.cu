// Pointers: differences that C++ leaves undefined; with --notes, pointers formed out of range and
// the order of pointers into different allocations.  [arithmetic operations: pointer addition …]
//
// check.py reads the comments, see arithmetic.cu; `// note:` lines count when notes are on.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <climits>
#include <cstdio>

namespace ct = cuda::tiles;
template <class E> using tile4 = ct::tile<E, ct::shape<4>>;
using i32 = tile4<int>;

template <class T> __tile__ void use(const T&) {}

// a and b are different allocations of 16 ints.
__tile_global__ void differences(int* a, int* b, int* odd) {
  const tile4<int*> p = a + ct::iota<i32>() * 5;
  use(p - a);
  use(p - (a + 16L)); // one past the end belongs to the array
  use((p + 1) - p);
  use(ct::full<tile4<int*>>(nullptr) - ct::full<tile4<int*>>(nullptr));
  use(p - b); // error: invalid pointer difference: the pointers are not into one allocation [pointer-difference]
              // | element (0) of an i64 tile [4], by tile block (0,0,0) of differences
              // | the left one is a[0] of int[16], byte 0 of allocation #1 (64 bytes of device memory, allocated at pointers.cu:@A)
              // | the right one is b[0] of int[16], byte 0 of allocation #2 (64 bytes of managed memory, allocated at pointers.cu:@B)
              // | so are 3 more elements of this tile
              // | to fix: subtract pointers into one allocation, or keep indices instead
  use(ct::full<tile4<int*>>(nullptr) - p); // error: invalid pointer difference: the pointers are not into one allocation [pointer-difference]
              // | the left one is a null pointer
  const tile4<int*> skewed = odd + ct::iota<i32>();
  use(skewed - a); // error: invalid pointer difference: 6 bytes apart, which is not a multiple of 4 [pointer-difference]
              // | the left one is a[1] + 2 bytes of int[16], byte 6 of allocation #1 (64 bytes of device memory, allocated at pointers.cu:@A)
              // | to fix: subtract pointers that are whole elements apart
  use(skewed - odd);
  int local[4];
  const tile4<int*> l = &local[0] + ct::iota<i32>();
  use(l - &local[0]); // of a kernel's own variables nothing is known
  use(l - a); // error: invalid pointer difference: the pointers are not into one allocation [pointer-difference]
}

__tile_global__ void additions(int* a, int* none) {
  use(a + ct::iota<i32>() * 5);  // up to 15
  use(ct::full<tile4<int*>>(a) + 16); // to the end
  use(a + ct::iota<i32>() * 10); // note: pointer out of range: p + 20 leaves its allocation [pointer-out-of-range]
              // | element (2) of a ptr tile [4], by tile block (0,0,0) of additions
              // | p is a[0] of int[16], byte 0 of allocation #1 (64 bytes of device memory, allocated at pointers.cu:@A), to elements of 4 bytes
              // | so is 1 more element of this tile
  use(ct::iota<i32>() * 10 + a); // note: pointer out of range: p + 20 leaves its allocation [pointer-out-of-range]
  use(ct::full<tile4<int*>>(a) - ct::iota<i32>() * -4);
  use(ct::full<tile4<int*>>(a) - ct::iota<i32>()); // note: pointer out of range: p - 1 leaves its allocation [pointer-out-of-range]
  const auto end = ct::full<tile4<int*>>(a) + 16;
  use(end - ct::iota<i32>());
  use(end + 1); // note: pointer out of range: p + 1 leaves its allocation [pointer-out-of-range]
  use((end - 1) + ULONG_MAX); // note: pointer out of range: p + 18446744073709551615 leaves the address space [pointer-out-of-range]
  use(end - LONG_MIN); // note: pointer out of range: p - -9223372036854775808 leaves the address space [pointer-out-of-range]
  use(ct::full<tile4<int*>>(none) + 0);
  use(ct::full<tile4<int*>>(none) + 1); // note: pointer out of range: p + 1 starts from a null pointer [pointer-out-of-range]
}

__tile_global__ void comparisons(int* a, int* b) {
  const tile4<int*> p = a + ct::iota<i32>();
  use(p < a);
  use(p <= a + 16L);
  use(p == b);
  use(p != nullptr);
  use(p < b);  // note: unspecified pointer order: < of pointers that are not into one allocation [pointer-order]
              // | element (0) of an i1 tile [4], by tile block (0,0,0) of comparisons
              // | the right one is b[0] of int[16], byte 0 of allocation #2 (64 bytes of managed memory, allocated at pointers.cu:@B)
  use(p >= b); // note: unspecified pointer order: >= of pointers that are not into one allocation [pointer-order]
}

int main() {
  int* a = nullptr;
  cudaMalloc(&a, 16 * sizeof(int)); // @A
  int* b = nullptr;
  cudaMallocManaged(&b, 16 * sizeof(int)); // @B
  differences<<<1, 1>>>(a, b, reinterpret_cast<int*>(reinterpret_cast<char*>(a) + 6));
  additions<<<1, 1>>>(a, nullptr);
  comparisons<<<1, 1>>>(a, b);
  cudaDeviceSynchronize();
  std::puts("done");
}
