// What a conditional node's body writes, in each of its rounds, a kernel reads. Racy: it is not ordered behind the node.
// [CUDA programming guide: conditional graph nodes]
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count_down(int* left, int* sum, cudaGraphConditionalHandle handle) {
  *sum += *left; // race: data-race with @read
  *left -= 1;
  cudaGraphSetConditional(handle, *left);
}
__global__ void copy(int* to, const int* from) {
  *to = *from; // @read
}

int main() {
  int *left = copied<int>({4}), *sum = zeros(1), *result = zeros(1);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle handle;
  cudaGraphNode_t loop, inside, behind;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams p = {};
  p.type = cudaGraphNodeTypeConditional;
  p.conditional.handle = handle;
  p.conditional.type = cudaGraphCondTypeWhile;
  p.conditional.size = 1;
  cudaGraphAddNode(&loop, graph, nullptr, nullptr, 0, &p);
  void* counted[] = {&left, &sum, &handle};
  cudaKernelNodeParams k{};
  k.func = reinterpret_cast<void*>(count_down);
  k.gridDim = k.blockDim = dim3(1);
  k.kernelParams = counted;
  cudaGraphAddKernelNode(&inside, p.conditional.phGraph_out[0], nullptr, 0, &k);
  void* copies[] = {&result, &sum};
  k.func = reinterpret_cast<void*>(copy);
  k.kernelParams = copies;
#ifdef RACY
  cudaGraphAddKernelNode(&behind, graph, nullptr, 0, &k);
#else
  cudaGraphAddKernelNode(&behind, graph, &loop, 1, &k);
#endif
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, nullptr);
  const int status = finish();
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  return status;
}
