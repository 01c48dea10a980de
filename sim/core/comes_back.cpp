// The way back: frames between the call and the end of its run are left without being unwound.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/core/comes_back.hpp"

#include "sim/core/execution.hpp"
#include "sim/core/fiber.hpp"
#include "sim/core/floating_modes.hpp"
#include "sim/process/keyed_pages.hpp"
#include "sim/process/sections.hpp"
#include "sim/process/thread_marks.hpp"

#include <cstdint>
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

/// This thread's frames below that one were left. A sanitizer hears of siglongjmp(), but where that
/// is called on a signal's stack it looks at the whole of the thread's own, and leaves one of more
/// than 64 MiB as it is: the main thread's (sim/process/stack_limit.cpp).
void forget_frames_below(const void* frame) noexcept {
#ifdef TILESIM_SANITIZED_FIBERS
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) {
    return;
  }
  void* lowest = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &lowest, &bytes);
  pthread_attr_destroy(&attributes);
  const auto low = reinterpret_cast<std::uintptr_t>(lowest);
  const auto high = reinterpret_cast<std::uintptr_t>(frame);
  if (low < high && high - low < bytes) { // else it runs on one of its own making
    stack_memory{low, high, bytes}.forget_frames();
  }
#else
  static_cast<void>(frame);
#endif
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
  forget_frames_below(__builtin_frame_address(0));
  {
    const library_section inside;
    c.exec->abandon(); // which restores what was before in frames that are gone
  }
  marks.set_back();
  keyed_pages::follow_marks();
  exceptions_of_thread() = exceptions;
  set_floating_modes(modes);
  pthread_sigmask(SIG_SETMASK, &blocked, nullptr);
  calls_ = false;
  return false;
}

} // namespace tilesim::sim
