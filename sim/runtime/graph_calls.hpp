// What calls about graphs and about their nodes begin with.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/capture.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <utility>

/// A graph, an executable or a node of a handle; the call fails where it is none.
#define TILESIM_GRAPH(variable, call, handle, function)                                            \
  CUgraph_st* const variable = (call).state.graphs.find(handle);                                   \
  if (variable == nullptr) {                                                                       \
    return tilesim::sim::no_graph(call, function, "no graph, or one that was destroyed");          \
  }
#define TILESIM_GRAPH_EXEC(variable, call, handle, function)                                       \
  CUgraphExec_st* const variable = (call).state.graphs.find(handle);                               \
  if (variable == nullptr) {                                                                       \
    return tilesim::sim::no_graph(                                                                 \
        call, function, "no executable graph, or one that was destroyed");                         \
  }
#define TILESIM_GRAPH_NODE(call, handle, function)                                                 \
  if ((call).state.graphs.graph_of(handle) == nullptr) {                                           \
    return tilesim::sim::no_graph(call, function, "no node, or one that was destroyed");           \
  }

namespace tilesim::sim {

cudaError_t no_graph(entry& call, const char* function, const char* what);

/// Whether a capture adds to this graph.
[[nodiscard]] bool is_captured_to(const entry& call, const CUgraph_st& graph);

/// The work that `give` gives to the stream which it is handed.
template <class Give>
cudaError_t make_piece(entry& call, piece& made, cudaGraphNodeType type, const Give& give) {
  CUstream_st& builder = call.state.work.builder;
  const auto collected = std::make_shared<capture>(builder, cudaStreamCaptureModeRelaxed, nullptr);
  collected->join(builder, {});
  builder.capturing = collected;
  const cudaError_t e = give(&builder);
  collected->end();
  made = {.type = type, .start = {}, .dropped = {}, .parameters = {}};
  if (e == cudaSuccess && !collected->graph().nodes.empty()) {
    made = collected->graph().nodes.front()->what;
  }
  return e;
}

} // namespace tilesim::sim
