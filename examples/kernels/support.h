// What the programs in this folder share: device arrays, repeatable inputs, the verdict.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cuda_tile.h"
#include "noise.h"

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

// A device array with a copy of `host`.
template <class T>
T* on_device(const std::vector<T>& host) {
  T* p = nullptr;
  cudaMalloc(&p, host.size() * sizeof(T));
  cudaMemcpy(p, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

// A device array of `count` elements whose bytes are all zero.
template <class T>
T* zeros_on_device(std::size_t count) {
  T* p = nullptr;
  cudaMalloc(&p, count * sizeof(T));
  cudaMemset(p, 0, count * sizeof(T));
  return p;
}

template <class T = float>
std::vector<T> noise_array(std::size_t count, unsigned seed) {
  std::vector<T> v(count);
  for (std::size_t i = 0; i < count; ++i) {
    v[i] = T(noise(i, seed));
  }
  return v;
}

// Prints whether every got[i] is within absolute + relative * |want[i]| of want[i], and where it is not.
// Returns what main returns: 0 if all are.
template <class T>
int verdict(const char* what, const std::vector<T>& got, const std::vector<double>& want, double absolute, double relative) {
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const double g = static_cast<double>(got[i]);
    if (!(std::fabs(g - want[i]) <= absolute + relative * std::fabs(want[i]))) {
      first = wrong++ == 0 ? i : first;
    }
  }
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    return 1;
  }
  if (wrong == 0) {
    std::printf("%s: %zu values, all right\n", what, want.size());
    return 0;
  }
  std::printf("%s: %zu of %zu values wrong; the first is [%zu] = %g, expected %g\n", what, wrong, want.size(), first,
              static_cast<double>(got[first]), want[first]);
  return 1;
}
