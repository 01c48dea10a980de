// An asynchronous copy out of a row that is filled again. Racy: before the copy has been waited for. Repaired: behind.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cuda/pipeline>

__global__ void shift(int* row, int* out) {
  const unsigned t = threadIdx.x;
  auto pipe = cuda::make_pipeline();
  cuda::memcpy_async(&out[t], &row[t], sizeof(int), pipe); // @copy
  pipe.producer_commit();
#ifdef RACY
  row[t] = 0; // race: data-race with @copy
  pipe.consumer_wait();
#else
  pipe.consumer_wait();
  row[t] = 0;
#endif
  pipe.consumer_release();
}

int main() {
  shift<<<1, 8>>>(copied(counting(8)), zeros(8));
  return finish();
}
