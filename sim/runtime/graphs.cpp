// CUDA graphs: declared, so that a program that has a way without them compiles; each call reports
// that this release has none.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

using namespace tilesim::sim;

namespace {

cudaError_t no_graphs(entry& call, const char* function) {
  call.sim.found.add(with_callers(call.site),
                     {.kind = finding_kind::unsupported,
                      .message = fmt::format("{}: this release has no CUDA graphs", function)});
  return call.error(cudaErrorNotSupported);
}

} // namespace

#define TILESIM_GRAPHS(function, ...)                                                              \
  cudaError_t function(__VA_ARGS__) {                                                              \
    TILESIM_ENTRY(call)                                                                            \
    return no_graphs(call, #function);                                                             \
  }

TILESIM_GRAPHS(cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
TILESIM_GRAPHS(cudaStreamBeginCaptureToGraph,
               cudaStream_t,
               cudaGraph_t,
               const cudaGraphNode_t*,
               const cudaGraphEdgeData*,
               size_t,
               cudaStreamCaptureMode)
TILESIM_GRAPHS(cudaStreamUpdateCaptureDependencies,
               cudaStream_t,
               cudaGraphNode_t*,
               const cudaGraphEdgeData*,
               size_t,
               unsigned int)
TILESIM_GRAPHS(cudaStreamEndCapture, cudaStream_t, cudaGraph_t*)
TILESIM_GRAPHS(cudaGraphCreate, cudaGraph_t*, unsigned int)
TILESIM_GRAPHS(cudaGraphDestroy, cudaGraph_t)
TILESIM_GRAPHS(cudaGraphClone, cudaGraph_t*, cudaGraph_t)
TILESIM_GRAPHS(cudaGraphDebugDotPrint, cudaGraph_t, const char*, unsigned int)
TILESIM_GRAPHS(cudaGraphAddKernelNode,
               cudaGraphNode_t*,
               cudaGraph_t,
               const cudaGraphNode_t*,
               size_t,
               const cudaKernelNodeParams*)
TILESIM_GRAPHS(cudaGraphAddMemcpyNode,
               cudaGraphNode_t*,
               cudaGraph_t,
               const cudaGraphNode_t*,
               size_t,
               const cudaMemcpy3DParms*)
TILESIM_GRAPHS(cudaGraphAddMemcpyNode1D,
               cudaGraphNode_t*,
               cudaGraph_t,
               const cudaGraphNode_t*,
               size_t,
               void*,
               const void*,
               size_t,
               cudaMemcpyKind)
TILESIM_GRAPHS(cudaGraphAddMemsetNode,
               cudaGraphNode_t*,
               cudaGraph_t,
               const cudaGraphNode_t*,
               size_t,
               const cudaMemsetParams*)
TILESIM_GRAPHS(cudaGraphAddHostNode,
               cudaGraphNode_t*,
               cudaGraph_t,
               const cudaGraphNode_t*,
               size_t,
               const cudaHostNodeParams*)
TILESIM_GRAPHS(cudaGraphAddEmptyNode, cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t)
TILESIM_GRAPHS(cudaGraphAddChildGraphNode,
               cudaGraphNode_t*,
               cudaGraph_t,
               const cudaGraphNode_t*,
               size_t,
               cudaGraph_t)
TILESIM_GRAPHS(cudaGraphAddDependencies,
               cudaGraph_t,
               const cudaGraphNode_t*,
               const cudaGraphNode_t*,
               const cudaGraphEdgeData*,
               size_t)
TILESIM_GRAPHS(cudaGraphGetNodes, cudaGraph_t, cudaGraphNode_t*, size_t*)
TILESIM_GRAPHS(cudaGraphGetRootNodes, cudaGraph_t, cudaGraphNode_t*, size_t*)
TILESIM_GRAPHS(cudaGraphNodeGetType, cudaGraphNode_t, cudaGraphNodeType*)
TILESIM_GRAPHS(cudaGraphKernelNodeGetParams, cudaGraphNode_t, cudaKernelNodeParams*)
TILESIM_GRAPHS(cudaGraphKernelNodeSetParams, cudaGraphNode_t, const cudaKernelNodeParams*)
TILESIM_GRAPHS(cudaGraphInstantiate, cudaGraphExec_t*, cudaGraph_t, unsigned long long)
TILESIM_GRAPHS(cudaGraphInstantiateWithFlags, cudaGraphExec_t*, cudaGraph_t, unsigned long long)
TILESIM_GRAPHS(cudaGraphUpload, cudaGraphExec_t, cudaStream_t)
TILESIM_GRAPHS(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t)
TILESIM_GRAPHS(cudaGraphExecDestroy, cudaGraphExec_t)
TILESIM_GRAPHS(cudaGraphExecUpdate, cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo*)
TILESIM_GRAPHS(cudaGraphExecKernelNodeSetParams,
               cudaGraphExec_t,
               cudaGraphNode_t,
               const cudaKernelNodeParams*)
TILESIM_GRAPHS(cudaGraphExecMemcpyNodeSetParams1D,
               cudaGraphExec_t,
               cudaGraphNode_t,
               void*,
               const void*,
               size_t,
               cudaMemcpyKind)
