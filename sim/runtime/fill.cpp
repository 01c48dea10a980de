// cudaMemset and its kin.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/fill.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/memory/engine.hpp"
#include "sim/runtime/capture_rules.hpp"
#include "sim/runtime/copy_check.hpp"
#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

using namespace tilesim::sim;

namespace tilesim::sim {

namespace {

/// A row of what is written, where that is more than one byte again and again.
std::vector<unsigned char> pattern(const fill_request& r) {
  std::vector<unsigned char> row(r.element_size == 1 ? 0 : r.width);
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = static_cast<unsigned char>(static_cast<unsigned>(r.value) >> (i % r.element_size * 8));
  }
  return row;
}

void fill_rows(context& c,
               const fill_request& r,
               const std::vector<unsigned char>& row_of_elements,
               const void* site) {
  const scoped_access open(c.mem);
  const accessor who{.at = &c.current_work, .by = r.function};
  for (std::size_t row = 0; row < r.height; ++row) {
    auto* const to = static_cast<unsigned char*>(r.pointer) + row * r.pitch;
    if (row_of_elements.empty()) {
      c.exec->memory().fill(who, site, {to}, static_cast<unsigned char>(r.value), r.width);
    } else {
      c.exec->memory().copy(who,
                            site,
                            byte_place{to, true},
                            byte_place{const_cast<unsigned char*>(row_of_elements.data()), false},
                            r.width);
    }
    const host_event done{.site = site,
                          .by = r.function,
                          .address = reinterpret_cast<std::uintptr_t>(to),
                          .bytes = r.width,
                          .writes = true};
    c.exec->watchers().tell([&done](watcher& w) { w.host_access(done); });
  }
}

cudaMemsetParams as_parameters(const fill_request& r) {
  return {r.pointer,
          r.pitch,
          static_cast<unsigned>(r.value),
          r.element_size,
          r.width / r.element_size,
          r.height};
}

} // namespace

cudaError_t fill(entry& call, const fill_request& r) {
  const auto [stream, refused] = find_for_work(call, r.stream, r.function);
  if (refused != cudaSuccess) {
    return refused;
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
  piece what{.type = cudaGraphNodeTypeMemset,
             .start =
                 [&c = call.sim, r, row = pattern(r), site = with_callers(call.site)] {
                   fill_rows(c, r, row, site);
                   return launch_id{0};
                 },
             .dropped = {},
             .parameters = {}};
  if (stream->capturing != nullptr) {
    what.parameters = keep_parameters(as_parameters(r));
  }
  const auto t = call.state.work.append(*stream, std::move(what));
  if (!r.asynchronous) {
    // The host waits for fills of memory that it can see.  [CUDA: API synchronization behavior]
    const allocation* a = call.sim.mem.find(r.pointer);
    call.state.work.finish(t, a == nullptr || a->kind != memory_kind::device);
  }
  return call.ok();
}

} // namespace tilesim::sim

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
