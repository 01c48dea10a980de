// A step of a bitonic sort exchanges two elements. Racy: both threads of a pair do it. Repaired: the lower one.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void sort(const int* in, int* out) {
  __shared__ int row[8];
  const unsigned t = threadIdx.x;
  row[t] = in[7 - t];
  __syncthreads();
  for (unsigned size = 2; size <= 8; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      const unsigned other = t ^ distance;
#ifdef RACY
      const bool mine = true;
#else
      const bool mine = other > t;
#endif
      if (mine) {
        const int a = row[t < other ? t : other]; // race: data-race with @smaller; may: data-race with @larger
        const int b = row[t < other ? other : t]; // may: data-race with @larger; may: data-race with @smaller
        const bool up = (t & size) == 0;
        row[t < other ? t : other] = (a < b) == up ? a : b; // @smaller; may: data-race; may: data-race with @larger
        row[t < other ? other : t] = (a < b) == up ? b : a; // @larger; may: data-race
      }
      __syncthreads();
    }
  }
  out[t] = row[t];
}

int main() {
  sort<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
