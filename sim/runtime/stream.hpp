// Streams, events, and what is done in a stream.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/detect/work_order.hpp"

#include <chrono>
#include <driver_types.h>
#include <functional>
#include <memory>
#include <vector>

struct CUgraphNode_st;

namespace tilesim::sim {
class capture;
struct node_parameters;
struct task;
} // namespace tilesim::sim

/// A stream. Its address is the handle.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  const void* site = nullptr;               ///< of the creating call
  tilesim::sim::work_order order;           ///< of its newest work; number 0: none
  std::shared_ptr<tilesim::sim::task> last; ///< the newest work; null: none unfinished

  std::shared_ptr<tilesim::sim::capture> capturing; ///< its work becomes nodes of a graph
  std::vector<CUgraphNode_st*> frontier;            ///< which the next node comes after
  /// Where graphs that are launched here do what is not in the order of this stream.
  std::vector<std::unique_ptr<CUstream_st>> lanes;
  /// Where the bodies of conditional nodes are done that come in the order of this stream.
  std::shared_ptr<CUstream_st> bodies;
  bool of_body = false; ///< what it is given comes after other work, not after the host's calls
};

/// An event. Its address is the handle.
struct CUevent_st {
  using clock = std::chrono::steady_clock;

  unsigned flags = 0;
  const void* site = nullptr;
  bool recorded = false;
  std::shared_ptr<tilesim::sim::task> after; ///< what it waits for
  std::shared_ptr<clock::time_point> time;   ///< when that was done

  std::shared_ptr<tilesim::sim::capture> captured; ///< where it was recorded in a capture
  std::vector<CUgraphNode_st*> frontier;           ///< of its stream then
};

namespace tilesim::sim {

/// What is done in a stream, or by a node of a graph: there as often as that is launched.
struct piece {
  cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
  std::function<launch_id()> start; ///< does it, or submits a launch and gives its number
  std::function<void()> dropped;    ///< instead of it, once the device has failed; may be empty
  std::shared_ptr<const node_parameters> parameters; ///< for who asks the node; may be empty
};

/// One piece of work.
struct task {
  std::function<launch_id()> start; ///< does it, or submits a launch and gives its number
  std::function<void()> dropped;    ///< instead of it, once the device has failed; may be empty
  launch_id launch = 0;
  bool started = false;
  bool finished = false;
  std::vector<std::shared_ptr<task>> after;
  work_order order; ///< as the program's calls order it, whenever it is done
  /// What it turned out to be when it started, a conditional node's body: it is done with this.
  std::shared_ptr<task> within;
};

} // namespace tilesim::sim
