// Checks that a host program begins and ends by itself: its launches meanwhile belong to a run of
// their own, with the race detector.
//
// A finding that stops ends the launch, and not the process: the driver's call fails, so that the
// host program can go on, in its own language's way.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/core/ends.hpp"
#include "sim/driver/calls.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/turn_clock.hpp"

#include <csetjmp>
#include <functional>
#include <pthread.h>
#include <string>

namespace tilesim::driver_stand_in {

class host_check final : public sim::end_policy {
public:
  /// From now on the thread's launches are the check's. Throws options_error.
  explicit host_check(const std::string& options);
  ~host_check();

  /// The innermost that has begun and not ended; nullptr: none.
  [[nodiscard]] static host_check* current() noexcept;

  /// Does what the driver was asked for, as far as it goes.
  result perform(const std::function<result()>& call);

  /// What has been found, as JSON: {"findings": [as of sim/watch/report_json], "operations",
  /// "judged"}. The check is over.
  [[nodiscard]] std::string end();

  [[nodiscard]] bool process_goes_on() const noexcept override;
  [[noreturn]] void leave(const sim::run_outcome& how) noexcept override;

private:
  [[nodiscard]] result stopped() const;

  const sim::signal_handlers faults_;
  const sim::kernel_signals fatal_;
  const sim::turn_clock clock_;
  sim::context context_;
  host_check* const outer_;
  sim::context* const former_;
  const pthread_t thread_;
  sigjmp_buf way_back_{};
  bool performs_ = false;
  bool stopped_ = false;
};

} // namespace tilesim::driver_stand_in
