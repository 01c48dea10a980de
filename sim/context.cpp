// Making the process's simulator, and ending it.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/context.hpp"

#include "sim/execution_impl.hpp"
#include "sim/exit_codes.hpp"
#include "sim/faults.hpp"
#include "sim/report_json.hpp"
#include "sim/statistics.hpp"

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace tilesim::sim {

namespace {

context* process_context = nullptr;

/// A program that ends with 0 although there are findings must not look clean.
void at_exit(int status, void* /*unused*/) {
  if (process_context == nullptr) {
    return;
  }
  for (const auto& o : process_context->exec->state().observers) {
    o->end();
  }
  const report& all = process_context->found.all();
  if (process_context->found.tell) {
    process_context->found.tell("ended");
  }
  if (all.findings.empty() || process_context->opts.quiet) {
    return;
  }
  std::fflush(nullptr);
  process_context->found.print_summary();
  if (status == 0 && !all.clean()) {
    std::fflush(nullptr);
    _exit(exit_findings);
  }
}

// Registered when the library is loaded, so it runs after the program's own handlers.
[[gnu::constructor]] void register_at_exit() {
  on_exit(at_exit, nullptr);
}

} // namespace

context::context(options o)
    : opts(std::move(o))
    , mem(opts.device_memory)
    , exec(std::make_unique<execution>(*this)) {
  exec->state().unspecified = rng(opts.fill.value_or(opts.seed));
  exec->state().order = rng(~opts.seed);
  if (!opts.report.empty()) {
    found.tell = [this, process = getpid()](const char* how) {
      if (process != getpid()) {
        return; // a process that the program has started: the report is not its own
      }
      write_report(opts.report,
                   found.all(),
                   {.how = how,
                    .schedule = exec->state().strategy->describe(),
                    .operations = exec->operations(),
                    .steps = exec->state().steps,
                    .judged = exec->state().engine->judged(),
                    .copies = &copied});
    };
    found.tell("running");
  }
  found.quiet = opts.quiet;
  if (opts.stats) {
    exec->state().observers.push_back(make_statistics());
  }
}

context::~context() = default;

context& context::current() {
  static context* const made = [] {
    // Never destroyed: kernels may be suspended, and findings are told at the very end.
    process_context = new context(options_from_environment());
    install_signal_handlers();
    return process_context;
  }();
  return *made;
}

} // namespace tilesim::sim
