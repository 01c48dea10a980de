// Structures are moved whole, with padding that nothing has written, in registers, through shared memory and to the host: that
// is no defect. Racy: a member is missing, too.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

struct item {
  int value;
  char kind; // and three bytes that are nobody's
};
struct wide {
  char kind;
  double value;
  short count;
  union {
    int small; // the other half of the larger one stays as it was
    double large;
  } either;
};

__global__ void fill(item* items, wide* wides) {
  const unsigned i = threadIdx.x;
  items[i].value = static_cast<int>(i);
  items[i].kind = 'i';
  wides[i].kind = 'w';
#ifndef RACY
  wides[i].value = i;
#endif
  wides[i].count = 1;
  wides[i].either.small = 7;
}

__global__ void turn_round(const item* from, item* to) {
  __shared__ item inside[32];
  const unsigned i = threadIdx.x;
  inside[i] = from[i];
  __syncthreads();
  to[i] = inside[31 - i];
}

int main() {
  item *items = nullptr, *turned = nullptr;
  wide* wides = nullptr;
  cudaMalloc(&items, 32 * sizeof(item));
  cudaMalloc(&turned, 32 * sizeof(item));
  cudaMalloc(&wides, 32 * sizeof(wide));
  fill<<<1, 32>>>(items, wides);
  turn_round<<<1, 32>>>(items, turned);
  static item host_items[32];
  static wide host_wides[32];
  cudaMemcpy(host_items, turned, sizeof host_items, cudaMemcpyDeviceToHost);
  cudaMemcpy(host_wides, wides, sizeof host_wides, cudaMemcpyDeviceToHost); // race: uninitialised-read
#ifdef RACY
  std::printf("expect: it is wides[0] + 8 bytes of wide[32], byte 8 of allocation #3\n");
#endif
  cudaFree(items);
  cudaFree(turned);
  cudaFree(wides);
  return host_items[0].value == 31 ? finish() : 1;
}
