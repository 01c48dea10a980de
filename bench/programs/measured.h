// What the programs of checked.cu and checked_reads.cu share: memory of the device, and clocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda_tile.h"

#include <ctime>
#include <vector>

/// Device memory with a copy of `from`.
template <class T>
T* fresh(const std::vector<T>& from) {
  T* p = nullptr;
  cudaMalloc(&p, from.size() * sizeof(T));
  cudaMemcpy(p, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

/// A clock of the system (CLOCK_…), in nanoseconds.
inline double nanoseconds(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}
