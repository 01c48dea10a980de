// Launches of one executable graph come one after the other, in whatever streams. Racy: two executables of one graph, which
// nothing orders.  [CUDA: graph launch] A child graph is as its nodes.
// run: hooks
// SPDX-License-Identifier: Apache-2.0
#include "../support.h"

__global__ void count(int* data) {
  data[threadIdx.x] += 1; // race: data-race
}

int main() {
  int* data = zeros(32);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaGraph_t child, graph;
  cudaStreamBeginCapture(first, cudaStreamCaptureModeThreadLocal);
  count<<<1, 32, 0, first>>>(data);
  count<<<1, 32, 0, first>>>(data);
  cudaStreamEndCapture(first, &child);
  cudaGraphNode_t node, behind;
  cudaGraphCreate(&graph, 0);
  cudaGraphAddChildGraphNode(&node, graph, nullptr, 0, child);
  cudaGraphAddChildGraphNode(&behind, graph, &node, 1, child);
  cudaGraphExec_t exec, other;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphInstantiate(&other, graph, 0);
  cudaGraphLaunch(exec, first);
#ifdef RACY
  cudaGraphLaunch(other, second);
#else
  cudaGraphLaunch(exec, second);
#endif
  const int status = finish();
  cudaGraphExecDestroy(exec);
  cudaGraphExecDestroy(other);
  cudaGraphDestroy(graph);
  cudaGraphDestroy(child);
  return status;
}
