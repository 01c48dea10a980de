// Kernels whose variables locals.test.cpp looks at, at the lines marked STOP.
// Compiled once per compiler and level of optimisation, each time in a namespace of its own.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tf32.h>
#include <cuda_tile.h>

#include <cstdio>

namespace ct = cuda::tiles;

void stop_on_the_host(); // the test's

namespace VARIANT {

using tile8 = ct::tile<float, ct::shape<8>>;
using index8 = ct::tile<int, ct::shape<8>>;

enum class color : unsigned char { red, green = 5 };
enum direction { north, south = -2 };

struct base {
  short tag;
};
struct point : base {
  int x;
  float y;
  unsigned low : 3;
  int high : 5;
  static int made;
};
struct link {
  int value;
  link* next;
};
struct holder {
  point at;
  int counts[3];
  __half h;
  ct::tile<int, ct::shape<2>> pair;
  union {
    int bits;
    float number;
  };
};

__tile_global__ void scalars(float* in, int* out, int n) {
  point pt{{8}, 1, 2.0f, 5, -7};
  bool yes = true;
  char letter = 'x';
  signed char small = -3;
  unsigned char byte = 200;
  short s = -300;
  unsigned short us = 60000;
  unsigned u = 4000000000u;
  long l = -5000000000;
  unsigned long long ull = 18446744073709551615ull;
  float f = 2.5f;
  const double d = 0.25;
  __half h = 1.5f;
  __nv_bfloat16 bf = 3.0f;
  __nv_fp8_e4m3 e4(1.0f);
  __nv_fp8_e5m2 e5(2.0f);
  color c = color::green;
  direction way = south;
  int array[4] = {1, 2, 3, 4};
  float grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
  point points[2] = {{{1}, 10, 0.5f, 7, -3}, {{2}, 20, 1.5f, 1, 3}};
  holder held{{{9}, 7, 2.5f, 2, -1}, {1, 2, 3}, 0.5f, {}, {42}};
  link last{2, nullptr};
  link first{1, &last};
  int* p = out;
  int** pp = &p;
  void* v = in;
  point* to = &points[1];
  link* list = &first;
  float& ref = in[2];
  point& second = points[1];
  static int calls = 70;
  ++calls;
  ct::store(out, n); // STOP scalars
  (void)yes, (void)letter, (void)small, (void)byte, (void)s, (void)us, (void)u, (void)l, (void)ull;
  (void)f, (void)d, (void)h, (void)bf, (void)e4, (void)e5, (void)c, (void)way, (void)array;
  (void)grid, (void)held, (void)pp, (void)v, (void)to, (void)list, (void)ref, (void)second;
  (void)pt;
}

__tile_global__ void tiles(float* in, int* out) {
  auto index = ct::iota<index8>();
  auto x = ct::load(in + index); // STOP load
  ct::tile<float, ct::shape<2, 4>> m = ct::reshape(x, ct::shape<2, 4>{});
  auto mask = x > 3.0f;
  auto half = ct::element_cast<__half>(x);
  auto bf = ct::element_cast<__nv_bfloat16>(x);
  auto fp8 = ct::element_cast<__nv_fp8_e4m3>(x);
  auto pointers = out + index;
  ct::tile<int, ct::shape<>> scalar = 7;
  tile8 wide =
      ct::load( // STOP two lines
          in + index);
  ct::store(pointers, index); // STOP tiles
  for (int i = 0; i < 3; ++i) {
    int triple = i * 3;
    ct::store(pointers, index + triple); // STOP loop
    int late = i + 1;
    ct::store(out + late, late); // STOP late
  }
  for (int k = 0; k < 2; ++k) ct::store(out, k); // STOP one line
  ct::store(in + index, ct::reshape(m, ct::shape<8>{}) + wide);
  ct::store(out, scalar);
  (void)mask, (void)half, (void)bf, (void)fp8;
}

// A function of the user's between the kernel and the operation.
inline __attribute__((always_inline)) void inlined(int* where, int amount) {
  int twice = amount * 2;
  ct::store(where, twice); // STOP inlined
}
__attribute__((noinline)) void called(int* where, int amount) {
  int thrice = amount * 3;
  ct::store(where, thrice); // STOP called
  asm volatile("" : : "r"(where), "r"(thrice));
}

__tile_global__ void calls(int* out, int n) {
  int before = n + 1;
  inlined(out, before);
  called(out, before);
  auto lambda = [&](int extra) {
    ct::store(out, n + extra); // STOP lambda
  };
  lambda(5);
  asm volatile("" : : "r"(out), "r"(n), "r"(before));
}

__tile_global__ void large(float* in) {
  ct::tile<float, ct::shape<32768>> big = ct::full<ct::tile<float, ct::shape<32768>>>(2.0f);
  ct::store(in, 1.0f); // STOP large
  (void)big;
}

int point::made = 0;
long* of_the_program = nullptr;
namespace app {
float limits[3] = {1, 2, 4};
}
__device__ int total = 17;

void run(float* in, int* out) {
  asm volatile("" : : "r"(app::limits), "r"(&total), "r"(&of_the_program), "r"(&point::made));
  float* floats = in;
  stop_on_the_host();
  scalars<<<1, 1>>>(floats, out, 100);
  tiles<<<1, 1>>>(floats, out);
  calls<<<1, 1>>>(out, 4);
  large<<<1, 1>>>(floats);
  cudaDeviceSynchronize();
}

} // namespace VARIANT
