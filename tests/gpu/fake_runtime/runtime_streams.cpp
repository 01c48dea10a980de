// The CUDA runtime's functions for streams, events and graphs, over a device that is none
// [runtime.cpp].
//
// SPDX-License-Identifier: Apache-2.0
#include "gpu/fake_runtime/runtime.hpp"

#include <memory>
#include <set>
#include <utility>

namespace fake {

namespace {

struct event {
  operation_ptr op;
};

/// All that there are: a device that is reset has forgotten them, and nobody else knows them.
std::set<event*>& events() {
  static auto* const all = new std::set<event*>;
  return *all;
}

} // namespace

} // namespace fake

using namespace fake; // NOLINT(google-build-using-namespace): what follows has C's names

// NOLINTBEGIN(bugprone-reserved-identifier): NVIDIA's names
extern "C" {

// --- Streams

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* to, unsigned flags) {
  const cudaError_t error = ready();
  if (error == cudaSuccess) {
    *to = reinterpret_cast<cudaStream_t>(
        device::one().make_stream((flags & cudaStreamNonBlocking) == 0));
  }
  return said(error);
}
cudaError_t cudaStreamCreate(cudaStream_t* to) {
  return cudaStreamCreateWithFlags(to, 0);
}
cudaError_t cudaStreamDestroy(cudaStream_t s) {
  cudaError_t error = ready();
  if (error == cudaSuccess && (s == nullptr || find(s) == nullptr)) {
    error = cudaErrorInvalidResourceHandle;
  }
  if (error == cudaSuccess) {
    device::one().destroy_stream(find(s));
  }
  return said(error);
}

namespace {

/// The last operation of a stream that is not captured: of a captured one nobody may ask.
cudaError_t asked(stream* s) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return error;
  }
  if (s == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (s->capture != nullptr || (s == &device::one().legacy() && device::one().any_capture())) {
    device::one().break_captures();
    return cudaErrorStreamCaptureUnsupported;
  }
  return cudaSuccess;
}

cudaError_t query(stream* s) {
  const cudaError_t error = asked(s);
  if (error != cudaSuccess) {
    return said(error);
  }
  return said(device::one().idle(device::one().last_of(*s)) ? cudaSuccess : cudaErrorNotReady);
}

cudaError_t synchronize(stream* s) {
  const cudaError_t error = asked(s);
  if (error != cudaSuccess) {
    return said(error);
  }
  device::one().wait(device::one().last_of(*s));
  return said(device::one().faulted() ? cudaErrorIllegalAddress : cudaSuccess);
}

} // namespace

cudaError_t cudaStreamQuery(cudaStream_t s) {
  return query(find(s));
}
cudaError_t cudaStreamQuery_ptsz(cudaStream_t s) {
  return query(find(s, true));
}
cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  return synchronize(find(s));
}
cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t s) {
  return synchronize(find(s, true));
}
cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t f, void* data) {
  return does(find(s), false, [f, data] { f(data); });
}
cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t s, cudaHostFn_t f, void* data) {
  return does(find(s, true), false, [f, data] { f(data); });
}

// --- Events

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* to, unsigned /*flags*/) {
  const cudaError_t error = ready();
  if (error == cudaSuccess) {
    auto* const made = new event;
    events().insert(made);
    *to = reinterpret_cast<cudaEvent_t>(made);
  }
  return said(error);
}
cudaError_t cudaEventCreate(cudaEvent_t* to) {
  return cudaEventCreateWithFlags(to, 0);
}
cudaError_t cudaEventDestroy(cudaEvent_t e) {
  events().erase(reinterpret_cast<event*>(e));
  delete reinterpret_cast<event*>(e);
  return said(ready());
}

namespace {

cudaError_t record_in(cudaEvent_t e, stream* s) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return said(error);
  }
  if (s == nullptr) {
    return said(cudaErrorInvalidResourceHandle);
  }
  if (s->capture == nullptr) {
    if (s == &device::one().legacy() && device::one().any_capture()) {
      device::one().break_captures();
      return said(cudaErrorStreamCaptureImplicit);
    }
    reinterpret_cast<event*>(e)->op = device::one().put(*s, [] {});
  }
  return cudaSuccess;
}

} // namespace

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) {
  return record_in(e, find(s));
}
cudaError_t cudaEventRecord_ptsz(cudaEvent_t e, cudaStream_t s) {
  return record_in(e, find(s, true));
}
cudaError_t cudaEventQuery(cudaEvent_t e) {
  const cudaError_t error = ready_to_wait();
  if (error != cudaSuccess) {
    return said(error);
  }
  return said(device::one().idle(reinterpret_cast<event*>(e)->op) ? cudaSuccess
                                                                  : cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  const cudaError_t error = ready_to_wait();
  if (error == cudaSuccess) {
    device::one().wait(reinterpret_cast<event*>(e)->op);
  }
  return said(error == cudaSuccess && device::one().faulted() ? cudaErrorIllegalAddress : error);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned /*flags*/) {
  stream* const in = find(s);
  if (const cudaError_t error = ready(); error != cudaSuccess || in == nullptr) {
    return said(error != cudaSuccess ? error : cudaErrorInvalidResourceHandle);
  }
  if (const operation_ptr first = reinterpret_cast<event*>(e)->op; first != nullptr) {
    static_cast<void>(device::one().put(*in, [] {}, {first}));
  }
  return cudaSuccess;
}

// --- Capture and graphs

namespace {

cudaError_t begin_capture(stream* s) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return said(error);
  }
  if (s == nullptr || s == &device::one().legacy()) {
    return said(cudaErrorStreamCaptureUnsupported);
  }
  if (s->capture != nullptr) {
    return said(cudaErrorIllegalState);
  }
  s->capture_is_broken = false;
  s->capture = std::make_shared<graph>();
  return cudaSuccess;
}

cudaError_t end_capture(stream* s, cudaGraph_t* to) {
  *to = nullptr;
  if (s == nullptr || s->capture == nullptr) {
    return said(cudaErrorIllegalState);
  }
  const auto collected = std::exchange(s->capture, nullptr);
  if (s->capture_is_broken) {
    return said(cudaErrorStreamCaptureInvalidated);
  }
  *to = reinterpret_cast<cudaGraph_t>(new graph(*collected));
  return cudaSuccess;
}

cudaError_t launch_graph(cudaGraphExec_t g, stream* s) {
  if (const cudaError_t error = ready(); error != cudaSuccess) {
    return said(error);
  }
  return said(submit(s, [nodes = reinterpret_cast<graph*>(g)->nodes] {
    for (const auto& node : nodes) {
      node();
    }
  }));
}

cudaError_t is_capturing(stream* s, cudaStreamCaptureStatus* to) {
  *to = s == nullptr || s->capture == nullptr ? cudaStreamCaptureStatusNone
        : s->capture_is_broken                ? cudaStreamCaptureStatusInvalidated
                                              : cudaStreamCaptureStatusActive;
  return s == &device::one().legacy() && device::one().any_capture()
             ? said(cudaErrorStreamCaptureImplicit)
             : said(ready());
}

} // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode /*mode*/) {
  return begin_capture(find(s));
}
cudaError_t cudaStreamBeginCapture_ptsz(cudaStream_t s, cudaStreamCaptureMode /*mode*/) {
  return begin_capture(find(s, true));
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* to) {
  return end_capture(find(s), to);
}
cudaError_t cudaStreamEndCapture_ptsz(cudaStream_t s, cudaGraph_t* to) {
  return end_capture(find(s, true), to);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* to) {
  return is_capturing(find(s), to);
}
cudaError_t cudaStreamIsCapturing_ptsz(cudaStream_t s, cudaStreamCaptureStatus* to) {
  return is_capturing(find(s, true), to);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t g, unsigned long long /*flags*/) {
  *to = reinterpret_cast<cudaGraphExec_t>(new graph(*reinterpret_cast<graph*>(g)));
  return said(ready());
}
cudaError_t cudaGraphDestroy(cudaGraph_t g) {
  delete reinterpret_cast<graph*>(g);
  return said(ready());
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t g) {
  delete reinterpret_cast<graph*>(g);
  return said(ready());
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t g, cudaStream_t s) {
  return launch_graph(g, find(s));
}
cudaError_t cudaGraphLaunch_ptsz(cudaGraphExec_t g, cudaStream_t s) {
  return launch_graph(g, find(s, true));
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier)
