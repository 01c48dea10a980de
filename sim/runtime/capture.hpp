// Captures: work of streams that becomes nodes of a graph.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/graph.hpp"
#include "sim/runtime/stream.hpp"

#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace tilesim::sim {

class capture {
public:
  /// A graph of its own, or an addition to one.
  capture(CUstream_st& from, cudaStreamCaptureMode how, CUgraph_st* to);

  const CUstream_st* origin; ///< where it has begun, and ends
  const cudaStreamCaptureMode mode;
  const std::thread::id thread;
  unsigned long long id = 0;
  bool over = false;

  [[nodiscard]] bool valid() const noexcept { return valid_; }
  /// What has been captured is no graph any more; streams are captured until the capture ends.
  void invalidate() noexcept { valid_ = false; }

  /// A node of what the stream is given to do.
  void take(CUstream_st& stream, piece what);
  /// From now on the stream's work is captured here, behind these nodes.
  void join(CUstream_st& stream, const std::vector<CUgraphNode_st*>& behind);
  /// The stream is destroyed: without the origin there is no graph.
  void leave(CUstream_st& stream);
  /// Whether all that other streams have done is before what the origin does next.
  [[nodiscard]] bool joined() const;
  /// Streams do again what they are given.
  void end();

  [[nodiscard]] CUgraph_st& graph() const noexcept { return *to_; }
  /// False: an addition to a graph that the program has.
  [[nodiscard]] bool makes_graph() const noexcept { return own_ != nullptr; }
  /// The graph; nothing where it is an addition.
  [[nodiscard]] std::shared_ptr<CUgraph_st> release() noexcept { return std::move(own_); }

private:
  std::shared_ptr<CUgraph_st> own_;
  CUgraph_st* to_;
  std::vector<CUstream_st*> streams_;
  bool valid_ = true;
};

} // namespace tilesim::sim
