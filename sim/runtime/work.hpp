// Work in streams: kernels, copies and host functions, each after what it must wait for.
//
// Work is done at the call, in the host's thread. Only behind a kernel that waits for memory to
// change does it queue up; every runtime call tries to go on, a synchronising one insists.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/execution.hpp"
#include "sim/detect/work_order.hpp"

#include <chrono>
#include <deque>
#include <driver_types.h>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace tilesim::sim {
struct task;
}

/// A stream. Its address is the handle.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  const void* site = nullptr;               ///< of the creating call
  tilesim::sim::work_order order;           ///< of its newest work; number 0: none
  std::shared_ptr<tilesim::sim::task> last; ///< the newest work; null: none unfinished
};

/// An event. Its address is the handle.
struct CUevent_st {
  using clock = std::chrono::steady_clock;

  unsigned flags = 0;
  const void* site = nullptr;
  bool recorded = false;
  std::shared_ptr<tilesim::sim::task> after; ///< what it waits for
  std::shared_ptr<clock::time_point> time;   ///< when that was done
};

namespace tilesim::sim {

class context;

/// One piece of work.
struct task {
  std::function<launch_id()> start; ///< does it, or submits a launch and gives its number
  std::function<void()> dropped;    ///< instead of it, once the device has failed; may be empty
  launch_id launch = 0;
  bool started = false;
  bool finished = false;
  std::vector<std::shared_ptr<task>> after;
  work_order order; ///< as the program's calls order it, whenever it is done
};

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
  /// failed, `dropped` is called instead.
  std::shared_ptr<task>
  append(CUstream_st& stream, std::function<launch_id()> start, std::function<void()> dropped = {});

  /// The error that ends the device's use, from when the host has waited for failed work.
  [[nodiscard]] cudaError_t lost() const noexcept { return lost_; }
  /// The device is reset.
  void recover() noexcept;

  /// Makes all later work of the stream wait for a task.
  void wait_for(CUstream_st& stream, std::shared_ptr<task> other);

  /// Goes as far as it goes without insisting; where the host does not ask for that, launches may
  /// have to wait until it does [options.hpp].
  void advance(bool host_asks = true);

  /// Until the task, the stream's work, or all work is done. What cannot be done is a deadlock:
  /// reported, and the process ends. Not `host_waits`: it is done, as far as a run goes, but a
  /// GPU's host would not have waited, so its next work may come before.
  void finish(const std::shared_ptr<task>& t, bool host_waits = true);
  void finish(CUstream_st& stream);
  void finish_all();

  /// True when the stream's work is done.
  [[nodiscard]] bool idle(CUstream_st& stream);

  CUstream_st legacy;
  CUstream_st per_thread;

private:
  /// The order of new work in a stream: after the stream's, after what the host knows and has done.
  work_order next_order(CUstream_st& stream);
  /// The host has waited for work.
  void host_knows(const work_order& order);

  bool step();
  [[nodiscard]] static const task* held_up_by(const task& t);
  [[nodiscard]] static bool ready(const task& t) noexcept;

  context& context_;
  unsigned long long next_id_ = 3;
  work_order destroyed_; ///< of blocking streams that are no more: the legacy stream still comes
                         ///< after their work
  bool stepping_ = false;
  cudaError_t lost_ = cudaSuccess;
  std::deque<std::shared_ptr<task>> pending_; ///< unfinished work in order of the calls
  std::vector<std::unique_ptr<CUstream_st>> streams_;
  std::set<std::unique_ptr<CUevent_st>> events_;
};

} // namespace tilesim::sim
