// Nodes: added by hand, asked, and changed in graphs and in executable ones.
//
// A node is what the runtime's function of the same purpose gives to a stream: the checks are that
// function's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/allocate.hpp"
#include "sim/runtime/copy.hpp"
#include "sim/runtime/erased_call.hpp"
#include "sim/runtime/fill.hpp"
#include "sim/runtime/graph_calls.hpp"

#include <algorithm>

using namespace tilesim::sim;

namespace {

cudaError_t null_parameters(entry& call, const char* function) {
  return no_graph(call, function, "null pointer for the parameters");
}

/// By type of parameters: the work of a node that has them.
cudaError_t make(entry& call, piece& made, const cudaKernelNodeParams* p, const char* function) {
  if (p == nullptr) {
    return null_parameters(call, function);
  }
  return make_piece(call, made, cudaGraphNodeTypeKernel, [&](cudaStream_t in) {
    return launch_erased(
        call, {p->gridDim, p->blockDim, p->sharedMemBytes, in}, p->func, p->kernelParams, function);
  });
}

cudaError_t make(entry& call, piece& made, const cudaMemcpy3DParms* p, const char* function) {
  return make_piece(call, made, cudaGraphNodeTypeMemcpy, [&](cudaStream_t in) {
    return copy_3d(call, function, p, true, in);
  });
}

struct flat_copy {
  void* dst;
  const void* src;
  std::size_t count;
  cudaMemcpyKind kind;
};

cudaError_t make(entry& call, piece& made, const flat_copy* p, const char* function) {
  return make_piece(call, made, cudaGraphNodeTypeMemcpy, [&](cudaStream_t in) {
    return copy(call,
                {function, p->dst, p->count, p->src, p->count, p->count, 1, p->kind, true, in});
  });
}

cudaError_t make(entry& call, piece& made, const cudaMemsetParams* p, const char* function) {
  if (p == nullptr) {
    return null_parameters(call, function);
  }
  if (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: elements of {} bytes, not 1, 2 or 4", function, p->elementSize));
  }
  const std::size_t bytes = p->width * p->elementSize;
  return make_piece(call, made, cudaGraphNodeTypeMemset, [&](cudaStream_t in) {
    return fill(call,
                {function,
                 p->dst,
                 p->height > 1 ? p->pitch : bytes,
                 static_cast<int>(p->value),
                 bytes,
                 p->height,
                 true,
                 in,
                 p->elementSize});
  });
}

cudaError_t make(entry& call, piece& made, const cudaHostNodeParams* p, const char* function) {
  if (p == nullptr) {
    return null_parameters(call, function);
  }
  return make_piece(call, made, cudaGraphNodeTypeHost, [&](cudaStream_t in) {
    return call_on_host(call, in, *p, function);
  });
}

/// Where a node is to be: it comes behind nodes of the same graph, each once.
struct new_node {
  cudaGraphNode_t* out;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t count;
  const char* function;
};

cudaError_t check(entry& call, const new_node& n) {
  TILESIM_GRAPH(g, call, n.graph, n.function)
  if (n.out == nullptr || (n.after == nullptr && n.count != 0)) {
    return no_graph(call,
                    n.function,
                    n.out == nullptr ? "null pointer for the node"
                                     : "null pointer for the dependencies");
  }
  for (std::size_t i = 0; i < n.count; ++i) {
    if (!g->find(n.after[i]) || std::find(n.after, n.after + i, n.after[i]) != n.after + i) {
      return no_graph(call, n.function, "dependencies are nodes of the graph, each once");
    }
  }
  return cudaSuccess;
}

cudaError_t add(entry& call, const new_node& n, piece what) {
  *n.out = call.state.graphs.find(n.graph)->add(std::move(what), {n.after, n.count});
  return call.ok();
}

template <class Parameters>
cudaError_t make_and_add(entry& call, const new_node& n, const Parameters* p) {
  if (const cudaError_t e = check(call, n)) {
    return e;
  }
  piece what;
  const cudaError_t e = make(call, what, p, n.function);
  return e != cudaSuccess ? e : add(call, n, std::move(what));
}

/// Another work of the same type.
template <class Parameters>
cudaError_t change(
    entry& call, piece* what, cudaGraphNodeType type, const Parameters* p, const char* function) {
  if (what == nullptr || what->type != type) {
    return no_graph(call,
                    function,
                    what == nullptr ? "the executable graph has no such node"
                                    : "the node is of another type");
  }
  piece made;
  const cudaError_t e = make(call, made, p, function);
  if (e == cudaSuccess) {
    *what = std::move(made);
  }
  return e;
}

piece* find(CUgraphExec_st& x, cudaGraphNode_t node) {
  auto* const n = x.find(node);
  return n == nullptr ? nullptr : &n->what;
}

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

cudaError_t add_event(entry& call, const new_node& n, cudaGraphNodeType type, cudaEvent_t event) {
  if (const cudaError_t e = check(call, n)) {
    return e;
  }
  if (!call.state.work.is_event(event)) {
    return no_graph(call, n.function, "no event, or one that was destroyed");
  }
  return add(
      call, n, {.type = type, .start = {}, .dropped = {}, .parameters = keep_parameters(event)});
}

cudaError_t set_event(
    entry& call, piece* what, cudaGraphNodeType type, cudaEvent_t event, const char* function) {
  if (what == nullptr || what->type != type || !call.state.work.is_event(event)) {
    return no_graph(call, function, "no such node, or no event");
  }
  what->parameters = keep_parameters(event);
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
  return add(call,
             n,
             {.type = cudaGraphNodeTypeGraph,
              .start = {},
              .dropped = {},
              .parameters = keep_parameters(child->clone())});
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
  piece what;
  const cudaError_t e = make_piece(call, what, cudaGraphNodeTypeMemAlloc, [&](cudaStream_t in) {
    return allocate_async(call, &nodeParams->dptr, nodeParams->bytesize, in, n.function);
  });
  return e != cudaSuccess ? e : add(call, n, std::move(what));
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* pGraphNode,
                                    cudaGraph_t graph,
                                    const cudaGraphNode_t* pDependencies,
                                    size_t numDependencies,
                                    void* dptr) {
  TILESIM_ENTRY(call)
  const new_node n = TILESIM_NEW_NODE("cudaGraphAddMemFreeNode");
  if (const cudaError_t e = check(call, n)) {
    return e;
  }
  piece what;
  const cudaError_t e = make_piece(call, what, cudaGraphNodeTypeMemFree, [&](cudaStream_t in) {
    return free_async(call, dptr, in, n.function);
  });
  return e != cudaSuccess ? e : add(call, n, std::move(what));
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
