// Headers of the program's own that ask for __CUDA_ARCH__: functions for host and device with a body for each, macros that
// stand for their specifiers, macros for devices alone, headers that include others only for devices.
// SPDX-License-Identifier: Apache-2.0
#include "inner/vector.cuh"

#include <on_path.cuh>

#include <cstdio>

__global__ void kernel(int* out) {
  const vector v(1, 2);
  out[0] = where();
  out[1] = v.sum();
  out[2] = WARP;
  out[3] = on_path();
  out[4] = from_constant<where_constant()>();
  out[5] = counted() + counted();
  out[6] = LINES;
  out[7] = deduced(3);
}

int main() {
  int* out = nullptr;
  int device[8] = {};
  cudaMalloc(&out, sizeof device);
  kernel<<<1, 1>>>(out);
  cudaMemcpy(device, out, sizeof device, cudaMemcpyDeviceToHost);
  cudaFree(out);
  const vector v(1, 2);
  const int host[] = {
      where(), v.sum(), 0, on_path(), from_constant<where_constant()>(), counted() + counted(), LINES, deduced(3)};
  const int expected[8][2] = {{1, 2}, {1103, 3}, {32, 0}, {10, -12}, {7, 7}, {22, 3}, {45, 45}, {9, 3}};
  int wrong = 0;
  for (int i = 0; i < 8; ++i) {
    if (device[i] != expected[i][0] || host[i] != expected[i][1]) {
      std::printf("%d: %d on the device, %d on the host\n", i, device[i], host[i]);
      ++wrong;
    }
  }
  std::printf("%d wrong\n", wrong);
  return wrong;
}
