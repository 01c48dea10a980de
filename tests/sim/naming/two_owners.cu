// Memory that a variable holds and a helper's list, too. two_owners [early]: with it, a kernel's race is told
// before the one with the host's access, so that names have been asked for then.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cuda_runtime.h>
#include <vector>

namespace ct = cuda::tiles;

struct kept {
  void* pointer;
  bool pinned;
};
std::vector<kept> all_kept;

inline int* managed(int n) {
  int* p = nullptr;
  cudaMallocManaged(&p, n * sizeof(int));
  all_kept.push_back({p, false});
  return p;
}

__tile_global__ void store_number(int* out) {
  ct::store(out, static_cast<int>(ct::bid().x));
}
__tile_global__ void store_five(int* in) {
  ct::store(in, 5);
}

int main(int argc, char**) {
  int* other = managed(1);
  int* input = managed(4);
  if (argc > 1) {
    store_number<<<2, 1>>>(other);
  }
  store_five<<<1, 1>>>(input);
  *input = 42; // written early
  cudaDeviceSynchronize();
  const int result = *other + *input;
  for (const kept& k : all_kept) {
    cudaFree(k.pointer);
  }
  return result < 0 ? 1 : 0;
}
