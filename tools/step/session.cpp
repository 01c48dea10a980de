// Processes of a stepped program: the live one, and those that sleep at earlier positions.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/step/session.hpp"

#include "sim/contract/child.hpp"
#include "sim/contract/environment.hpp"
#include "sim/contract/json_lines.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/interrupts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilesim::tools::step {
namespace {

using nlohmann::json;
using namespace sim::option_literals;
using sim::step::receive_line;
using sim::step::send_line;

constexpr int tick_ms = 50;
constexpr int shared_in_program = 3; ///< the descriptor that the program finds the shared page at

using for_the_program = interrupts<session>;
std::sig_atomic_t answered = 0; // NOLINT: of them

/// Ctrl-C is passed on to the program instead of ending this process; what is being printed is
/// printed whole.
struct sigaction passing_on() noexcept {
  return for_the_program::counted(SA_RESTART);
}

[[noreturn]] void cannot(const std::string& what) {
  throw failure(exit_unavailable, fmt::format("{}: {}", what, std::strerror(errno)));
}

void copy_new(int from, std::size_t& shown, int to) {
  std::array<char, 65536> piece; // NOLINT: pread fills it
  for (;;) {
    const ssize_t n = pread(from, piece.data(), piece.size(), static_cast<off_t>(shown));
    if (n <= 0) {
      return;
    }
    shown += static_cast<std::size_t>(n);
    if (!sim::write_whole(to, {piece.data(), static_cast<std::size_t>(n)})) {
      return; // nobody reads it
    }
  }
}

std::string take_new(int from, std::size_t& shown) {
  std::string text;
  std::array<char, 65536> piece; // NOLINT: pread fills it
  for (;;) {
    const ssize_t n = pread(from, piece.data(), piece.size(), static_cast<off_t>(shown));
    if (n <= 0) {
      return text;
    }
    text.append(piece.data(), static_cast<std::size_t>(n));
    shown += static_cast<std::size_t>(n);
  }
}

} // namespace

session::session(session_options o)
    : options_(std::move(o)) {
  prctl(PR_SET_CHILD_SUBREAPER, 1); // resumed checkpoints are waited for here
  // A name of the system's own choosing that is no file: nothing is left behind, however this ends.
  listening_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  socklen_t size = sizeof(sa_family_t);
  if (listening_ < 0 || bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      listen(listening_, 64) != 0) {
    cannot("the stepper's socket");
  }
  size = sizeof address;
  getsockname(listening_, reinterpret_cast<sockaddr*>(&address), &size);
  address_ = std::string(address.sun_path + 1, size - sizeof(sa_family_t) - 1);
  output_ = memfd_create("tilesim-output", MFD_CLOEXEC);
  errors_ = memfd_create("tilesim-errors", MFD_CLOEXEC);
  shared_ = memfd_create("tilesim-position", MFD_CLOEXEC);
  if (output_ < 0 || errors_ < 0 || shared_ < 0 ||
      ftruncate(shared_, sizeof(sim::step::shared_page)) != 0) {
    cannot("files in memory for the program's output");
  }
  void* page =
      mmap(nullptr, sizeof(sim::step::shared_page), PROT_READ | PROT_WRITE, MAP_SHARED, shared_, 0);
  if (page == MAP_FAILED) {
    cannot("a page that is shared with the program");
  }
  page_ = new (page) sim::step::shared_page;
  start();
}

session::~session() {
  kill_live();
  for (auto& [position, c] : checkpoints_) {
    close(c.socket);
  }
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  close(listening_);
  close(output_);
  close(errors_);
  munmap(page_, sizeof(sim::step::shared_page));
  close(shared_);
}

bool session::over() const {
  const protocol::stop_reason reason = here_.reason;
  return reason == protocol::stop_reason::ended || reason == protocol::stop_reason::stopped ||
         reason == protocol::stop_reason::interrupted || reason == protocol::stop_reason::died;
}

bool session::between_operations() const {
  return here_.reason == protocol::stop_reason::died ||
         here_.reason == protocol::stop_reason::interrupted || !here_.host.empty();
}

void session::start() {
  const int input = open(options_.input.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0) {
    cannot(fmt::format("cannot read '{}'", options_.input));
  }
  nlohmann::json simulator = options_.simulator;
  if (!options_.trace.empty()) {
    std::filesystem::remove(
        options_.trace); // the program makes it: a process that it starts does not
    simulator["trace"_option] = sim::printable(options_.trace);
  }
  setenv(sim::options_variable, sim::json_text(simulator).c_str(), 1);
  setenv(sim::step_variable, sim::text_of(sim::step_link{address_, shared_in_program}).c_str(), 1);
  if (!options_.check.empty()) {
    setenv(sim::step_check_variable, options_.check.c_str(), 1);
  }
  // Ctrl-C at the terminal is the stepper's; it passes it on to the process that runs.
  const pid_t child = start_repeatable({.program = options_.program,
                                        .words = options_.words,
                                        .descriptors = {{input, STDIN_FILENO},
                                                        {output_, STDOUT_FILENO},
                                                        {errors_, STDERR_FILENO},
                                                        {shared_, shared_in_program}},
                                        .own_group = true});
  close(input);
  unsetenv(sim::step_variable);
  unsetenv(sim::step_check_variable);
  resumed_pid_ = child;
  wait_for_stop();
}

void session::kill_live() {
  if (live_.socket < 0) {
    return;
  }
  close(live_.socket);
  kill(live_.pid, SIGKILL);
  static_cast<void>(sim::status_at_end(live_.pid));
  live_ = {};
}

void session::accept_one() {
  connection c;
  c.socket = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  if (c.socket < 0) {
    return;
  }
  ucred who{};
  socklen_t size = sizeof who;
  if (getsockopt(c.socket, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid != getuid()) {
    close(c.socket); // somebody else's process
    return;
  }
  c.pid = who.pid;
  if (c.pid == resumed_pid_ && live_.socket < 0) {
    // The program that was started: its first message is a stop.
    live_ = std::move(c);
    return;
  }
  const auto first = receive_line(c.socket, c.buffered);
  if (!first) {
    close(c.socket);
    return;
  }
  const std::string event = first->value("event", "");
  if (event == protocol::checkpoint::event) {
    const std::uint64_t position = protocol::decode<protocol::checkpoint>(*first).position;
    if (const auto old = checkpoints_.find(position); old != checkpoints_.end()) {
      close(old->second.socket);
      checkpoints_.erase(old);
    }
    checkpoints_[position] = std::move(c);
    ++taken_checkpoints_;
    if (checkpoints_.size() > most_checkpoints ||
        std::chrono::steady_clock::now() >= measure_again_) {
      thin_out();
    }
  } else if (event == protocol::resumed::event) {
    live_ = std::move(c);
  } else {
    close(c.socket);
  }
}

bool session::take_connection(int timeout_ms) {
  pollfd waiting{listening_, POLLIN, 0};
  if (poll(&waiting, 1, timeout_ms) <= 0) {
    return false;
  }
  accept_one();
  return true;
}

const standing& session::wait_for_stop() {
  const signal_action caught(SIGINT, passing_on());
  int passed_on = 0;
  for (;;) {
    if (live_.buffered.find('\n') == std::string::npos) {
      std::array<pollfd, 3> waiting{
          {{listening_, POLLIN, 0}, {live_.socket, POLLIN, 0}, {options_.wake_for, POLLIN, 0}}};
      const int ready = poll(waiting.data(), waiting.size(), tick_ms);
      show_output();
      if (options_.while_running) {
        options_.while_running();
      }
      if (for_the_program::count != answered && live_.socket >= 0) {
        answered = for_the_program::count;
        kill(live_.pid, ++passed_on < 3 ? SIGINT : SIGKILL);
      }
      if (ready <= 0) {
        // A program that ends before it has connected leaves nothing to read.
        int status = 0;
        if (live_.socket < 0 && waitpid(resumed_pid_, &status, WNOHANG) == resumed_pid_) {
          live_.pid = 0;
          standing end;
          end.reason = protocol::stop_reason::died;
          end.wait_status = status;
          stopped(std::move(end));
          return here_;
        }
        continue;
      }
      if ((waiting[0].revents & POLLIN) != 0) {
        accept_one();
      }
      if (live_.socket < 0 || (waiting[1].revents & (POLLIN | POLLHUP)) == 0) {
        continue;
      }
    }
    auto message = receive_line(live_.socket, live_.buffered);
    if (!message) {
      died(passed_on != 0);
      return here_;
    }
    if (message->value("event", "") == protocol::stop::event) {
      stopped({protocol::decode<protocol::stop>(*message)});
      return here_;
    }
  }
}

void session::catch_interrupts() noexcept {
  const struct sigaction caught = passing_on();
  sigaction(SIGINT, &caught, nullptr);
}

void session::forget_interrupts() noexcept {
  answered = for_the_program::count;
}

void session::interrupt() noexcept {
  for_the_program::note();
}

void session::abandon() noexcept {
  abandoned_ = true;
  if (live_.socket >= 0) {
    kill(live_.pid, SIGKILL);
  }
}

void session::died(bool by_interrupt) {
  close(live_.socket);
  const int status = sim::status_at_end(live_.pid);
  live_ = {};
  // Checkpoints that it made may not have been taken yet.
  while (take_connection(0)) {
  }
  standing end;
  end.reason = protocol::stop_reason::died;
  end.wait_status = status;
  end.position = std::uint64_t{page_->position};
  end.by_interrupt = by_interrupt;
  if (WIFSIGNALED(status) && page_->crash.signal == WTERMSIG(status)) {
    end.crash = told_crash();
  }
  page_->crash.signal = 0;
  stopped(std::move(end));
}

/// Where the signal came, in the user's source. Who sleeps has the same code at the same addresses.
crash session::told_crash() {
  const sim::step::crash_note& note = page_->crash;
  crash told{.block = note.block.data(), .frames = {}};
  if (checkpoints_.empty()) {
    return told;
  }
  connection& sleeper = checkpoints_.begin()->second;
  const auto* const first = note.frames.begin();
  send_line(sleeper.socket,
            protocol::encode(protocol::places{.addresses = {first, first + note.count}}));
  if (const auto reply = receive_line(sleeper.socket, sleeper.buffered)) {
    told.frames = protocol::decode<protocol::place_list>(*reply).frames;
    std::erase_if(told.frames, [](const protocol::frames& one) { return one.empty(); });
  }
  return told;
}

void session::stopped(standing where) {
  here_ = std::move(where);
  farthest_ = std::max(farthest_, position());
  // Checkpoints that were made on the way say so on lines of their own.
  const std::uint64_t expected = here_.checkpoints;
  while (taken_checkpoints_ < expected && take_connection(tick_ms * 20)) {
  }
  taken_checkpoints_ = 0;
  journal_bytes_ = here_.journal_bytes;
  writers_bytes_ = here_.writers_bytes;
  // Another process may have gone on from an earlier place: what it shares is not the same.
  if (expected != 0 || std::exchange(went_back_, false)) {
    thin_out();
  }
  show_output();
}

void session::show_output() {
  if (!options_.show_output) {
    return;
  }
  std::fflush(stdout); // in the order of what happened
  copy_new(output_, shown_output_, STDOUT_FILENO);
  copy_new(errors_, shown_errors_, STDERR_FILENO);
}

session::printed session::take_printed() {
  return {take_new(output_, shown_output_), take_new(errors_, shown_errors_)};
}

json session::reply_to(const json& request) {
  if (!alive()) {
    throw refused("the program has ended here; go back first (reverse-step, reverse-continue)");
  }
  send_line(live_.socket, request);
  for (;;) {
    auto message = receive_line(live_.socket, live_.buffered);
    if (!message) {
      died(false);
      throw refused("the program has ended");
    }
    if (message->value("event", "") != "reply") {
      continue;
    }
    if (message->contains("error")) {
      throw refused(protocol::decode<protocol::refusal>(*message).error);
    }
    return std::move(*message);
  }
}

void session::forget_printed() {
  for (const auto& [file, shown] :
       {std::pair{output_, &shown_output_}, {errors_, &shown_errors_}}) {
    if (ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0) {
      *shown = 0;
    }
  }
}

} // namespace tilesim::tools::step
