// User objects: what a program gives graphs to keep alive.
//
// A graph shares its references with its copies, its executables and their launches; with the last
// one the object goes, and with it what it stands for.  [CUDA programming guide: CUDA user objects]
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/debug_info/call_chain.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/graph_calls.hpp"

#include <algorithm>
#include <limits>
#include <utility>

using namespace tilesim::sim;

CUuserObject_st::~CUuserObject_st() {
  if (runtime.expired()) {
    return; // the process ends: nobody is told
  }
  context& c = context::current();
  const auto before = std::exchange(
      c.running_function, host_function{reinterpret_cast<const void*>(destroy), nullptr, site});
  {
    const called_back by_runtime(__builtin_frame_address(0));
    const program_section called;
    destroy(what);
  }
  c.running_function = before;
}

namespace {

/// A count of references that a call may name.
bool countable(unsigned count) {
  return count != 0 && count <= static_cast<unsigned>(std::numeric_limits<int>::max());
}

std::shared_ptr<CUuserObject_st> find_object(entry& call, cudaUserObject_t object) {
  const auto& all = call.state.graphs.objects;
  const auto found = all.find(object);
  return found == all.end() ? nullptr : found->second.lock();
}

cudaError_t wrong_count(entry& call, const char* function, unsigned count) {
  return call.misuse(cudaErrorInvalidValue,
                     fmt::format("{}: {} is no number of references", function, count),
                     "it is 1 to INT_MAX");
}

/// Gives up references of the program's. The object is held meanwhile: what is erased may be the
/// last reference but this.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
void release(entry& call, std::shared_ptr<CUuserObject_st> object, unsigned count) {
  object->of_program -= count;
  if (object->of_program == 0) {
    call.state.graphs.of_program.erase(object.get());
  }
}

cudaError_t too_many(entry& call, const char* function, unsigned count, unsigned long long there) {
  return call.misuse(
      cudaErrorInvalidValue,
      fmt::format("{}: {} references are given up, and there are {}", function, count, there),
      "release what cudaUserObjectCreate and the calls that retain have given");
}

} // namespace

#define TILESIM_USER_OBJECT(variable, call, handle, count, function)                               \
  const std::shared_ptr<CUuserObject_st> variable = find_object(call, handle);                     \
  if (variable == nullptr) {                                                                       \
    return no_graph(call, function, "no user object, or one that is gone");                        \
  }                                                                                                \
  if (!countable(count)) {                                                                         \
    return wrong_count(call, function, count);                                                     \
  }

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object_out,
                                 void* ptr,
                                 cudaHostFn_t destroy,
                                 unsigned int initialRefcount,
                                 unsigned int flags) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaUserObjectCreate";
  if (object_out == nullptr || destroy == nullptr) {
    return no_graph(call,
                    function,
                    object_out == nullptr ? "null pointer for the object"
                                          : "null pointer for the function");
  }
  if (flags != cudaUserObjectNoDestructorSync) {
    return no_graph(call, function, "flags are not cudaUserObjectNoDestructorSync");
  }
  if (!countable(initialRefcount)) {
    return wrong_count(call, function, initialRefcount);
  }
  const auto made = std::make_shared<CUuserObject_st>();
  made->what = ptr;
  made->destroy = destroy;
  made->of_program = initialRefcount;
  made->runtime = call.sim.runtime;
  made->site = with_callers(call.site);
  call.state.graphs.objects[made.get()] = made;
  call.state.graphs.of_program[made.get()] = made;
  *object_out = made.get();
  return call.ok();
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  TILESIM_ENTRY(call)
  TILESIM_USER_OBJECT(o, call, object, count, "cudaUserObjectRetain")
  o->of_program += count;
  call.state.graphs.of_program[object] = o;
  return call.ok();
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  TILESIM_ENTRY(call)
  TILESIM_USER_OBJECT(o, call, object, count, "cudaUserObjectRelease")
  if (count > o->of_program) {
    return too_many(call, "cudaUserObjectRelease", count, o->of_program);
  }
  release(call, o, count);
  return call.ok();
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph,
                                      cudaUserObject_t object,
                                      unsigned int count,
                                      unsigned int flags) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphRetainUserObject";
  TILESIM_GRAPH(g, call, graph, function)
  TILESIM_USER_OBJECT(o, call, object, count, function)
  if ((flags & ~unsigned{cudaGraphUserObjectMove}) != 0) {
    return no_graph(call, function, "flags are not 0 or cudaGraphUserObjectMove");
  }
  const bool moves = flags == cudaGraphUserObjectMove;
  if (moves && count > o->of_program) {
    return too_many(call, function, count, o->of_program);
  }
  const auto held = std::ranges::find(g->objects, o, &held_object::object);
  if (held == g->objects.end()) {
    g->objects.push_back({o, count});
  } else {
    held->count += count;
  }
  if (moves) {
    release(call, o, count);
  }
  return call.ok();
}

cudaError_t
cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  TILESIM_ENTRY(call)
  const char* const function = "cudaGraphReleaseUserObject";
  TILESIM_GRAPH(g, call, graph, function)
  TILESIM_USER_OBJECT(o, call, object, count, function)
  const auto held = std::ranges::find(g->objects, o, &held_object::object);
  const unsigned long long there = held == g->objects.end() ? 0 : held->count;
  if (count > there) {
    return too_many(call, function, count, there);
  }
  held->count -= count;
  if (held->count == 0) {
    g->objects.erase(held);
  }
  return call.ok();
}
