// What printf gives in a __global__ kernel: how many arguments it was given, as an H200 does; on the host how many characters.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

__global__ void print(int* out) {
  out[0] = printf("%d and %d\n", 123456, 7);
  out[1] = printf("%s %c %5.2f %%\n", "text", 'x', 1.5);
  out[2] = std::printf("%u\n", 3U);
  out[3] = printf("nothing\n");
}

int main() {
  int* out = nullptr;
  int host[4] = {};
  cudaMalloc(&out, sizeof host);
  print<<<1, 1>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(out);
  const int characters = printf("%d\n", 12345);
  std::printf("%d %d %d %d %d\n", host[0], host[1], host[2], host[3], characters);
  return host[0] == 2 && host[1] == 3 && host[2] == 1 && host[3] == 0 && characters == 6 ? 0 : 1;
}
