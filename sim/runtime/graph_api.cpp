// Graphs as a whole: create, destroy, clone, edges, instantiate, update, launch.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"
#include "sim/runtime/allocate.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/copy_check.hpp"
#include "sim/runtime/graph_calls.hpp"
#include "sim/runtime/graph_launch.hpp"
#include "sim/runtime/node_making.hpp"

#include <algorithm>
#include <cstdio>

using namespace tilesim::sim;

cudaError_t tilesim::sim::no_graph(entry& call, const char* function, const char* what) {
  return call.misuse(cudaErrorInvalidValue, fmt::format("{}: {}", function, what));
}

bool tilesim::sim::is_captured_to(const entry& call, const CUgraph_st& graph) {
  return std::any_of(
      call.state.captures.begin(), call.state.captures.end(), [&graph](const auto& weak) {
        const auto c = weak.lock();
        return c != nullptr && !c->over && holds(graph, c->graph());
      });
}

namespace {

/// Memory whose nodes are gone goes, unless it is allocated: then it is like any other.
void sweep(entry& call) {
  std::erase_if(call.state.graphs.memory, [&call](const auto& entry) {
    if (!entry.second.of.expired()) {
      return false;
    }
    if (!entry.second.allocated) {
      free_memory(call.sim, const_cast<void*>(entry.first), with_callers(call.site));
    }
    return true;
  });
  std::erase_if(call.state.graphs.conditions, [&call](const auto& entry) {
    if (!entry.second.expired()) {
      return false;
    }
    free_memory(call.sim, const_cast<void*>(entry.first), with_callers(call.site));
    return true;
  });
}

const std::shared_ptr<graph_allocation>* memory_of(const CUgraphExec_st::node& n) {
  return parameters_of<std::shared_ptr<graph_allocation>>(n.what);
}

constexpr unsigned long long instantiate_flags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch | cudaGraphInstantiateFlagUseNodePriority;

/// Whether a copy is from or to host memory that CUDA does not know.
bool copies_pageable(const entry& call, const cudaMemcpy3DParms& p) {
  const auto is_pageable = [&call, &p](const void* at, cudaMemcpyKind to_or_from) {
    return (p.kind == cudaMemcpyHostToHost || p.kind == cudaMemcpyDefault ||
            p.kind == to_or_from) &&
           pageable(call, at) && !bytes_in_variable(call.state, at);
  };
  return is_pageable(p.dstPtr.ptr, cudaMemcpyDeviceToHost) ||
         is_pageable(p.srcPtr.ptr, cudaMemcpyHostToDevice);
}

/// Of a node in the body of a conditional node.
cudaGraphInstantiateResult judge_in_body(const entry& call, const piece& what) {
  switch (what.type) {
  case cudaGraphNodeTypeMemcpy: {
    // A body is done by the device alone. The result is what a device answers.
    const auto* const p = parameters_of<cudaMemcpy3DParms>(what);
    return p != nullptr && copies_pageable(call, *p)
               ? cudaGraphInstantiateMultipleDevicesNotSupported
               : cudaGraphInstantiateSuccess;
  }
  case cudaGraphNodeTypeKernel:
  case cudaGraphNodeTypeMemset:
  case cudaGraphNodeTypeGraph:
  case cudaGraphNodeTypeEmpty:
  case cudaGraphNodeTypeConditional:
    return cudaGraphInstantiateSuccess;
  default:
    return cudaGraphInstantiateNodeOperationNotSupported;
  }
}

/// What a graph may not have to be instantiated, and what it is told by.
cudaError_t refuse_nodes(entry& call,
                         const CUgraph_st& g,
                         const char* function,
                         cudaGraphInstantiateResult& result) {
  if (has_unasked_condition(g)) {
    result = cudaGraphInstantiateConditionalHandleUnused;
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: no conditional node asks a handle of the graph's", function),
        "add the node, or do not create the handle");
  }
  result = judge_bodies(g, [&call](const piece& what) { return judge_in_body(call, what); });
  if (result == cudaGraphInstantiateSuccess) {
    return cudaSuccess;
  }
  return call.misuse(cudaErrorInvalidValue,
                     fmt::format("{}: a conditional node's body {}",
                                 function,
                                 result == cudaGraphInstantiateNodeOperationNotSupported
                                     ? "holds a node that does not launch, copy or set"
                                     : "copies from or to pageable memory of the host"),
                     "let bodies hold kernels, copies and fills of memory that CUDA has "
                     "allocated, graphs of these and conditional nodes");
}

/// What there can be one executable of at a time.
cudaError_t refuse_second(entry& call, const CUgraphExec_st& made, const char* function) {
  const bool memory = std::ranges::any_of(made.nodes, [](const auto& n) {
    const auto* const of = memory_of(n);
    return of != nullptr && (*of)->executable;
  });
  if (!memory &&
      std::ranges::none_of(made.conditions, [](const auto& c) { return c->executable; })) {
    return cudaSuccess;
  }
  return call.misuse(
      cudaErrorNotSupported,
      fmt::format("{}: a graph {} is instantiated twice",
                  function,
                  memory ? "that allocates or frees memory" : "with conditional nodes"),
      "destroy the first executable graph before");
}

/// An executable holds what there can be one of, or gives it back.
void hold(const CUgraphExec_st& x, bool held) {
  for (const auto& n : x.nodes) {
    if (const auto* const memory = memory_of(n)) {
      (*memory)->executable = held;
    }
  }
  for (const auto& c : x.of_graph) {
    c->executable = held;
  }
}

cudaError_t instantiate_graph(entry& call,
                              cudaGraphExec_t* out,
                              cudaGraph_t graph,
                              unsigned long long flags,
                              const char* function,
                              cudaGraphInstantiateResult& result) {
  result = cudaGraphInstantiateInvalidStructure;
  TILESIM_GRAPH(g, call, graph, function)
  if (out == nullptr || (flags & ~instantiate_flags) != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       out == nullptr
                           ? fmt::format("{}: null pointer for the result", function)
                           : fmt::format("{}: {:#x} has bits that are no flags", function, flags));
  }
  auto made = instantiate(*g);
  if (made == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: the graph's edges make a circle", function));
  }
  if (const cudaError_t e = refuse_nodes(call, *g, function, result)) {
    return e;
  }
  if (const cudaError_t e = refuse_second(call, *made, function)) {
    result = cudaGraphInstantiateNodeOperationNotSupported;
    return e;
  }
  made->of_graph = made->conditions;
  hold(*made, true);
  made->flags = flags;
  *out = call.state.graphs.add(std::move(made));
  return call.ok();
}

/// Memory that a launch allocates is free before.
cudaError_t account_memory(entry& call, const CUgraphExec_st& x) {
  auto after = call.state.graphs.memory;
  for (const auto& n : x.nodes) {
    const auto* const memory = memory_of(n);
    if (memory == nullptr) {
      continue;
    }
    graph_memory& m = after[(*memory)->at];
    const bool allocates = n.what.type == cudaGraphNodeTypeMemAlloc;
    if (allocates && m.allocated && (x.flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) == 0) {
      return call.misuse(
          cudaErrorInvalidValue,
          fmt::format("cudaGraphLaunch: {} was allocated by the launch before, and not freed",
                      describe_pointer(call, (*memory)->at)),
          "free it first, or instantiate with cudaGraphInstantiateFlagAutoFreeOnLaunch");
    }
    m.allocated = allocates;
  }
  call.state.graphs.memory = std::move(after);
  return cudaSuccess;
}

/// What keeps an executable from being updated by a graph.
struct difference {
  cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
  const CUgraphNode_st* node = nullptr;
  const CUgraphNode_st* from = nullptr;
};

difference compare(const CUgraphExec_st& x, const CUgraphExec_st& with);

/// Of conditional nodes.
difference compare_bodies(const CUgraphExec_st::node& a, const CUgraphExec_st::node& b) {
  const auto* const of_a = parameters_of<conditional_parameters>(a.what);
  const auto* const of_b = parameters_of<conditional_parameters>(b.what);
  if (of_a == nullptr || of_b == nullptr) {
    return {};
  }
  if (of_a->type != of_b->type || a.bodies.size() != b.bodies.size()) {
    return {cudaGraphExecUpdateErrorNotSupported, b.from, a.from};
  }
  for (std::size_t body = 0; body < a.bodies.size(); ++body) {
    const difference inside = compare(*a.bodies[body], *b.bodies[body]);
    if (inside.result != cudaGraphExecUpdateSuccess) {
      return inside;
    }
  }
  return {};
}

difference compare(const CUgraphExec_st& x, const CUgraphExec_st& with) {
  if (x.nodes.size() != with.nodes.size()) {
    return {cudaGraphExecUpdateErrorTopologyChanged};
  }
  for (std::size_t i = 0; i < x.nodes.size(); ++i) {
    const auto& a = x.nodes[i];
    const auto& b = with.nodes[i];
    if (const difference inside = compare_bodies(a, b);
        inside.result != cudaGraphExecUpdateSuccess) {
      return inside;
    }
    if (a.what.type != b.what.type) {
      return {cudaGraphExecUpdateErrorNodeTypeChanged, b.from, a.from};
    }
    if (!std::is_permutation(a.after.begin(), a.after.end(), b.after.begin(), b.after.end())) {
      return {cudaGraphExecUpdateErrorTopologyChanged, b.from, a.from};
    }
  }
  return {};
}

cudaError_t change_edges(entry& call,
                         CUgraph_st& g,
                         const cudaGraphNode_t* from,
                         const cudaGraphNode_t* to,
                         std::size_t count,
                         bool add,
                         const char* function) {
  for (std::size_t i = 0; i < count; ++i) {
    if (!g.find(from[i]) || !g.find(to[i]) || from[i] == to[i]) {
      return no_graph(call, function, "both ends of an edge are nodes of the graph, and not one");
    }
    auto& after = to[i]->after;
    const auto edge = std::find(after.begin(), after.end(), from[i]);
    if ((edge == after.end()) != add) {
      return no_graph(call, function, add ? "there is the edge already" : "there is no such edge");
    }
    if (add) {
      after.push_back(from[i]);
    } else {
      after.erase(edge);
    }
  }
  return call.ok();
}

/// Fills up to *count of an array, and tells how many there are.
cudaError_t answer(entry& call,
                   const std::vector<CUgraphNode_st*>& found,
                   cudaGraphNode_t* out,
                   size_t* count) {
  if (out != nullptr) {
    std::copy_n(found.begin(), std::min(*count, found.size()), out);
    std::fill(out + std::min(*count, found.size()), out + *count, nullptr);
  }
  *count = out == nullptr ? found.size() : std::min(*count, found.size());
  return call.ok();
}

/// Launches of executable graphs do not become nodes.
cudaError_t refuse_captured(entry& call, const CUstream_st& stream, const char* function) {
  if (stream.capturing == nullptr) {
    return cudaSuccess;
  }
  stream.capturing->invalidate();
  return call.misuse(cudaErrorStreamCaptureUnsupported,
                     fmt::format("{}: the stream is captured, which executable graphs cannot be, "
                                 "and the capture has failed",
                                 function),
                     "give the captured graph the other one by cudaGraphAddChildGraphNode, or "
                     "launch the work itself while the stream is captured");
}

std::vector<CUgraphNode_st*> nodes_of(const CUgraph_st& g, bool roots_alone) {
  std::vector<CUgraphNode_st*> found;
  for (const auto& n : g.nodes) {
    if (!roots_alone || n->after.empty()) {
      found.push_back(n.get());
    }
  }
  return found;
}

} // namespace

cudaError_t cudaGraphCreate(cudaGraph_t* pGraph, unsigned int flags) {
  TILESIM_ENTRY(call)
  if (pGraph == nullptr || flags != 0) {
    return no_graph(call,
                    "cudaGraphCreate",
                    pGraph == nullptr ? "null pointer for the result" : "flags are not 0");
  }
  *pGraph = call.state.graphs.add(std::make_shared<CUgraph_st>());
  return call.ok();
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphDestroy")
  if (is_captured_to(call, *g) || !call.state.graphs.destroy(graph)) {
    return no_graph(call, "cudaGraphDestroy", "a capture adds to the graph, or it is a node's");
  }
  sweep(call);
  return call.ok();
}

cudaError_t cudaGraphClone(cudaGraph_t* pGraphClone, cudaGraph_t originalGraph) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, originalGraph, "cudaGraphClone")
  if (pGraphClone == nullptr) {
    return no_graph(call, "cudaGraphClone", "null pointer for the result");
  }
  if (const cudaError_t e = refuse_copy(call, *g, "cudaGraphClone")) {
    return e;
  }
  *pGraphClone = call.state.graphs.add(g->clone());
  return call.ok();
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int /*flags*/) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphDebugDotPrint")
  constexpr const char* types[] = {"kernel",
                                   "copy",
                                   "set",
                                   "host",
                                   "graph",
                                   "empty",
                                   "wait",
                                   "record",
                                   "",
                                   "",
                                   "alloc",
                                   "free",
                                   "",
                                   "condition"};
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
  if (file == nullptr) {
    return no_graph(call, "cudaGraphDebugDotPrint", "the file cannot be written");
  }
  std::string text = "digraph {\n";
  for (std::size_t i = 0; i < g->nodes.size(); ++i) {
    text += fmt::format("  n{} [label=\"{} {}\"]\n", i, i, types[g->nodes[i]->what.type]);
    for (const CUgraphNode_st* const before : g->nodes[i]->after) {
      text += fmt::format("  n{} -> n{}\n", *g->find(before), i);
    }
  }
  text += "}\n";
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  return call.ok();
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph,
                                     const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* /*edgeData*/,
                                     size_t numDependencies) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphAddDependencies")
  return change_edges(call, *g, from, to, numDependencies, true, "cudaGraphAddDependencies");
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph,
                                        const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* /*edgeData*/,
                                        size_t numDependencies) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphRemoveDependencies")
  return change_edges(call, *g, from, to, numDependencies, false, "cudaGraphRemoveDependencies");
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* numNodes) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphGetNodes")
  return numNodes == nullptr ? no_graph(call, "cudaGraphGetNodes", "null pointer for the number")
                             : answer(call, nodes_of(*g, false), nodes, numNodes);
}

cudaError_t
cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* pRootNodes, size_t* pNumRootNodes) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphGetRootNodes")
  return pNumRootNodes == nullptr
             ? no_graph(call, "cudaGraphGetRootNodes", "null pointer for the number")
             : answer(call, nodes_of(*g, true), pRootNodes, pNumRootNodes);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph,
                              cudaGraphNode_t* from,
                              cudaGraphNode_t* to,
                              cudaGraphEdgeData* edgeData,
                              size_t* numEdges) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH(g, call, graph, "cudaGraphGetEdges")
  if (numEdges == nullptr || (from == nullptr) != (to == nullptr)) {
    return no_graph(call, "cudaGraphGetEdges", "null pointer for the number, or for one end");
  }
  std::vector<CUgraphNode_st*> begins;
  std::vector<CUgraphNode_st*> ends;
  for (const auto& n : g->nodes) {
    begins.insert(begins.end(), n->after.begin(), n->after.end());
    ends.insert(ends.end(), n->after.size(), n.get());
  }
  if (edgeData != nullptr) {
    std::fill_n(edgeData, std::min(*numEdges, ends.size()), cudaGraphEdgeData{});
  }
  std::size_t count = *numEdges;
  answer(call, begins, from, &count);
  return answer(call, ends, to, numEdges);
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node,
                                         cudaGraphNode_t* pDependencies,
                                         cudaGraphEdgeData* edgeData,
                                         size_t* pNumDependencies) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_NODE(call, node, "cudaGraphNodeGetDependencies")
  if (pNumDependencies == nullptr) {
    return no_graph(call, "cudaGraphNodeGetDependencies", "null pointer for the number");
  }
  if (edgeData != nullptr) {
    std::fill_n(edgeData, std::min(*pNumDependencies, node->after.size()), cudaGraphEdgeData{});
  }
  return answer(call, node->after, pDependencies, pNumDependencies);
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
                                           cudaGraphNode_t* pDependentNodes,
                                           cudaGraphEdgeData* edgeData,
                                           size_t* pNumDependentNodes) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_NODE(call, node, "cudaGraphNodeGetDependentNodes")
  if (pNumDependentNodes == nullptr) {
    return no_graph(call, "cudaGraphNodeGetDependentNodes", "null pointer for the number");
  }
  std::vector<CUgraphNode_st*> found;
  for (const auto& n : call.state.graphs.graph_of(node)->nodes) {
    if (std::find(n->after.begin(), n->after.end(), node) != n->after.end()) {
      found.push_back(n.get());
    }
  }
  if (edgeData != nullptr) {
    std::fill_n(edgeData, std::min(*pNumDependentNodes, found.size()), cudaGraphEdgeData{});
  }
  return answer(call, found, pDependentNodes, pNumDependentNodes);
}

cudaError_t
cudaGraphInstantiate(cudaGraphExec_t* pGraphExec, cudaGraph_t graph, unsigned long long flags) {
  TILESIM_ENTRY(call)
  cudaGraphInstantiateResult result{};
  return instantiate_graph(call, pGraphExec, graph, flags, "cudaGraphInstantiate", result);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* pGraphExec,
                                          cudaGraph_t graph,
                                          unsigned long long flags) {
  TILESIM_ENTRY(call)
  cudaGraphInstantiateResult result{};
  return instantiate_graph(call, pGraphExec, graph, flags, "cudaGraphInstantiateWithFlags", result);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* pGraphExec,
                                           cudaGraph_t graph,
                                           cudaGraphInstantiateParams* instantiateParams) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphInstantiateWithParams";
  if (instantiateParams == nullptr) {
    return no_graph(call, function, "null pointer for the parameters");
  }
  instantiateParams->errNode_out = nullptr;
  const cudaError_t e = instantiate_graph(
      call, pGraphExec, graph, instantiateParams->flags, function, instantiateParams->result_out);
  return e;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graphExec, unsigned long long* flags) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_EXEC(x, call, graphExec, "cudaGraphExecGetFlags")
  if (flags == nullptr) {
    return no_graph(call, "cudaGraphExecGetFlags", "null pointer for the result");
  }
  *flags = x->flags;
  return call.ok();
}

cudaError_t cudaGraphUpload(cudaGraphExec_t graphExec, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_EXEC(x, call, graphExec, "cudaGraphUpload")
  (void)x;
  const auto [s, refused] = find_for_work(call, stream, "cudaGraphUpload");
  if (refused != cudaSuccess) {
    return refused;
  }
  const cudaError_t e = refuse_captured(call, *s, "cudaGraphUpload");
  return e != cudaSuccess ? e : call.ok();
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t graphExec, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_EXEC(x, call, graphExec, "cudaGraphLaunch")
  const auto [s, refused] = find_for_work(call, stream, "cudaGraphLaunch");
  if (refused != cudaSuccess) {
    return refused;
  }
  if (const cudaError_t e = refuse_captured(call, *s, "cudaGraphLaunch")) {
    return e;
  }
  if (const cudaError_t e = account_memory(call, *x)) {
    return e;
  }
  launch(call.sim, call.state.work, *x, *s);
  return call.ok();
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graphExec) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_EXEC(x, call, graphExec, "cudaGraphExecDestroy")
  hold(*x, false);
  call.state.graphs.destroy(graphExec);
  sweep(call);
  return call.ok();
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t hGraphExec,
                                cudaGraph_t hGraph,
                                cudaGraphExecUpdateResultInfo* resultInfo) {
  TILESIM_ENTRY(call)
  TILESIM_GRAPH_EXEC(x, call, hGraphExec, "cudaGraphExecUpdate")
  TILESIM_GRAPH(g, call, hGraph, "cudaGraphExecUpdate")
  auto made = instantiate(*g);
  const difference d =
      made == nullptr ? difference{cudaGraphExecUpdateErrorTopologyChanged} : compare(*x, *made);
  if (resultInfo != nullptr) {
    *resultInfo = {
        d.result, const_cast<CUgraphNode_st*>(d.node), const_cast<CUgraphNode_st*>(d.from)};
  }
  if (d.result != cudaGraphExecUpdateSuccess) {
    // No finding: programs try, and instantiate anew where it cannot be.
    return call.error(cudaErrorGraphExecUpdateFailure);
  }
  for (std::size_t i = 0; i < made->nodes.size(); ++i) {
    x->nodes[i].what = made->nodes[i].what;
    x->nodes[i].bodies = made->nodes[i].bodies;
  }
  x->conditions = made->conditions;
  return call.ok();
}
