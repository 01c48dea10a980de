// A graph that frees what another allocates has one executable at a time, as one that allocates.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

int main() {
  cudaGraph_t allocating = nullptr, freeing = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphExec_t one = nullptr, other = nullptr;
  cudaGraphCreate(&allocating, 0);
  cudaMemAllocNodeParams memory{};
  memory.bytesize = 64;
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphAddMemAllocNode(&node, allocating, nullptr, 0, &memory);
  cudaGraphCreate(&freeing, 0);
  cudaGraphAddMemFreeNode(&node, freeing, nullptr, 0, memory.dptr);
  cudaGraphInstantiate(&one, freeing, 0);
  const bool refused = cudaGraphInstantiate(&other, freeing, 0) == cudaErrorNotSupported;
  cudaGraphExecDestroy(one);
  cudaGraphDestroy(freeing);
  cudaGraphDestroy(allocating);
  return refused ? 0 : 1;
}
