// Clocks, and timers of our own: alarm(), setitimer() and their signals are the program's.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <cstdint>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilesim::sim {

// Their signals: QEMU keeps the last four from programs.
inline int grace_signal() {
  return SIGRTMAX - 4;
}
inline int tick_signal() {
  return SIGRTMAX - 5;
}

inline std::int64_t now_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline std::int64_t nanoseconds_of(clockid_t clock) {
  timespec used{};
  clock_gettime(clock, &used);
  return std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
}

inline std::int64_t processor_nanoseconds() {
  return nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/// A timer of the kernel's, through its system calls: handlers may use them, and a child of fork(),
/// which has none of its parent's timers, makes its own.
class system_timer {
public:
  system_timer() = default;
  ~system_timer() {
    if (process_ == getpid()) {
      syscall(SYS_timer_delete, id_);
    }
  }
  system_timer(const system_timer&) = delete;
  system_timer& operator=(const system_timer&) = delete;

  /// `thread`: who gets the signal; 0 for the process.
  /// `value`: what the handler is told.
  void arm(clockid_t clock,
           int signal,
           pid_t thread,
           std::int64_t first,
           std::int64_t every,
           int value = 0) {
    if (process_ != getpid()) {
      sigevent event{};
      event.sigev_notify = thread != 0 ? SIGEV_THREAD_ID : SIGEV_SIGNAL;
      event.sigev_signo = signal;
      event._sigev_un._tid = thread;
      event.sigev_value.sival_int = value;
      if (syscall(SYS_timer_create, clock, &event, &id_) != 0) {
        return;
      }
      process_ = getpid();
    }
    constexpr std::int64_t second = 1'000'000'000;
    const itimerspec when{{every / second, every % second}, {first / second, first % second}};
    syscall(SYS_timer_settime, id_, 0, &when, nullptr);
  }
  void disarm() const {
    if (process_ == getpid()) {
      const itimerspec never{};
      syscall(SYS_timer_settime, id_, 0, &never, nullptr);
    }
  }

private:
  int id_ = 0;
  pid_t process_ = 0;
};

} // namespace tilesim::sim
