// A view whose tensor is as long as the allocation, not as what has been written.
// Repaired: the tensor ends where the data do, and load_masked gives 0 behind.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void total(const int* data, int* out, int n) {
  const auto view = ct::partition_view{ct::tensor_span{data, ct::extents{n}}, ct::shape<8>{}};
  ct::store(out + block(), sum_of(view.load_masked(block()))); // race: uninitialised-read
}

int main() {
  int* data = unwritten(16);
  cudaMemset(data, 0, 11 * sizeof(int));
#ifdef RACY
  total<<<2, 1>>>(data, unwritten(2), 16);
#else
  total<<<2, 1>>>(data, unwritten(2), 11);
#endif
  return finish();
}
