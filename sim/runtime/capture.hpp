// Captures: work of streams that becomes nodes of a graph, and which calls are refused meanwhile.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/runtime/graph.hpp"

#include <thread>

namespace tilesim::sim {

class entry;
class runtime_state;

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
  /// The graph; nothing where it is an addition.
  [[nodiscard]] std::shared_ptr<CUgraph_st> release() noexcept { return std::move(own_); }

private:
  std::shared_ptr<CUgraph_st> own_;
  CUgraph_st* to_;
  std::vector<CUstream_st*> streams_;
  bool valid_ = true;
};

/// A stream that may be given work, or why not, which has been told.
struct stream_for_work {
  CUstream_st* stream = nullptr;
  cudaError_t refused = cudaSuccess;
};

/// Refused where its capture is not valid any more, and to the legacy stream while a stream that it
/// waits for is captured.  [CUDA programming guide: prohibited and unhandled operations]
[[nodiscard]] stream_for_work find_for_work(entry& call, cudaStream_t handle, const char* function);

/// What cudaThreadExchangeStreamCaptureMode has set for the calling thread.
[[nodiscard]] cudaStreamCaptureMode& capture_mode_of_thread() noexcept;

/// For a call that waits for a stream, or asks whether its work is done.
[[nodiscard]] cudaError_t
refuse_waiting(entry& call, const CUstream_st& stream, const char* function);
/// For a call that waits for all streams.
[[nodiscard]] cudaError_t refuse_waiting_for_all(entry& call, const char* function);
/// For a call that might wait for streams: unless captures or the thread are "relaxed".
[[nodiscard]] cudaError_t refuse_unsafe(entry& call, const char* function);

} // namespace tilesim::sim
