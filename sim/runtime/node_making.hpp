// Making nodes of graphs from what a program tells of them.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/graph_calls.hpp"

#include <cstddef>
#include <utility>

namespace tilesim::sim {

struct flat_copy {
  void* dst;
  const void* src;
  std::size_t count;
  cudaMemcpyKind kind;
};

/// By type of parameters: the work of a node that has them.
cudaError_t make(entry& call, piece& made, const cudaKernelNodeParams* p, const char* function);
cudaError_t make(entry& call, piece& made, const cudaMemcpy3DParms* p, const char* function);
cudaError_t make(entry& call, piece& made, const flat_copy* p, const char* function);
cudaError_t make(entry& call, piece& made, const cudaMemsetParams* p, const char* function);
cudaError_t make(entry& call, piece& made, const cudaHostNodeParams* p, const char* function);

/// Where a node is to be: it comes behind nodes of the same graph, each once.
struct new_node {
  cudaGraphNode_t* out;
  cudaGraph_t graph;
  const cudaGraphNode_t* after;
  std::size_t count;
  const char* function;
};

cudaError_t check(entry& call, const new_node& n);
cudaError_t add(entry& call, const new_node& n, piece what);
cudaError_t add_event(entry& call, const new_node& n, cudaGraphNodeType type, cudaEvent_t event);
cudaError_t set_event(
    entry& call, piece* what, cudaGraphNodeType type, cudaEvent_t event, const char* function);
/// The work of a node of an executable; nullptr where there is no such node.
piece* find(CUgraphExec_st& x, cudaGraphNode_t node);

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

/// By type: a node that is no more than what its functions of their own add.
cudaError_t add_child(entry& call, const new_node& n, std::shared_ptr<CUgraph_st> child);
/// Of a graph with conditional nodes. `what`: "copied".
cudaError_t refuse_conditions(entry& call, const char* function, const char* what);
/// Refuses to copy a graph that has what there can be one of: nodes that allocate, free or are
/// conditional, also in graphs inside it.  [cudaGraphAddChildGraphNode, cudaGraphClone]
cudaError_t refuse_copy(entry& call, const CUgraph_st& graph, const char* function);
/// A copy of it.
cudaError_t add_copied_child(entry& call, const new_node& n, const CUgraph_st& child);
cudaError_t add_allocation(entry& call, const new_node& n, std::size_t bytes, void** out);
cudaError_t add_free(entry& call, const new_node& n, void* pointer);

} // namespace tilesim::sim
