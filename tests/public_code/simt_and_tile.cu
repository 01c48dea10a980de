// SIMT kernels beside tile kernels in one file, data handed from one to the other in global memory,
// `__device__` and `__host__ __device__` helpers, `__constant__` memory, raw scalar accesses.
// SPDX-License-Identifier: Apache-2.0
#include "helper_checks.h"

#include "cuda_tile.h"

namespace ct = cuda::tiles;

__constant__ float weights[4];
__device__ int launches;

__host__ __device__ __forceinline__ int hash(int x) {
  return (x * 2654435761u) >> 24;
}
static __device__ float weigh(float x, int i) {
  return fmaf(x, weights[i & 3], 0.5f);
}

__global__ void fill(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = weigh(static_cast<float>(hash(i)), i);
  if (i == 0)
    ++launches;
}

template <typename T>
__global__ void __launch_bounds__(128) grid_stride(T* __restrict__ data, const size_t n, T add) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    data[i] += add;
  }
}

__global__ void two_dimensional(int* out, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = y * 1000 + x;
  atomicAdd(&out[64], 1);
}

// A reduction's tail by hand: plain numbers through pointers, beside tiles.
__tile_global__ void rows(const float* x, float* first, float* last, int* index, int columns) {
  int row = ct::bid().x;
  const float* start = x + row * columns;
  float most = start[0];
  int where = 0;
  for (int c = 1; c < columns; ++c) {
    if (start[c] > most) {
      most = start[c];
      where = c;
    }
  }
  first[row] = *start;
  last[row] = most;
  index[row] += where;
  auto i = ct::iota<ct::tile<int, ct::shape<8>>>();
  auto scaled = ct::load(start + i) * 2.0f + index[row];
  ct::store(first + ct::num_blocks().x + (row * 8 + i), scaled);
}

int main() {
  const float host_weights[4] = {1.0f, 2.0f, 3.0f, 4.0f};
  CHECK_CUDA(cudaMemcpyToSymbol(weights, host_weights, sizeof(host_weights)));
  const int n = 64;
  device_array<float> data(n), firsts(8 + n), lasts(8);
  device_array<int> index(8, 100);
  fill<<<(n + 31) / 32, 32>>>(data.data, n);
  grid_stride<<<3, 7>>>(data.data, size_t(n), 1.0f);
  rows<<<8, 1>>>(data.data, firsts.data, lasts.data, index.data, 8);
  grid_stride<float><<<1, 32>>>(lasts.data, 8, -1.0f);
  CHECK_LAUNCHES();
  for (int r = 0; r < 8; ++r) {
    float want[8], most = 0;
    int where = 0;
    for (int c = 0; c < 8; ++c) {
      const int i = r * 8 + c;
      want[c] = hash(i) * host_weights[i % 4] + 0.5f + 1.0f;
      if (c == 0 || want[c] > most) {
        most = want[c];
        where = c;
      }
    }
    EXPECT(firsts.host()[r] == want[0] && lasts.host()[r] == most - 1 &&
           index.host()[r] == 100 + where);
    EXPECT(firsts.host()[8 + r * 8 + 7] == 2 * want[7] + 100 + where);
  }
  int count = 0;
  CHECK_CUDA(cudaMemcpyFromSymbol(&count, launches, sizeof(count)));
  EXPECT(count == 1);

  device_array<int> grid(65);
  two_dimensional<<<dim3(2, 4), dim3(4, 2)>>>(grid.data, 8);
  CHECK_LAUNCHES();
  EXPECT(grid.host()[0] == 0 && grid.host()[63] == 7007 && grid.host()[64] == 64);
  return verdict("simt_and_tile");
}
