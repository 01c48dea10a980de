// Misuses of the runtime, each of one buffer: the report calls it by its variable.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"
#include "helpers.h"

#include <cstdlib>

int main(int, char** words) {
  int* first;
  cudaMalloc(&first, 16);
  dbuf<float> second(3);
  int host[64] = {};
  switch (std::atoi(words[1])) {
  case 0: cudaMemset(first, 0, 17); break;
  case 1: cudaMemset(second.p, 0, 13); break;
  case 2: cudaMemcpy(host, second.p, 32, cudaMemcpyDeviceToHost); break;
  case 3: cudaMemcpy(first + 2, host, 16, cudaMemcpyHostToDevice); break;
  case 4: cudaFree(first + 1); break;
  case 5: cudaFreeHost(first); break;
  case 6: cudaFree(first); cudaFree(first); return 0;
  case 7: cudaMemcpy(first, first + 1, 8, cudaMemcpyDeviceToDevice); break;
  }
  cudaFree(first);
}
