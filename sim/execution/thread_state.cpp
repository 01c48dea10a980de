// The state of a simulated thread that polls, by the unwinder that exceptions use.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/execution/thread_state.hpp"

#include "sim/core/context.hpp"
#include "sim/core/floating_modes.hpp"
#include "sim/debug_info/places.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/memory/hash.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <unwind.h>

#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/asan_interface.h>
#endif

namespace tilesim::sim {

namespace {

// What calls preserve, by DWARF's numbers: rbx, rbp, r12 to r15; x19 to x29.
#if defined(__x86_64__)
constexpr std::array<int, 6> preserved = {3, 6, 12, 13, 14, 15};
#elif defined(__aarch64__)
constexpr std::array<int, 11> preserved = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29};
#else
#  error "tilesim runs on x86-64 and aarch64"
#endif

template <class Number>
Number unless_in(std::span<const std::uint64_t> forgotten, Number n) {
  return std::ranges::any_of(forgotten, [n](auto f) { return static_cast<Number>(f) == n; }) ? 0
                                                                                             : n;
}

TILESIM_READS_ANY_BYTES std::uint64_t hash_without(std::span<const std::uint64_t> forgotten,
                                                   std::uint64_t hash,
                                                   std::uintptr_t from,
                                                   std::uintptr_t to) {
  if (forgotten.empty()) {
    return hash_bytes(hash, from, to - from);
  }
  using word = std::uint32_t __attribute__((may_alias));
  for (std::uintptr_t at = from; at + sizeof(word) <= to; at += sizeof(word)) {
    const std::uint32_t now = *reinterpret_cast<const word*>(at);
    hash = mix(hash, unless_in(forgotten, now));
  }
  return hash;
}

_Unwind_Reason_Code step_out(_Unwind_Context* context, void* argument) {
  frame_at_access& f = *static_cast<frame_at_access*>(argument);
  int is_before = 0;
  if (reinterpret_cast<const void*>(_Unwind_GetIPInfo(context, &is_before)) != f.site) {
    return _URC_NO_REASON;
  }
  f.stack_pointer = _Unwind_GetCFA(context);
  std::ranges::transform(preserved, f.registers.begin(), [context](int number) {
    return _Unwind_GetGR(context, number);
  });
  return _URC_NORMAL_STOP;
}

/// What else calls preserve: the modes of floating point, and on aarch64 d8 to d15, which nothing
/// between the thread's code and here uses.
std::uint64_t floating_point_state() {
  const floating_modes modes = current_floating_modes();
#if defined(__x86_64__)
  return mix(modes.mxcsr, modes.x87);
#else
  std::uint64_t hash = modes.fpcr;
  std::uint64_t word = 0;
#  define TILESIM_MIX_IN(from)                                                                     \
    asm volatile(from : "=r"(word));                                                               \
    hash = mix(hash, word)
  TILESIM_MIX_IN("fmov %0, d8");
  TILESIM_MIX_IN("fmov %0, d9");
  TILESIM_MIX_IN("fmov %0, d10");
  TILESIM_MIX_IN("fmov %0, d11");
  TILESIM_MIX_IN("fmov %0, d12");
  TILESIM_MIX_IN("fmov %0, d13");
  TILESIM_MIX_IN("fmov %0, d14");
  TILESIM_MIX_IN("fmov %0, d15");
#  undef TILESIM_MIX_IN
  return hash;
#endif
}

} // namespace

const frame_at_access& state_at_poll::frame() const {
  execution::impl& run = impl_of(*thread_.owner->exec);
  frame_at_access& known = run.frame;
  if (known.thread != &thread_ || known.access != run.steps || known.site != site_) {
    known = {.thread = &thread_, .access = run.steps, .site = site_, .walks = known.walks + 1};
    _Unwind_Backtrace(&step_out, &known);
  }
  return known;
}

std::optional<std::uint64_t> state_at_poll::hash() const {
#if defined(__SANITIZE_ADDRESS__)
  if (__asan_get_current_fake_stack() != nullptr) {
    return {}; // variables lie elsewhere
  }
#endif
  if (impl_of(*thread_.owner->exec).unseen_changes) {
    return {}; // it says too little
  }
  if (const place_resolver* const door = registered_resolver(site_)) {
    return door->state(site_);
  }
  const stack_memory& stack = thread_.stack->stack();
  const frame_at_access& f = frame();
  if (!stack.contains(f.stack_pointer)) {
    return {};
  }
  std::uint64_t hash = mix(f.stack_pointer, floating_point_state());
  for (const std::uint64_t value : f.registers) {
    hash = mix(hash, unless_in(forgotten_, value));
  }
  hash = hash_without(forgotten_, hash, f.stack_pointer, thread_.stack->begins_at());
  const detail::bound_kernel& kernel = thread_.launch->kernel;
  return hash_bytes(hash, reinterpret_cast<std::uintptr_t>(kernel.closure), kernel.closure_bytes);
}

void polled(sim_thread& t, const poll& p) {
  if (t.spin.polled(p, impl_of(*t.owner->exec).changes, state_at_poll(t, p.site))) {
    execution::sleep();
  }
}

void progressed(sim_thread& t) noexcept {
  t.spin.progressed();
  ++impl_of(*t.owner->exec).changes;
}

} // namespace tilesim::sim
