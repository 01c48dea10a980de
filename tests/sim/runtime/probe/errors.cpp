// Every error's name, number and words, a line each.
//
// Linked with NVIDIA's runtime it wrote errors.txt; linked with tilesim's it must print the same.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

int main() {
  for (int i = -2; i < 20000; ++i) {
    const auto e = static_cast<cudaError_t>(i);
    if (std::strcmp(cudaGetErrorName(e), "unrecognized error code") != 0) {
      std::printf("%d %s: %s\n", i, cudaGetErrorName(e), cudaGetErrorString(e));
    }
  }
  std::printf("%s, %s\n",
              cudaGetErrorName(static_cast<cudaError_t>(7777)),
              cudaGetErrorString(static_cast<cudaError_t>(7777)));
  std::printf("runtime %d\n", CUDART_VERSION);
}
