// What printf prints in a tile kernel when a conversion does not fit its argument, or is one that
// tile code does not have: the simulator reports it, and goes on as an H200.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_tile.h>

namespace ct = ::cuda::tiles;

__tile_global__ void mismatches(int n, float f, double d, long l) {
  printf("[%d] [%x] [%u]\n", f, d, f);
  printf("[%f] [%g]\n", n, l);
  printf("[%d] [%x]\n", l, l);
  printf("[%ld] [%ld] [%lld] [%lu]\n", n, -n, -n, -n);
  printf("[%lx] [%ld]\n", d, f);
  printf("[%d] [%d]\n", __half(1.5F), 7);
  printf("[%d] [%d]\n", __nv_fp8_e4m3(1.5F), 7);
  printf("[%f]\n", 4607182418800017408L);
  printf("[%p] [%p] [%s]\n", n, l, nullptr);
  printf("[%lld]\n", ct::iota<ct::tile<int, ct::shape<2>>>() - 1);
  printf("[%f]\n", ct::iota<ct::tile<int, ct::shape<2>>>());
}

__tile_global__ void unknown_lengths(int n, double d) {
  printf("[%zu] [%d]\n", static_cast<std::size_t>(n), 2);
  printf("[%d] [%zd] [%d]\n", 1, 2L, 3);
  printf("[%jd] [%td] [%d]\n", 1L, 2L, 3);
  printf("[%Lf] [%f]\n", static_cast<long double>(d), d);
  printf("[%'d] [%d]\n", n, 2);
  printf("[%1$d]\n", n);
}

__tile_global__ void odd_flags(int n, double d) {
  printf("[%lf] [%hf]\n", d, d);
  printf("[%+s] [%05s] [%#d] [%#c] [% s]\n", "ab", "cd", n, 'e', "f");
  printf("100%\n", n);
}

int main() {
  mismatches<<<1, 1>>>(42, 1.5F, 2.5, (1L << 33) | 5);
  unknown_lengths<<<1, 1>>>(42, 2.5);
  odd_flags<<<1, 1>>>(42, 2.5);
  const cudaError_t status = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
