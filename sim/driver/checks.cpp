// One launch after the other, in a context of the check's own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/checks.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/options_text.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/run_here.hpp"
#include "sim/memory/engine.hpp"
#include "sim/process/sections.hpp"
#include "sim/watch/report_json.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace tilesim::driver_stand_in {
namespace {

host_check* innermost = nullptr;

class until_interrupted final : public sim::comes_back {
public:
  explicit until_interrupted(sim::context& c)
      : context_(c)
      , before_(std::exchange(c.ends, this)) {}
  ~until_interrupted() { context_.ends = before_; }
  until_interrupted(const until_interrupted&) = delete;
  until_interrupted& operator=(const until_interrupted&) = delete;

  [[nodiscard]] bool process_goes_on() const noexcept override {
    return sim::interrupt_requested() && comes_back::process_goes_on();
  }

  /// False: it was interrupted.
  [[nodiscard]] bool perform(const std::function<void()>& call) {
    return as_far_as_it_goes(context_, sim::signals_blocked(), call);
  }

private:
  sim::context& context_;
  sim::end_policy* const before_;
};

/// Of a launch. The main thread's interpreter is about to be told (sim::interrupts_taken) and
/// raises what belongs to that; in another thread it does not, and the launch fails.
result was_interrupted() {
  return getpid() == gettid()
             ? success
             : fail(launch_failed, "the kernel has been interrupted: its results are not there");
}

} // namespace

result perform_outside_checks(const std::function<result()>& call) {
  sim::context& c = sim::context::current();
  if (c.exec->is_steered()) {
    return call(); // Ctrl-C is the stepper's
  }
  static bool written_down = false;
  if (written_down) {
    return fail(launch_failed,
                "a kernel has been interrupted, and the run is being written down, up to there: "
                "this process launches no more, but within tilesim.check()");
  }
  const sim::interrupts_taken taken;
  result done = success;
  bool returned = false;
  {
    until_interrupted run(c);
    returned = run.perform([&] { done = call(); });
  }
  if (returned) {
    return done;
  }
  // Its blocks still stand where they stood, and so do its streams.
  const sim::library_section inside;
  written_down = !sim::context::begin_anew();
  return was_interrupted();
}

host_check::host_check(const std::string& options)
    : context_(sim::parse_options(options))
    , outer_(std::exchange(innermost, this))
    , former_(sim::context::make_current(&context_)) {
  context_.ends = this;
}

host_check::~host_check() {
  context_.ends = &sim::process_ends();
  sim::context::make_current(former_);
  innermost = outer_;
}

host_check* host_check::current() noexcept {
  return innermost;
}

result host_check::perform(const std::function<result()>& call) {
  if (stopped_) {
    return stopped();
  }
  const sim::interrupts_taken taken;
  result done = success;
  if (as_far_as_it_goes(context_, sim::signals_blocked(), [&] { done = call(); })) {
    return done;
  }
  stopped_ = true;
  return left().how == sim::run_end::interrupted ? was_interrupted() : stopped();
}

/// In the words of what has stopped it.
result host_check::stopped() const {
  const auto& all = context_.found.all().findings;
  if (all.empty()) {
    return fail(launch_failed, "the kernel has been stopped");
  }
  const finding& f = all.back();
  return fail(launch_failed,
              fmt::format("{}{} [{}]",
                          f.where.empty()
                              ? ""
                              : fmt::format("{}:{}: ", f.where.front().file, f.where.front().line),
                          f.message,
                          code(f.kind)));
}

std::string host_check::end() {
  if (!stopped_) {
    static_cast<void>(sim::end_run(context_, 0));
  }
  auto findings = nlohmann::ordered_json::array();
  for (const finding& f : context_.found.all().findings) {
    findings.push_back(sim::to_json(f));
  }
  const nlohmann::ordered_json all = {{"findings", std::move(findings)},
                                      {"operations", context_.exec->operations()},
                                      {"judged", context_.exec->memory().judged()}};
  return sim::json_text(all);
}

} // namespace tilesim::driver_stand_in

extern "C" {

/// A check begins. nullptr: it has; else what is wrong with the options.
TILESIM_EXPORT const char* tilesim_host_check_begins(const char* options) {
  using namespace tilesim;
  const sim::library_section inside;
  static thread_local std::string wrong;
  try {
    static_cast<void>(new driver_stand_in::host_check(options)); // until it ends
    return nullptr;
  } catch (const std::exception& e) {
    wrong = e.what();
    return wrong.c_str();
  }
}

/// The innermost check ends. Its report, until the next one ends; nullptr: none has begun.
TILESIM_EXPORT const char* tilesim_host_check_ends() {
  using namespace tilesim;
  const sim::library_section inside;
  static thread_local std::string report;
  const std::unique_ptr<driver_stand_in::host_check> check(driver_stand_in::host_check::current());
  if (check == nullptr) {
    return nullptr;
  }
  report = check->end();
  return report.c_str();
}
}
