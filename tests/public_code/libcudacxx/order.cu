// libcu++ and cuda_tile.h in either order: -DTILE_FIRST for the other one.
// SPDX-License-Identifier: Apache-2.0
#ifdef TILE_FIRST
#include <cuda_tile.h>

#include "headers.h"
#else
#include "headers.h"

#include <cuda_tile.h>
#endif

#include <cstdio>

namespace ct = cuda::tiles;
namespace cs = cuda::std;

__tile_global__ void fill(int* p) {
  using tile = ct::tile<cs::int32_t, ct::shape<4>>;
  static_assert(cs::is_same_v<tile::element_type, int>);
  ct::store(p + ct::iota<tile>(), ct::full<tile>(cs::numeric_limits<int>::max()));
}

/// Of each header that `add` does not use something.
__global__ void others(int* p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
  }
  __syncthreads();
  const cs::array<int, 4> a{3, 1, 4, 2};
  cs::array<int, 4> b{};
  cs::transform(a.begin(), a.end(), b.begin(), cs::negate<>{});
  const cs::variant<int, float> v{2.5F};
  const cs::expected<int, int> e{7};
  const cs::string_view s("four");
  const cs::mdspan<const int, cs::extents<int, 2, 2>> m(a.data());
  bar.arrive_and_wait();
  const bool over = bar.try_wait_for(bar.arrive(), cs::chrono::milliseconds(1000));
  const bool right = cs::accumulate(b.begin(), b.end(), 0) == -10 && cs::get<float>(v) == 2.5F && e.value() == 7 &&
                     s.size() == 4 && m.extent(1) == 2 && over && cs::popcount(255U) == 8 && cs::sqrt(16.0F) == 4.0F &&
                     cs::isnan(cs::nan("")) && cuda::ceil_div(7, 2) == 4 && cuda::is_power_of_two(8);
  if (!right) {
    p[threadIdx.x] = -100;
  }
}

__global__ void add(int* p) {
  const cs::array<int, 4> a{1, 2, 3, 4};
  const cs::span<int> s(p, 4);
  const cs::optional<int> o{5};
  const cs::tuple<int, int> t{6, 7};
  for (int i = 0; i < 4; ++i) {
    s[i] = s[i] == cs::numeric_limits<int>::max() ? a[i] + *o + cs::get<1>(t) : -1;
  }
}

int main() {
  int* p = nullptr;
  cudaMallocManaged(&p, 4 * sizeof(int));
  fill<<<1, 1>>>(p);
  add<<<1, 1>>>(p);
  others<<<1, 4>>>(p);
  cudaDeviceSynchronize();
  const bool right = p[0] == 13 && p[1] == 14 && p[2] == 15 && p[3] == 16;
  std::printf("%s\n", right ? "right" : "wrong");
  cudaFree(p);
  return right ? 0 : 1;
}
