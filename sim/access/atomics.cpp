// Atomic accesses that are no tile operations, as <cuda/atomic> and atomicAdd make them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/atomics.hpp"

#include "sim/access/host_threads.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/core/watcher.hpp"
#include "sim/execution/control_trail.hpp"
#include "sim/execution/run_desk.hpp"
#include "sim/execution/thread_state.hpp"
#include "sim/memory/engine.hpp"
#include "sim/memory/orders.hpp"
#include "sim/naming/unwind.hpp"
#include "sim/process/call_site.hpp"

#include <tilesim/detail/atomic_access.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace tilesim::sim {

namespace {

using memmodel::memory_order;

/// As watchers are told it, in the machine's terms.
machine::access as_told(const atomic_access& a) {
  machine::access how;
  how.order = machine_order(a.order);
  how.scope = machine_scope(a.scope);
  return how;
}

/// What an atomic access turned out to do.
struct atomic_effect {
  access_kind kind = access_kind::read; ///< as watchers are told it
  bool changes = false;                 ///< memory holds something else now
  /// If it does not: what the engine gave, or what was stored again.
  const void* value = nullptr;
};

/// Tells the watchers of an access that has just been performed; a thread that polls goes to
/// sleep.
/// `site` is where its own state can be looked at, as far in as it goes.
void performed(sim_thread& t,
               const atomic_access& a,
               const atomic_effect& effect,
               const void* site) {
  if (value_follower* const values = t.owner->exec->desk().values; a.update != nullptr && values) {
    values->updated_object(t, a.site, a.address, *a.update);
  }
  tell_access(t, a.address, a.bytes, effect.kind, a.site, as_told(a), a.update);
  if (effect.changes) {
    progressed(t);
  } else {
    polled(t, a.address, a.bytes, effect.value, site, true);
  }
}

/// [cuda::atomic_ref: concurrency restrictions]
void report_own_variable(const sim_thread& t, const void* site) {
  findings& found = t.owner->found;
  if (found.repeated(site, finding_kind::wrong_context)) {
    return;
  }
  found.add(site,
            {.kind = finding_kind::wrong_context,
             .message = "atomic_ref to a variable of the thread's own",
             .details = {fmt::format("by {} of {}", t.name(), t.launch->kernel.name),
                         "an atomic_ref may not refer to an object with automatic storage "
                         "duration in a thread of a GPU"},
             .remedy = "put the object into shared or device memory, or access it plainly: no "
                       "other thread has it"});
}

/// Host code that finds the same value at the same place again may wait for a kernel, which on a
/// GPU would be running meanwhile.  [CUDA: system-wide atomics, __managed__ variables and pinned
/// memory]
void host_has_looked(const atomic_access& a, const atomic_effect& effect) {
  struct look {
    std::uintptr_t address = 0;
    std::array<std::byte, 16> value{};
    bool operator==(const look&) const = default;
  };
  thread_local look last;
  look now;
  if (effect.kind != access_kind::write && !effect.changes && a.bytes <= now.value.size()) {
    now.address = a.address;
    std::memcpy(now.value.data(), effect.value, a.bytes);
  }
  const bool again = now.address != 0 && now == last;
  last = now;
  if (again) {
    context::current().others->host_polls(a.site);
  }
}

/// Checks an atomic access and has it performed: by the run's engine, or, if it concerns nobody
/// else, where no engine looks. `f` performs it and gives its effect.
template <class F>
void perform_atomic(sim_thread* t, atomic_access a, access_kind kind, F f) {
  const auto plain = [&a](const void* site) {
    return plain_access{.site = site,
                        .address = a.address,
                        .bytes = a.bytes,
                        .order = a.order,
                        .scope = a.scope,
                        .by_reference = a.by_reference};
  };
  const auto perform_unwatched = [&] {
    const atomic_effect effect = f(unwatched_memory(), accessor{}, plain(a.site));
    if (t == nullptr) {
      host_has_looked(a, effect);
    }
  };
  if (!hooks_judge()) {
    perform_unwatched();
    return;
  }
  const library_section inside;
  const void* const site = a.site; // begin_access may find one further out
  const strong_order how{a.order, a.scope};
  if (!begin_access(t, a.address, a.bytes, kind, a.site, true, &how)) {
    if (a.by_reference && t != nullptr && t->team != nullptr &&
        t->stack->stack().contains(a.address)) {
      report_own_variable(*t, step::calling_place(a.site));
    }
    perform_unwatched();
    return;
  }
  context& c = context_of(t);
  const plain_access judged = plain(judged_site(c, t, a.site));
  const atomic_effect effect = f(c.exec->memory(), accessor_of(c, t), judged);
  if (t == nullptr) {
    tell_host_access(c, a.address, a.bytes, effect.kind, judged.site);
    c.others->end_alone();
    host_has_looked(a, effect);
  } else {
    performed(*t, a, effect, site);
  }
}

} // namespace

std::size_t widest_atomic_access(const sim_thread* t) {
  const context& c = t == nullptr ? context::current() : *t->owner;
  return c.exec->memory().widest_object();
}

void load_atomically(sim_thread* t, const atomic_access& a, void* out) {
  perform_atomic(t,
                 a,
                 access_kind::read,
                 [&](memory_engine& m, const accessor& who, const plain_access& access) {
                   m.load(who, access, out);
                   return atomic_effect{access_kind::read, false, out};
                 });
}

void store_atomically(sim_thread* t, const atomic_access& a, const void* value) {
  perform_atomic(t,
                 a,
                 access_kind::write,
                 [&](memory_engine& m, const accessor& who, const plain_access& access) {
                   return atomic_effect{access_kind::write, m.store(who, access, value), value};
                 });
}

void update_atomically(sim_thread* t, const atomic_access& a, const object_change& f, void* old) {
  perform_atomic(
      t,
      a,
      access_kind::read_write,
      [&](memory_engine& m, const accessor& who, const plain_access& access) {
        return atomic_effect{access_kind::read_write, m.update(who, access, f, old), old};
      });
}

namespace {

/// Who holds what the thread compares with against another run; nullptr: nobody does, or the
/// access concerns nobody else.
control_trail* trail_of(const sim_thread* t, const memory_engine& m) {
  return t != nullptr && &m == &t->owner->exec->memory() ? t->owner->exec->desk().following
                                                         : nullptr;
}

} // namespace

bool compare_exchange_atomically(sim_thread* t,
                                 const atomic_access& a,
                                 void* expected,
                                 const void* desired) {
  bool equal = false;
  perform_atomic(t,
                 a,
                 access_kind::read_write,
                 [&](memory_engine& m, const accessor& who, const plain_access& access) {
                   control_trail* const trail = trail_of(t, m);
                   std::vector<std::byte> comparand;
                   if (trail != nullptr) {
                     const auto* const given = static_cast<const std::byte*>(expected);
                     comparand.assign(given, given + access.bytes);
                   }
                   equal = m.compare_exchange(who, access, expected, desired);
                   if (trail != nullptr) { // now it holds what memory held
                     trail->has_read(*t, reinterpret_cast<std::uintptr_t>(expected), access.bytes);
                     trail->compares(*t, comparand);
                   }
                   // [PTX: atomic operations that result in a write] one that fails does not.
                   return equal ? atomic_effect{access_kind::read_write,
                                                std::memcmp(expected, desired, access.bytes) != 0,
                                                expected}
                                : atomic_effect{access_kind::read, false, expected};
                 });
  return equal;
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
  context& c = context_of(t);
  const void* const at = t != nullptr ? step::calling_place(site) : site;
  c.exec->memory().fence(accessor_of(c, t), at, order, s);
  if (t == nullptr) {
    c.others->end_alone();
  }
}

} // namespace tilesim::sim

namespace tilesim::detail {

namespace {

using sim::atomic_access;
using memory_order = memmodel::memory_order;

atomic_access describe(const void* p, unsigned bytes, memory_order o, scope told, const void* at) {
  const auto number = static_cast<int>(told);
  const auto reference = static_cast<int>(scope::by_reference);
  const auto s = static_cast<scope>(number & ~reference);
  return {.address = reinterpret_cast<std::uintptr_t>(p),
          .bytes = bytes,
          .order = s == scope::thread ? memory_order::weak : o,
          .scope = sim::model_scope(s),
          .site = at,
          .by_reference = (number & reference) != 0};
}

/// What atomic_ref asks of the object that it refers to, once a place.  [seed 004: atomic_ref
/// limits]
void tell_reference(const void* from, std::string what, std::string detail, std::string remedy) {
  const sim::library_section inside;
  const void* const site = sim::step::calling_place(from);
  const sim::sim_thread* const t = sim::execution::current();
  sim::findings& found = sim::context::current().found;
  if (t == nullptr || found.repeated(site, finding_kind::wrong_context)) {
    return;
  }
  found.add(site,
            {.kind = finding_kind::wrong_context,
             .message = std::move(what),
             .details = {std::move(detail),
                         fmt::format("by {} of {}", t->name(), t->launch->kernel.name)},
             .remedy = std::move(remedy)});
}

} // namespace

void fence(order o, scope s) noexcept {
  if (o == order::relaxed || s == scope::thread) {
    return;
  }
  sim::perform_fence(
      sim::execution::current(), sim::model_order(o), sim::model_scope(s), TILESIM_SITE);
}

void refer_with_padding(unsigned bytes) noexcept {
  tell_reference(TILESIM_SITE,
                 "atomic_ref to an object of a type with padding bits",
                 fmt::format("not all bits of its {} bytes are part of the value", bytes),
                 "give the type members in place of its padding: a compare-exchange compares "
                 "all bits");
}

void refer_with_odd_size(unsigned bytes) noexcept {
  tell_reference(
      TILESIM_SITE,
      fmt::format("atomic_ref to an object of {} bytes", bytes),
      "an atomic access has 1, 2, 4, 8 or 16: NVIDIA's libcu++ makes it one of 16, which "
      "writes what lies behind the object, too",
      "give the type a size of 4 or 8 bytes");
}

void read_atomically(const void* p, unsigned bytes, void* out, order o, scope s) noexcept {
  sim::load_atomically(
      sim::execution::current(), describe(p, bytes, sim::model_order(o), s, TILESIM_SITE), out);
}

void write_atomically(void* p, unsigned bytes, const void* value, order o, scope s) noexcept {
  sim::store_atomically(
      sim::execution::current(), describe(p, bytes, sim::model_order(o), s, TILESIM_SITE), value);
}

void change_atomically(
    void* p, unsigned bytes, const atomic_change& change, void* old, order o, scope s) noexcept {
  const sim::object_update update{change.rule, bytes, change.operand, old, true};
  sim::atomic_access access = describe(p, bytes, sim::model_order(o), s, TILESIM_SITE);
  access.update = change.operand != nullptr ? &update : nullptr;
  sim::update_atomically(sim::execution::current(), access, {change.apply, change.argument}, old);
}

bool compare_exchange_atomically(void* p,
                                 unsigned bytes,
                                 void* expected,
                                 const void* desired,
                                 order success,
                                 order failure,
                                 scope s) noexcept {
  return sim::compare_exchange_atomically(
      sim::execution::current(),
      describe(p,
               bytes,
               sim::stronger(sim::model_order(success), sim::model_order(failure)),
               s,
               TILESIM_SITE),
      expected,
      desired);
}

} // namespace tilesim::detail
