// Raw accesses of hooked programs: the definitions behind the compiler's -fsanitize=thread calls.
//
// In modes that need to see `p[i]`, user code is compiled with the compiler's access hooks and the
// object's symbols are renamed to the project's own (tools/hook_symbols.def), so neither the real
// sanitizer nor libc's string functions are disturbed. Each hook checks the access and then
// performs what it stands for. The running thread's own stack is private and skipped.
// SPDX-License-Identifier: Apache-2.0
#include "sim/hooks.hpp"

#include "sim/context.hpp"
#include "sim/execution_impl.hpp"
#include "sim/faults.hpp"

#include <fmt/format.h>

#include <cstring>
#include <mutex>

namespace tilesim::sim {

namespace {

[[gnu::cold]] void
check_host_access(context& c, std::uintptr_t at, access_kind kind, const void* site) {
  const allocation* a = c.mem.find(reinterpret_cast<const void*>(at));
  if (a != nullptr && a->live && a->kind == memory_kind::device) {
    c.found.stop(site, explain_host_access(c, at, kind));
  }
  if (a == nullptr || !a->live) {
    c.found.stop(site, explain(c, nullptr, {at, 1, kind}));
  }
}

void tell(sim_thread& t, std::uintptr_t at, unsigned bytes, access_kind kind, const void* site) {
  for (const auto& o : t.owner->exec->state().observers) {
    o->memory({&t,
               site,
               {},
               kind != access_kind::write,
               kind != access_kind::read,
               bytes,
               1,
               &at,
               nullptr});
  }
}

} // namespace

void raw_access(const void* pointer,
                std::size_t bytes,
                access_kind kind,
                const void* site) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(pointer);
  sim_thread* t = execution::current();
  if (t == nullptr) {
    context& c = context::current();
    if (c.mem.in_arena(at)) {
      check_host_access(c, at, kind, site);
      c.exec->state().engine->happened(
          nullptr,
          c.host_order,
          {site, at, bytes, kind != access_kind::write, kind != access_kind::read, "the host"});
    }
    return;
  }
  // Private: the thread's own stack, and the launch's copy of the arguments.
  const detail::bound_kernel& kernel = t->launch->kernel;
  if (bytes == 0 || t->stack->stack().contains(at) ||
      at - reinterpret_cast<std::uintptr_t>(kernel.closure) < kernel.closure_bytes) {
    return;
  }
  context& c = *t->owner;
  t->site = site;
  ++t->operations;
  ++c.exec->state().steps;
  if (c.exec->state().strategy->preempt()) {
    execution::yield();
    t->site = site;
  }
  const auto size = static_cast<unsigned>(bytes);
  if (!accessible(c, t, at, size)) {
    finding_text text = explain(c, t, {at, size, kind});
    text.message = "raw " + text.message;
    c.found.stop(site, std::move(text));
  }
  // Compilers copy constants of their own in larger pieces than they are aligned to: only simulated
  // memory is held to its alignment.
  if (bytes <= 8 && (bytes & (bytes - 1)) == 0 && at % bytes != 0 &&
      c.mem.find(pointer) != nullptr) {
    c.found.stop(
        site,
        {.kind = finding_kind::misaligned,
         .message = fmt::format("raw {} of {} bytes at {:#x}, which is not a multiple of {}",
                                name(kind),
                                bytes,
                                at,
                                bytes),
         .details = {fmt::format("by {} of {}", t->name(), t->launch->kernel.name),
                     fmt::format("it is {}", describe_address(c, at))},
         .remedy = "keep pointers aligned to their element's size"});
  }
  if (kind != access_kind::read) {
    t->spin.progressed();
  } else if (bytes <= 8) {
    watched_cell cell{at, 0, static_cast<std::uint8_t>(bytes)};
    std::memcpy(&cell.value, pointer, bytes);
    if (t->spin.polled(site, &cell, 1)) {
      execution::sleep();
    }
  }
  c.exec->state().engine->happened(
      t,
      t->launch->order,
      {site, at, bytes, kind != access_kind::write, kind != access_kind::read, nullptr});
  tell(*t, at, size, kind, site);
}

} // namespace tilesim::sim

// NOLINTBEGIN(bugprone-reserved-identifier): the names are the compiler's.
using tilesim::sim::access_kind;
using tilesim::sim::raw_access;

#define TILESIM_SITE __builtin_return_address(0)

// Plain accesses of 1 to 16 bytes, aligned or not, volatile or not.
#define TILESIM_ACCESS(name, bytes, kind)                                                          \
  extern "C" TILESIM_EXPORT void tilesim_hook___tsan_##name(void* p) {                             \
    raw_access(p, bytes, access_kind::kind, TILESIM_SITE);                                         \
  }
#define TILESIM_ACCESSES(bytes)                                                                    \
  TILESIM_ACCESS(read##bytes, bytes, read)                                                         \
  TILESIM_ACCESS(write##bytes, bytes, write)                                                       \
  TILESIM_ACCESS(read_write##bytes, bytes, read_write)                                             \
  TILESIM_ACCESS(unaligned_read##bytes, bytes, read)                                               \
  TILESIM_ACCESS(unaligned_write##bytes, bytes, write)                                             \
  TILESIM_ACCESS(unaligned_read_write##bytes, bytes, read_write)                                   \
  TILESIM_ACCESS(volatile_read##bytes, bytes, read)                                                \
  TILESIM_ACCESS(volatile_write##bytes, bytes, write)                                              \
  TILESIM_ACCESS(unaligned_volatile_read##bytes, bytes, read)                                      \
  TILESIM_ACCESS(unaligned_volatile_write##bytes, bytes, write)
TILESIM_ACCESSES(1)
TILESIM_ACCESSES(2)
TILESIM_ACCESSES(4)
TILESIM_ACCESSES(8)
TILESIM_ACCESSES(16)

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
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_init() {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_func_entry(void* /*caller*/) {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_func_exit() {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_ignore_thread_begin() {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_ignore_thread_end() {}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic_thread_fence(int /*order*/) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic_signal_fence(int /*order*/) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// std::atomic and the __atomic builtins. Host code may run on several OS threads, so the operation
// itself is a real atomic one, in the strongest order.
#define TILESIM_ATOMIC_RMW(bits, type, name, builtin)                                              \
  extern "C" TILESIM_EXPORT type tilesim_hook___tsan_atomic##bits##_##name(                        \
      volatile type* p, type value, int /*order*/) {                                               \
    raw_access(const_cast<type*>(p), sizeof(type), access_kind::read_write, TILESIM_SITE);         \
    return builtin(p, value, __ATOMIC_SEQ_CST);                                                    \
  }
#define TILESIM_ATOMIC(bits, type)                                                                 \
  extern "C" TILESIM_EXPORT type tilesim_hook___tsan_atomic##bits##_load(const volatile type* p,   \
                                                                         int /*order*/) {          \
    raw_access(const_cast<type*>(p), sizeof(type), access_kind::read, TILESIM_SITE);               \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                                \
  extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic##bits##_store(                         \
      volatile type* p, type value, int /*order*/) {                                               \
    raw_access(const_cast<type*>(p), sizeof(type), access_kind::write, TILESIM_SITE);              \
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);                                                  \
  }                                                                                                \
  TILESIM_ATOMIC_RMW(bits, type, exchange, __atomic_exchange_n)                                    \
  TILESIM_ATOMIC_RMW(bits, type, fetch_add, __atomic_fetch_add)                                    \
  TILESIM_ATOMIC_RMW(bits, type, fetch_sub, __atomic_fetch_sub)                                    \
  TILESIM_ATOMIC_RMW(bits, type, fetch_and, __atomic_fetch_and)                                    \
  TILESIM_ATOMIC_RMW(bits, type, fetch_or, __atomic_fetch_or)                                      \
  TILESIM_ATOMIC_RMW(bits, type, fetch_xor, __atomic_fetch_xor)                                    \
  TILESIM_ATOMIC_RMW(bits, type, fetch_nand, __atomic_fetch_nand)                                  \
  extern "C" TILESIM_EXPORT int tilesim_hook___tsan_atomic##bits##_compare_exchange_strong(        \
      volatile type* p, type* expected, type desired, int /*order*/, int /*failure*/) {            \
    raw_access(const_cast<type*>(p), sizeof(type), access_kind::read_write, TILESIM_SITE);         \
    return __atomic_compare_exchange_n(                                                            \
        p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                          \
  }                                                                                                \
  extern "C" TILESIM_EXPORT int tilesim_hook___tsan_atomic##bits##_compare_exchange_weak(          \
      volatile type* p, type* expected, type desired, int /*order*/, int /*failure*/) {            \
    raw_access(const_cast<type*>(p), sizeof(type), access_kind::read_write, TILESIM_SITE);         \
    return __atomic_compare_exchange_n(                                                            \
        p, expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                          \
  }                                                                                                \
  extern "C" TILESIM_EXPORT type tilesim_hook___tsan_atomic##bits##_compare_exchange_val(          \
      volatile type* p, type expected, type desired, int /*order*/, int /*failure*/) {             \
    raw_access(const_cast<type*>(p), sizeof(type), access_kind::read_write, TILESIM_SITE);         \
    __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    return expected;                                                                               \
  }
TILESIM_ATOMIC(8, std::uint8_t)
TILESIM_ATOMIC(16, std::uint16_t)
TILESIM_ATOMIC(32, std::uint32_t)
TILESIM_ATOMIC(64, std::uint64_t)

// 16 bytes: no GPU of the simulated kind has these, and the host's need libatomic. Only what is on
// the thread's own stack gets here in practice; a lock makes them atomic among themselves.
__extension__ using tilesim_uint128 = unsigned __int128;
namespace {
std::mutex wide_atomics;
template <class F>
tilesim_uint128 update_wide(volatile tilesim_uint128* p, F f) {
  const std::scoped_lock lock(wide_atomics);
  const tilesim_uint128 before = *p;
  *p = f(before);
  return before;
}
} // namespace
#define TILESIM_ATOMIC128(name, expression)                                                        \
  extern "C" TILESIM_EXPORT tilesim_uint128 tilesim_hook___tsan_atomic128_##name(                  \
      volatile tilesim_uint128* p, tilesim_uint128 value, int /*order*/) {                         \
    raw_access(const_cast<tilesim_uint128*>(p), 16, access_kind::read_write, TILESIM_SITE);        \
    return update_wide(p, [&](tilesim_uint128 old) {                                               \
      static_cast<void>(old);                                                                      \
      return expression;                                                                           \
    });                                                                                            \
  }
TILESIM_ATOMIC128(exchange, value)
TILESIM_ATOMIC128(fetch_add, old + value)
TILESIM_ATOMIC128(fetch_sub, old - value)
TILESIM_ATOMIC128(fetch_and, old& value)
TILESIM_ATOMIC128(fetch_or, old | value)
TILESIM_ATOMIC128(fetch_xor, old ^ value)
TILESIM_ATOMIC128(fetch_nand, ~(old& value))
extern "C" TILESIM_EXPORT tilesim_uint128
tilesim_hook___tsan_atomic128_load(const volatile tilesim_uint128* p, int /*order*/) {
  raw_access(const_cast<tilesim_uint128*>(p), 16, access_kind::read, TILESIM_SITE);
  return update_wide(const_cast<volatile tilesim_uint128*>(p),
                     [](tilesim_uint128 old) { return old; });
}
extern "C" TILESIM_EXPORT void tilesim_hook___tsan_atomic128_store(volatile tilesim_uint128* p,
                                                                   tilesim_uint128 value,
                                                                   int /*order*/) {
  raw_access(const_cast<tilesim_uint128*>(p), 16, access_kind::write, TILESIM_SITE);
  update_wide(p, [&](tilesim_uint128 /*old*/) { return value; });
}
extern "C" TILESIM_EXPORT tilesim_uint128
tilesim_hook___tsan_atomic128_compare_exchange_val(volatile tilesim_uint128* p,
                                                   tilesim_uint128 expected,
                                                   tilesim_uint128 desired,
                                                   int /*order*/,
                                                   int /*failure*/) {
  raw_access(const_cast<tilesim_uint128*>(p), 16, access_kind::read_write, TILESIM_SITE);
  return update_wide(p, [&](tilesim_uint128 old) { return old == expected ? desired : old; });
}
#define TILESIM_ATOMIC128_CAS(name)                                                                \
  extern "C" TILESIM_EXPORT int tilesim_hook___tsan_atomic128_compare_exchange_##name(             \
      volatile tilesim_uint128* p,                                                                 \
      tilesim_uint128* expected,                                                                   \
      tilesim_uint128 desired,                                                                     \
      int /*order*/,                                                                               \
      int /*failure*/) {                                                                           \
    raw_access(const_cast<tilesim_uint128*>(p), 16, access_kind::read_write, TILESIM_SITE);        \
    const tilesim_uint128 before =                                                                 \
        update_wide(p, [&](tilesim_uint128 old) { return old == *expected ? desired : old; });     \
    const bool stored = before == *expected;                                                       \
    *expected = before;                                                                            \
    return stored ? 1 : 0;                                                                         \
  }
TILESIM_ATOMIC128_CAS(strong)
TILESIM_ATOMIC128_CAS(weak)
// NOLINTEND(bugprone-reserved-identifier)
