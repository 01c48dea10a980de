// cudaGraphAddNode: a node of any type, told by one structure.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"
#include "sim/runtime/graph_calls.hpp"
#include "sim/runtime/node_making.hpp"

#include <algorithm>

using namespace tilesim::sim;

namespace {

// The structures that have the members of the older ones.
cudaKernelNodeParams plain(const cudaKernelNodeParamsV2& p) {
  return {p.func, p.gridDim, p.blockDim, p.sharedMemBytes, p.kernelParams, p.extra};
}
cudaMemsetParams plain(const cudaMemsetParamsV2& p) {
  return {p.dst, p.pitch, p.value, p.elementSize, p.width, p.height};
}
cudaHostNodeParams plain(const cudaHostNodeParamsV2& p) {
  return {p.fn, p.userData};
}

cudaError_t not_there(entry& call, const char* function, const char* what, const char* remedy) {
  call.sim.found.add(with_callers(call.site),
                     {.kind = finding_kind::unsupported,
                      .message = fmt::format("{}: {}", function, what),
                      .details = {"the call returns cudaErrorNotSupported"},
                      .remedy = remedy});
  return call.error(cudaErrorNotSupported);
}

/// Which numbers of bodies a conditional node may have.
bool is_size(cudaGraphConditionalNodeType type, unsigned size) {
  switch (type) {
  case cudaGraphCondTypeIf:
    return size == 1 || size == 2;
  case cudaGraphCondTypeWhile:
    return size == 1;
  case cudaGraphCondTypeSwitch:
    return size != 0;
  }
  return false;
}

cudaError_t add_conditional(entry& call, const new_node& n, cudaConditionalNodeParams& p) {
  graph_store& graphs = call.state.graphs;
  const auto found = graphs.conditions.find(
      reinterpret_cast<const void*>(p.handle)); // NOLINT(performance-no-int-to-ptr)
  const auto of = found == graphs.conditions.end() ? nullptr : found->second.lock();
  if (of == nullptr || !graphs.may_ask(*graphs.find(n.graph), *of)) {
    return no_graph(call,
                    n.function,
                    of == nullptr ? "no conditional handle, or its graph is gone"
                                  : "the conditional handle was created for another graph");
  }
  if (graphs.asks(*of)) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: a conditional node asks the handle already", n.function),
                       "create a handle for each conditional node");
  }
  if (!is_size(p.type, p.size)) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: type {} of a conditional node with {} bodies",
                                   n.function,
                                   static_cast<int>(p.type),
                                   p.size),
                       "a while node has one, an if node one or two, a switch node at least one");
  }
  conditional_parameters told{of, p.type, {}, {}, with_callers(call.site)};
  told.handles = std::make_shared<std::vector<CUgraph_st*>>();
  for (unsigned i = 0; i < p.size; ++i) {
    told.bodies.push_back(std::make_shared<CUgraph_st>());
    told.handles->push_back(told.bodies.back().get());
  }
  p.phGraph_out = told.handles->data();
  return add(call,
             n,
             {.type = cudaGraphNodeTypeConditional,
              .start = {},
              .dropped = {},
              .parameters = keep_parameters(std::move(told))});
}

cudaError_t add_graph(entry& call, const new_node& n, const cudaChildGraphNodeParams& p) {
  TILESIM_GRAPH(child, call, p.graph, n.function)
  if (p.ownership != cudaGraphChildGraphOwnershipMove) {
    return add_copied_child(call, n, *child);
  }
  if (holds(*child, *call.state.graphs.find(n.graph)) || is_captured_to(call, *child)) {
    return call.misuse(cudaErrorNotSupported,
                       fmt::format("{}: the graph is the one that it is to be in, or has it "
                                   "inside, or a capture adds to it",
                                   n.function),
                       "give a node's graph nodes of its own");
  }
  if (has_node_of(*child, cudaGraphNodeTypeConditional)) {
    return refuse_conditions(call, n.function, "moved into another"); // [cudaChildGraphNodeParams]
  }
  auto moved = call.state.graphs.take(p.graph);
  if (moved == nullptr) {
    return no_graph(call, n.function, "the graph is a node's already");
  }
  return add_child(call, n, std::move(moved));
}

/// By the type that the parameters name.
cudaError_t add_any(entry& call, const new_node& n, cudaGraphNodeParams& p) {
  switch (p.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParams k = plain(p.kernel);
    return make_and_add(call, n, &k);
  }
  case cudaGraphNodeTypeMemcpy:
    return make_and_add(call, n, &p.memcpy.copyParams);
  case cudaGraphNodeTypeMemset: {
    const cudaMemsetParams m = plain(p.memset);
    return make_and_add(call, n, &m);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams h = plain(p.host);
    return make_and_add(call, n, &h);
  }
  case cudaGraphNodeTypeGraph:
    return add_graph(call, n, p.graph);
  case cudaGraphNodeTypeEmpty:
    return add(call, n, {});
  case cudaGraphNodeTypeWaitEvent:
    return add_event(call, n, p.type, p.eventWait.event);
  case cudaGraphNodeTypeEventRecord:
    return add_event(call, n, p.type, p.eventRecord.event);
  case cudaGraphNodeTypeMemAlloc:
    return p.alloc.bytesize == 0 ? no_graph(call, n.function, "an allocation of no bytes")
                                 : add_allocation(call, n, p.alloc.bytesize, &p.alloc.dptr);
  case cudaGraphNodeTypeMemFree:
    return add_free(call, n, p.free.dptr);
  case cudaGraphNodeTypeConditional:
    return add_conditional(call, n, p.conditional);
  case cudaGraphNodeTypeExtSemaphoreSignal:
  case cudaGraphNodeTypeExtSemaphoreWait:
    return not_there(call, n.function, "semaphores of others are not simulated", "use events");
  case cudaGraphNodeTypeCount:
    break;
  }
  return call.misuse(
      cudaErrorInvalidValue,
      fmt::format("{}: {} is no type of a node", n.function, static_cast<int>(p.type)));
}

/// Members that have no meaning are zero.
cudaError_t check(entry& call, const cudaGraphNodeParams* p, const char* function) {
  if (p == nullptr) {
    return no_graph(call, function, "null pointer for the parameters");
  }
  if (std::ranges::any_of(p->reserved0, [](int word) { return word != 0; }) || p->reserved2 != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: reserved members of the parameters are not 0", function),
                       "write cudaGraphNodeParams p = {}");
  }
  return cudaSuccess;
}

/// Ports and kinds of edges: all that are there are full ones.
bool is_plain(const cudaGraphEdgeData& e) {
  return e.from_port == 0 && e.to_port == 0 && e.type == 0;
}

/// Another work for a node of a graph, or of an executable (nullptr: it has no such node).
cudaError_t
change_any(entry& call, piece* what, const cudaGraphNodeParams& p, const char* function) {
  switch (p.type) {
  case cudaGraphNodeTypeKernel: {
    const cudaKernelNodeParams k = plain(p.kernel);
    return change(call, what, p.type, &k, function);
  }
  case cudaGraphNodeTypeMemcpy:
    return change(call, what, p.type, &p.memcpy.copyParams, function);
  case cudaGraphNodeTypeMemset: {
    const cudaMemsetParams m = plain(p.memset);
    return change(call, what, p.type, &m, function);
  }
  case cudaGraphNodeTypeHost: {
    const cudaHostNodeParams h = plain(p.host);
    return change(call, what, p.type, &h, function);
  }
  case cudaGraphNodeTypeWaitEvent:
    return set_event(call, what, p.type, p.eventWait.event, function);
  case cudaGraphNodeTypeEventRecord:
    return set_event(call, what, p.type, p.eventRecord.event, function);
  case cudaGraphNodeTypeConditional:
    return call.misuse(cudaErrorNotSupported,
                       fmt::format("{}: conditional nodes keep their parameters", function),
                       "change nodes in their bodies, or update the executable graph as a whole "
                       "(cudaGraphExecUpdate)");
  default:
    return no_graph(call, function, "nodes of this type keep their parameters");
  }
}

} // namespace

cudaError_t cudaGraphAddNode(cudaGraphNode_t* pGraphNode,
                             cudaGraph_t graph,
                             const cudaGraphNode_t* pDependencies,
                             const cudaGraphEdgeData* dependencyData,
                             size_t numDependencies,
                             cudaGraphNodeParams* nodeParams) {
  TILESIM_ENTRY(call)
  const new_node n{pGraphNode, graph, pDependencies, numDependencies, "cudaGraphAddNode"};
  if (const cudaError_t e = tilesim::sim::check(call, n)) {
    return e;
  }
  if (const cudaError_t e = check(call, nodeParams, n.function)) {
    return e;
  }
  if (dependencyData != nullptr &&
      !std::all_of(dependencyData, dependencyData + numDependencies, is_plain)) {
    return not_there(call,
                     n.function,
                     "edges that let a kernel begin before the other has ended are not simulated",
                     "pass a null pointer for the edges' data");
  }
  return add_any(call, n, *nodeParams);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* nodeParams) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphNodeSetParams";
  TILESIM_GRAPH_NODE(call, node, function)
  const cudaError_t e = check(call, nodeParams, function);
  return e != cudaSuccess ? e : change_any(call, &node->what, *nodeParams, function);
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t graphExec,
                                       cudaGraphNode_t node,
                                       cudaGraphNodeParams* nodeParams) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphExecNodeSetParams";
  TILESIM_GRAPH_EXEC(x, call, graphExec, function)
  const cudaError_t e = check(call, nodeParams, function);
  return e != cudaSuccess ? e
                          : change_any(call, tilesim::sim::find(*x, node), *nodeParams, function);
}
