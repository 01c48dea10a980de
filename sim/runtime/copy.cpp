// cudaMemcpy and its kin.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/copy.hpp"

#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/memory/engine.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/device.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <vector>

using namespace tilesim::sim;

namespace tilesim::sim {

namespace {

/// A variable of the device's, which is the program's memory here.
bool is_variable(const runtime_state& state, const copy_request& r, const void* p) {
  return p == r.variable || bytes_in_variable(state, p);
}

void copy_rows(
    context& c, const copy_request& r, const void* src, std::size_t src_pitch, const void* site) {
  const scoped_access open(c.mem);
  const runtime_state& state = runtime_state::of(c);
  auto* to = static_cast<unsigned char*>(r.dst);
  const auto* from = static_cast<const unsigned char*>(src);
  // Host code that uses memory which no kernel can use is not seen.
  const auto side = [&](const void* p, bool variable) {
    return byte_place{const_cast<void*>(p), variable || c.mem.find(p) != nullptr};
  };
  const accessor who{.at = &c.current_work, .by = r.function};
  for (std::size_t row = 0; row < r.height; ++row) {
    c.exec->memory().copy(who,
                          site,
                          side(to + row * r.dst_pitch, is_variable(state, r, r.dst)),
                          side(from + row * src_pitch, is_variable(state, r, r.src)),
                          r.width);
  }
  const copy_event done{.site = site,
                        .by = r.function,
                        .to = to,
                        .to_pitch = r.dst_pitch,
                        .from = from,
                        .from_pitch = src_pitch,
                        .width = r.width,
                        .height = r.height,
                        .to_shared = side(to, is_variable(state, r, r.dst)).shared,
                        .to_host = c.mem.find(r.dst) == nullptr && c.mem.find(src) != nullptr};
  c.exec->watchers().tell([&done](watcher& w) { w.copied(done); });
}

/// The rows, packed: what an asynchronous copy from pageable memory reads at the call.
std::shared_ptr<std::vector<unsigned char>> packed(const copy_request& r) {
  auto bytes = std::make_shared<std::vector<unsigned char>>(r.width * r.height * r.slices);
  unsigned char* to = bytes->data();
  for (std::size_t slice = 0; slice < r.slices; ++slice) {
    const auto* const from = static_cast<const unsigned char*>(r.slice(slice).src);
    for (std::size_t row = 0; row < r.height; ++row, to += r.width) {
      std::memcpy(to, from + row * r.src_pitch, r.width);
    }
  }
  return bytes;
}

/// Whether cudaMemcpy returns only when the bytes have arrived: not within device memory, and from
/// pageable memory it may return when they have been staged.  [CUDA: API synchronization behavior]
bool host_waits(const entry& call, const copy_request& r) {
  const auto on_device = [&](const void* p) {
    const allocation* a = call.sim.mem.find(p);
    return is_variable(call.state, r, p) || (a != nullptr && a->kind == memory_kind::device);
  };
  return !on_device(r.dst) || !(on_device(r.src) || pageable(call, r.src));
}

/// [CUDA: cudaMemcpy] "The memory areas may not overlap."
void warn_of_overlap(const entry& call, const copy_request& r) {
  const auto begin = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p); };
  const std::size_t written = (r.height - 1) * r.dst_pitch + r.width;
  const std::size_t read = (r.height - 1) * r.src_pitch + r.width;
  const std::uintptr_t to = begin(r.dst);
  const std::uintptr_t from = begin(r.src);
  if (to >= from + read || from >= to + written) {
    return;
  }
  // Rows beside one another in one matrix share no byte.
  const std::size_t apart = to > from ? to - from : from - to;
  if (r.height > 1 && r.src_pitch == r.dst_pitch && apart % r.src_pitch >= r.width &&
      apart % r.src_pitch + r.width <= r.src_pitch) {
    return;
  }
  const waiting_host waits(call.site);
  call.sim.found.add(
      with_callers(call.site),
      {.kind = finding_kind::api_misuse,
       .message = fmt::format("{}: source and destination overlap", r.function),
       .details = {fmt::format("the destination is {}", describe_pointer(call, r.dst)),
                   fmt::format("the source is {}", describe_pointer(call, r.src)),
                   fmt::format("{} bytes are copied", r.height * r.width)},
       .remedy = "what a GPU writes then is unspecified: copy by way of another buffer"});
}

/// Whether these bytes may be copied.
cudaError_t check(entry& call, const copy_request& r) {
  const bool to_device = r.kind == cudaMemcpyHostToDevice || r.kind == cudaMemcpyDeviceToDevice;
  const bool from_device = r.kind == cudaMemcpyDeviceToHost || r.kind == cudaMemcpyDeviceToDevice;
  if (const cudaError_t e = check_side(
          call, {r.function, "destination", r.dst, to_device}, {r.width, r.height, r.dst_pitch})) {
    return e;
  }
  if (const cudaError_t e = check_side(
          call, {r.function, "source", r.src, from_device}, {r.width, r.height, r.src_pitch})) {
    return e;
  }
  warn_of_overlap(call, r);
  return cudaSuccess;
}

/// As the node of a graph tells it.
cudaMemcpy3DParms as_parameters(const copy_request& r) {
  cudaMemcpy3DParms p{};
  p.dstPtr = {r.dst, r.dst_pitch, r.width, r.height};
  p.srcPtr = {const_cast<void*>(r.src), r.src_pitch, r.width, r.height};
  p.extent = {r.width, r.height, r.slices};
  p.kind = r.kind;
  return p;
}

} // namespace

cudaError_t copy(entry& call, const copy_request& r) {
  if (r.kind < cudaMemcpyHostToHost || r.kind > cudaMemcpyDefault) {
    return call.misuse(
        cudaErrorInvalidMemcpyDirection,
        fmt::format("{}: {} is no cudaMemcpyKind", r.function, static_cast<int>(r.kind)));
  }
  const auto [stream, refused] = find_for_work(call, r.stream, r.function);
  if (refused != cudaSuccess) {
    return refused;
  }
  if (r.width == 0 || r.height == 0 || r.slices == 0) {
    return call.ok();
  }
  for (std::size_t slice = 0; slice < r.slices; ++slice) {
    if (const cudaError_t e = check(call, r.slice(slice))) {
      return e;
    }
  }
  work_queue& work = call.state.work;
  piece what{.type = cudaGraphNodeTypeMemcpy, .start = {}, .dropped = {}, .parameters = {}};
  const void* const site = with_callers(call.site);
  if (r.asynchronous && stream->capturing == nullptr && pageable(call, r.src) &&
      !is_variable(call.state, r, r.src) && !work.idle(*stream)) {
    what.start = [&c = call.sim, r, bytes = packed(r), site] {
      for (std::size_t slice = 0; slice < r.slices; ++slice) {
        copy_rows(c, r.slice(slice), bytes->data() + slice * r.width * r.height, r.width, site);
      }
      return launch_id{0};
    };
  } else {
    what.start = [&c = call.sim, r, site] {
      for (std::size_t slice = 0; slice < r.slices; ++slice) {
        const copy_request one = r.slice(slice);
        copy_rows(c, one, one.src, one.src_pitch, site);
      }
      return launch_id{0};
    };
  }
  if (stream->capturing != nullptr) {
    what.parameters = keep_parameters(as_parameters(r));
  }
  const std::shared_ptr<task> t = work.append(*stream, std::move(what));
  if (!r.asynchronous) {
    work.finish(t, host_waits(call, r));
  }
  return call.ok();
}

} // namespace tilesim::sim

cudaError_t cudaMemcpy(void* dst, const void* src, size_t count, cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  return copy(call, {"cudaMemcpy", dst, count, src, count, count, 1, kind, false, nullptr});
}

cudaError_t cudaMemcpyAsync(
    void* dst, const void* src, size_t count, cudaMemcpyKind kind, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return copy(call, {"cudaMemcpyAsync", dst, count, src, count, count, 1, kind, true, stream});
}

namespace {

/// A pitch smaller than a row is an error even for a single row, but another one.
cudaError_t copy_2d(entry& call, const copy_request& r) {
  if (r.height > 0 && (r.width > r.dst_pitch || r.width > r.src_pitch)) {
    return call.misuse(r.height == 1 ? cudaErrorInvalidValue : cudaErrorInvalidPitchValue,
                       fmt::format("{}: rows of {} bytes do not fit a pitch of {}",
                                   r.function,
                                   r.width,
                                   r.width > r.dst_pitch ? r.dst_pitch : r.src_pitch));
  }
  return copy(call, r);
}

} // namespace

cudaError_t tilesim::sim::copy_3d(entry& call,
                                  const char* function,
                                  const cudaMemcpy3DParms* p,
                                  bool asynchronous,
                                  cudaStream_t stream) {
  if (p == nullptr) {
    return call.misuse(cudaErrorInvalidValue,
                       fmt::format("{}: null pointer for the parameters", function));
  }
  if (p->srcArray != nullptr || p->dstArray != nullptr) {
    call.sim.found.add(with_callers(call.site),
                       {.kind = finding_kind::unsupported,
                        .message = fmt::format("{}: CUDA arrays are not simulated", function)});
    return call.error(cudaErrorNotSupported);
  }
  const auto place = [](const cudaPitchedPtr& base, const cudaPos& pos) {
    return static_cast<unsigned char*>(base.ptr) + (pos.z * base.ysize + pos.y) * base.pitch +
           pos.x;
  };
  copy_request r{function,
                 place(p->dstPtr, p->dstPos),
                 p->dstPtr.pitch,
                 place(p->srcPtr, p->srcPos),
                 p->srcPtr.pitch,
                 p->extent.width,
                 p->extent.height,
                 p->kind,
                 asynchronous,
                 stream};
  r.slices = p->extent.depth;
  r.dst_slice = p->dstPtr.ysize * p->dstPtr.pitch;
  r.src_slice = p->srcPtr.ysize * p->srcPtr.pitch;
  return copy_2d(call, r);
}

namespace {

cudaError_t check_devices(entry& call, int one, int other, const char* function) {
  const cudaError_t e = check_device(call, one, function);
  return e != cudaSuccess ? e : check_device(call, other, function);
}

cudaError_t copy_between_devices(entry& call, int dst_device, int src_device, copy_request r) {
  if (const cudaError_t e = check_devices(call, dst_device, src_device, r.function)) {
    return e;
  }
  r.kind = cudaMemcpyDeviceToDevice;
  return copy(call, r);
}

cudaError_t copy_box_between_devices(entry& call,
                                     const char* function,
                                     const cudaMemcpy3DPeerParms* p,
                                     bool asynchronous,
                                     cudaStream_t stream) {
  if (p == nullptr) {
    return copy_3d(call, function, nullptr, asynchronous, stream);
  }
  if (const cudaError_t e = check_devices(call, p->dstDevice, p->srcDevice, function)) {
    return e;
  }
  const cudaMemcpy3DParms box{.srcArray = p->srcArray,
                              .srcPos = p->srcPos,
                              .srcPtr = p->srcPtr,
                              .dstArray = p->dstArray,
                              .dstPos = p->dstPos,
                              .dstPtr = p->dstPtr,
                              .extent = p->extent,
                              .kind = cudaMemcpyDeviceToDevice};
  return copy_3d(call, function, &box, asynchronous, stream);
}

} // namespace

cudaError_t cudaMemcpy2D(void* dst,
                         size_t dpitch,
                         const void* src,
                         size_t spitch,
                         size_t width,
                         size_t height,
                         cudaMemcpyKind kind) {
  TILESIM_ENTRY(call)
  return copy_2d(call,
                 {"cudaMemcpy2D", dst, dpitch, src, spitch, width, height, kind, false, nullptr});
}

cudaError_t cudaMemcpy2DAsync(void* dst,
                              size_t dpitch,
                              const void* src,
                              size_t spitch,
                              size_t width,
                              size_t height,
                              cudaMemcpyKind kind,
                              cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return copy_2d(
      call, {"cudaMemcpy2DAsync", dst, dpitch, src, spitch, width, height, kind, true, stream});
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* p) {
  TILESIM_ENTRY(call)
  return copy_3d(call, "cudaMemcpy3D", p, false, nullptr);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* p, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return copy_3d(call, "cudaMemcpy3DAsync", p, true, stream);
}

cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
  TILESIM_ENTRY(call)
  return copy_box_between_devices(call, "cudaMemcpy3DPeer", p, false, nullptr);
}

cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  return copy_box_between_devices(call, "cudaMemcpy3DPeerAsync", p, true, stream);
}

cudaError_t cudaMemcpyPeer(void* dst, int dstDevice, const void* src, int srcDevice, size_t count) {
  TILESIM_ENTRY(call)
  return copy_between_devices(
      call, dstDevice, srcDevice, {"cudaMemcpyPeer", dst, count, src, count, count, 1});
}

cudaError_t cudaMemcpyPeerAsync(
    void* dst, int dstDevice, const void* src, int srcDevice, size_t count, cudaStream_t stream) {
  TILESIM_ENTRY(call)
  copy_request r{"cudaMemcpyPeerAsync", dst, count, src, count, count, 1};
  r.asynchronous = true;
  r.stream = stream;
  return copy_between_devices(call, dstDevice, srcDevice, r);
}
