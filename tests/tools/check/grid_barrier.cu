// A barrier of all blocks that begins anew too late: who is slow behind the release takes back the
// arrival of a block that has come to the next one, for which then all wait.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

namespace ct = cuda::tiles;
using order = ct::memory_order;

constexpr auto device = ct::thread_scope::device;

__tile__ void barrier(int* count, int* generation, int blocks) {
  int now = ct::atomic_load<order::relaxed, device>(generation);
  int arrived = ct::atomic_add<order::acq_rel, device>(count, 1);
  if (arrived == blocks - 1) {
    ct::atomic_add<order::release, device>(generation, 1);
    ct::atomic_store<order::relaxed, device>(count, 0);
  } else {
    while (ct::atomic_load<order::acquire, device>(generation) == now) {
    }
  }
}

__tile_global__ void exchange(int* count, int* generation, int* cells) {
  int block = ct::bid().x;
  int blocks = ct::num_blocks().x;
  for (int round = 0; round < 3; ++round) {
    cells[block] = round;
    barrier(count, generation, blocks);
    int next = cells[(block + 1) % blocks];
    barrier(count, generation, blocks);
    cells[block + blocks] = next;
  }
}

int main() {
  int* memory = nullptr;
  cudaMalloc(&memory, 10 * sizeof(int));
  cudaMemset(memory, 0, 10 * sizeof(int));
  exchange<<<4, 1>>>(memory, memory + 1, memory + 2);
  cudaDeviceSynchronize();
  cudaFree(memory);
}
