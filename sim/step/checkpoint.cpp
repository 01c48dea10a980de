// Forking, sleeping, going on.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/step/checkpoint.hpp"

#include "sim/contract/child.hpp"
#include "sim/contract/step_protocol_json.hpp"

#include <array>
#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <unistd.h>

namespace tilesim::sim::step {

namespace {

constexpr std::array standard_streams{STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
using offsets = std::array<off_t, standard_streams.size()>;

offsets tell_streams() {
  offsets at{};
  for (std::size_t i = 0; i < at.size(); ++i) {
    at[i] = lseek(standard_streams[i], 0, SEEK_CUR);
  }
  return at;
}

void seek_streams(const offsets& at) {
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (at[i] >= 0) {
      lseek(standard_streams[i], at[i], SEEK_SET);
    }
  }
}

} // namespace

void die_with_the_stepper() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

namespace {

/// Sleeps until told to go on. Returns in the processes that do.
void sleep_here(link& line,
                std::uint64_t position,
                const std::function<protocol::place_list(const protocol::places&)>& answer) {
  const offsets streams = tell_streams();
  // Ctrl-C reaches every process of the terminal; those that sleep do not mind.
  struct sigaction ignored {};
  struct sigaction before {};
  ignored.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignored, &before);
  line.connect_anew();
  line.send(protocol::encode(protocol::checkpoint{.pid = getpid(), .position = position}));
  for (;;) {
    const auto message = line.receive();
    if (!message || !message->is_object()) {
      _exit(0);
    }
    if (message->value("do", "") == protocol::places::request) {
      line.reply(protocol::encode(answer(protocol::decode<protocol::places>(*message))));
    }
    if (message->value("do", "") != protocol::resume::request) {
      continue;
    }
    // Twice, so that the process that goes on is not this one's child but the stepper's, which
    // waits for it.
    const pid_t between = fork();
    if (between == 0) {
      const pid_t parent = getpid();
      const pid_t live = fork();
      if (live != 0) {
        _exit(live < 0 ? 1 : 0);
      }
      while (getppid() == parent) {
        usleep(50);
      }
      die_with_the_stepper();
      sigaction(SIGINT, &before, nullptr);
      seek_streams(streams);
      line.connect_anew();
      line.send(protocol::encode(protocol::resumed{.pid = getpid(), .position = position}));
      return;
    }
    if (between < 0 || status_at_end(between) != 0) {
      line.send(protocol::encode(protocol::failed{.position = position}));
    }
  }
}

} // namespace

side make_checkpoint(link& line,
                     std::uint64_t position,
                     const std::function<protocol::place_list(const protocol::places&)>& answer) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    sleep_here(line, position, answer);
    return side::resumed;
  }
  return side::original;
}

} // namespace tilesim::sim::step
