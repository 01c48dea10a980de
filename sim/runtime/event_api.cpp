// Events: when the work before them in a stream is done, and at what time.
//
// Time is the host's steady clock.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/capture.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

using namespace tilesim::sim;

#define TILESIM_EVENT(call, event, function)                                                       \
  if (!(call).state.work.is_event(event)) {                                                        \
    return (call).misuse(cudaErrorInvalidResourceHandle,                                           \
                         function ": no event, or one that was destroyed");                        \
  }

namespace {

constexpr unsigned event_flags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t create(entry& call, cudaEvent_t* event, unsigned flags, const char* function) {
  if (event == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: null pointer for the result", function));
  }
  if ((flags & ~event_flags) != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: {:#x} has bits that are no flags", function, flags));
  }
  if ((flags & cudaEventInterprocess) != 0 && (flags & cudaEventDisableTiming) == 0) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: an interprocess event cannot be timed", function),
                       "add cudaEventDisableTiming");
  }
  *event = call.state.work.create_event(flags, call.site);
  return call.ok();
}

cudaError_t
record(entry& call, cudaEvent_t event, cudaStream_t stream, const char* function, bool external) {
  const auto [s, refused] = find_for_work(call, stream, function);
  if (refused != cudaSuccess) {
    return refused;
  }
  if (s->capturing == nullptr) {
    call.state.work.record(*s, *event);
  } else if (external) {
    s->capturing->take(*s,
                       {.type = cudaGraphNodeTypeEventRecord,
                        .start = {},
                        .dropped = {},
                        .parameters = keep_parameters(event)});
  } else {
    event->captured = s->capturing;
    event->frontier = s->frontier;
  }
  return call.ok();
}

/// An event that was recorded in a capture is none that anybody can wait for, and to ask about
/// others may be what a capture forbids.
cudaError_t refuse(entry& call, const CUevent_st& event, const char* function) {
  if (event.captured == nullptr) {
    return refuse_unsafe(call, function);
  }
  if (event.captured->over) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: the event was recorded in a capture that is over", function),
        "record it in a stream that is not captured, or with cudaEventRecordExternal");
  }
  event.captured->invalidate();
  return call.misuse(
      cudaErrorCapturedEvent,
      fmt::format("{}: the event was recorded in a capture, which has failed now", function),
      "launch the graph, and wait for that");
}

bool finished(const CUevent_st& e) {
  return e.after == nullptr || e.after->finished;
}

} // namespace

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  TILESIM_ENTRY(call)
  return create(call, event, cudaEventDefault, "cudaEventCreate");
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  TILESIM_ENTRY(call)
  return create(call, event, flags, "cudaEventCreateWithFlags");
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  TILESIM_EVENT(call, event, "cudaEventRecord")
  return record(call, event, stream, "cudaEventRecord", false);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  TILESIM_ENTRY(call)
  TILESIM_EVENT(call, event, "cudaEventRecordWithFlags")
  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("cudaEventRecordWithFlags: {:#x} is no flag", flags));
  }
  return record(call, event, stream, "cudaEventRecordWithFlags", flags == cudaEventRecordExternal);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  TILESIM_ENTRY(call)
  TILESIM_EVENT(call, event, "cudaEventQuery")
  if (const cudaError_t e = refuse(call, *event, "cudaEventQuery")) {
    return e;
  }
  call.state.work.advance();
  if (!finished(*event)) {
    return call.error(cudaErrorNotReady);
  }
  call.state.work.finish(event->after); // from now on the host knows
  return call.ok();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  TILESIM_ENTRY(call)
  TILESIM_EVENT(call, event, "cudaEventSynchronize")
  if (const cudaError_t e = refuse(call, *event, "cudaEventSynchronize")) {
    return e;
  }
  call.state.work.finish(event->after);
  return call.ok();
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  TILESIM_ENTRY(call)
  TILESIM_EVENT(call, event, "cudaEventDestroy")
  call.state.work.destroy_event(event);
  return call.ok();
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t start, cudaEvent_t end) {
  TILESIM_ENTRY(call)
  TILESIM_EVENT(call, start, "cudaEventElapsedTime")
  TILESIM_EVENT(call, end, "cudaEventElapsedTime")
  if (ms == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaEventElapsedTime: null pointer for the result");
  }
  for (const CUevent_st* e : {start, end}) {
    const char* which = e == start ? "start" : "end";
    if ((e->flags & cudaEventDisableTiming) != 0) {
      return call.misuse(
          cudaErrorInvalidResourceHandle,
          fmt::format("cudaEventElapsedTime: the {} event was created with cudaEventDisableTiming",
                      which));
    }
    if (e->captured != nullptr) {
      return call.misuse(
          cudaErrorCapturedEvent,
          fmt::format("cudaEventElapsedTime: the {} event was recorded in a capture", which),
          "record it with cudaEventRecordExternal");
    }
    if (!e->recorded) {
      return call.misuse(
          cudaErrorInvalidResourceHandle,
          fmt::format("cudaEventElapsedTime: the {} event was never recorded", which),
          "call cudaEventRecord first");
    }
  }
  call.state.work.advance();
  if (!finished(*start) || !finished(*end)) {
    return call.error(cudaErrorNotReady);
  }
  *ms = std::chrono::duration<float, std::milli>(*end->time - *start->time).count();
  return call.ok();
}
