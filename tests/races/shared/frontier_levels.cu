// Levels of a search in one cooperative launch: blocks take from one list and put into the other, and then the two change
// places. Racy: the list that has been read is emptied before all blocks have taken what they take. Repaired: behind the
// grid's barrier.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void search(int* lists, int* lengths, int* out) {
  const auto grid = cg::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int depth = 0; depth < 3; ++depth) {
    const int now = depth % 2;
    const int next = 1 - now;
    if (i < lengths[now]) { // race: data-race with @empty
      const int vertex = lists[now * 16 + i];
      out[vertex] = depth;
      if (2 * vertex + 2 < 16) {
        const int at = atomicAdd(&lengths[next], 2);
        lists[next * 16 + at] = 2 * vertex + 1;
        lists[next * 16 + at + 1] = 2 * vertex + 2;
      }
    }
#ifndef RACY
    grid.sync();
#endif
    if (i == 0) {
      lengths[now] = 0; // @empty
    }
    grid.sync();
  }
}

int main() {
  int* lists = zeros(32);
  int* lengths = copied(std::vector<int>{1, 0});
  int* out = zeros(16);
  void* arguments[] = {&lists, &lengths, &out};
  cudaLaunchCooperativeKernel(search, dim3(8), dim3(2), arguments);
  return finish();
}
