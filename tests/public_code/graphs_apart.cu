// Graphs that programs take apart: a capture into a graph that is there already, which gives none, and memory that one graph
// allocates and others free, launch after launch.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cuda_runtime.h>

namespace {

int wrong = 0;

void expect(cudaError_t e, const char* what) {
  if (e != cudaSuccess) {
    std::printf("%s: %s\n", what, cudaGetErrorName(e));
    ++wrong;
  }
}

} // namespace

__global__ void count(int* p) {
  ++*p;
}

int main() {
  cudaStream_t s = nullptr;
  cudaStreamCreate(&s);
  int *p = nullptr, host = 0;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaGraphCreate(&graph, 0);
  expect(cudaStreamBeginCaptureToGraph(s, graph, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal), "begin");
  count<<<1, 1, 0, s>>>(p);
  expect(cudaStreamEndCapture(s, nullptr), "end");
  expect(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  expect(cudaGraphLaunch(exec, s), "launch");
  cudaStreamSynchronize(s);
  cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost);
  wrong += host != 1;
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);

  cudaGraph_t allocating = nullptr;
  cudaGraphNode_t node = nullptr;
  cudaGraphCreate(&allocating, 0);
  cudaMemAllocNodeParams memory{};
  memory.bytesize = sizeof(int);
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  expect(cudaGraphAddMemAllocNode(&node, allocating, nullptr, 0, &memory), "allocate");
  cudaGraphExec_t made = nullptr;
  expect(cudaGraphInstantiate(&made, allocating, 0), "instantiate what allocates");
  for (int i = 0; i < 2; ++i) {
    expect(cudaGraphLaunch(made, s), "launch what allocates");
    cudaGraph_t freeing = nullptr;
    cudaGraphExec_t freed = nullptr, more = nullptr;
    cudaGraphNode_t n = nullptr;
    cudaGraphCreate(&freeing, 0);
    expect(cudaGraphAddMemFreeNode(&n, freeing, nullptr, 0, memory.dptr), "free");
    expect(cudaGraphInstantiate(&freed, freeing, 0), "instantiate what frees");
    expect(cudaGraphLaunch(freed, s), "launch what frees");
    cudaGraphExecDestroy(freed);
    expect(cudaGraphInstantiate(&more, freeing, 0), "and once more");
    cudaGraphExecDestroy(more);
    cudaGraphDestroy(freeing);
  }
  cudaStreamSynchronize(s);
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(allocating);
  cudaFree(p);
  cudaStreamDestroy(s);
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
