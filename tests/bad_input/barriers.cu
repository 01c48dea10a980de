// Threads of a block that wait for others in vain, by the first argument.
#include "cuda_tile.h"

#include <cstdlib>

__global__ void spins(volatile int* flag) {
  if (threadIdx.x < 32) {
    __syncthreads(); // line 8
  } else {
    while (*flag == 0) { // line 10
    }
    __syncthreads();
  }
}

__global__ void masks(int* out) {
  const unsigned mask = threadIdx.x < 16 ? 0xffffffffU : 0xffff0000U;
  out[threadIdx.x] = __shfl_sync(mask, static_cast<int>(threadIdx.x), 20); // line 18
}

__global__ void warp_and_block(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = __any_sync(0xffffffffU, 1); // line 23
  } else {
    __syncthreads(); // line 25
  }
}

__global__ void unnamed(int* out) {
  out[threadIdx.x] = __shfl_sync(0x0000ffffU, static_cast<int>(threadIdx.x), 3); // line 30
}

__global__ void inactive(int* out) {
  out[threadIdx.x] = __shfl_down_sync(0xffffffffU, static_cast<int>(threadIdx.x), 16); // line 34
}

__global__ void width(int* out) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffffU, static_cast<int>(threadIdx.x), 1, 12); // line 38
}

__global__ void leaves(int* out) {
  if (threadIdx.x >= 60) {
    return;
  }
  __syncthreads(); // line 45
  out[threadIdx.x] = 1;
}

__global__ void votes(int* out) {
  if (threadIdx.x < 4) {
    out[threadIdx.x] = __syncthreads_or(1); // line 51
  } else {
    out[threadIdx.x] = __syncthreads_and(1); // line 53
  }
}

__tile_global__ void tile(int* out) {
  __syncthreads(); // line 58
  *out = 1;
}

int main(int count, char** arguments) {
  const int which = count > 1 ? std::atoi(arguments[1]) : 0;
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMemset(p, 0, 64 * sizeof(int));
  switch (which) {
  case 0:
    spins<<<2, 64>>>(p);
    break;
  case 1:
    masks<<<1, 32>>>(p);
    break;
  case 2:
    warp_and_block<<<1, 32>>>(p);
    break;
  case 3:
    unnamed<<<1, 32>>>(p);
    break;
  case 4:
    inactive<<<1, 48>>>(p);
    break;
  case 5:
    width<<<1, 32>>>(p);
    break;
  case 6:
    leaves<<<1, 64>>>(p);
    break;
  case 7:
    votes<<<1, 64>>>(p);
    break;
  default:
    tile<<<1, 1>>>(p);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
