// Runs in the caller's own process.
//
// The body runs on the caller's stack, so that debuggers and reports see who called it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/contract/options_text.hpp"
#include "sim/core/comes_back.hpp"
#include "sim/core/run_here.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/turn_clock.hpp"
#include "sim/process/outside.hpp"
#include "sim/process/sections.hpp"

#include <tilesim/detail/checked_run.hpp>

#include <csignal>
#include <memory>

namespace tilesim::sim {

namespace {

class here final : public comes_back {
public:
  explicit here(context& c)
      : context_(c)
      , former_(context::make_current(&c)) {
    c.ends = this;
  }

  ~here() {
    context_.ends = &process_ends();
    context::make_current(former_);
  }

  here(const here&) = delete;
  here& operator=(const here&) = delete;

  run_outcome run(const std::function<int()>& body, const sigset_t& mask) {
    const run_outcome outcome = reached(
        [&] {
          const program_section called;
          return body();
        },
        mask);
    if (outcome.how != run_end::ended || outcome.signal != 0) {
      return outcome;
    }
    // What is still under way is done now, and may end the run in its own way.
    return reached([&] { return end_run(context_, outcome.status); }, mask);
  }

private:
  run_outcome reached(const std::function<int()>& call, const sigset_t& mask) {
    run_outcome outcome;
    if (!as_far_as_it_goes(context_, mask, [&] { outcome.status = call(); })) {
      outcome = left();
      interrupt_forgotten();
    }
    return outcome;
  }

  context& context_;
  context* const former_;
};

} // namespace

struct runs_here::kept {
  const signal_handlers faults;
  const kernel_signals fatal;
  const turn_clock clock;
  const sigset_t mask = signals_blocked();
};

runs_here::runs_here()
    : kept_(std::make_unique<kept>()) {}

runs_here::~runs_here() = default;

run_outcome runs_here::run(context& c, const std::function<int()>& body) {
  const library_section inside;
  here called(c);
  return called.run(body, kept_->mask);
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
