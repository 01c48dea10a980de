// printf in tile kernels: conversions that do not fit their arguments, beside such that do. Each line
// goes on with what an H200 printed (tests/gpu/undefined_printing.cu).
//
// check.py reads the comments, see arithmetic.cu.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_fp16.h"
#include "cuda_runtime.h"
#include "cuda_tile.h"

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void fitting(int n, long l, double d, const char* text, int* p) {
  printf("%d %i %u %o %x %X %c %hd %hhx\n", n, n, n, n, n, n, n, n, n);
  printf("%ld %lli %lu %llx %lo\n", l, l, l, l, l);
  printf("%f %e %g %a %F %E %G %A\n", d, d, d, d, d, d, d, d);
  printf("%f %f %d %d %d\n", 1.5F, __half(1.5F), true, 'c', static_cast<short>(n));
  printf("%5d|%-5.3d|%+08.2f|%#x|% d|%%\n", n, n, d, n, n);
  printf("%s %.2s %p\n", "text", text, p);
  printf("%d %f\n", ct::iota<ct::tile<int, ct::shape<4>>>(), ct::full<ct::tile<float, ct::shape<2, 2>>>(0.5F));
}

__tile_global__ void integers(int n, long l, double d, int* p) {
  printf("%d\n", d); // error: printf: %d takes an integer of 32 bits, and argument 1 is a double [print-format]
                     // | by tile block (0,0,0) of integers
                     // | to fix: print floating-point numbers with %f, %e, %g or %a
  printf("%x %hd\n", n, __half(1.5F)); // error: printf: %hd takes an integer of 32 bits, and argument 2 is a double [print-format]
  printf("%d\n", l); // error: printf: %d takes an integer of 32 bits, and argument 1 is a long [print-format]
                     // | to fix: print 64-bit integers with %ld, %lu or %lx
  printf("%lu\n", static_cast<unsigned>(n)); // error: printf: %lu takes an integer of 64 bits, and argument 1 is an unsigned int [print-format]
                                             // | to fix: print integers of up to 32 bits with %d, %u or %x, those of 64 bits with %ld, %lu or %lx
  printf("%lx\n", p); // error: printf: %lx takes an integer of 64 bits, and argument 1 is a pointer [print-format]
                      // | to fix: print pointers with %p
  printf("%ld\n", ct::iota<ct::tile<int, ct::shape<2>>>()); // error: printf: %ld takes an integer of 64 bits, and argument 1 is an i32 tile [2] [print-format]
}

__tile_global__ void others(int n, long l, const char* text) {
  printf("%f\n", n); // error: printf: %f takes a floating-point number, and argument 1 is an int [print-format]
  printf("%g\n", ct::iota<ct::tile<int, ct::shape<2>>>()); // error: printf: %g takes a floating-point number, and argument 1 is an i32 tile [2] [print-format]
  printf("%p\n", l); // error: printf: %p takes a pointer, and argument 1 is a long [print-format]
  printf("%d\n", text); // error: printf: %d takes an integer of 32 bits, and argument 1 is a string [print-format]
                        // | to fix: print strings with %s
}

__tile_global__ void unknown(int n, unsigned long size) {
  printf("%zu\n", size); // error: printf: %zu is not known in tile code, and is printed as it stands [print-format]
                         // | to fix: use %ld or %lu for size_t and the like, %f for long double
  printf("%jd\n", 1L); // error: printf: %jd is not known in tile code, and is printed as it stands [print-format]
  printf("%1$d\n", n); // error: printf: %1$d is not known in tile code, and is printed as it stands [print-format]
}

__tile_global__ void lengths(double d) {
  printf("%lf %hf\n", d, d);
  printf("%llf\n", d); // error: printf: %llf is not known in tile code, and is printed as it stands [print-format]
}

// Host code prints as C does.
static void on_host(unsigned long size) {
  std::printf("%zu %*d\n", size, 5, 42);
}

int main() {
  static const char text[] = "abcd";
  char* p = nullptr;
  cudaMallocManaged(&p, sizeof text);
  for (int i = 0; i < 5; ++i) {
    p[i] = text[i];
  }
  fitting<<<1, 1>>>(42, -42L, 2.5, p, nullptr);
  integers<<<1, 1>>>(42, -42L, 2.5, nullptr);
  others<<<1, 1>>>(42, -42L, p);
  unknown<<<1, 1>>>(42, 8);
  lengths<<<1, 1>>>(2.5);
  on_host(8);
  return cudaDeviceSynchronize() != cudaSuccess;
}
