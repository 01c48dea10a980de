// Streams: create, destroy, ask, wait, host functions.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/host_threads.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/copy.hpp"
#include "sim/runtime/device.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

using namespace tilesim::sim;

#define TILESIM_STREAM(variable, call, handle, function)                                           \
  CUstream_st* variable = find_stream(call, handle, function);                                     \
  if (variable == nullptr) {                                                                       \
    return cudaErrorInvalidResourceHandle;                                                         \
  }

namespace {

cudaError_t
create(entry& call, cudaStream_t* out, unsigned flags, int priority, const char* function) {
  if (out == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: null pointer for the result", function));
  }
  if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format(
            "{}: flags are {}, not cudaStreamDefault or cudaStreamNonBlocking", function, flags));
  }
  *out = call.state.work.create(
      flags,
      std::clamp(priority, limits::greatest_priority, limits::least_priority),
      with_callers(call.site));
  return call.ok();
}

template <class T>
cudaError_t answer(entry& call, T* out, T value, const char* function) {
  if (out == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: null pointer for the result", function));
  }
  *out = value;
  return call.ok();
}

/// While it lives, host code stands where the stream's work stands.
class at_stream {
public:
  at_stream(context& c, const host_function& f)
      : context_(c)
      , place_(c.current_work)
      , before_(std::exchange(c.host_place, &place_))
      , function_before_(std::exchange(c.running_function, f)) {
    c.others->lose_order(); // it may wake another thread up
  }
  ~at_stream() {
    context_.host_place = before_;
    context_.running_function = function_before_;
  }
  at_stream(const at_stream&) = delete;
  at_stream& operator=(const at_stream&) = delete;

private:
  context& context_;
  const work_order place_;
  const work_order* before_;
  const std::optional<host_function> function_before_;
};

} // namespace

cudaError_t cudaStreamCreate(cudaStream_t* pStream) {
  TILESIM_ENTRY(call)
  return create(call, pStream, cudaStreamDefault, 0, "cudaStreamCreate");
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* pStream, unsigned int flags) {
  TILESIM_ENTRY(call)
  return create(call, pStream, flags, 0, "cudaStreamCreateWithFlags");
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* pStream, unsigned int flags, int priority) {
  TILESIM_ENTRY(call)
  return create(call, pStream, flags, priority, "cudaStreamCreateWithPriority");
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  TILESIM_ENTRY(call)
  if (stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread) {
    return call.misuse(cudaErrorInvalidResourceHandle,
                       "cudaStreamDestroy: the default stream cannot be destroyed");
  }
  TILESIM_STREAM(s, call, stream, "cudaStreamDestroy")
  call.state.work.destroy(s);
  return call.ok();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, stream, "cudaStreamQuery")
  if (const cudaError_t e = refuse_waiting(call, *s, "cudaStreamQuery")) {
    return e;
  }
  if (!call.state.work.idle(*s)) {
    return call.error(cudaErrorNotReady);
  }
  call.state.work.finish(*s); // from now on the host knows
  return call.ok();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, stream, "cudaStreamSynchronize")
  if (const cudaError_t e = refuse_waiting(call, *s, "cudaStreamSynchronize")) {
    return e;
  }
  call.state.work.finish(*s);
  return call.ok();
}

namespace {

/// A function of the program's, in the stream's order.
piece host_work(const entry& call,
                const host_function& f,
                std::function<void()> function,
                std::shared_ptr<const node_parameters> parameters) {
  return {.type = cudaGraphNodeTypeHost,
          .start =
              [&c = call.sim, f, function = std::move(function)] {
                const at_stream here(c, f);
                const called_back by_stream(__builtin_frame_address(0));
                const program_section called;
                function();
                return launch_id{0};
              },
          .dropped = {},
          .parameters = std::move(parameters)};
}

} // namespace

cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void* userData,
                                  unsigned int flags) {
  TILESIM_ENTRY(call)
  const auto [s, refused] = find_for_work(call, stream, "cudaStreamAddCallback");
  if (refused != cudaSuccess) {
    return refused;
  }
  if (callback == nullptr || flags != 0) {
    return call.misuse(cudaErrorInvalidValue,
                       callback == nullptr
                           ? "cudaStreamAddCallback: null pointer for the callback"
                           : fmt::format("cudaStreamAddCallback: flags are {}, not 0", flags));
  }
  call.state.work.append(
      *s,
      host_work(
          call,
          {reinterpret_cast<const void*>(callback), s->site},
          [stream, callback, userData] { callback(stream, cudaSuccess, userData); },
          nullptr));
  return call.ok();
}

cudaError_t tilesim::sim::call_on_host(entry& call,
                                       cudaStream_t stream,
                                       const cudaHostNodeParams& h,
                                       const char* api) {
  const auto [s, refused] = find_for_work(call, stream, api);
  if (refused != cudaSuccess) {
    return refused;
  }
  if (h.fn == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: null pointer for the function", api));
  }
  call.state.work.append(*s,
                         host_work(
                             call,
                             {reinterpret_cast<const void*>(h.fn), s->site},
                             [h] { h.fn(h.userData); },
                             s->capturing == nullptr ? nullptr : keep_parameters(h)));
  return call.ok();
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t fn, void* userData) {
  TILESIM_ENTRY(call)
  return call_on_host(call, stream, {fn, userData}, "cudaLaunchHostFunc");
}

cudaError_t cudaStreamGetFlags(cudaStream_t hStream, unsigned int* flags) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, hStream, "cudaStreamGetFlags")
  return answer(call, flags, s->flags, "cudaStreamGetFlags");
}

cudaError_t cudaStreamGetPriority(cudaStream_t hStream, int* priority) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, hStream, "cudaStreamGetPriority")
  return answer(call, priority, s->priority, "cudaStreamGetPriority");
}

cudaError_t cudaStreamGetId(cudaStream_t hStream, unsigned long long* streamId) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, hStream, "cudaStreamGetId")
  return answer(call, streamId, s->id, "cudaStreamGetId");
}

cudaError_t cudaStreamGetDevice(cudaStream_t hStream, int* device) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, hStream, "cudaStreamGetDevice")
  return answer(call, device, 0, "cudaStreamGetDevice");
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t dst, cudaStream_t src) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(to, call, dst, "cudaStreamCopyAttributes")
  TILESIM_STREAM(from, call, src, "cudaStreamCopyAttributes")
  to->priority = from->priority;
  return call.ok();
}

cudaError_t cudaStreamSetAttribute(cudaStream_t hStream,
                                   cudaStreamAttrID attr,
                                   const cudaStreamAttrValue* value) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, hStream, "cudaStreamSetAttribute")
  if (value == nullptr) {
    return call.misuse(cudaErrorInvalidValue, "cudaStreamSetAttribute: null pointer for the value");
  }
  if (attr == cudaLaunchAttributePriority) {
    s->priority = value->priority;
  }
  return call.ok(); // the others are hints
}

cudaError_t
cudaStreamGetAttribute(cudaStream_t hStream, cudaStreamAttrID attr, cudaStreamAttrValue* value) {
  TILESIM_ENTRY(call)
  TILESIM_STREAM(s, call, hStream, "cudaStreamGetAttribute")
  if (value == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       "cudaStreamGetAttribute: null pointer for the result");
  }
  std::memset(value, 0, sizeof *value);
  if (attr == cudaLaunchAttributePriority) {
    value->priority = s->priority;
  }
  return call.ok();
}
