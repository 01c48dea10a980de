// Grids: three dimensions, bid and num_blocks by member and by structured bindings, early return,
// persistent loops over more work than blocks, swizzled block numbers, many small blocks.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;
using i32x16 = ct::tile<int, ct::shape<16>>;

__tile_global__ void places(int* out) {
  auto [x, y, z] = ct::bid();
  const auto [nx, ny, nz] = ct::num_blocks();
  const unsigned place = (z * ny + y) * nx + x;
  uint3 b = ct::bid();
  dim3 n = ct::num_blocks();
  out[place] =
      static_cast<int>(b.x + 10 * b.y + 100 * b.z + 1000 * (n.x * n.y * n.z == nx * ny * nz));
  // NVIDIA's internal names.
  if (ct::detail::bid<0>() != x || ct::detail::bid<1>() != y || ct::detail::bid<2>() != z ||
      ct::detail::num_blocks<0>() != nx || ct::detail::num_blocks<1>() != ny ||
      ct::detail::num_blocks<2>() != nz) {
    out[place] = -1;
  }
}

// Blocks beyond the work return at once, and so does one in the middle.
__tile_global__ void early(float* __restrict__ out, int n, int skip) {
  const int block = ct::bid().x;
  if (block * 16 >= n)
    return;
  auto i = block * 16 + ct::iota<i32x16>();
  if (block == skip) {
    ct::store_masked(out + i, ct::full<ct::tile<float, ct::shape<16>>>(-1.0f), i < n);
    return;
  } else if (block == skip + 1) {
    return;
  }
  ct::store_masked(out + i, ct::element_cast<float>(i), i < n);
}

// As many blocks as multiprocessors, each doing every so manieth tile.
template <int Tile, int Group>
__tile_global__ void persistent(int* out, int tiles_m, int tiles_n) {
  using tile = ct::tile<int, ct::shape<Tile>>;
  const int tiles = tiles_m * tiles_n;
  for (auto t :
       ct::irange(static_cast<int>(ct::bid().x), tiles, static_cast<int>(ct::num_blocks().x))) {
    const int in_group = Group * tiles_n;
    const int group = t / in_group;
    const int first_m = group * Group;
    const int group_size = ct::min(tiles_m - first_m, Group);
    const int m = first_m + t % in_group % group_size;
    const int n = t % in_group / group_size;
    auto at = (m * tiles_n + n) * Tile + ct::iota<tile>();
    ct::store(out + at, ct::load(out + at) + (t + 1));
  }
}

__tile_global__ void count(unsigned long long* counter) {
  ct::atomic_add(counter, 1ull, ct::memory_order_relaxed_t{});
}

int main() {
  const int device = best_device();
  device_array<int> out(2 * 3 * 4);
  places<<<dim3(2, 3, 4), 1>>>(out.data);
  CHECK_LAUNCHES();
  for (int i = 0; i < 24; ++i) {
    EXPECT(out.host()[i] == 1000 + i % 2 + 10 * (i / 2 % 3) + 100 * (i / 6));
  }

  device_array<float> reals(100, 0.5f);
  early<<<20, 1>>>(reals.data, 100, 2);
  CHECK_LAUNCHES();
  const auto r = reals.host();
  for (int i = 0; i < 100; ++i) {
    EXPECT(r[i] == (i / 16 == 2 ? -1.0f : i / 16 == 3 ? 0.5f : i));
  }

  int multiprocessors = 0;
  CHECK_CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const int tiles_m = 13, tiles_n = 17;
  device_array<int> work(tiles_m * tiles_n * 8);
  const dim3 grid = static_cast<unsigned>(multiprocessors / 2);
  persistent<8, 4><<<grid, 1>>>(work.data, tiles_m, tiles_n);
  CHECK_LAUNCHES();
  const auto w = work.host();
  std::vector<int> seen(tiles_m * tiles_n);
  for (int t = 0; t < tiles_m * tiles_n; ++t) {
    EXPECT(w[8 * t] >= 1 && w[8 * t] <= tiles_m * tiles_n && w[8 * t] == w[8 * t + 7]);
    ++seen[w[8 * t] - 1];
  }
  for (int times : seen) {
    EXPECT(times == 1);
  }

  device_array<unsigned long long> counter(1);
  count<<<dim3(500, 4, 2), 1>>>(counter.data);
  count<<<10000, 1>>>(counter.data);
  CHECK_LAUNCHES();
  EXPECT(counter.host()[0] == 14000);
  return verdict("grids");
}
