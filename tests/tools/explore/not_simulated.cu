// Text for NVIDIA's assembler that is not simulated.
// SPDX-License-Identifier: Apache-2.0
#include "support.h"

__global__ void fenced(int* out) {
  asm volatile("wgmma.fence.sync.aligned;");
  *out = 1;
}

int main() {
  int* out = zeros(1);
  fenced<<<1, 1>>>(out);
  std::printf("%d\n", taken(out, 1)[0]);
}
