// CUDA graphs: the names and types are NVIDIA's, and what a capture forbids is told with the way out.
// SPDX-License-Identifier: Apache-2.0
#include "cuda_tile.h"

#include <cstddef>
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
SAME(cudaGraphAddEventRecordNode, ADD, cudaEvent_t);
SAME(cudaGraphAddEventWaitNode, ADD, cudaEvent_t);
SAME(cudaGraphAddMemAllocNode, ADD, cudaMemAllocNodeParams*);
SAME(cudaGraphAddMemFreeNode, ADD, void*);
SAME(cudaGraphMemcpyNodeGetParams, cudaGraphNode_t, cudaMemcpy3DParms*);
SAME(cudaGraphMemcpyNodeSetParams, cudaGraphNode_t, const cudaMemcpy3DParms*);
SAME(cudaGraphMemcpyNodeSetParams1D, cudaGraphNode_t, void*, const void*, size_t, cudaMemcpyKind);
SAME(cudaGraphMemsetNodeGetParams, cudaGraphNode_t, cudaMemsetParams*);
SAME(cudaGraphHostNodeSetParams, cudaGraphNode_t, const cudaHostNodeParams*);
SAME(cudaGraphExecHostNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, const cudaHostNodeParams*);
SAME(cudaGraphExecMemsetNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, const cudaMemsetParams*);
SAME(cudaGraphExecMemcpyNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, const cudaMemcpy3DParms*);
SAME(cudaGraphEventRecordNodeSetEvent, cudaGraphNode_t, cudaEvent_t);
SAME(cudaGraphExecEventWaitNodeSetEvent, cudaGraphExec_t, cudaGraphNode_t, cudaEvent_t);
SAME(cudaGraphChildGraphNodeGetGraph, cudaGraphNode_t, cudaGraph_t*);
SAME(cudaGraphNodeSetEnabled, cudaGraphExec_t, cudaGraphNode_t, unsigned);
SAME(cudaGraphNodeGetEnabled, cudaGraphExec_t, cudaGraphNode_t, unsigned*);
SAME(cudaGraphNodeFindInClone, cudaGraphNode_t*, cudaGraphNode_t, cudaGraph_t);
SAME(cudaGraphDestroyNode, cudaGraphNode_t);
SAME(cudaGraphRemoveDependencies,
     cudaGraph_t,
     const cudaGraphNode_t*,
     const cudaGraphNode_t*,
     const cudaGraphEdgeData*,
     size_t);
SAME(cudaGraphGetEdges, cudaGraph_t, cudaGraphNode_t*, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*);
SAME(cudaGraphNodeGetDependencies, cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*);
SAME(cudaGraphNodeGetDependentNodes, cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, size_t*);
SAME(cudaGraphInstantiateWithParams, cudaGraphExec_t*, cudaGraph_t, cudaGraphInstantiateParams*);
SAME(cudaGraphExecGetFlags, cudaGraphExec_t, unsigned long long*);
SAME(cudaStreamUpdateCaptureDependencies,
     cudaStream_t,
     cudaGraphNode_t*,
     const cudaGraphEdgeData*,
     size_t,
     unsigned);
SAME(cudaGraphAddNode,
     cudaGraphNode_t*,
     cudaGraph_t,
     const cudaGraphNode_t*,
     const cudaGraphEdgeData*,
     size_t,
     cudaGraphNodeParams*);
SAME(cudaGraphNodeSetParams, cudaGraphNode_t, cudaGraphNodeParams*);
SAME(cudaGraphExecNodeSetParams, cudaGraphExec_t, cudaGraphNode_t, cudaGraphNodeParams*);
SAME(cudaGraphConditionalHandleCreate, cudaGraphConditionalHandle*, cudaGraph_t, unsigned, unsigned);
static_assert(std::is_same_v<decltype(static_cast<cudaError_t (*)(
                                 cudaUserObject_t*, void*, cudaHostFn_t, unsigned, unsigned)>(
                                 &cudaUserObjectCreate)),
                             cudaError_t (*)(cudaUserObject_t*, void*, cudaHostFn_t, unsigned, unsigned)>);
SAME(cudaUserObjectRetain, cudaUserObject_t, unsigned);
SAME(cudaUserObjectRelease, cudaUserObject_t, unsigned);
SAME(cudaGraphRetainUserObject, cudaGraph_t, cudaUserObject_t, unsigned, unsigned);
SAME(cudaGraphReleaseUserObject, cudaGraph_t, cudaUserObject_t, unsigned);
static_assert(sizeof(cudaGraphNodeParams) == 256 && offsetof(cudaGraphNodeParams, kernel) == 16 &&
              offsetof(cudaGraphNodeParams, reserved2) == 248);
static_assert(cudaGraphNodeTypeConditional == 13 && cudaGraphCondTypeSwitch == 2 &&
              cudaGraphCondAssignDefault == 1 && cudaGraphInstantiateConditionalHandleUnused == 5 &&
              cudaGraphChildGraphOwnershipMove == 1 && cudaUserObjectNoDestructorSync == 1 &&
              cudaGraphUserObjectMove == 1);
static_assert(sizeof(cudaMemAllocNodeParams) == 120 && sizeof(cudaGraphInstantiateParams) == 32 &&
              sizeof(cudaMemAccessDesc) == 12);
static_assert(sizeof(cudaKernelNodeParams) == 56 && sizeof(cudaMemsetParams) == 40 &&
              sizeof(cudaHostNodeParams) == 16 && sizeof(cudaGraphEdgeData) == 8 &&
              sizeof(cudaGraphExecUpdateResultInfo) == 24);
static_assert(cudaGraphNodeTypeEventRecord == 7 && cudaGraphInstantiateFlagUseNodePriority == 8 &&
              cudaGraphExecUpdateErrorAttributesChanged == 8);

__tile_global__ void k(int* p) {
  *p += 1;
}

// What each argument does wrong.
int main(int /*argc*/, char** argv) {
  int* p = nullptr;
  int value = 0;
  cudaMalloc(&p, sizeof(int));
  cudaMemset(p, 0, sizeof(int));
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEvent_t event = nullptr;
  cudaEventCreate(&event);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  k<<<1, 1, 0, stream>>>(p);
  switch (argv[1][0]) {
  case '1': // waits for what is not done
    cudaStreamSynchronize(stream);
    break;
  case '2': // copies in the legacy default stream
    cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDeviceToHost);
    break;
  case '3': // does not join what it has forked to
    cudaEventRecord(event, stream);
    cudaStreamWaitEvent(other, event);
    k<<<1, 1, 0, other>>>(p);
    break;
  case '4': // waits for what is outside
    cudaEventRecord(event, other);
    cudaStreamWaitEvent(stream, event);
    break;
  case '5': // allocates
    cudaMalloc(&p, sizeof(int));
    break;
  case '6': // is copied into another graph, with what it allocates
    cudaMallocAsync(reinterpret_cast<void**>(&p), sizeof(int), stream);
    break;
  default:
    break;
  }
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) {
    if (argv[1][0] == '6') {
      cudaGraph_t parent = nullptr;
      cudaGraphNode_t node = nullptr;
      cudaGraphCreate(&parent, 0);
      cudaGraphAddChildGraphNode(&node, parent, nullptr, 0, graph);
      return 0;
    }
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    for (int i = 0; i < 3; ++i) {
      cudaGraphLaunch(exec, stream);
    }
    cudaStreamSynchronize(stream);
    cudaMemcpy(&value, p, sizeof(int), cudaMemcpyDeviceToHost);
    std::printf("%d\n", value);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
  }
  cudaFree(p);
}
