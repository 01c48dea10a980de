// Launches of graphs.
//
// A launched graph is work of streams: a chain of nodes is done in one, each other chain in one
// beside it, and edges between chains are waits. So nodes that no path of edges connects are not
// ordered, for the race detector as for a GPU.  [CUDA programming guide: CUDA graphs]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/graph.hpp"

namespace tilesim::sim {

class context;
class work_queue;

/// Launches it in a stream that is not captured.
void launch(context& c, work_queue& work, CUgraphExec_st& exec, CUstream_st& stream);

} // namespace tilesim::sim
