// malloc, free, new and delete of the program's code: a kernel's are the device's. The tool has the
// linker send these calls here (tools/build/compile.cpp).
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread_block.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/execution/block_meeting.hpp"
#include "sim/memory/engine.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/process/call_site.hpp"
#include "sim/process/sections.hpp"
#include "sim/runtime/allocate.hpp"
#include "sim/runtime/heap_memory.hpp"
#include "sim/runtime/state.hpp"

#include <tilesim/detail/machine.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <driver_types.h>
#include <new>
#include <string>

namespace tilesim::sim {

namespace {

/// The running thread of a `__global__` kernel whose own code this is; nullptr: it is the host's.
sim_thread* kernel_thread() noexcept {
  sim_thread* const t = execution::current();
  return t != nullptr && t->team != nullptr && !in_library() ? t : nullptr;
}

void refuse_if_explored(sim_thread& t, const void* site, const char* function) {
  if (is_explored(t)) {
    refuse_to_explore(t,
                      site,
                      fmt::format("{} in a kernel", function),
                      "where memory of the device's heap lies is a matter of turns");
  }
}

constexpr std::array allocating{"malloc", "new", "new[]"};
constexpr std::array freeing{"free", "delete", "delete[]"};

const char* name(const std::array<const char*, 3>& of, heap_call by) {
  return of.at(static_cast<std::size_t>(by));
}

/// nullptr where the heap has no more.
void* allocate_on_heap(sim_thread& t, std::size_t bytes, const void* site, heap_call by) {
  const library_section inside;
  const char* const function = name(allocating, by);
  refuse_if_explored(t, site, function);
  context& c = *t.owner;
  device_heap& heap = runtime_state::of(c).heap;
  const std::size_t size = bytes == 0 ? 1 : bytes;
  if (size > runtime_state::of(c).limits[cudaLimitMallocHeapSize] - heap.used) {
    return nullptr;
  }
  const void* const called = with_callers(site);
  void* const made = c.mem.allocate(memory_kind::device, size, called);
  if (made != nullptr) {
    heap.live[made] = {size, by};
    heap.used += size;
    const allocation& a = *c.mem.find(made);
    c.exec->watchers().tell([&a](watcher& w) { w.allocated(a); });
  }
  return made;
}

/// [C++: expr.delete; CUDA C++ Programming Guide: Dynamic Global Memory Allocation]
void report_other_call(sim_thread& t, const void* site, heap_call by, const heap_block& freed) {
  context& c = *t.owner;
  if (c.found.repeated(site, finding_kind::api_misuse)) {
    return;
  }
  c.found.add(site,
              {.kind = finding_kind::api_misuse,
               .message = fmt::format("{} in a kernel of what {} has allocated",
                                      name(freeing, by),
                                      name(allocating, freed.by)),
               .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name)},
               .remedy = fmt::format("free it by {}", name(freeing, freed.by))});
}

void free_on_heap(sim_thread& t, void* pointer, const void* site, heap_call by) {
  if (pointer == nullptr) {
    return;
  }
  const library_section inside;
  const char* const function = name(freeing, by);
  refuse_if_explored(t, site, function);
  context& c = *t.owner;
  device_heap& heap = runtime_state::of(c).heap;
  const auto found = heap.live.find(pointer);
  const allocation* const a = c.mem.find(pointer);
  if (found == heap.live.end()) {
    const bool again = a != nullptr && !a->live;
    c.found.stop(
        site,
        {.kind = again ? finding_kind::use_after_free : finding_kind::wild_pointer,
         .message = fmt::format("{} in a kernel of what is {}",
                                function,
                                again ? "freed already" : "no memory of the device's heap"),
         .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name),
                     describe_address(c, reinterpret_cast<std::uintptr_t>(pointer))},
         .remedy = "free once, and where malloc's or new's memory begins"});
  }
  if (found->second.by != by) {
    report_other_call(t, site, by, found->second);
  }
  const void* const called = with_callers(site);
  c.exec->memory().lifetime(
      {.thread = &t, .at = &t.launch->order, .by = function}, called, a->begin, a->size);
  heap.used -= found->second.bytes;
  heap.live.erase(found);
  free_memory(c, pointer, called);
}

} // namespace

} // namespace tilesim::sim

// NOLINTBEGIN(bugprone-reserved-identifier): the linker makes the names.
extern "C" {

TILESIM_EXPORT void* __wrap_malloc(std::size_t bytes) {
  tilesim::sim::sim_thread* const t = tilesim::sim::kernel_thread();
  return t == nullptr ? std::malloc(bytes)
                      : tilesim::sim::allocate_on_heap(
                            *t, bytes, TILESIM_SITE, tilesim::sim::heap_call::function);
}
TILESIM_EXPORT void __wrap_free(void* pointer) {
  tilesim::sim::sim_thread* const t = tilesim::sim::kernel_thread();
  if (t == nullptr) {
    std::free(pointer); // NOLINT(cppcoreguidelines-no-malloc)
  } else {
    tilesim::sim::free_on_heap(*t, pointer, TILESIM_SITE, tilesim::sim::heap_call::function);
  }
}

// operator new and operator delete: of one object and of arrays, with and without exceptions, with
// a size, with an alignment. A kernel's new gives a null pointer where there is no memory.
#define TILESIM_NEW(symbol, by, parameters, host)                                                  \
  TILESIM_EXPORT void* __wrap_##symbol parameters {                                                \
    tilesim::sim::sim_thread* const t = tilesim::sim::kernel_thread();                             \
    return t == nullptr ? ::operator host                                                          \
        : tilesim::sim::allocate_on_heap(*t, bytes, TILESIM_SITE, tilesim::sim::heap_call::by);    \
  }
#define TILESIM_DELETE(symbol, by, parameters, host)                                               \
  TILESIM_EXPORT void __wrap_##symbol parameters {                                                 \
    tilesim::sim::sim_thread* const t = tilesim::sim::kernel_thread();                             \
    if (t == nullptr) {                                                                            \
      ::operator host;                                                                             \
    } else {                                                                                       \
      tilesim::sim::free_on_heap(*t, p, TILESIM_SITE, tilesim::sim::heap_call::by);                \
    }                                                                                              \
  }
TILESIM_NEW(_Znwm, object, (std::size_t bytes), new (bytes))
TILESIM_NEW(_Znam, array, (std::size_t bytes), new[](bytes))
TILESIM_NEW(_ZnwmRKSt9nothrow_t,
            object,
            (std::size_t bytes, const std::nothrow_t& n),
            new (bytes, n))
TILESIM_NEW(_ZnamRKSt9nothrow_t,
            array,
            (std::size_t bytes, const std::nothrow_t& n),
            new[](bytes, n))
TILESIM_NEW(_ZnwmSt11align_val_t, object, (std::size_t bytes, std::align_val_t a), new (bytes, a))
TILESIM_NEW(_ZnamSt11align_val_t, array, (std::size_t bytes, std::align_val_t a), new[](bytes, a))
TILESIM_DELETE(_ZdlPv, object, (void* p), delete (p))
TILESIM_DELETE(_ZdaPv, array, (void* p), delete[](p))
TILESIM_DELETE(_ZdlPvm, object, (void* p, std::size_t bytes), delete (p, bytes))
TILESIM_DELETE(_ZdaPvm, array, (void* p, std::size_t bytes), delete[](p, bytes))
TILESIM_DELETE(_ZdlPvSt11align_val_t, object, (void* p, std::align_val_t a), delete (p, a))
TILESIM_DELETE(_ZdaPvSt11align_val_t, array, (void* p, std::align_val_t a), delete[](p, a))
TILESIM_DELETE(_ZdlPvmSt11align_val_t,
               object,
               (void* p, std::size_t bytes, std::align_val_t a),
               delete (p, bytes, a))
TILESIM_DELETE(_ZdaPvmSt11align_val_t,
               array,
               (void* p, std::size_t bytes, std::align_val_t a),
               delete[](p, bytes, a))
#undef TILESIM_NEW
#undef TILESIM_DELETE
}
// NOLINTEND(bugprone-reserved-identifier)
