// Processes that explore parts for the one that has forked them.
//
// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/helpers.hpp"

#include "sim/contract/child.hpp"
#include "sim/explore/part_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tilesim::sim::exploring {

namespace {

using std::chrono::steady_clock;

/// A helper explores so long before it gives back the rest: others may be waiting for work.
constexpr std::chrono::milliseconds usual{500};
constexpr std::chrono::milliseconds hasty{50};

bool send(int socket, const message& j) {
  const std::vector<std::uint8_t> bytes = message::to_cbor(j);
  const std::uint64_t size = bytes.size();
  return send_all(socket, &size, sizeof size) && send_all(socket, bytes.data(), bytes.size());
}

/// Nothing: the other one has ended.
std::optional<message> receive(int socket) {
  std::uint64_t size = 0;
  if (!receive_all(socket, &size, sizeof size)) {
    return {};
  }
  std::vector<std::uint8_t> bytes(size);
  if (!receive_all(socket, bytes.data(), bytes.size())) {
    return {};
  }
  return message::from_cbor(bytes);
}

} // namespace

helpers::helpers(part_explorer explore, std::size_t count)
    : explore_(std::move(explore)) {
  std::fflush(nullptr);
  const pid_t parent = getpid();
  for (std::size_t n = 0; n < count; ++n) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      break;
    }
    const pid_t process = fork();
    if (process == 0) {
      end_with_parent(parent);
      for (const helper& h : all_) {
        close(h.socket);
      }
      close(ends[0]);
      serve(ends[1]);
    }
    close(ends[1]);
    if (process < 0) {
      close(ends[0]);
      break;
    }
    all_.push_back({.process = process, .socket = ends[0], .busy = false, .part = {}});
  }
  if (all_.empty()) {
    throw memmodel::explore::not_explored{
        fmt::format("no process to explore with: {}; --jobs 1 needs none", std::strerror(errno))};
  }
}

helpers::~helpers() {
  for (const helper& h : all_) {
    close(h.socket);
    if (h.busy) {
      kill(h.process, SIGKILL);
    }
  }
  for (const helper& h : all_) {
    status_at_end(h.process);
  }
}

bool helpers::some_free() const noexcept {
  return !std::ranges::all_of(all_, &helper::busy);
}

bool helpers::some_busy() const noexcept {
  return std::ranges::any_of(all_, &helper::busy);
}

void helpers::give(const memmodel::explore::part& p, bool in_haste) {
  helper& h = *std::ranges::find(all_, false, &helper::busy);
  h.busy = true;
  h.part = p;
  static_cast<void>(send(h.socket, {{in_task::part, p}, {in_task::in_haste, in_haste}}));
}

bool helpers::some_done() {
  std::vector<pollfd> open;
  for (const helper& h : all_) {
    open.push_back({.fd = h.busy ? h.socket : -1, .events = POLLIN, .revents = 0});
  }
  constexpr int not_long = 100; // ms: Ctrl-C is looked for
  if (::poll(open.data(), open.size(), not_long) <= 0) {
    return false;
  }
  const auto ready = std::ranges::find_if(open, [](const pollfd& f) { return f.revents != 0; });
  done_ = &all_[static_cast<std::size_t>(ready - open.begin())];
  return true;
}

part_answer helpers::take() {
  helper& h = *done_;
  const std::optional<message> j = receive(h.socket);
  h.busy = false;
  if (!j) {
    throw memmodel::explore::not_explored{
        "a process that explores was ended from outside; --jobs 1 needs none"};
  }
  part_answer out = read_answer(*j);
  out.of = h.part;
  return out;
}

/// A helper's life.
void helpers::serve(int socket) {
  while (const std::optional<message> j = receive(socket)) {
    const steady_clock::time_point until =
        steady_clock::now() + (j->at(in_task::in_haste).get<bool>() ? hasty : usual);
    std::uint64_t asked = 0;
    const message answer = explore_(j->at(in_task::part).get<memmodel::explore::part>(), [&] {
      return ++asked % 16 == 0 && steady_clock::now() > until;
    });
    if (!send(socket, answer)) {
      break;
    }
  }
  std::fflush(nullptr);
  _exit(0);
}

} // namespace tilesim::sim::exploring
