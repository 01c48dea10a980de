// Nodes: added by hand, asked, and changed in graphs and in executable ones.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/node_making.hpp"

using namespace tilesim::sim;

namespace {

/// What a node has been told.
template <class T>
cudaError_t ask(entry& call, cudaGraphNode_t node, T* out, const char* function) {
  TILESIM_GRAPH_NODE(call, node, function)
  const T* const told = parameters_of<T>(node->what);
  if (out == nullptr || told == nullptr) {
    return no_graph(call,
                    function,
                    out == nullptr ? "null pointer for the result" : "the node is of another type");
  }
  *out = *told;
  return call.ok();
}

} // namespace

#define TILESIM_NEW_NODE(function)                                                                 \
  new_node {                                                                                       \
    pGraphNode, graph, pDependencies, numDependencies, function                                    \
  }

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* pDependencies,
                                   size_t numDependencies,
                                   const cudaKernelNodeParams* pNodeParams) {
  TILESIM_ENTRY(call)
  return make_and_add(call, TILESIM_NEW_NODE("cudaGraphAddKernelNode"), pNodeParams);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* pDependencies,
                                   size_t numDependencies,
                                   const cudaMemcpy3DParms* pCopyParams) {
  TILESIM_ENTRY(call)
  return make_and_add(call, TILESIM_NEW_NODE("cudaGraphAddMemcpyNode"), pCopyParams);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t* pDependencies,
                                     size_t numDependencies,
                                     void* dst,
                                     const void* src,
                                     size_t count,
                                     cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  const flat_copy p{dst, src, count, kind};
  return make_and_add(call, TILESIM_NEW_NODE("cudaGraphAddMemcpyNode1D"), &p);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* pGraphNode,
                                   cudaGraph_t graph,
                                   const cudaGraphNode_t* pDependencies,
                                   size_t numDependencies,
                                   const cudaMemsetParams* pMemsetParams) {
  TILESIM_ENTRY(call)
  return make_and_add(call, TILESIM_NEW_NODE("cudaGraphAddMemsetNode"), pMemsetParams);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* pGraphNode,
                                 cudaGraph_t graph,
                                 const cudaGraphNode_t* pDependencies,
                                 size_t numDependencies,
                                 const cudaHostNodeParams* pNodeParams) {
  TILESIM_ENTRY(call)
  return make_and_add(call, TILESIM_NEW_NODE("cudaGraphAddHostNode"), pNodeParams);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* pGraphNode,
                                  cudaGraph_t graph,
                                  const cudaGraphNode_t* pDependencies,
                                  size_t numDependencies) {
  TILESIM_ENTRY(call)
  const new_node n = TILESIM_NEW_NODE("cudaGraphAddEmptyNode");
  const cudaError_t e = check(call, n);
  return e != cudaSuccess ? e : add(call, n, {});
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* pGraphNode,
                                       cudaGraph_t graph,
                                       const cudaGraphNode_t* pDependencies,
                                       size_t numDependencies,
                                       cudaGraph_t childGraph) {
  TILESIM_ENTRY(call)
  const new_node n = TILESIM_NEW_NODE("cudaGraphAddChildGraphNode");
  if (const cudaError_t e = check(call, n)) {
    return e;
  }
  TILESIM_GRAPH(child, call, childGraph, n.function)
  return add_copied_child(call, n, *child);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* pGraphNode,
                                        cudaGraph_t graph,
                                        const cudaGraphNode_t* pDependencies,
                                        size_t numDependencies,
                                        cudaEvent_t event) {
  TILESIM_ENTRY(call)
  return add_event(
      call, TILESIM_NEW_NODE("cudaGraphAddEventRecordNode"), cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* pGraphNode,
                                      cudaGraph_t graph,
                                      const cudaGraphNode_t* pDependencies,
                                      size_t numDependencies,
                                      cudaEvent_t event) {
  TILESIM_ENTRY(call)
  return add_event(
      call, TILESIM_NEW_NODE("cudaGraphAddEventWaitNode"), cudaGraphNodeTypeWaitEvent, event);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* pGraphNode,
                                     cudaGraph_t graph,
                                     const cudaGraphNode_t* pDependencies,
                                     size_t numDependencies,
                                     cudaMemAllocNodeParams* nodeParams) {
  TILESIM_ENTRY(call)
  const new_node n = TILESIM_NEW_NODE("cudaGraphAddMemAllocNode");
  if (const cudaError_t e = check(call, n)) {
    return e;
  }
  if (nodeParams == nullptr || nodeParams->bytesize == 0) {
    return no_graph(call, n.function, "null pointer for the parameters, or no bytes");
  }
  return add_allocation(call, n, nodeParams->bytesize, &nodeParams->dptr);
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* pGraphNode,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t* pDependencies,
                                    size_t numDependencies,
                                    void* dptr) {
  TILESIM_ENTRY(call)
  const new_node n = TILESIM_NEW_NODE("cudaGraphAddMemFreeNode");
  const cudaError_t e = check(call, n);
  return e != cudaSuccess ? e : add_free(call, n, dptr);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_NODE(call, node, "cudaGraphDestroyNode")
  CUgraph_st& g = *call.state.graphs.graph_of(node);
  if (is_captured_to(call, g)) {
    return no_graph(call, "cudaGraphDestroyNode", "a capture adds to the node's graph");
  }
  for (const auto& n : g.nodes) {
    std::erase(n->after, node);
  }
  std::erase_if(g.nodes, [node](const auto& n) { return n.get() == node; });
  return call.ok();
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* pNode,
                                     cudaGraphNode_t originalNode,
                                     cudaGraph_t clonedGraph) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, clonedGraph, "cudaGraphNodeFindInClone")
  const auto it = std::find_if(g->nodes.begin(), g->nodes.end(), [originalNode](const auto& n) {
    return n->original != nullptr && n->original == originalNode;
  });
  if (pNode == nullptr || it == g->nodes.end()) {
    return no_graph(call, "cudaGraphNodeFindInClone", "the graph has no clone of the node");
  }
  *pNode = it->get();
  return call.ok();
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* pType) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_NODE(call, node, "cudaGraphNodeGetType")
  if (pType == nullptr) {
    return no_graph(call, "cudaGraphNodeGetType", "null pointer for the result");
  }
  *pType = node->what.type;
  return call.ok();
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* pNodeParams) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphKernelNodeGetParams";
  TILESIM_GRAPH_NODE(call, node, function)
  const auto* const told = parameters_of<kernel_parameters>(node->what);
  if (told == nullptr || pNodeParams == nullptr) {
    return no_graph(
        call, function, told == nullptr ? "the node is no kernel" : "null pointer for the result");
  }
  *pNodeParams = told->as_given;
  pNodeParams->kernelParams =
      told->arguments.empty() ? nullptr : const_cast<void**>(told->arguments.data());
  return call.ok();
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* pNodeParams) {
  TILESIM_ENTRY(call)
  return ask(call, node, pNodeParams, "cudaGraphMemcpyNodeGetParams");
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* pNodeParams) {
  TILESIM_ENTRY(call)
  return ask(call, node, pNodeParams, "cudaGraphMemsetNodeGetParams");
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* pNodeParams) {
  TILESIM_ENTRY(call)
  return ask(call, node, pNodeParams, "cudaGraphHostNodeGetParams");
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event_out) {
  TILESIM_ENTRY(call)
  return ask(call, node, event_out, "cudaGraphEventRecordNodeGetEvent");
}

cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event_out) {
  TILESIM_ENTRY(call)
  return ask(call, node, event_out, "cudaGraphEventWaitNodeGetEvent");
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* pGraph) {
  TILESIM_ENTRY(call)
  std::shared_ptr<CUgraph_st> child;
  const cudaError_t e = ask(call, node, &child, "cudaGraphChildGraphNodeGetGraph");
  if (e == cudaSuccess && pGraph == nullptr) {
    return no_graph(call, "cudaGraphChildGraphNodeGetGraph", "null pointer for the result");
  }
  if (e == cudaSuccess) {
    *pGraph = child.get();
  }
  return e;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node,
                                           cudaMemAllocNodeParams* params_out) {
  TILESIM_ENTRY(call)
  std::shared_ptr<graph_allocation> memory;
  const cudaError_t e = ask(call, node, &memory, "cudaGraphMemAllocNodeGetParams");
  if (e == cudaSuccess && params_out != nullptr) {
    *params_out = {};
    params_out->bytesize = memory->bytes;
    params_out->dptr = memory->at;
  }
  return e;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* dptr_out) {
  TILESIM_ENTRY(call)
  std::shared_ptr<graph_allocation> memory;
  const cudaError_t e = ask(call, node, &memory, "cudaGraphMemFreeNodeGetParams");
  if (e == cudaSuccess && dptr_out != nullptr) {
    *static_cast<void**>(dptr_out) = memory->at;
  }
  return e;
}

// The same change to a node of a graph, and of an executable one.
#define TILESIM_SET_PARAMETERS(of, type, structure)                                                \
  cudaError_t cudaGraph##of##NodeSetParams(cudaGraphNode_t node, const structure* pNodeParams) {   \
    TILESIM_ENTRY(call)                                                                            \
    TILESIM_GRAPH_NODE(call, node, "cudaGraph" #of "NodeSetParams")                                \
    return change(call, &node->what, type, pNodeParams, "cudaGraph" #of "NodeSetParams");          \
  }                                                                                                \
  cudaError_t cudaGraphExec##of##NodeSetParams(                                                    \
      cudaGraphExec_t hGraphExec, cudaGraphNode_t node, const structure* pNodeParams) {            \
    TILESIM_ENTRY(call)                                                                            \
    TILESIM_GRAPH_EXEC(x, call, hGraphExec, "cudaGraphExec" #of "NodeSetParams")                   \
    return change(call, find(*x, node), type, pNodeParams, "cudaGraphExec" #of "NodeSetParams");   \
  }
TILESIM_SET_PARAMETERS(Kernel, cudaGraphNodeTypeKernel, cudaKernelNodeParams)
TILESIM_SET_PARAMETERS(Memcpy, cudaGraphNodeTypeMemcpy, cudaMemcpy3DParms)
TILESIM_SET_PARAMETERS(Memset, cudaGraphNodeTypeMemset, cudaMemsetParams)
TILESIM_SET_PARAMETERS(Host, cudaGraphNodeTypeHost, cudaHostNodeParams)

cudaError_t cudaGraphMemcpyNodeSetParams1D(
    cudaGraphNode_t node, void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphMemcpyNodeSetParams1D";
  TILESIM_GRAPH_NODE(call, node, function)
  const flat_copy p{dst, src, count, kind};
  return change(call, &node->what, cudaGraphNodeTypeMemcpy, &p, function);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t hGraphExec,
                                               cudaGraphNode_t node,
                                               void* dst,
                                               const void* src,
                                               size_t count,
                                               cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphExecMemcpyNodeSetParams1D";
  TILESIM_GRAPH_EXEC(x, call, hGraphExec, function)
  const flat_copy p{dst, src, count, kind};
  return change(call, find(*x, node), cudaGraphNodeTypeMemcpy, &p, function);
}

#define TILESIM_SET_EVENT(of, type)                                                                \
  cudaError_t cudaGraph##of##NodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {               \
    TILESIM_ENTRY(call)                                                                            \
    TILESIM_GRAPH_NODE(call, node, "cudaGraph" #of "NodeSetEvent")                                 \
    return set_event(call, &node->what, type, event, "cudaGraph" #of "NodeSetEvent");              \
  }                                                                                                \
  cudaError_t cudaGraphExec##of##NodeSetEvent(                                                     \
      cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, cudaEvent_t event) {                      \
    TILESIM_ENTRY(call)                                                                            \
    TILESIM_GRAPH_EXEC(x, call, hGraphExec, "cudaGraphExec" #of "NodeSetEvent")                    \
    return set_event(call, find(*x, hNode), type, event, "cudaGraphExec" #of "NodeSetEvent");      \
  }
TILESIM_SET_EVENT(EventRecord, cudaGraphNodeTypeEventRecord)
TILESIM_SET_EVENT(EventWait, cudaGraphNodeTypeWaitEvent)

cudaError_t
cudaGraphNodeSetEnabled(cudaGraphExec_t hGraphExec, cudaGraphNode_t hNode, unsigned int isEnabled) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphNodeSetEnabled";
  TILESIM_GRAPH_EXEC(x, call, hGraphExec, function)
  auto* const n = x->find(hNode);
  if (n == nullptr || n->what.type > cudaGraphNodeTypeMemset) {
    return no_graph(call, function, "no such node, or none that launches, copies or sets");
  }
  n->enabled = isEnabled != 0;
  return call.ok();
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t hGraphExec,
                                    cudaGraphNode_t hNode,
                                    unsigned int* isEnabled) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphNodeGetEnabled";
  TILESIM_GRAPH_EXEC(x, call, hGraphExec, function)
  const auto* const n = x->find(hNode);
  if (n == nullptr || isEnabled == nullptr || n->what.type > cudaGraphNodeTypeMemset) {
    return no_graph(call, function, "no such node, or null pointer for the result");
  }
  *isEnabled = n->enabled ? 1 : 0;
  return call.ok();
}
