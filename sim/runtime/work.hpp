// Work in streams: kernels, copies and host functions, each after what it must wait for.
//
// Work is done at the call, in the host's thread. Only behind a kernel that waits for memory to
// change does it queue up; every runtime call tries to go on, a synchronising one insists.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/detect/work_order.hpp"
#include "sim/runtime/stream.hpp"

#include <deque>
#include <driver_types.h>
#include <memory>
#include <set>
#include <vector>

namespace tilesim::sim {

class context;

class work_queue {
public:
  explicit work_queue(context& c);

  /// The stream of a handle: 0, cudaStreamLegacy and cudaStreamPerThread included; nullptr for what
  /// is no live stream.
  [[nodiscard]] CUstream_st* find(cudaStream_t handle) noexcept;
  [[nodiscard]] CUstream_st* create(unsigned flags, int priority, const void* site);
  void destroy(CUstream_st* stream);

  [[nodiscard]] CUevent_st* create_event(unsigned flags, const void* site);
  [[nodiscard]] bool is_event(cudaEvent_t event) const noexcept;
  void destroy_event(cudaEvent_t event);

  /// Appends work to a stream and does it now if nothing before it waits. Once the device has
  /// failed, `dropped` is called instead. A stream that is captured gives it to the graph: nothing.
  std::shared_ptr<task> append(CUstream_st& stream, piece what);

  /// The error that ends the device's use, from when the host has waited for failed work.
  [[nodiscard]] cudaError_t lost() const noexcept { return lost_; }
  /// The device is reset.
  void recover() noexcept;

  /// Appends an event to a stream that is not captured.
  std::shared_ptr<task> record(CUstream_st& stream, CUevent_st& event);

  /// A stream beside `stream` for what graphs do there: the nth, made where there is none yet.
  [[nodiscard]] CUstream_st& lane(CUstream_st& stream, std::size_t n);
  /// The stream for what work of `stream` turns out to be when it starts.
  [[nodiscard]] std::shared_ptr<CUstream_st> body_stream(CUstream_st& stream);
  /// The work that is being started.
  [[nodiscard]] const std::shared_ptr<task>& starting() const noexcept { return starting_; }
  /// Streams that wait for the legacy default stream and that it waits for, which are captured.
  [[nodiscard]] std::vector<CUstream_st*> captured_and_blocking();

  /// Makes all later work of the stream wait for a task.
  void wait_for(CUstream_st& stream, std::shared_ptr<task> other);

  /// Goes as far as it goes without insisting; where the host does not ask for that, launches may
  /// have to wait until it does [options.hpp].
  void advance(bool host_asks = true);

  /// Until the task, the stream's work, or all work is done. What cannot be done is a deadlock:
  /// reported, and the process ends. Not `host_waits`: it is done, as far as a run goes, but a
  /// GPU's host would not have waited, so its next work may come before.
  /// Meanwhile other threads of the host's may add work, and finish some.
  void finish(std::shared_ptr<task> t, bool host_waits = true);
  void finish(CUstream_st& stream);
  void finish_all();

  /// In the middle of a pass over the work.
  [[nodiscard]] bool is_stepping() const noexcept { return stepping_; }

  /// True when the stream's work is done.
  [[nodiscard]] bool idle(CUstream_st& stream);

  CUstream_st legacy;
  CUstream_st per_thread;
  CUstream_st builder; ///< whose work becomes the node that is being added to a graph

private:
  /// The order of new work in a stream: after the stream's, after what the host knows and has done.
  work_order next_order(CUstream_st& stream);
  /// The host has waited for work.
  void host_knows(const work_order& order);

  bool step();
  /// Whoever comes after the task comes after what it turned out to be.
  void order_behind(const task& done);
  [[nodiscard]] std::unique_ptr<CUstream_st> make_lane(bool of_body);
  [[nodiscard]] static const task* held_up_by(const task& t);
  [[nodiscard]] static bool ready(const task& t) noexcept;

  context& context_;
  unsigned long long next_id_ = 3;
  work_order destroyed_; ///< of blocking streams that are no more: the legacy stream still comes
                         ///< after their work
  bool stepping_ = false;
  std::shared_ptr<task> starting_;
  cudaError_t lost_ = cudaSuccess;
  std::deque<std::shared_ptr<task>> pending_; ///< unfinished work in order of the calls
  std::vector<std::unique_ptr<CUstream_st>> streams_;
  std::set<std::unique_ptr<CUevent_st>> events_;
};

} // namespace tilesim::sim
