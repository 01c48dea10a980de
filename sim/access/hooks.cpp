// Raw accesses of hooked programs: the definitions behind the compiler's -fsanitize=thread calls.
//
// In modes that need to see `p[i]`, user code is compiled with the compiler's access hooks and the
// object's symbols are renamed to the project's own (tools/build/hook_symbols.def), so neither the
// real sanitizer nor libc's string functions are disturbed. Each hook checks the access and then
// performs what it stands for. The running thread's own stack is private and skipped. Atomic
// accesses are in hooks_atomic.cpp, libc's functions in hooks_libc.cpp.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/hooks.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/debug_info/call_chain.hpp"
#include "sim/debug_info/source_site.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/shared_variables.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/memory/engine.hpp"
#include "sim/naming/address_report.hpp"
#include "sim/naming/host_variables.hpp"
#include "sim/naming/unwind.hpp"
#include "sim/process/call_site.hpp"

#include <tilesim/detail/thread_index.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <cxxabi.h>
#include <dlfcn.h>
#include <optional>
#include <thread>
#include <vector>

namespace tilesim::sim {

namespace {

[[gnu::cold]] void check_host_access(
    context& c, const allocation* a, std::uintptr_t at, access_kind kind, const void* site) {
  if (a != nullptr && a->live && a->kind == memory_kind::device) {
    c.found.stop(access_with_callers(site), explain_host_access(c, at, kind));
  }
  if (a == nullptr || !a->live) {
    c.found.stop(access_with_callers(site), explain(c, nullptr, {at, 1, kind}));
  }
}

/// Whether kernels see what lies at an address that host code accesses: simulated and registered
/// memory. What host code may not touch ends the run.
bool is_shared_with_kernels(
    context& c, const allocation* a, std::uintptr_t at, access_kind kind, const void* site) {
  if (c.mem.in_arena(at)) {
    check_host_access(c, a, at, kind, site);
    return true;
  }
  return a != nullptr && a->live;
}

/// Variables that the host and kernels share. None are looked for before a kernel is launched.
bool in_managed_variable(const context& c, std::uintptr_t at) {
  const std::vector<address_range>* const variables = c.managed.load(std::memory_order_acquire);
  return variables != nullptr &&
         std::ranges::any_of(*variables, [at](const address_range& v) { return v.contains(at); });
}

// True if the running thread judges the access itself: others().end_alone() ends that.
bool begin_host_access(context& c,
                       std::uintptr_t at,
                       std::size_t bytes,
                       access_kind kind,
                       const void* site,
                       bool strong) {
  const bool variable = in_managed_variable(c, at);
  if (!c.mem.in_arena(at) && !c.mem.has_registered() && !variable) {
    return false;
  }
  const void* const address = reinterpret_cast<const void*>(at);
  if (c.host_thread == std::this_thread::get_id() && c.others->begin_alone()) {
    if (!variable && !is_shared_with_kernels(c, c.mem.find(address), at, kind, site)) {
      c.others->end_alone();
      return false;
    }
    judge_other_threads(c);
    return true;
  }
  const std::optional<allocation> a = c.mem.look_up(address);
  if ((!variable && !is_shared_with_kernels(c, a ? &*a : nullptr, at, kind, site)) ||
      !c.opts.races) {
    return false;
  }
  const bool reads = kind != access_kind::write;
  if (strong && reads) {
    c.others->accesses({access_with_callers(site), at, bytes, true, false, true});
  }
  if (strong) {
    c.others->lose_order();
  } else {
    c.others->accesses({access_with_callers(site), at, bytes, reads, kind != access_kind::read});
  }
  return false;
}

/// The variables behind threadIdx and its kin: the scheduler writes them for every thread, which
/// knows by blockIdx which block's it is.
bool is_index(sim_thread& t, std::uintptr_t at) {
  const auto in = [at](const auto& variable) {
    return at - reinterpret_cast<std::uintptr_t>(&variable) < sizeof(variable);
  };
  const bool block = in(detail::block_index);
  t.knows_block = t.knows_block || block;
  return block || in(detail::thread_index) || in(detail::block_dim) || in(detail::grid_dim);
}

/// The thread's own stack, the launch's copy of the arguments, its indices, and constants, which
/// nobody writes, so that nobody needs to know who reads them.
bool is_private(sim_thread& t, std::uintptr_t at) {
  const detail::bound_kernel& kernel = t.launch->kernel;
  return t.stack->stack().contains(at) ||
         at - reinterpret_cast<std::uintptr_t>(kernel.closure) < kernel.closure_bytes ||
         at - t.exception < t.exception_bytes || is_index(t, at) ||
         (!t.owner->mem.in_arena(at) &&
          (is_shared_slot(at) || (is_constant(at) && !is_given_constant(*t.launch, at))));
}

/// Memory of the host that a function of the standard library uses: the call is what is wrong.
void name_library_call(const void* site, finding_text& text) {
  const std::string called = library_call_at(site);
  if (text.kind != finding_kind::host_memory || called.empty()) {
    return;
  }
  text.kind = finding_kind::wrong_context;
  text.message = fmt::format("a kernel calls {}, which uses memory of the host's", called);
  text.remedy = "device code has no such function, and NVIDIA's compiler refuses the call";
}

/// What a raw access, or one of an atomic object, is about to read.
class coming_object final : public coming_read {
public:
  coming_object(std::uintptr_t at, std::size_t size, access_kind kind, const strong_order* how)
      : at_(at)
      , reads_(how != nullptr && kind != access_kind::write) {
    bytes = size;
    updates = kind == access_kind::read_write;
    if (how != nullptr) {
      order = how->order;
      scope = how->scope;
    }
  }

  void elements(std::vector<std::uintptr_t>& addresses,
                std::vector<std::uint8_t>& active) const override {
    addresses.assign(1, at_);
    active.clear();
  }

  /// For run_desk::begins(): nullptr if it reads nothing strongly.
  [[nodiscard]] const coming_read* if_strong() const noexcept { return reads_ ? this : nullptr; }

private:
  std::uintptr_t at_;
  bool reads_;
};

/// A raw access of a kernel's that cannot be made ends the run; in one that keeps going, the block.
[[noreturn]] void refuse(context& c, const void* site, finding_text text) {
  site = fault_with_callers(site); // it may be the library's, which has no place of its own
  name_library_call(site, text);
  if (!c.opts.keep_going) {
    c.found.stop(site, std::move(text));
  }
  text.details.emplace_back("the block ends here, since the run keeps going");
  c.found.add(site, std::move(text));
  execution::leave();
}

/// From where the first of them begins to where the last one ends.
address_range hull(const std::vector<address_range>& all) {
  address_range around{~std::uintptr_t{0}, 0};
  for (const address_range& r : all) {
    around = {std::min(around.begin, r.begin), std::max(around.end, r.end)};
  }
  return around;
}

/// [PTX: state spaces, .const; CUDA C++ Programming Guide: __constant__]
void look_for_constant(context& c, const sim_thread& t, std::uintptr_t at, const void* site) {
  const auto& all = constant_variables();
  static const address_range around = hull(all); // most writes are elsewhere, as in shared memory
  if (!around.contains(at) ||
      std::ranges::none_of(all, [at](const address_range& v) { return v.contains(at); }) ||
      !c.opts.reports(finding_kind::constant_write) ||
      c.found.repeated(site, finding_kind::constant_write)) {
    return;
  }
  c.found.add(site,
              {.kind = finding_kind::constant_write,
               .message = "a kernel writes to a __constant__ variable",
               .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name),
                           fmt::format("it is {}", describe_address(c, at))},
               .remedy = "make it __device__, or let the host write it: cudaMemcpyToSymbol"});
}

} // namespace

bool begin_access(sim_thread* running,
                  std::uintptr_t at,
                  std::size_t bytes,
                  access_kind kind,
                  const void*& site,
                  bool aligned,
                  const strong_order* order) {
  const bool strong = order != nullptr;
  if (running == nullptr) {
    return begin_host_access(context::current(), at, bytes, kind, site, strong);
  }
  sim_thread& t = *running;
  if (bytes == 0 || is_private(t, at)) {
    return false;
  }
  context& c = *t.owner;
  run_desk& state = c.exec->desk();
  t.next_access = site;
  // Where a person would say that it is: members of std::atomic are functions of their own at -O0.
  if (strong || (state.announces && (state.control != nullptr || state.watchers.wanted().before))) {
    site = step::calling_place(site);
  }
  if (state.announces) {
    const coming_object read(at, bytes, kind, order);
    state.begins(t, site, name(kind), step_kind::raw, read.if_strong());
  }
  t.site = site;
  t.access = t.next_access;
  ++t.operations;
  ++state.steps;
  state.count_operation(site);
  if (state.following != nullptr) {
    state.following->access(t, site, name(kind), at, bytes);
  }
  state.make_way_for_access(step_kind::raw);
  const auto size = static_cast<unsigned>(bytes);
  if (!accessible(c, &t, at, size)) {
    c.exec->refused({at, size, kind});
    finding_text text = explain(c, &t, {at, size, kind});
    if (text.kind != finding_kind::unsupported) {
      text.message = "raw " + text.message;
    }
    refuse(c, site, std::move(text));
  }
  if (aligned && bytes <= 16 && (bytes & (bytes - 1)) == 0 && at % bytes != 0) {
    refuse(c, site, misaligned_text(c, t, {at, size, kind}));
  }
  if (kind != access_kind::read && !c.mem.in_arena(at)) {
    look_for_constant(c, t, at, site);
  }
  if (state.announces) {
    state.watchers.tell([&](watcher& w) { w.before_access(t, at, bytes); });
  }
  return true;
}

void polled(sim_thread& t,
            std::uintptr_t at,
            std::size_t bytes,
            const void* value,
            const void* site,
            bool strong) {
  if (bytes <= 8) {
    watched_cell cell{at, 0, static_cast<std::uint8_t>(bytes)};
    std::memcpy(&cell.value, value, bytes);
    polled(
        t,
        {.site = site, .cells = &cell, .count = 1, .operation = t.run_operation, .strong = strong});
  } else {
    polled(t,
           {.site = site,
            .cells = nullptr,
            .count = 0,
            .at = at,
            .elements = bytes,
            .operation = t.run_operation,
            .strong = strong});
  }
}

void tell_access(sim_thread& t,
                 std::uintptr_t at,
                 std::size_t bytes,
                 access_kind kind,
                 const void* site,
                 const machine::access& how,
                 const object_update* update) {
  const watcher_list& watchers = t.owner->exec->desk().watchers;
  if (!watchers.wanted().accesses) {
    return;
  }
  const memory_event e{.thread = &t,
                       .site = site,
                       .how = how,
                       .reads = kind != access_kind::write,
                       .writes = kind != access_kind::read,
                       .bytes = static_cast<unsigned>(bytes),
                       .count = 1,
                       .addresses = &at,
                       .contiguous = true,
                       .raw = true,
                       .sums_floats = update != nullptr && update->sums_floats(),
                       .commutes = update != nullptr && update->commutes()};
  watchers.tell([&e](watcher& w) { w.memory(e); });
}

void tell_host_access(context& c,
                      std::uintptr_t at,
                      std::size_t bytes,
                      access_kind kind,
                      const void* site,
                      bool other_thread) {
  const host_event e{.site = site,
                     .address = at,
                     .bytes = bytes,
                     .reads = kind != access_kind::write,
                     .writes = kind != access_kind::read,
                     .other_thread = other_thread};
  c.exec->watchers().tell([&e](watcher& w) { w.host_access(e); });
}

context& context_of(const sim_thread* t) {
  return t != nullptr ? *t->owner : context::current();
}

accessor accessor_of(const context& c, sim_thread* t) {
  return {.thread = t, .at = t != nullptr ? &t->launch->order : c.host_place};
}

const void* judged_site(const context& c, const sim_thread* t, const void* site) {
  return t == nullptr && c.opts.races ? access_with_callers(site) : site;
}

namespace {

/// One that is told. A function of its own: most accesses are of a thread's own stack and end in
/// begin_access, and these need no frame.
[[gnu::noinline]] void told_access(sim_thread* t,
                                   const raw_range& r,
                                   access_kind kind,
                                   const void* site,
                                   memmodel::memory_order order,
                                   bool is_volatile,
                                   bool same_call) {
  const auto at = reinterpret_cast<std::uintptr_t>(r.begin);
  const bool weak = order == memmodel::memory_order::weak;
  if (t != nullptr && kind != access_kind::read) {
    progressed(*t);
  } else if (t != nullptr) {
    // What memory holds: what the engine gives is known behind raw(), where nobody may sleep.
    const watched_cell cell{at, 0, static_cast<std::uint8_t>(std::min<std::size_t>(r.bytes, 8))};
    const std::uint64_t now = r.bytes > 8 ? 0 : cell.now();
    polled(*t, at, r.bytes, &now, site, is_volatile);
  }
  context& c = context_of(t);
  site = judged_site(c, t, site);
  c.exec->memory().raw(accessor_of(c, t),
                       {.site = site,
                        .address = at,
                        .bytes = r.bytes,
                        .order = order,
                        .is_volatile = is_volatile && !weak},
                       kind,
                       same_call);
  if (control_trail* const trail = c.exec->desk().following;
      trail != nullptr && t != nullptr && kind != access_kind::write) {
    trail->has_read(*t, at, r.bytes);
  }
  if (t == nullptr) {
    tell_host_access(c, at, r.bytes, kind, site);
    c.others->end_alone();
  } else {
    // Made before: to copy one that has just been made field by field waits for the fields.
    static const machine::access weak_access{};
    static const machine::access volatile_access = [] {
      machine::access how;
      how.order = machine::memory_order::relaxed;
      how.scope = machine::memory_scope::sys;
      return how;
    }();
    tell_access(*t, at, r.bytes, kind, site, weak ? weak_access : volatile_access);
  }
}

void any_access(sim_thread* t,
                const raw_range& r,
                access_kind kind,
                const void* site,
                memmodel::memory_order order,
                bool is_volatile) {
  const auto at = reinterpret_cast<std::uintptr_t>(r.begin);
  const bool same_call = r.same_call && t != nullptr && t->in_told_call;
  const strong_order strong{.order = order};
  const bool told = begin_access(t,
                                 at,
                                 r.bytes,
                                 kind,
                                 site,
                                 r.aligned,
                                 order == memmodel::memory_order::weak ? nullptr : &strong);
  if (t != nullptr) {
    t->in_told_call = told || same_call;
  }
  if (told) {
    told_access(t, r, kind, site, order, is_volatile, same_call);
  }
}

} // namespace

void judge_raw_access(const raw_range& range, access_kind kind, const void* site) noexcept {
  if (in_library()) {
    return;
  }
  const library_section inside;
  any_access(execution::current(), range, kind, site, memmodel::memory_order::weak, false);
}

void volatile_access(const void* pointer,
                     std::size_t bytes,
                     access_kind kind,
                     const void* site,
                     bool aligned) noexcept {
  if (!hooks_judge()) {
    return;
  }
  const library_section inside;
  sim_thread* t = execution::current();
  const bool tile = t != nullptr && t->launch->kind == kernel_kind::tile;
  any_access(t,
             {pointer, bytes, false, aligned},
             kind,
             site,
             tile ? memmodel::memory_order::weak : memmodel::memory_order::relaxed,
             true);
}

} // namespace tilesim::sim

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compiler's.
using tilesim::sim::access_kind;
using tilesim::sim::raw_access;
using tilesim::sim::volatile_access;

// Plain accesses of 1 to 16 bytes, volatile or not; by pointers to what is aligned, or not: a copy
// of bytes, a packed structure.
#define TILESIM_ACCESS(name, bytes, kind, aligned)                                                 \
  extern "C" TILESIM_EXPORT void tilesim_hook___tsan_##name(void* p) {                             \
    raw_access(p, bytes, access_kind::kind, TILESIM_SITE, aligned);                                \
  }
#define TILESIM_VOLATILE(name, bytes, kind, aligned)                                               \
  extern "C" TILESIM_EXPORT void tilesim_hook___tsan_##name(void* p) {                             \
    volatile_access(p, bytes, access_kind::kind, TILESIM_SITE, aligned);                           \
  }
#define TILESIM_ACCESSES(bytes)                                                                    \
  TILESIM_ACCESS(read##bytes, bytes, read, true)                                                   \
  TILESIM_ACCESS(write##bytes, bytes, write, true)                                                 \
  TILESIM_ACCESS(read_write##bytes, bytes, read_write, true)                                       \
  TILESIM_ACCESS(unaligned_read##bytes, bytes, read, false)                                        \
  TILESIM_ACCESS(unaligned_write##bytes, bytes, write, false)                                      \
  TILESIM_ACCESS(unaligned_read_write##bytes, bytes, read_write, false)                            \
  TILESIM_VOLATILE(volatile_read##bytes, bytes, read, true)                                        \
  TILESIM_VOLATILE(volatile_write##bytes, bytes, write, true)                                      \
  TILESIM_VOLATILE(unaligned_volatile_read##bytes, bytes, read, false)                             \
  TILESIM_VOLATILE(unaligned_volatile_write##bytes, bytes, write, false)
TILESIM_ACCESSES(1)
TILESIM_ACCESSES(2)
TILESIM_ACCESSES(4)
TILESIM_ACCESSES(8)
TILESIM_ACCESSES(16)
// Who knows of 16 bytes' alignment no more than 8. [tools/build/hook_symbols.cpp]
TILESIM_ACCESS(halfaligned_read16, 16, read, false)
TILESIM_ACCESS(halfaligned_write16, 16, write, false)
TILESIM_ACCESS(halfaligned_read_write16, 16, read_write, false)
TILESIM_VOLATILE(halfaligned_volatile_read16, 16, read, false)
TILESIM_VOLATILE(halfaligned_volatile_write16, 16, write, false)

extern "C" TILESIM_EXPORT void tilesim_hook___tsan_read_range(void* p, std::size_t n) {
  raw_access(p, n, access_kind::read, TILESIM_SITE);
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_write_range(void* p, std::size_t n) {
  raw_access(p, n, access_kind::write, TILESIM_SITE);
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_vptr_update(void** p, void* /*value*/) {
  raw_access(p, sizeof(void*), access_kind::write, TILESIM_SITE);
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_vptr_read(void** p) {
  raw_access(p, sizeof(void*), access_kind::read, TILESIM_SITE);
}
extern "C" TILESIM_EXPORT void* tilesim_hook___cxa_allocate_exception(std::size_t bytes) noexcept {
  void* const exception = abi::__cxa_allocate_exception(bytes);
  if (tilesim::sim::sim_thread* const t = tilesim::sim::execution::current()) {
    t->exception = reinterpret_cast<std::uintptr_t>(exception);
    t->exception_bytes = bytes;
  }
  return exception;
}
// A misaligned reference is no access yet. A program that the user has compiled with
// -fsanitize=undefined, too, has it told as ever.
extern "C" TILESIM_EXPORT void tilesim_hook___ubsan_handle_type_mismatch_v1(void* what, void* at) {
  using handler = void (*)(void*, void*);
  static const auto own =
      reinterpret_cast<handler>(dlsym(RTLD_DEFAULT, "__ubsan_handle_type_mismatch_v1"));
  if (own != nullptr) {
    const tilesim::sim::library_section inside;
    own(what, at);
  }
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_init() {
  tilesim::sim::judging::hooked = true;
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_func_entry(void* /*caller*/) {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_func_exit() {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_ignore_thread_begin() {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_ignore_thread_end() {}
// NOLINTEND(bugprone-reserved-identifier)
