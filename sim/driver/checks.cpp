// One launch after the other, in a context of the check's own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/checks.hpp"

#include "sim/contract/json_text.hpp"
#include "sim/contract/options_text.hpp"
#include "sim/contract/report_members.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/run_here.hpp"
#include "sim/memory/engine.hpp"
#include "sim/process/sections.hpp"
#include "sim/watch/report_json.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unistd.h>
#include <utility>

namespace tilesim::driver_stand_in {
namespace {

host_check* innermost = nullptr;
std::uint64_t begun = 0;

/// Is the process somebody's own, a notebook or a test's runner, which no finding may end?
bool outlives_runs = false;

class one_launch final : public sim::comes_back {
public:
  explicit one_launch(sim::context& c)
      : context_(c)
      , before_(std::exchange(c.ends, this)) {}
  ~one_launch() { context_.ends = before_; }
  one_launch(const one_launch&) = delete;
  one_launch& operator=(const one_launch&) = delete;

  [[nodiscard]] bool process_goes_on() const noexcept override {
    return (outlives_runs || sim::interrupt_requested()) && comes_back::process_goes_on();
  }

  /// False: it was interrupted, or stopped.
  [[nodiscard]] bool perform(const std::function<void()>& call) {
    return as_far_as_it_goes(context_, sim::signals_blocked(), call);
  }
  [[nodiscard]] bool was_interrupted() const noexcept {
    return left().how == sim::run_end::interrupted;
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

/// In the words of what has stopped the run.
result was_stopped(const sim::context& c) {
  const auto& all = c.found.all().findings;
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

} // namespace

result perform_outside_checks(const std::function<result()>& call) {
  sim::context& c = sim::context::current();
  const sim::interrupts_taken taken;
  if (c.exec->is_steered()) {
    return call(); // what Ctrl-C does is the stepper's to say, or the explorer's
  }
  static bool written_down = false;
  if (written_down) {
    return fail(launch_failed,
                "a kernel has been left, and the run is being written down, up to there: "
                "this process launches no more, but within tilesim.check()");
  }
  result done = success;
  bool interrupted = false;
  {
    one_launch run(c);
    if (run.perform([&] { done = call(); })) {
      return done;
    }
    interrupted = run.was_interrupted();
  }
  // Its blocks still stand where they stood, and so do its streams.
  const sim::library_section inside;
  written_down = !sim::context::begin_anew();
  return interrupted ? was_interrupted() : was_stopped(c);
}

host_check::host_check(const std::string& options)
    : number_(++begun)
    , context_(sim::parse_options(options))
    , outer_(std::exchange(innermost, this))
    , former_(sim::context::make_current(&context_)) {
  context_.ends = this;
}

host_check::~host_check() {
  context_.ends = &sim::process_ends();
  sim::context::make_current(former_);
  innermost = outer_;
}

std::string host_check::end_of(host_check& c) {
  sim::context* const running = sim::context::make_current(&c.context_);
  std::string report = c.end();
  sim::context::make_current(running);
  c.over_ = true;
  while (innermost != nullptr && innermost->over_) {
    delete innermost; // NOLINT(cppcoreguidelines-owning-memory): its destructor leads to the next
  }
  return report;
}

host_check* host_check::of(std::uint64_t number) noexcept {
  host_check* c = innermost;
  while (c != nullptr && (c->number_ != number || c->over_)) {
    c = c->outer_;
  }
  return c;
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

result host_check::stopped() const {
  return was_stopped(context_);
}

std::string host_check::end() {
  if (!stopped_) {
    static_cast<void>(sim::end_run(context_, 0));
  }
  auto findings = nlohmann::ordered_json::array();
  for (const finding& f : context_.found.all().findings) {
    findings.push_back(sim::to_json(f));
  }
  const nlohmann::ordered_json all = {{sim::in_report::findings, std::move(findings)},
                                      {sim::in_report::operations, context_.exec->operations()},
                                      {sim::in_report::judged, context_.exec->memory().judged()}};
  return sim::json_text(all);
}

} // namespace tilesim::driver_stand_in

extern "C" {

/// From now on a finding that stops, a deadlock or a limit ends the launch, in this process, which
/// is somebody's own: a notebook, a test's runner.
TILESIM_EXPORT void tilesim_host_outlives_runs() {
  tilesim::driver_stand_in::outlives_runs = true;
}

/// A check begins. Its number; 0: none has, and `*wrong` is what is wrong with the options.
TILESIM_EXPORT std::uint64_t tilesim_host_check_begins(const char* options, const char** wrong) {
  using namespace tilesim;
  const sim::library_section inside;
  static thread_local std::string text;
  try {
    const auto* const made = new driver_stand_in::host_check(options); // until it ends
    return made->number();
  } catch (const std::exception& e) {
    text = e.what();
    *wrong = text.c_str();
    return 0;
  }
}

/// The check of this number ends. Its report, until the next one ends; nullptr: there is none.
TILESIM_EXPORT const char* tilesim_host_check_ends(std::uint64_t number) {
  using namespace tilesim;
  const sim::library_section inside;
  static thread_local std::string report;
  driver_stand_in::host_check* const check = driver_stand_in::host_check::of(number);
  if (check == nullptr) {
    return nullptr;
  }
  report = driver_stand_in::host_check::end_of(*check);
  return report.c_str();
}
}
