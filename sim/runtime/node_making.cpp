// Nodes of graphs: what their parameters ask for, and where they are added.
//
// A node is what the runtime's function of the same purpose gives to a stream: the checks are that
// function's.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/node_making.hpp"

#include "sim/runtime/allocate.hpp"
#include "sim/runtime/copy.hpp"
#include "sim/runtime/erased_call.hpp"
#include "sim/runtime/fill.hpp"

#include <algorithm>

namespace tilesim::sim {

namespace {

cudaError_t null_parameters(entry& call, const char* function) {
  return no_graph(call, function, "null pointer for the parameters");
}

} // namespace

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

piece* find(CUgraphExec_st& x, cudaGraphNode_t node) {
  auto* const n = x.find(node);
  return n == nullptr ? nullptr : &n->what;
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

cudaError_t add_child(entry& call, const new_node& n, std::shared_ptr<CUgraph_st> child) {
  return add(call,
             n,
             {.type = cudaGraphNodeTypeGraph,
              .start = {},
              .dropped = {},
              .parameters = keep_parameters(std::move(child))});
}

cudaError_t refuse_conditions(entry& call, const char* function, const char* what) {
  return call.misuse(cudaErrorNotSupported,
                     fmt::format("{}: a graph with conditional nodes is not {}", function, what),
                     "make these nodes in the graph that they are to be in");
}

cudaError_t refuse_copy(entry& call, const CUgraph_st& graph, const char* function) {
  if (has_node_of(graph, cudaGraphNodeTypeConditional)) {
    return refuse_conditions(call, function, "copied");
  }
  if (!has_node_of(graph, cudaGraphNodeTypeMemAlloc) &&
      !has_node_of(graph, cudaGraphNodeTypeMemFree)) {
    return cudaSuccess;
  }
  return call.misuse(
      cudaErrorNotSupported,
      fmt::format("{}: a graph with nodes that allocate or free memory is not copied", function),
      "hand the graph itself over (cudaGraphChildGraphOwnershipMove of cudaGraphAddNode), or "
      "allocate in the graph that it is to be in");
}

cudaError_t add_copied_child(entry& call, const new_node& n, const CUgraph_st& child) {
  const cudaError_t e = refuse_copy(call, child, n.function);
  return e != cudaSuccess ? e : add_child(call, n, child.clone());
}

cudaError_t add_allocation(entry& call, const new_node& n, std::size_t bytes, void** out) {
  piece what;
  const cudaError_t e = make_piece(call, what, cudaGraphNodeTypeMemAlloc, [&](cudaStream_t in) {
    return allocate_async(call, out, bytes, in, n.function);
  });
  return e != cudaSuccess ? e : add(call, n, std::move(what));
}

cudaError_t add_free(entry& call, const new_node& n, void* pointer) {
  piece what;
  const cudaError_t e = make_piece(call, what, cudaGraphNodeTypeMemFree, [&](cudaStream_t in) {
    return free_async(call, pointer, in, n.function);
  });
  return e != cudaSuccess ? e : add(call, n, std::move(what));
}

} // namespace tilesim::sim
