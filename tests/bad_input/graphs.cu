// CUDA graphs: the names are NVIDIA's, and calls say that this release has none.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstdio>
#include <type_traits>

#define SAME(function, ...)                                                                        \
  static_assert(std::is_same_v<decltype(&function), cudaError_t (*)(__VA_ARGS__)>)
#define ADD cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t
SAME(cudaGraphCreate, cudaGraph_t*, unsigned);
SAME(cudaGraphAddKernelNode, ADD, const cudaKernelNodeParams*);
SAME(cudaGraphAddMemcpyNode, ADD, const cudaMemcpy3DParms*);
SAME(cudaGraphAddMemcpyNode1D, ADD, void*, const void*, size_t, cudaMemcpyKind);
SAME(cudaGraphAddMemsetNode, ADD, const cudaMemsetParams*);
SAME(cudaGraphAddHostNode, ADD, const cudaHostNodeParams*);
SAME(cudaGraphAddEmptyNode, ADD);
SAME(cudaGraphAddChildGraphNode, ADD, cudaGraph_t);
SAME(cudaGraphAddDependencies,
     cudaGraph_t,
     const cudaGraphNode_t*,
     const cudaGraphNode_t*,
     const cudaGraphEdgeData*,
     size_t);
SAME(cudaGraphGetNodes, cudaGraph_t, cudaGraphNode_t*, size_t*);
SAME(cudaGraphGetRootNodes, cudaGraph_t, cudaGraphNode_t*, size_t*);
SAME(cudaGraphNodeGetType, cudaGraphNode_t, cudaGraphNodeType*);
SAME(cudaGraphKernelNodeGetParams, cudaGraphNode_t, cudaKernelNodeParams*);
SAME(cudaGraphKernelNodeSetParams, cudaGraphNode_t, const cudaKernelNodeParams*);
SAME(cudaGraphExecKernelNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, const cudaKernelNodeParams*);
SAME(cudaGraphClone, cudaGraph_t*, cudaGraph_t);
SAME(cudaGraphUpload, cudaGraphExec_t, cudaStream_t);
SAME(cudaGraphInstantiateWithFlags, cudaGraphExec_t*, cudaGraph_t, unsigned long long);
static_assert(sizeof(cudaKernelNodeParams) == 56 && sizeof(cudaMemsetParams) == 40 &&
              sizeof(cudaHostNodeParams) == 16 && sizeof(cudaGraphEdgeData) == 8 &&
              sizeof(cudaGraphExecUpdateResultInfo) == 24);
static_assert(cudaGraphNodeTypeEventRecord == 7 && cudaGraphInstantiateFlagUseNodePriority == 8 &&
              cudaGraphExecUpdateErrorAttributesChanged == 8);

__tile_global__ void k(int* p) {
  *p = 1;
}

int main() {
  int* p = nullptr;
  cudaMalloc(&p, sizeof(int));
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  cudaStreamIsCapturing(stream, &status);
  cudaStreamGetCaptureInfo(stream, &status);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  const bool none =
      cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaErrorNotSupported;
  if (none && status == cudaStreamCaptureStatusNone) {
    std::printf("without a graph\n");
    k<<<1, 1, 0, stream>>>(p);
    cudaStreamSynchronize(stream);
  }
  cudaStreamEndCapture(stream, &graph);
  cudaGraphCreate(&graph, 0);
  cudaGraphInstantiate(&exec, graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphExecUpdateResultInfo info{};
  cudaGraphExecUpdate(exec, graph, &info);
  cudaGraphLaunch(exec, stream);
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(p);
}
