// Clocks that a kernel looks at: the device's, and the host's, which kernels are given as theirs. A
// thread that asks for the time may end a loop of its own accord, so it waits for nobody for ever.
// The tool has the linker send the program's calls here (tools/build/compiler.cpp).
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/context.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/thread.hpp"
#include "sim/core/value_follower.hpp"
#include "sim/execution/run_desk.hpp"

#include <tilesim/detail/device_sync.hpp>

#include <chrono>
#include <ctime>
#include <sys/time.h>

namespace tilesim {

namespace {

void time_is_asked() noexcept {
  using sim::value_follower;
  if (sim::sim_thread* const t = sim::execution::current()) {
    t->spin.asked_the_time();
    if (value_follower* const values = t->owner->exec->desk().values) {
      values->asked_the_time(*t);
    }
  }
}

} // namespace

namespace detail {

long long ticks() noexcept {
  time_is_asked();
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

} // namespace detail

} // namespace tilesim

// NOLINTBEGIN(bugprone-reserved-identifier,clang-diagnostic-return-type-c-linkage): the linker
// makes the names, of C++ functions.
extern "C" {

TILESIM_EXPORT int __wrap_clock_gettime(clockid_t clock, timespec* now) {
  tilesim::time_is_asked();
  return clock_gettime(clock, now);
}
TILESIM_EXPORT int __wrap_gettimeofday(timeval* now, void* zone) {
  tilesim::time_is_asked();
  return gettimeofday(now, zone);
}
TILESIM_EXPORT std::chrono::system_clock::time_point __wrap__ZNSt6chrono3_V212system_clock3nowEv() {
  tilesim::time_is_asked();
  return std::chrono::system_clock::now();
}
TILESIM_EXPORT std::chrono::steady_clock::time_point __wrap__ZNSt6chrono3_V212steady_clock3nowEv() {
  tilesim::time_is_asked();
  return std::chrono::steady_clock::now();
}
}
// NOLINTEND(bugprone-reserved-identifier,clang-diagnostic-return-type-c-linkage)
