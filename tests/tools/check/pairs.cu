// Races whose reports are held against suppressions. The first argument chooses one.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstring>

namespace ct = cuda::tiles;

// Three blocks write one place, each in a line of its own: three pairs of lines race.
__tile_global__ void three_writers(int* cell) {
  if (ct::bid().x == 0)
    ct::store(cell, 1); // first writer
  else if (ct::bid().x == 1)
    ct::store(cell, 2); // second writer
  else
    ct::store(cell, 3); // third writer
}

// What is suppressed is one line's alone: the others have orders of their own.
__tile_global__ void two_writers(int* cell) {
  if (ct::bid().x == 0)
    ct::store(cell, 1); // first writer of two
  else
    ct::store(cell, 2); // second writer of two
}

// One line that races in two arrays, and by two kinds of accesses.
__tile_global__ void one_line(int* a, int* b) {
  ct::store(a, 1), ct::store(b, 1 + ct::load(b)); // everything
}

__device__ void write(int* cell) {
  *cell = 1; // the write
}
__global__ void two_callers(int* cell) {
  if (blockIdx.x < 2)
    write(cell); // known caller
  else
    write(cell + 1); // other caller
}

int main(int, char** argv) {
  int* cells = nullptr;
  cudaMalloc(&cells, 2 * sizeof(int));
  cudaMemset(cells, 0, 2 * sizeof(int));
  int* others = nullptr;
  cudaMalloc(&others, sizeof(int));
  cudaMemset(others, 0, sizeof(int));
  const auto is = [&](const char* mode) { return std::strcmp(argv[1], mode) == 0; };
  if (is("three"))
    three_writers<<<3, 1>>>(cells);
  if (is("two"))
    two_writers<<<2, 1>>>(cells);
  if (is("line"))
    one_line<<<2, 1>>>(cells, others);
  if (is("callers"))
    two_callers<<<4, 1>>>(cells);
  cudaDeviceSynchronize();
  cudaFree(cells);
  cudaFree(others);
}
