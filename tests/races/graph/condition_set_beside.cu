// A kernel sets the condition that a conditional node asks. Racy: no edge leads from one to the other.
// [CUDA programming guide: conditional graph nodes]
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void decide(cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, 1); // race: data-race with @node
}
__global__ void put(int* data) {
  *data = 1;
}

int main() {
  int* data = zeros(1);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t decision, conditional, inside;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph, 0, cudaGraphCondAssignDefault);
  void* told[] = {&handle};
  cudaKernelNodeParams k{};
  k.func = reinterpret_cast<void*>(decide);
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = told;
  cudaGraphAddKernelNode(&decision, graph, nullptr, 0, &k);
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeIf;
  p.conditional.size = 1;
#ifdef RACY
  const int edges = 0;
#else
  const int edges = 1;
#endif
  cudaGraphAddNode(&conditional, graph, &decision, nullptr, edges, &p); // @node
  void* arguments[] = {&data};
  k.func = reinterpret_cast<void*>(put);
  k.kernelParams = arguments;
  cudaGraphAddKernelNode(&inside, p.conditional.phGraph_out[0], nullptr, 0, &k);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  const int status = finish();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return status;
}
