// One block writes data and raises a flag with a release; another waits for it with an acquire.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <vector>

namespace ct = cuda::tiles;

constexpr int tile_size = 64;
using index_tile = ct::tile<int, ct::shape<tile_size>>;

__tile_global__ void pass(int* data, int* flag, int* out) {
  if (ct::bid().x == 0) {
    int seen = 0;
    while (seen == 0) {
      seen = ct::atomic_load(flag, ct::memory_order_acquire_t{}, ct::thread_scope_device_t{});
    }
    auto received = ct::load(data + ct::iota<index_tile>());
    ct::store(out + ct::iota<index_tile>(), received + seen);
  } else {
    ct::store(data + ct::iota<index_tile>(), 100 * ct::iota<index_tile>());
    ct::atomic_store(flag, 1, ct::memory_order_release_t{}, ct::thread_scope_device_t{});
  }
}

int main() {
  std::vector<int> out(tile_size, -1);
  int *data = nullptr, *flag = nullptr, *dout = nullptr;
  cudaMalloc(&data, tile_size * sizeof(int));
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&dout, tile_size * sizeof(int));
  cudaMemset(data, 0, tile_size * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));

  pass<<<2, 1>>>(data, flag, dout);

  cudaMemcpy(out.data(), dout, tile_size * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(data);
  cudaFree(flag);
  cudaFree(dout);
  int wrong = 0;
  for (int i = 0; i < tile_size; ++i) {
    wrong += out[i] != 100 * i + 1;
  }
  std::printf("message_passing: %d of %d elements wrong\n", wrong, tile_size);
  return wrong == 0 ? 0 : 1;
}
