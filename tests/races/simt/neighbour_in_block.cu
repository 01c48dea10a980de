// Each thread writes its own element and the next one's. Repaired: its own.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void fill(int* data) {
  data[threadIdx.x] = 1; // @own
#ifdef RACY
  data[threadIdx.x + 1] = 1; // race: data-race with @own
#endif
}

int main() {
  fill<<<1, 8>>>(zeros(9));
  return finish();
}
