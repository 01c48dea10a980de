// Checks that a host program begins and ends by itself: its launches meanwhile belong to a run of
// their own, with the race detector.
//
// A finding that stops ends the launch, and not the process: the driver's call fails, so that the
// host program can go on, in its own language's way.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/comes_back.hpp"
#include "sim/core/context.hpp"
#include "sim/driver/calls.hpp"
#include "sim/execution/signals.hpp"
#include "sim/execution/turn_clock.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace tilesim::driver_stand_in {

/// Performs a launch that belongs to no check: Ctrl-C ends the kernel, and the host program goes
/// on, told in its own way (sim::interrupts_taken); launches behind it belong to another run
/// (context::begin_anew). What else ends a run ends the process, unless that outlives its runs
/// (tilesim_host_outlives_runs): then the launch fails.
result perform_outside_checks(const std::function<result()>& call);

class host_check final : public sim::comes_back {
public:
  /// From now on the thread's launches are the check's. Throws options_error.
  explicit host_check(const std::string& options);
  ~host_check();
  host_check(const host_check&) = delete;
  host_check& operator=(const host_check&) = delete;

  /// The innermost that has begun and not ended; nullptr: none.
  [[nodiscard]] static host_check* current() noexcept;

  /// The one of that number; nullptr: it is over, or there was none.
  [[nodiscard]] static host_check* of(std::uint64_t number) noexcept;
  [[nodiscard]] std::uint64_t number() const noexcept { return number_; }

  /// Does what the driver was asked for, as far as it goes.
  result perform(const std::function<result()>& call);

  /// What has been found, as JSON: {"findings": [as of sim/watch/report_json], "operations",
  /// "judged"}. The check is over; where another one that began later goes on, as in a generator or
  /// beside another task's, it is destroyed behind that.
  [[nodiscard]] static std::string end_of(host_check& c);

private:
  [[nodiscard]] std::string end();
  [[nodiscard]] result stopped() const;

  const std::uint64_t number_; ///< the first has 1
  const sim::signal_handlers faults_;
  const sim::kernel_signals fatal_;
  const sim::turn_clock clock_;
  sim::context context_;
  host_check* const outer_;
  sim::context* const former_;
  bool stopped_ = false;
  bool over_ = false;
};

} // namespace tilesim::driver_stand_in
