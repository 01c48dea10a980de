// What may go wrong with shared memory, by the first argument.
#include "cuda_tile.h"

#include <cstdlib>

struct particle {
  float x, y;
};

__global__ void bounds(int* out, int i) {
  __shared__ int other[4];
  __shared__ particle row[8][4];
  other[threadIdx.x] = 0;
  row[1][2].y = 1;
  (&row[0][0])[i].y = 2; // line 15
  out[threadIdx.x] = other[threadIdx.x];
}

__global__ void dynamic(int* out) {
  extern __shared__ int values[];
  values[threadIdx.x] = 1; // line 21
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

__device__ int* kept;

__global__ void stale(int* out) {
  __shared__ int value;
  value = 1;
  if (blockIdx.x == 0) {
    kept = &value;
  } else {
    *out = *kept; // line 34
  }
}

__global__ void foreign(int* out, volatile int* flags) {
  __shared__ int value;
  value = 1;
  if (blockIdx.x == 0) {
    kept = &value;
    flags[0] = 1;
    while (flags[1] == 0) {
    }
  } else {
    while (flags[0] == 0) {
    }
    *out = *kept; // line 49
    flags[1] = 1;
  }
}

__global__ void too_much(int* out) {
  __shared__ double table[6145]; // line 55
  table[threadIdx.x] = 1;
  out[threadIdx.x] = static_cast<int>(table[threadIdx.x]);
}

__global__ void misaligned(int* out) {
  __shared__ alignas(16) char bytes[16];
  *reinterpret_cast<int*>(bytes + 2) = 1; // line 62
  *out = bytes[2];
}

int main(int count, char** arguments) {
  const int which = count > 1 ? std::atoi(arguments[1]) : 0;
  int* p = nullptr;
  cudaMalloc(&p, 64 * sizeof(int));
  cudaMemset(p, 0, 64 * sizeof(int));
  switch (which) {
  case 0:
    bounds<<<1, 4>>>(p, 32);
    break;
  case 1:
    dynamic<<<1, 5, 4 * sizeof(int)>>>(p);
    break;
  case 2:
    stale<<<2, 1>>>(p);
    break;
  case 3:
    foreign<<<2, 1>>>(p, p + 4);
    break;
  case 4:
    too_much<<<1, 4>>>(p);
    break;
  case 5:
    misaligned<<<1, 1>>>(p);
    break;
  default:
    bounds<<<1, 4>>>(p, -1);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
}
