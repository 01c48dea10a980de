// Threads whose plain stores race: to one place, by vectors, in shared memory; and two whose stores a barrier orders.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <cuda_runtime.h>

__global__ void one_place(int* out) {
  out[threadIdx.x % 16] = 100 + static_cast<int>(threadIdx.x);
}

__global__ void vectors(int4* out) {
  const int t = static_cast<int>(threadIdx.x);
  out[t % 4] = make_int4(t, 10 * t, 20 * t, 30 * t);
}

__global__ void in_shared(int* out) {
  __shared__ int last[16];
  last[threadIdx.x % 16] = 100 + static_cast<int>(threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 16) {
    out[threadIdx.x] = 2 * last[threadIdx.x];
  }
}

__global__ void ordered(int* out) {
  if (threadIdx.x < 16) {
    out[threadIdx.x] = 1;
  }
  __syncthreads();
  if (threadIdx.x >= 16) {
    out[threadIdx.x - 16] = 2;
  }
}

int main(int, char** arguments) {
  if (std::strcmp(arguments[1], "bytes") == 0) { // whose elements are of no known type
    void* bytes;
    cudaMalloc(&bytes, 64);
    cudaMemset(bytes, 0, 64);
    one_place<<<1, 64>>>(static_cast<int*>(bytes));
    cudaDeviceSynchronize();
    return 0;
  }
  int* out;
  cudaMalloc(&out, 64);
  cudaMemset(out, 0, 64);
  if (std::strcmp(arguments[1], "one_place") == 0) {
    one_place<<<1, 64>>>(out);
  } else if (std::strcmp(arguments[1], "vectors") == 0) {
    vectors<<<1, 32>>>(reinterpret_cast<int4*>(out));
  } else if (std::strcmp(arguments[1], "in_shared") == 0) {
    in_shared<<<1, 64>>>(out);
  } else {
    ordered<<<1, 32>>>(out);
  }
  cudaDeviceSynchronize();
}
