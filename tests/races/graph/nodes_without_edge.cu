// Two nodes of a graph write one place. Racy: no path of edges leads from one to the other.  [CUDA: CUDA graphs] Repaired:
// there is an edge.
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__tile_global__ void put(int* data, int value) {
  ct::store(data + ct::iota<ints<8>>(), ct::full<ints<8>>(value)); // race: data-race
}

int main() {
  int* data = unwritten(8);
  int value = 1;
  void* arguments[] = {&data, &value};
  cudaKernelNodeParams k{};
  k.func = reinterpret_cast<void*>(put);
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = arguments;
  cudaGraph_t graph;
  cudaGraphNode_t first, second;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k);
  value = 2;
#ifdef RACY
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &k);
#else
  cudaGraphAddKernelNode(&second, graph, &first, 1, &k);
#endif
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphDestroy(graph);
  cudaGraphLaunch(exec, nullptr);
  cudaGraphLaunch(exec, nullptr);
  const int status = finish();
  cudaGraphExecDestroy(exec);
  return status;
}
