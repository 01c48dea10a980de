// Capturing streams: begin, end, ask, fork by events.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/capture.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <utility>

using namespace tilesim::sim;

namespace {

cudaError_t begin(entry& call,
                  cudaStream_t stream,
                  cudaStreamCaptureMode mode,
                  CUgraph_st* to,
                  std::span<CUgraphNode_st* const> behind,
                  const char* function) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {} is no mode", function, static_cast<int>(mode)));
  }
  CUstream_st* const s = find_stream(call, stream, function);
  if (s == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (s == &call.state.work.legacy) {
    return call.misuse(cudaErrorStreamCaptureUnsupported,
                       fmt::format("{}: the legacy default stream cannot be captured", function),
                       "create a stream");
  }
  if (s->capturing != nullptr) {
    return call.misuse(cudaErrorIllegalState,
                       fmt::format("{}: the stream is being captured", function),
                       "end the capture first");
  }
  const auto made = std::make_shared<capture>(*s, mode, to);
  made->id = ++call.state.last_capture;
  made->join(*s, {behind.begin(), behind.end()});
  s->capturing = made;
  call.state.captures.push_back(made);
  return call.ok();
}

/// Why a capture may not end here, or gives no graph; cudaSuccess: it gives one.
cudaError_t check_end(entry& call, CUstream_st& s) {
  const char* const function = "cudaStreamEndCapture";
  capture& c = *s.capturing;
  if (c.mode != cudaStreamCaptureModeRelaxed && c.thread != std::this_thread::get_id()) {
    return call.misuse(cudaErrorStreamCaptureWrongThread,
                       fmt::format("{}: another thread has begun the capture", function),
                       "end it there, or begin it with cudaStreamCaptureModeRelaxed");
  }
  if (c.origin != &s) {
    c.invalidate();
    return call.misuse(
        cudaErrorStreamCaptureUnmatched,
        fmt::format("{}: the capture began in another stream, and has failed", function),
        "end it in the stream that it began in");
  }
  if (!c.valid()) {
    return call.misuse(cudaErrorStreamCaptureInvalidated,
                       fmt::format("{}: the capture has failed before", function));
  }
  if (!c.joined()) {
    return call.misuse(
        cudaErrorStreamCaptureUnjoined,
        fmt::format("{}: a stream that the capture has forked to was not joined", function),
        "record an event in it, and let the first stream wait for that");
  }
  return cudaSuccess;
}

cudaError_t end(entry& call, cudaStream_t stream, cudaGraph_t* out) {
  const char* const function = "cudaStreamEndCapture";
  CUstream_st* const s = find_stream(call, stream, function);
  if (s == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  const bool wanted = s->capturing == nullptr || s->capturing->makes_graph();
  if ((out == nullptr && wanted) || s->capturing == nullptr) {
    return call.misuse(out == nullptr ? cudaErrorInvalidValue : cudaErrorIllegalState,
                       fmt::format("{}: {}",
                                   function,
                                   out == nullptr ? "null pointer for the result"
                                                  : "the stream is not being captured"));
  }
  cudaGraph_t added = nullptr; // an addition is to a graph that the program has
  if (out == nullptr) {
    out = &added;
  }
  *out = nullptr;
  const std::shared_ptr<capture> c = s->capturing;
  const cudaError_t e = check_end(call, *s);
  if (e == cudaErrorStreamCaptureWrongThread || e == cudaErrorStreamCaptureUnmatched) {
    return e;
  }
  c->end();
  if (e != cudaSuccess) {
    return e;
  }
  auto own = c->release();
  *out = own == nullptr ? &c->graph() : call.state.graphs.add(std::move(own));
  return call.ok();
}

/// A stream comes to an event of a capture: it is captured, too.
cudaError_t join(entry& call, CUstream_st& s, const CUevent_st& event) {
  const std::shared_ptr<capture> c = event.captured;
  if (c->over) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaStreamWaitEvent: the event was recorded in a capture that is over",
                       "record it again");
  }
  if (&s == &call.state.work.legacy) {
    c->invalidate();
    return call.misuse(cudaErrorStreamCaptureUnsupported,
                       "cudaStreamWaitEvent: the legacy default stream cannot be captured, and the "
                       "capture has failed",
                       "use another stream");
  }
  if (s.capturing != nullptr && s.capturing != c) {
    c->invalidate();
    s.capturing->invalidate();
    return call.misuse(
        cudaErrorStreamCaptureMerge,
        "cudaStreamWaitEvent: the event is of another capture than the stream, and "
        "both have failed",
        "begin the capture in one stream, and let the other wait for an event of it");
  }
  c->join(s, event.frontier);
  s.capturing = c;
  return call.ok();
}

cudaError_t capturing(entry& call, cudaStream_t stream, const char* function, CUstream_st** found) {
  *found = find_stream(call, stream, function);
  if (*found == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (*found == &call.state.work.legacy) {
    return find_for_work(call, stream, function).refused;
  }
  return cudaSuccess;
}

cudaStreamCaptureStatus status_of(const CUstream_st& s) {
  return s.capturing == nullptr ? cudaStreamCaptureStatusNone
         : s.capturing->valid() ? cudaStreamCaptureStatusActive
                                : cudaStreamCaptureStatusInvalidated;
}

} // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  TILESIM_ENTRY(call)
  return begin(call, stream, mode, nullptr, {}, "cudaStreamBeginCapture");
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream,
                                          cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies,
                                          const cudaGraphEdgeData* /*dependencyData*/,
                                          size_t numDependencies,
                                          cudaStreamCaptureMode mode) {
  TILESIM_ENTRY(call)
  CUgraph_st* const to = call.state.graphs.find(graph);
  if (to == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaStreamBeginCaptureToGraph: no graph");
  }
  return begin(
      call, stream, mode, to, {dependencies, numDependencies}, "cudaStreamBeginCaptureToGraph");
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* pGraph) {
  TILESIM_ENTRY(call)
  return end(call, stream, pGraph);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  TILESIM_ENTRY(call)
  const auto [s, refused] = find_for_work(call, stream, "cudaStreamWaitEvent");
  if (refused != cudaSuccess) {
    return refused;
  }
  if (!call.state.work.is_event(event)) {
    return call.misuse(cudaErrorInvalidResourceHandle,
                       "cudaStreamWaitEvent: no event, or one that was destroyed");
  }
  if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("cudaStreamWaitEvent: flags are {}, not cudaEventWaitDefault", flags));
  }
  if (s->capturing != nullptr && flags == cudaEventWaitExternal) {
    s->capturing->take(*s,
                       {.type = cudaGraphNodeTypeWaitEvent,
                        .start = {},
                        .dropped = {},
                        .parameters = keep_parameters(event)});
    return call.ok();
  }
  if (event->captured != nullptr) {
    return join(call, *s, *event);
  }
  if (s->capturing != nullptr) {
    s->capturing->invalidate();
    return call.misuse(cudaErrorStreamCaptureIsolation,
                       "cudaStreamWaitEvent: the event was recorded outside of the capture, which "
                       "has failed",
                       "wait before the capture begins, or with cudaEventWaitExternal");
  }
  call.state.work.wait_for(*s, event->after);
  return call.ok();
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* pCaptureStatus) {
  TILESIM_ENTRY(call)
  CUstream_st* s = nullptr;
  if (const cudaError_t e = capturing(call, stream, "cudaStreamIsCapturing", &s)) {
    return e;
  }
  if (pCaptureStatus == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaStreamIsCapturing: null pointer for the result");
  }
  *pCaptureStatus = status_of(*s);
  return call.ok();
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
                                     cudaStreamCaptureStatus* captureStatus_out,
                                     unsigned long long* id_out,
                                     cudaGraph_t* graph_out,
                                     const cudaGraphNode_t** dependencies_out,
                                     const cudaGraphEdgeData** edgeData_out,
                                     size_t* numDependencies_out) {
  TILESIM_ENTRY(call)
  CUstream_st* s = nullptr;
  if (const cudaError_t e = capturing(call, stream, "cudaStreamGetCaptureInfo", &s)) {
    return e;
  }
  if (captureStatus_out == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaStreamGetCaptureInfo: null pointer for the result");
  }
  *captureStatus_out = status_of(*s);
  if (*captureStatus_out != cudaStreamCaptureStatusActive) {
    return call.ok();
  }
  const auto answer = [](auto* to, auto value) {
    if (to != nullptr) {
      *to = value;
    }
  };
  answer(id_out, s->capturing->id);
  answer(graph_out, &s->capturing->graph());
  answer(dependencies_out, const_cast<const cudaGraphNode_t*>(s->frontier.data()));
  answer(edgeData_out, static_cast<const cudaGraphEdgeData*>(nullptr));
  answer(numDependencies_out, s->frontier.size());
  return call.ok();
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
                                                cudaGraphNode_t* dependencies,
                                                const cudaGraphEdgeData* /*dependencyData*/,
                                                size_t numDependencies,
                                                unsigned int flags) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaStreamUpdateCaptureDependencies";
  const auto [s, refused] = find_for_work(call, stream, function);
  if (refused != cudaSuccess) {
    return refused;
  }
  if (s->capturing == nullptr || flags > cudaStreamSetCaptureDependencies) {
    return call.misuse(s->capturing == nullptr ? cudaErrorIllegalState : cudaErrorInvalidValue,
                       fmt::format("{}: {}",
                                   function,
                                   s->capturing == nullptr ? "the stream is not being captured"
                                                           : "flags are no such"));
  }
  if (flags == cudaStreamSetCaptureDependencies) {
    s->frontier.clear();
  }
  s->capturing->join(*s, {dependencies, dependencies + numDependencies});
  return call.ok();
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  TILESIM_ENTRY(call)
  if (mode == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaThreadExchangeStreamCaptureMode: null pointer for the mode");
  }
  std::swap(*mode, capture_mode_of_thread());
  return call.ok();
}
