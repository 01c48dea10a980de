// Waiting for the host's code that goes on behind a final memory.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/host_code.hpp"

#include "sim/contract/child.hpp"

#include <chrono>
#include <csignal>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tilesim::sim::exploring {

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr int look_ms = 100;
// Less than whoever waits for this process gives it: it has to tell what it has itself.
constexpr auto asked_after = 200ms;
constexpr auto ended_after = 1s;

} // namespace

std::optional<int> await_host_code(pid_t child,
                                   const std::function<bool()>& expired,
                                   const std::function<bool()>& tells) {
  const int end = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  if (end < 0) { // an old kernel's: no looking about meanwhile
    return status_at_end(child);
  }
  std::optional<steady_clock::time_point> since;
  bool asked = false;
  pollfd it{.fd = end, .events = POLLIN, .revents = 0};
  while (::poll(&it, 1, look_ms) <= 0) {
    const auto now = steady_clock::now();
    if (!since && expired()) {
      since = now;
    }
    if (!since || tells()) {
      continue;
    }
    if (!asked && now > *since + asked_after) { // one that explores stops with what it has
      asked = true;
      kill(child, SIGINT);
    } else if (now > *since + ended_after) {
      kill(child, SIGKILL);
      break;
    }
  }
  close(end);
  const int status = status_at_end(child);
  const bool by_signal =
      WIFSIGNALED(status) && (WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGINT);
  // Ctrl-C at a terminal reaches it, too.
  return by_signal && (since || expired()) ? std::nullopt : std::optional(status);
}

} // namespace tilesim::sim::exploring
