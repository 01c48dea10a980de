// Events behind the program's work.
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu_backend/recorder/activity.hpp"

#include "gpu_backend/recorder/real.hpp"

#include <atomic>
#include <chrono>
#include <utility>

namespace tilesim::gpu {

namespace {

std::uint64_t this_thread() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t mine = ++threads;
  return mine;
}

} // namespace

stream_key key_of(cudaStream_t stream, bool per_thread) {
  if (stream == cudaStreamPerThread || (stream == nullptr && per_thread)) {
    return {.stream = cudaStreamPerThread, .thread = this_thread()};
  }
  return {.stream = stream == cudaStreamLegacy ? nullptr : stream, .thread = 0};
}

cudaEvent_t activity::event() {
  if (!free_.empty()) {
    const cudaEvent_t e = free_.back();
    free_.pop_back();
    return e;
  }
  cudaEvent_t made = nullptr;
  return cudaEventCreateWithFlags(&made, cudaEventDisableTiming) == cudaSuccess ? made : nullptr;
}

bool activity::done(cudaEvent_t e) {
  return e == nullptr || __real_cudaEventQuery(e) != cudaErrorNotReady;
}

void activity::goes_on(const stream_key& key) {
  used& s = streams_[key];
  if (s.end == nullptr) {
    s.end = event();
  }
  if (s.end != nullptr) {
    static_cast<void>(cudaEventRecord(s.end, key.stream));
  }
}

std::uint64_t activity::launches(const stream_key& key) {
  goes_on(key);
  used& s = streams_[key];
  if (!s.number) {
    s.number = next_number_++;
  }
  return *s.number;
}

void activity::forgets(cudaStream_t stream) {
  captured_.erase({.stream = stream, .thread = 0});
  if (const auto found = streams_.find({.stream = stream, .thread = 0}); found != streams_.end()) {
    destroyed_.push_back(found->second.end);
    streams_.erase(found);
  }
}

bool activity::quiet(double seconds) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::duration<double>(seconds);
  const auto busy = [this] {
    while (!destroyed_.empty() && done(destroyed_.back())) {
      free_.push_back(destroyed_.back());
      destroyed_.pop_back();
    }
    if (!destroyed_.empty()) {
      return true;
    }
    for (const auto& [key, s] : streams_) {
      if (!done(s.end)) {
        return true;
      }
    }
    return false;
  };
  while (busy()) {
    if (clock::now() > end) {
      return false;
    }
  }
  return true;
}

cudaEvent_t activity::mark(const stream_key& key) {
  const cudaEvent_t made = event();
  if (made != nullptr && cudaEventRecord(made, key.stream) != cudaSuccess) {
    free_.push_back(made);
    return nullptr;
  }
  return made;
}

bool activity::passed(cudaEvent_t mark) {
  if (!done(mark)) {
    return false;
  }
  if (mark != nullptr) {
    free_.push_back(mark);
  }
  return true;
}

void activity::ends_capture(const stream_key& key) {
  cudaStreamCaptureStatus is = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(key.stream, &is) != cudaSuccess || is == cudaStreamCaptureStatusNone) {
    captured_.erase(key);
  }
}

bool activity::is_captured(const stream_key& key) const {
  cudaStreamCaptureStatus is = cudaStreamCaptureStatusNone;
  return captures() && (captured_.contains(key) || // others join by events
                        (cudaStreamIsCapturing(key.stream, &is) == cudaSuccess &&
                         is != cudaStreamCaptureStatusNone));
}

void activity::reset() {
  std::erase_if(streams_, [](const auto& s) { // default streams are there again
    return s.first.stream != nullptr && s.first.thread == 0;
  });
  for (auto& [key, s] : streams_) {
    s.end = nullptr;
  }
  destroyed_.clear();
  free_.clear();
  captured_.clear();
}

} // namespace tilesim::gpu
