// Runs in the caller's own process.
//
// The body runs on the caller's stack, so that debuggers and reports see who called it. Whoever
// ends the run jumps back here; a kernel leaves its own stack first (execution::leave_run). What
// the thread was in the middle of is set back, and what lasted as long as kernels ran is over.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/options_text.hpp"
#include "sim/core/context.hpp"
#include "sim/core/ends.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/run_here.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/turn_clock.hpp"
#include "sim/process/outside.hpp"
#include "sim/process/sections.hpp"
#include "sim/process/thread_marks.hpp"

#include <tilesim/detail/checked_run.hpp>

#include <csetjmp>
#include <csignal>
#include <cxxabi.h>
#include <exception>
#include <pthread.h>
#include <utility>

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

class here final : public end_policy {
public:
  explicit here(context& c)
      : context_(c)
      , exceptions_(exceptions_of_thread())
      , thread_(pthread_self())
      , former_(context::make_current(&c)) {
    c.ends = this;
  }

  ~here() {
    context_.ends = &process_ends();
    context::make_current(former_);
  }

  here(const here&) = delete;
  here& operator=(const here&) = delete;

  [[nodiscard]] bool process_goes_on() const noexcept override {
    return pthread_equal(thread_, pthread_self()) != 0;
  }

  [[noreturn]] void leave(const run_outcome& how) noexcept override {
    if (!process_goes_on()) {
      process_ends().leave(how); // nobody can take this thread's stack from it
    }
    outcome = how;
    siglongjmp(way_back, 1);
  }

  /// The thread stands where it stood before the body was called.
  void come_back() {
    {
      const library_section inside;
      context_.exec->abandon(); // which restores what was before in frames that are gone
    }
    marks_.set_back();
    exceptions_of_thread() = exceptions_;
    interrupt_forgotten();
  }

  run_outcome outcome;
  sigjmp_buf way_back{};

private:
  context& context_;
  const thread_marks marks_;
  const unwinding_state exceptions_;
  const pthread_t thread_;
  context* const former_;
};

} // namespace

struct runs_here::kept {
  kept() { pthread_sigmask(SIG_BLOCK, nullptr, &mask); }

  const signal_handlers faults;
  const kernel_signals fatal;
  const turn_clock clock;
  sigset_t mask{};
};

runs_here::runs_here()
    : kept_(std::make_unique<kept>()) {}

runs_here::~runs_here() = default;

run_outcome runs_here::run(context& c, const std::function<int()>& body) {
  const library_section inside;
  here run(c);
  if (sigsetjmp(run.way_back, 0) == 0) {
    const program_section called;
    run.outcome.status = body();
  } else {
    run.come_back();
    pthread_sigmask(SIG_SETMASK, &kept_->mask, nullptr);
  }
  if (run.outcome.how == run_end::ended && run.outcome.signal == 0) {
    run.outcome.status = end_run(c, run.outcome.status);
  }
  return run.outcome;
}

} // namespace tilesim::sim

namespace tilesim::detail {

run_here_end run_checked_here(const char* options, int (*body)(void*), void* argument) {
  const sim::library_section inside;
  sim::forget_what_it_did_outside();
  sim::context c(sim::parse_options(options));
  sim::runs_here series;
  const sim::run_outcome how = series.run(c, [&] { return body(argument); });
  return {how.status, how.signal, how.how == sim::run_end::interrupted};
}

} // namespace tilesim::detail
