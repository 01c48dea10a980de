// Optimization hints wherever they may stand: before kernels and templates of them, before
// declarations, assignments and expression statements; several in one attribute, one per target.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

// NVIDIA's compiler says that a hint before a declaration does nothing.
#pragma nv_diag_suppress 20364

namespace ct = cuda::tiles;
using vec = ct::tile<int, ct::shape<16>>;

[[cutile::hint(0, occupancy = 4)]]
__tile_global__ void before(int* out) {
  int first = 16 * ct::bid().x;
  auto i = first + ct::iota<vec>();
  [[cutile::hint(0, latency = 2)]] ct::store(out + i, i);
}

template <typename T>
[[using cutile: hint(0, num_cta_in_cga = 2), hint(900, occupancy = 8)]]
__tile_global__ void after_the_template_head(T* out, const T* in) {
  int first = 16 * ct::bid().x;
  auto i = first + ct::iota<vec>();
  [[cutile::hint(0, latency = 4)]] auto x = ct::load(in + i);
  ct::tile<T, ct::shape<16>> y;
  [[cutile::hint(900, latency = 10), cutile::hint(1000, latency = 3)]]
  y = ct::load(in + i);
  [[using cutile: hint(0, latency = 1)]]
  ct::store(out + i, x + y);
}

[[cutile::hint(1000, num_cta_in_cga = 2, occupancy = 2), ]]
[[cutile::hint(900, occupancy = 1)]]
static __tile_global__ void several(int* out, const int* in, int n) {
  for (int k = ct::bid().x; k < n; k += ct::num_blocks().x) {
    auto i = k * 16 + ct::iota<vec>();
    if (k % 2 == 0) {
      [[cutile::hint(0, latency = 5)]]
      ct::store_masked(out + i, ct::load(in + i) + 1, i < 16 * n);
    } else {
      [[cutile::hint(0, latency = 5)]] auto old = ct::load_masked(in + i, i < 16 * n, 0);
      ct::store(out + i, old - 1);
    }
  }
}

// A hint that a macro chooses.
#define TILE_HINTS(n) [[cutile::hint(0, occupancy = n)]]
#define LOAD_HINT [[cutile::hint(0, latency = 6)]]
TILE_HINTS(2) __tile_global__ void by_macro(int* out) {
  auto i = ct::iota<vec>();
  LOAD_HINT ct::store(out + i, i * i);
}

[[cutile::hint(0, occupancy = 2)]] __tile_global__ void declared_first(int* out, int value);

int main() {
  device_array<int> out(64), in(64, 5);
  before<<<4, 1>>>(out.data);
  CHECK_LAUNCHES();
  auto o = out.host();
  for (int i = 0; i < 64; ++i) {
    EXPECT(o[i] == i);
  }
  after_the_template_head<<<4, 1>>>(out.data, in.data);
  CHECK_LAUNCHES();
  o = out.host();
  EXPECT(o[0] == 10 && o[63] == 10);
  several<<<3, 1>>>(out.data, in.data, 4);
  CHECK_LAUNCHES();
  o = out.host();
  EXPECT(o[0] == 6 && o[16] == 4 && o[47] == 6 && o[63] == 4);
  by_macro<<<1, 1>>>(out.data);
  CHECK_LAUNCHES();
  EXPECT(out.host()[15] == 225);
  declared_first<<<1, 1>>>(out.data, 77);
  CHECK_LAUNCHES();
  EXPECT(out.host()[15] == 77);
  return verdict("hints");
}

__tile_global__ void declared_first(int* out, int value) {
  ct::store(out + ct::iota<vec>(), ct::full<vec>(value));
}
