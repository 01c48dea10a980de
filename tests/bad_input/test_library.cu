// A test of a kernel, linked without the library that tests are written with.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <tilesim/check.hpp>

#include <cstdio>

namespace ct = cuda::tiles;

__tile_global__ void clash(int* p) { ct::store(p, static_cast<int>(ct::bid().x)); }

int main() {
  const auto report = tilesim::check([] {
    int* p = nullptr;
    cudaMalloc(&p, sizeof(int));
    clash<<<2, 1>>>(p);
    cudaDeviceSynchronize();
    cudaFree(p);
  });
  std::printf("%s", report.text().c_str());
}
