// Types that the program has names for: for casts in expressions.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdint>

namespace ct = cuda::tiles;

using myint = int;
using u64 = unsigned long long;
namespace app {
struct point {
  int x;
  float y;
};
enum class colour : unsigned char { red, green };
using row = int[4];
} // namespace app

__tile_global__ void set(myint* m, u64* w, app::point* points, app::colour* c, app::row* rows) {
  using small = short;
  small three = 3;
  m[0] = 4;
  w[0] = 0x100000005;
  points[1].x = 7 + rows[0][1];
  m[1] = three;
  *c = app::colour::green;
}

int main() {
  char* p = nullptr;
  cudaMallocManaged(&p, 256);
  for (int i = 0; i < 256; ++i) {
    p[i] = 0;
  }
  set<<<1, 1>>>((myint*)p, (u64*)(p + 64), (app::point*)(p + 128), (app::colour*)(p + 192), (app::row*)(p + 208));
  cudaDeviceSynchronize();
  cudaFree(p);
}
