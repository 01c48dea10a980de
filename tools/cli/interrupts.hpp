// Ctrl-C that does not end this process: it is counted, and whoever waits decides.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>

namespace tilesim::tools {

/// While one lives, a signal does something else.
class signal_action {
public:
  signal_action(int signal, const struct sigaction& now) noexcept
      : signal_(signal) {
    sigaction(signal, &now, &before_);
  }
  ~signal_action() { sigaction(signal_, &before_, nullptr); }
  signal_action(const signal_action&) = delete;
  signal_action& operator=(const signal_action&) = delete;

  [[nodiscard]] const struct sigaction& before() const noexcept { return before_; }

private:
  int signal_;
  struct sigaction before_ {};
};

/// A count of signals for each who waits: what is pressed at a prompt is not for the program.
template <class Who>
struct interrupts {
  static inline volatile std::sig_atomic_t count = 0; // NOLINT: set by a signal handler

  static void note(int /*signal*/ = 0) noexcept { count = count + 1; }

  /// For sigaction, with its flags: SA_RESTART, or system calls return where a signal comes.
  [[nodiscard]] static struct sigaction counted(int flags = 0) noexcept {
    struct sigaction action {};
    action.sa_handler = &note;
    action.sa_flags = flags;
    return action;
  }

  /// Likewise, and none has come so far.
  [[nodiscard]] static struct sigaction counted_from_now(int flags = 0) noexcept {
    count = 0;
    return counted(flags);
  }
};

[[nodiscard]] inline struct sigaction ignored() noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  return action;
}

} // namespace tilesim::tools
