// A vote of a warp takes no memory along. Racy: a lane reads what another one wrote before the vote. Repaired:
// __syncwarp.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void pass(int* out) {
  __shared__ int value;
  const unsigned t = threadIdx.x;
  if (t == 5) {
    value = 42; // @write
  }
#ifdef RACY
  const bool any = __any_sync(0xffffffffU, t == 5) != 0;
#else
  __syncwarp();
  const bool any = true;
#endif
  out[t] = any ? value : 0; // race: data-race with @write; may: uninitialised-read
}

int main() {
  pass<<<1, 32>>>(zeros(32));
  return finish();
}
