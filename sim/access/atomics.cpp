// Atomic accesses that are no tile operations, as <cuda/atomic> and atomicAdd make them.
//
// Host code may run on several OS threads, so each is a real atomic operation, in the strongest
// order; the order and scope that were asked for are for those who judge.
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/atomics.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/core/context.hpp"
#include "sim/execution/execution_impl.hpp"
#include "sim/execution/thread_state.hpp"

#include <tilesim/detail/atomic_access.hpp>

#include <algorithm>
#include <cstring>

namespace tilesim::sim {

namespace {

using memmodel::memory_order;

struct acting {
  context& c;
  memory_engine& engine;
  const work_order& at;
};

acting acting_for(sim_thread* t) {
  context& c = t != nullptr ? *t->owner : context::current();
  return {c, *c.exec->state().engine, t != nullptr ? t->launch->order : *c.host_place};
}

/// What is left of an order for the half that was performed; a fence makes up for the rest of sc.
/// [libcu++: lowering of orders]
memory_order effective(memory_order o, bool reads, bool writes) {
  switch (o) {
  case memory_order::sc:
    return reads ? memory_order::acquire : memory_order::relaxed;
  case memory_order::acquire:
    return reads ? o : memory_order::relaxed;
  case memory_order::release:
    return writes ? o : memory_order::relaxed;
  case memory_order::acq_rel:
    return !reads ? memory_order::release : !writes ? memory_order::acquire : o;
  default:
    return o;
  }
}

/// As observers are told it, in the machine's terms: it has no sequentially consistent order, nor
/// clusters.
machine::access as_told(const atomic_access& a) {
  const memory_order strongest = memory_order::acq_rel;
  machine::access how;
  how.order = static_cast<machine::memory_order>(std::min(a.order, strongest));
  how.scope = a.scope == memmodel::scope::cta   ? machine::memory_scope::tl_blk
              : a.scope == memmodel::scope::sys ? machine::memory_scope::sys
                                                : machine::memory_scope::device;
  return how;
}

} // namespace

std::mutex wide_objects;

memory_order stronger(memory_order a, memory_order b) noexcept {
  const bool both = (a == memory_order::acquire && b == memory_order::release) ||
                    (a == memory_order::release && b == memory_order::acquire);
  return both ? memory_order::acq_rel : std::max(a, b);
}

void performed(sim_thread* t, const atomic_access& a, const atomic_effect& effect) {
  const acting now = acting_for(t);
  const void* const site = judged_site(now.c, t, a.site);
  const bool reads = a.kind != access_kind::write;
  if (a.order == memory_order::sc) {
    now.engine.fenced(t, now.at, memory_order::sc, a.scope, site);
  }
  const std::size_t piece = strong_piece(a.address, a.bytes);
  for (std::size_t done = 0; done < a.bytes; done += piece) {
    now.engine.happened(t,
                        now.at,
                        {.site = site,
                         .address = a.address + done,
                         .bytes = piece,
                         .reads = reads,
                         .writes = effect.writes,
                         .by = nullptr,
                         .order = effective(a.order, reads, effect.writes),
                         .scope = a.scope});
  }
  if (t == nullptr) {
    now.c.others->end_alone();
    return;
  }
  tell_access(*t, a.address, a.bytes, a.kind, a.site, as_told(a));
  if (effect.changes) {
    progressed(*t);
  } else {
    polled(*t, a.address, a.bytes, a.site, true);
  }
}

void perform_fence(sim_thread* t, memory_order order, memmodel::scope s, const void* site) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!hooks_judge()) {
    return;
  }
  const library_section inside;
  if (t == nullptr && (context::current().host_thread != std::this_thread::get_id() ||
                       !context::current().others->begin_alone())) {
    return;
  }
  const acting now = acting_for(t);
  now.engine.fenced(t, now.at, order, s, site);
  if (t == nullptr) {
    now.c.others->end_alone();
  }
}

} // namespace tilesim::sim

namespace tilesim::detail {

namespace {

using sim::access_kind;
using sim::atomic_access;
using sim::atomic_effect;
using memory_order = memmodel::memory_order;

memory_order order_of(order o) {
  switch (o) {
  case order::relaxed:
    return memory_order::relaxed;
  case order::consume:
  case order::acquire:
    return memory_order::acquire;
  case order::release:
    return memory_order::release;
  case order::acq_rel:
    return memory_order::acq_rel;
  case order::seq_cst:
    return memory_order::sc;
  }
  return memory_order::sc;
}

atomic_access
describe(const void* p, unsigned bytes, access_kind kind, memory_order o, scope s, const void* at) {
  return {.address = reinterpret_cast<std::uintptr_t>(p),
          .bytes = bytes,
          .kind = kind,
          .order = s == scope::thread ? memory_order::weak : o,
          .scope = s == scope::system   ? memmodel::scope::sys
                   : s == scope::device ? memmodel::scope::gpu
                                        : memmodel::scope::cta,
          .site = at};
}

/// Calls f with an unsigned integer of the size, if there is one; otherwise `wide` under a lock.
template <class F, class Wide>
auto by_size(unsigned bytes, F f, Wide wide) {
  switch (bytes) {
  case 1:
    return f(std::uint8_t{});
  case 2:
    return f(std::uint16_t{});
  case 4:
    return f(std::uint32_t{});
  case 8:
    return f(std::uint64_t{});
  default: {
    const std::scoped_lock lock(sim::wide_objects);
    return wide();
  }
  }
}

} // namespace

void fence(order o, scope s) noexcept {
  if (o == order::relaxed || s == scope::thread) {
    return;
  }
  sim::perform_fence(sim::execution::current(),
                     order_of(o),
                     describe(nullptr, 0, access_kind::any, order_of(o), s, nullptr).scope,
                     __builtin_return_address(0));
}

void read_atomically(const void* p, unsigned bytes, void* out, order o, scope s) noexcept {
  const auto a = describe(p, bytes, access_kind::read, order_of(o), s, __builtin_return_address(0));
  sim::perform_atomic(sim::execution::current(), a, [&] {
    by_size(
        bytes,
        [&]<class U>(U) {
          const U value = __atomic_load_n(static_cast<const U*>(p), __ATOMIC_SEQ_CST);
          std::memcpy(out, &value, sizeof value);
        },
        [&] { std::memcpy(out, p, bytes); });
    return atomic_effect{};
  });
}

void write_atomically(void* p, unsigned bytes, const void* value, order o, scope s) noexcept {
  const auto a =
      describe(p, bytes, access_kind::write, order_of(o), s, __builtin_return_address(0));
  sim::perform_atomic(sim::execution::current(), a, [&] {
    const bool changes = by_size(
        bytes,
        [&]<class U>(U now) {
          std::memcpy(&now, value, sizeof now);
          return __atomic_exchange_n(static_cast<U*>(p), now, __ATOMIC_SEQ_CST) != now;
        },
        [&] {
          const bool differ = std::memcmp(p, value, bytes) != 0;
          std::memcpy(p, value, bytes);
          return differ;
        });
    return atomic_effect{.writes = true, .changes = changes};
  });
}

void change_atomically(void* p,
                       unsigned bytes,
                       atomic_change change,
                       const void* argument,
                       void* old,
                       order o,
                       scope s) noexcept {
  const auto a =
      describe(p, bytes, access_kind::read_write, order_of(o), s, __builtin_return_address(0));
  sim::perform_atomic(sim::execution::current(), a, [&] {
    const bool changes = by_size(
        bytes,
        [&]<class U>(U now) {
          U before = __atomic_load_n(static_cast<U*>(p), __ATOMIC_SEQ_CST);
          do {
            now = before;
            change(&now, argument);
          } while (!__atomic_compare_exchange_n(
              static_cast<U*>(p), &before, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
          std::memcpy(old, &before, sizeof before);
          return now != before;
        },
        [&] {
          std::memcpy(old, p, bytes);
          change(p, argument);
          return std::memcmp(old, p, bytes) != 0;
        });
    return atomic_effect{.writes = true, .changes = changes};
  });
}

bool compare_exchange_atomically(void* p,
                                 unsigned bytes,
                                 void* expected,
                                 const void* desired,
                                 order success,
                                 order failure,
                                 scope s) noexcept {
  const auto a = describe(p,
                          bytes,
                          access_kind::read_write,
                          sim::stronger(order_of(success), order_of(failure)),
                          s,
                          __builtin_return_address(0));
  bool equal = false;
  sim::perform_atomic(sim::execution::current(), a, [&] {
    by_size(
        bytes,
        [&]<class U>(U before) {
          U now;
          std::memcpy(&before, expected, sizeof before);
          std::memcpy(&now, desired, sizeof now);
          equal = __atomic_compare_exchange_n(
              static_cast<U*>(p), &before, now, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
          std::memcpy(expected, &before, sizeof before);
        },
        [&] {
          equal = std::memcmp(p, expected, bytes) == 0;
          std::memcpy(equal ? p : expected, equal ? desired : p, bytes);
        });
    return atomic_effect{.writes = equal,
                         .changes = equal && std::memcmp(expected, desired, bytes) != 0};
  });
  return equal;
}

} // namespace tilesim::detail
