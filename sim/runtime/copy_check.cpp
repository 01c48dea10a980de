// Judging the two ends of a copy.
//
// CUDA's rule, as an H200 shows it (tests/sim/runtime/probe/behaviour.txt): the side that the
// direction calls the device's must be memory that CUDA knows; the side that it calls the host's
// may be anything.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/runtime/copy_check.hpp"

#include "sim/runtime/entry.hpp"

#include <fmt/format.h>

#include <limits>

namespace tilesim::sim {

bool pageable(const entry& call, const void* pointer) {
  return call.sim.mem.find(pointer) == nullptr &&
         !call.sim.mem.in_arena(reinterpret_cast<std::uintptr_t>(pointer));
}

std::optional<std::size_t> bytes_in_variable(const runtime_state& state, const void* pointer) {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  auto it = state.variables.upper_bound(at);
  if (it == state.variables.begin()) {
    return std::nullopt;
  }
  const auto [begin, size] = *--it;
  if (at == begin && size == 0) {
    return std::numeric_limits<std::size_t>::max();
  }
  return at - begin < size ? std::optional(size - (at - begin)) : std::nullopt;
}

namespace {

cudaError_t wrong(entry& call,
                  const copy_side& side,
                  finding_kind kind,
                  const std::string& what,
                  const char* remedy) {
  return call.misuse(cudaErrorInvalidValue,
                     fmt::format("{}: the {} {}", side.function, side.role, what),
                     remedy,
                     kind);
}

/// An end that lies in memory which is, or was, allocated.
cudaError_t
check_allocated(entry& call, const copy_side& side, const allocation& a, std::size_t bytes) {
  const auto at = reinterpret_cast<std::uintptr_t>(side.pointer);
  if (!a.live) {
    return wrong(call,
                 side,
                 finding_kind::use_after_free,
                 fmt::format("is freed memory: {}", describe_pointer(call, side.pointer)),
                 "free it afterwards");
  }
  // [CUDA C++ Programming Guide: Dynamic Global Memory Allocation, "cannot be used in any runtime
  // or driver API calls (i.e. cudaMemcpy, cudaMemset, etc)"]
  if (call.state.heap.live.contains(reinterpret_cast<const void*>(a.begin))) {
    return wrong(call,
                 side,
                 finding_kind::api_misuse,
                 fmt::format("is of the device's heap: {}", describe_pointer(call, side.pointer)),
                 "copy it in a kernel, to or from memory of cudaMalloc");
  }
  if (!a.contains(at, bytes)) {
    return wrong(call,
                 side,
                 finding_kind::out_of_bounds,
                 fmt::format("has {} bytes left in {}, but {} are {}",
                             a.end() - at,
                             describe(call, a),
                             bytes,
                             side.done),
                 "check the size: it counts bytes, not elements");
  }
  return cudaSuccess;
}

} // namespace

cudaError_t check_side(entry& call, const copy_side& side, const copy_extent& extent) {
  const std::size_t bytes = extent.span();
  if (bytes == 0) {
    return cudaSuccess;
  }
  if (side.pointer == nullptr) {
    return wrong(call,
                 side,
                 finding_kind::null_pointer,
                 "is a null pointer",
                 "check that its allocation succeeded");
  }
  const auto at = reinterpret_cast<std::uintptr_t>(side.pointer);
  const allocation* a = call.sim.mem.find(side.pointer);
  if (a == nullptr && call.sim.mem.in_arena(at)) {
    const allocation* near = call.sim.mem.nearest(at);
    return wrong(call,
                 side,
                 near != nullptr && !near->live ? finding_kind::use_after_free
                                                : finding_kind::wild_pointer,
                 near != nullptr ? fmt::format("{} lies in no allocation; the nearest is {}",
                                               fmt::ptr(side.pointer),
                                               describe(call, *near))
                                 : fmt::format("{} lies in no allocation", fmt::ptr(side.pointer)),
                 "");
  }
  if (const auto left = bytes_in_variable(call.state, side.pointer); a == nullptr && left) {
    return bytes <= *left ? cudaSuccess
                          : wrong(call,
                                  side,
                                  finding_kind::out_of_bounds,
                                  fmt::format("has {} bytes left in its variable, but {} are {}",
                                              *left,
                                              bytes,
                                              side.done),
                                  "check the size: it counts bytes, not elements");
  }
  if (a == nullptr) {
    return side.device
               ? wrong(call,
                       side,
                       finding_kind::api_misuse,
                       fmt::format("{} is host memory, but the direction says device memory",
                                   fmt::ptr(side.pointer)),
                       "check the order of the pointers against the cudaMemcpyKind")
               : cudaSuccess;
  }
  return check_allocated(call, side, *a, bytes);
}

} // namespace tilesim::sim
