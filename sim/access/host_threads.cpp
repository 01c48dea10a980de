// Accesses by threads of the host other than the one that uses the runtime.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/access/host_threads.hpp"

#include "sim/access/hooks.hpp"
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/watcher.hpp"
#include "sim/memory/engine.hpp"

#include <algorithm>
#include <iterator>
#include <thread>
#include <utility>

namespace tilesim::sim {

namespace {

/// A loop reads and writes several arrays in turn: so many ends are looked at.
constexpr std::ptrdiff_t open_ends = 8;

/// Makes `a` part of an access that it goes on or repeats.
bool joined(host_access& to, const host_access& a) {
  if (a.acquires || to.acquires) { // its place is what it has read
    return to.acquires && a.acquires && to.address == a.address && to.bytes == a.bytes;
  }
  if (to.site != a.site || to.reads != a.reads || to.writes != a.writes) {
    return false;
  }
  const std::uintptr_t end = to.address + to.bytes;
  if (a.address < to.address || a.address > end) {
    return false;
  }
  to.bytes = std::max(end, a.address + a.bytes) - to.address;
  return true;
}

} // namespace

void other_threads::accesses(const host_access& a) {
  if (order_lost_ && !a.acquires) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  const auto last = std::min<std::ptrdiff_t>(open_ends, std::ssize(accesses_));
  if (!std::any_of(accesses_.rbegin(), accesses_.rbegin() + last, [&](host_access& to) {
        return joined(to, a);
      })) {
    accesses_.push_back(a);
  }
  waiting_.store(true, std::memory_order_release);
}

void other_threads::another_uses_runtime() noexcept {
  several_ = true;
  while (alone_) {
    std::this_thread::yield();
  }
}

std::vector<host_access> other_threads::take() {
  const std::scoped_lock lock(mutex_);
  waiting_.store(false, std::memory_order_relaxed);
  return std::exchange(accesses_, {});
}

void judge_other_threads(context& c) {
  if (!c.others->waiting()) {
    return;
  }
  for (const host_access& a : c.others->take()) {
    if (c.others->order_lost() && !a.acquires) {
      continue;
    }
    const accessor who{.at = &c.host_order, .other_thread = true};
    const plain_access done{.site = a.site,
                            .address = a.address,
                            .bytes = a.bytes,
                            .order = a.acquires ? memmodel::memory_order::acquire
                                                : memmodel::memory_order::weak};
    const access_kind kind = !a.writes  ? access_kind::read
                             : !a.reads ? access_kind::write
                                        : access_kind::read_write;
    c.exec->memory().raw(who, done, kind);
    tell_host_access(c, a.address, a.bytes, kind, a.site, true);
  }
}

void this_thread_uses_runtime(context& c) {
  if (c.host_thread != std::this_thread::get_id()) {
    c.others->another_uses_runtime();
    c.host_thread = std::this_thread::get_id();
  }
  judge_other_threads(c);
}

void host_goes_on(context& c) {
  judge_other_threads(c);
  c.host_order.know(c.host_order.lane, c.host_order.number);
  ++c.host_order.number;
}

namespace {

/// The simulator, if code of the host has called a hook that may tell it something.
context* told_by_host() {
  return in_library() || execution::current() != nullptr ? nullptr : context::existing();
}

} // namespace

void host_releases() {
  context* const told = told_by_host();
  if (told == nullptr) {
    return;
  }
  const library_section inside;
  context& c = *told;
  // The thread first: what runs is the host thread's own, which others may not even read.
  if (c.host_thread != std::this_thread::get_id() || !c.running_function) {
    return;
  }
  const work_order& here = *c.host_place;
  if (c.released.empty() || c.released.back().lane != here.lane ||
      c.released.back().number != here.number) { // once for a function, however often it releases
    c.released.push_back(here);
  }
}

void host_acquires() {
  context* const told = told_by_host();
  if (told == nullptr) {
    return;
  }
  const library_section inside;
  context& c = *told;
  if (c.host_thread != std::this_thread::get_id() || c.released.empty() || c.running_function ||
      !c.others->begin_alone()) {
    return;
  }
  host_goes_on(c);
  for (const work_order& place : std::exchange(c.released, {})) {
    c.host_order.follow(place);
  }
  c.others->end_alone();
}

} // namespace tilesim::sim
