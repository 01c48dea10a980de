// The way back: frames between the call and the end of its run are left without being unwound.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/comes_back.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/floating_modes.hpp"
#include "sim/process/sections.hpp"
#include "sim/process/thread_marks.hpp"

#include <cxxabi.h>

namespace tilesim::sim {

namespace {

/// What the C++ runtime keeps of a thread: exceptions that are being handled, or on their way.
/// [Itanium C++ ABI: exception handling, 2.2.2]
struct unwinding_state {
  void* caught;
  unsigned uncaught;
};

unwinding_state& exceptions_of_thread() noexcept {
  return *reinterpret_cast<unwinding_state*>(abi::__cxa_get_globals());
}

} // namespace

sigset_t signals_blocked() noexcept {
  sigset_t mask{};
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return mask;
}

comes_back::comes_back() noexcept
    : thread_(pthread_self()) {}

bool comes_back::process_goes_on() const noexcept {
  return calls_ && pthread_equal(thread_, pthread_self()) != 0;
}

void comes_back::leave(const run_outcome& how) noexcept {
  if (!process_goes_on()) {
    process_ends().leave(how); // there is nothing to go back to
  }
  left_ = how;
  siglongjmp(way_back_, 1);
}

bool comes_back::as_far_as_it_goes(context& c,
                                   const sigset_t& blocked,
                                   const std::function<void()>& call) {
  const thread_marks marks;
  const unwinding_state exceptions = exceptions_of_thread();
  const floating_modes modes = current_floating_modes(); // a handler of a signal begins with others
  calls_ = true;
  if (sigsetjmp(way_back_, 0) == 0) {
    call();
    calls_ = false;
    return true;
  }
  {
    const library_section inside;
    c.exec->abandon(); // which restores what was before in frames that are gone
  }
  marks.set_back();
  exceptions_of_thread() = exceptions;
  set_floating_modes(modes);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  calls_ = false;
  return false;
}

} // namespace tilesim::sim
