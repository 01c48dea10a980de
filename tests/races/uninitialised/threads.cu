// The last thread leaves its element as it was. Repaired: it does not.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void fill(int* data, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
#ifdef RACY
  if (i < n - 1) {
#else
  if (i < n) {
#endif
    data[i] = i;
  }
}
__global__ void twice(int* data, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) {
    data[i] *= 2; // race: uninitialised-read
  }
}

int main() {
  int* data = unwritten(20);
  fill<<<3, 8>>>(data, 20);
  twice<<<3, 8>>>(data, 20);
  return finish();
}
