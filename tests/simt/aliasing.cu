// A structure that is shuffled by its words, through pointers to another type: the words are what was stored, as in NVIDIA's
// compiler, though C++ lets a compiler take the two for different memory. (CUB's reductions of structures do so.)
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>

struct best {
  int value;
  long long index;
};

template <class T>
__device__ T shuffle_down(T value, unsigned by) {
  T result;
  const unsigned* from = reinterpret_cast<const unsigned*>(&value);
  unsigned* to = reinterpret_cast<unsigned*>(&result);
  for (unsigned i = 0; i < sizeof(T) / sizeof(unsigned); ++i) {
    to[i] = __shfl_down_sync(~0u, from[i], by);
  }
  return result;
}

__global__ void largest(const int* data, int n, best* out) {
  best mine{data[threadIdx.x], threadIdx.x};
  for (int i = static_cast<int>(threadIdx.x) + 32; i < n; i += 32) {
    if (data[i] > mine.value) {
      mine = {data[i], i};
    }
  }
  for (unsigned by = 16; by > 0; by /= 2) {
    const best other = shuffle_down(mine, by);
    if (other.value > mine.value || (other.value == mine.value && other.index < mine.index)) {
      mine = other;
    }
  }
  if (threadIdx.x == 0) {
    out->value = mine.value;
    out->index = mine.index;
  }
}

/// The bits of a float by a pointer to an integer.
__global__ void smallest(const float* data, int n, float* out) {
  for (int i = static_cast<int>(threadIdx.x); i < n; i += 32) {
    float mine = data[i];
    atomicMin(reinterpret_cast<int*>(out), *reinterpret_cast<int*>(&mine));
  }
}

int main() {
  constexpr int n = 1000;
  int* data = nullptr;
  float* floats = nullptr;
  best* result = nullptr;
  cudaMallocManaged(&data, n * sizeof *data);
  cudaMallocManaged(&floats, (n + 1) * sizeof *floats);
  cudaMallocManaged(&result, sizeof *result);
  for (int i = 0; i < n; ++i) {
    data[i] = (i * 37 + 5) % 991;
    floats[i] = static_cast<float>(data[i]) + 0.5F;
  }
  floats[n] = 1e9F;
  largest<<<1, 32>>>(data, n, result);
  smallest<<<1, 32>>>(floats, n, floats + n);
  cudaDeviceSynchronize();
  std::printf("%d at %lld, %.1f\n", result->value, result->index, static_cast<double>(floats[n]));
  cudaFree(data);
  cudaFree(floats);
  cudaFree(result);
}
