// One launch after the other, in a context of the check's own.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/driver/checks.hpp"

#include "sim/contract/options_text.hpp"
#include "sim/core/execution.hpp"
#include "sim/core/run_here.hpp"
#include "sim/memory/engine.hpp"
#include "sim/process/sections.hpp"
#include "sim/process/thread_marks.hpp"
#include "sim/watch/report_json.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cxxabi.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

namespace tilesim::driver_stand_in {
namespace {

host_check* innermost = nullptr;

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

host_check::host_check(const std::string& options)
    : context_(sim::parse_options(options))
    , outer_(std::exchange(innermost, this))
    , former_(sim::context::make_current(&context_))
    , thread_(pthread_self()) {
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

bool host_check::process_goes_on() const noexcept {
  return performs_ && pthread_equal(thread_, pthread_self()) != 0;
}

void host_check::leave(const sim::run_outcome& how) noexcept {
  if (!process_goes_on()) {
    sim::process_ends().leave(how); // there is nothing to go back to
  }
  siglongjmp(way_back_, 1);
}

result host_check::perform(const std::function<result()>& call) {
  if (stopped_) {
    return stopped();
  }
  const sim::thread_marks marks;
  const unwinding_state exceptions = exceptions_of_thread();
  sigset_t mask{};
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  performs_ = true;
  if (sigsetjmp(way_back_, 0) == 0) {
    const result r = call();
    performs_ = false;
    return r;
  }
  // The frames from here to where it stopped are gone: what they had begun is over.
  {
    const sim::library_section inside;
    context_.exec->abandon();
  }
  marks.set_back();
  exceptions_of_thread() = exceptions;
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  performs_ = false;
  stopped_ = true;
  return stopped();
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
  return all.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
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
