// What captures forbid.
//
// The errors are those of a device: tests/sim/runtime/probe/graphs.txt.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/capture_rules.hpp"

#include "sim/runtime/capture.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tilesim::sim {

CUstream_st* find_stream(entry& call, cudaStream_t handle, const char* function) {
  CUstream_st* stream = call.state.work.find(handle);
  if (stream == nullptr) {
    call.misuse(cudaErrorInvalidResourceHandle,
                fmt::format("{}: {} is no stream, or one that was destroyed",
                            function,
                            fmt::ptr(static_cast<const void*>(handle))));
  }
  return stream;
}

namespace {

std::string ended(const char* what) {
  return fmt::format("{}, and the capture has failed", what);
}

cudaError_t implicit(entry& call, const std::vector<CUstream_st*>& captured, const char* function) {
  for (const CUstream_st* const s : captured) {
    s->capturing->invalidate();
  }
  return call.misuse(
      cudaErrorStreamCaptureImplicit,
      fmt::format("{}: {}",
                  function,
                  ended("the legacy default stream would wait for a stream that is captured")),
      "use a stream of its own, or capture one that was created with cudaStreamNonBlocking");
}

/// Those that have begun and not ended.
std::vector<std::shared_ptr<capture>> captures(runtime_state& state) {
  std::vector<std::shared_ptr<capture>> found;
  std::erase_if(state.captures, [](const auto& c) { return c.expired(); });
  for (const auto& c : state.captures) {
    if (auto one = c.lock(); one != nullptr && !one->over) {
      found.push_back(std::move(one));
    }
  }
  return found;
}

} // namespace

cudaStreamCaptureMode& capture_mode_of_thread() noexcept {
  thread_local cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  return mode;
}

stream_for_work find_for_work(entry& call, cudaStream_t handle, const char* function) {
  CUstream_st* const stream = find_stream(call, handle, function);
  if (stream == nullptr) {
    return {nullptr, cudaErrorInvalidResourceHandle};
  }
  if (stream == &call.state.work.legacy) {
    if (const auto captured = call.state.work.captured_and_blocking(); !captured.empty()) {
      return {nullptr, implicit(call, captured, function)};
    }
  }
  if (stream->capturing != nullptr && !stream->capturing->valid()) {
    return {nullptr,
            call.misuse(cudaErrorStreamCaptureInvalidated,
                        fmt::format("{}: the stream's capture has failed before", function),
                        "end the capture, and begin anew")};
  }
  return {stream, cudaSuccess};
}

cudaError_t refuse_waiting(entry& call, const CUstream_st& stream, const char* function) {
  if (stream.capturing != nullptr) {
    stream.capturing->invalidate();
    return call.misuse(
        cudaErrorStreamCaptureUnsupported,
        fmt::format("{}: {}", function, ended("what a captured stream is given is not done")),
        "launch the graph, and wait for that");
  }
  if (&stream == &call.state.work.legacy) {
    if (const auto captured = call.state.work.captured_and_blocking(); !captured.empty()) {
      return implicit(call, captured, function);
    }
  }
  return refuse_unsafe(call, function);
}

cudaError_t refuse_waiting_for_all(entry& call, const char* function) {
  const auto all = captures(call.state);
  if (all.empty()) {
    return cudaSuccess;
  }
  for (const auto& c : all) {
    c->invalidate();
  }
  return call.misuse(
      cudaErrorStreamCaptureUnsupported,
      fmt::format("{}: {}", function, ended("it waits for a stream that is captured")),
      "wait before the capture begins, or once the graph is launched");
}

cudaError_t refuse_unsafe(entry& call, const char* function) {
  if (capture_mode_of_thread() == cudaStreamCaptureModeRelaxed) {
    return cudaSuccess;
  }
  bool refused = false;
  for (const auto& c : captures(call.state)) {
    const bool own = c->thread == std::this_thread::get_id();
    if ((own && c->mode == cudaStreamCaptureModeThreadLocal) ||
        (c->mode == cudaStreamCaptureModeGlobal &&
         (own || capture_mode_of_thread() == cudaStreamCaptureModeGlobal))) {
      c->invalidate();
      refused = true;
    }
  }
  return !refused ? cudaSuccess
                  : call.misuse(cudaErrorStreamCaptureUnsupported,
                                fmt::format("{}: {}",
                                            function,
                                            ended("it may wait for work, which a capture forbids")),
                                "call it before the capture begins, or capture with "
                                "cudaStreamCaptureModeRelaxed");
}

} // namespace tilesim::sim
