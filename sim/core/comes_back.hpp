// Who runs code in his own process, on his own stack, and has control back when its run ends.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/core/context.hpp"
#include "sim/core/ends.hpp"

#include <csetjmp>
#include <csignal>
#include <functional>
#include <pthread.h>

namespace tilesim::sim {

/// The signals that this thread blocks.
[[nodiscard]] sigset_t signals_blocked() noexcept;

/// An end of a run leads back to whoever called, on the thread that made this. Whoever ends the run
/// jumps back; a kernel leaves its own stack first (execution::leave_run).
class comes_back : public end_policy {
public:
  comes_back(const comes_back&) = delete;
  comes_back& operator=(const comes_back&) = delete;

  /// False beside a call, and for other threads: nobody can take this thread's stack from it.
  [[nodiscard]] bool process_goes_on() const noexcept override;
  [[noreturn]] void leave(const run_outcome& how) noexcept override;

protected:
  comes_back() noexcept;
  ~comes_back() = default;

  /// Calls. True: it returned. False: a run in `c` ended, as left() says; what the thread was in
  /// the middle of is set back, `blocked` signals are blocked, since the end may have come from a
  /// handler, and what lasted as long as kernels ran is over.
  [[nodiscard]] bool
  as_far_as_it_goes(context& c, const sigset_t& blocked, const std::function<void()>& call);
  [[nodiscard]] const run_outcome& left() const noexcept { return left_; }

private:
  const pthread_t thread_;
  sigjmp_buf way_back_{};
  bool calls_ = false;
  run_outcome left_;
};

} // namespace tilesim::sim
