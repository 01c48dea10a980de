// cudaMemset and its kin.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/memory/engine.hpp"
#include "sim/runtime/copy.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <cstring>

using namespace tilesim::sim;

namespace {

struct fill_request {
  const char* function;
  void* pointer;
  std::size_t pitch;
  int value;
  std::size_t width;
  std::size_t height;
  bool asynchronous;
  cudaStream_t stream;
};

cudaError_t fill(entry& call, const fill_request& r) {
  CUstream_st* stream = find_stream(call, r.stream, r.function);
  if (stream == nullptr) {
    return cudaErrorInvalidResourceHandle;
  }
  if (r.width == 0 || r.height == 0) {
    return call.ok();
  }
  if (r.width > r.pitch) {
    return call.misuse(
        cudaErrorInvalidValue,
        fmt::format("{}: rows of {} bytes do not fit a pitch of {}", r.function, r.width, r.pitch));
  }
  if (const cudaError_t e = check_side(call,
                                       {r.function, "destination", r.pointer, true, "set"},
                                       {r.width, r.height, r.pitch})) {
    return e;
  }
  const auto t =
      call.state.work.append(*stream, [&c = call.sim, r, site = with_callers(call.site)] {
        const scoped_access open(c.mem);
        for (std::size_t row = 0; row < r.height; ++row) {
          c.exec->memory().fill({.at = &c.current_work, .by = r.function},
                                site,
                                {static_cast<unsigned char*>(r.pointer) + row * r.pitch},
                                static_cast<unsigned char>(r.value),
                                r.width);
          const host_event done{.site = site,
                                .by = r.function,
                                .address =
                                    reinterpret_cast<std::uintptr_t>(r.pointer) + row * r.pitch,
                                .bytes = r.width,
                                .writes = true};
          c.exec->watchers().tell([&done](watcher& w) { w.host_access(done); });
        }
        return launch_id{0};
      });
  if (!r.asynchronous) {
    // The host waits for fills of memory that it can see.  [CUDA: API synchronization behavior]
    const allocation* a = call.sim.mem.find(r.pointer);
    call.state.work.finish(t, a == nullptr || a->kind != memory_kind::device);
  }
  return call.ok();
}

} // namespace

cudaError_t cudaMemset(void* devPtr, int value, size_t count) {
  TILESIM_ENTRY(call)
  return fill(call, {"cudaMemset", devPtr, count, value, count, 1, false, nullptr});
}

cudaError_t cudaMemsetAsync(void* devPtr, int value, size_t count, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return fill(call, {"cudaMemsetAsync", devPtr, count, value, count, 1, true, stream});
}

cudaError_t cudaMemset2D(void* devPtr, size_t pitch, int value, size_t width, size_t height) {
  TILESIM_ENTRY(call)
  return fill(call, {"cudaMemset2D", devPtr, pitch, value, width, height, false, nullptr});
}

cudaError_t cudaMemset2DAsync(
    void* devPtr, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return fill(call, {"cudaMemset2DAsync", devPtr, pitch, value, width, height, true, stream});
}
