// Running the checked program: one poll loop over its streams, our input and its end.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check_run.hpp"

#include "sim/run_counts.hpp"
#include "tools/cache.hpp"
#include "tools/failure.hpp"
#include "tools/files.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilesim::driver {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr int tick_ms = 100;
// How long a program that was told to stop may take to write its report.
constexpr auto grace = 2s;
// Ctrl-C at a terminal reaches the program by itself; a signal sent to this process alone does not.
constexpr auto forward_after = 300ms;

volatile std::sig_atomic_t interrupted = 0;
struct sigaction old_interrupt;
struct sigaction old_terminate;
struct sigaction old_pipe;

void on_interrupt(int /*signal*/) {
  interrupted = 1;
}

/// Two ends of a pipe, closed at the end of the scope.
class pipe_ends {
public:
  pipe_ends() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0)
      throw failure(exit_internal, fmt::format("pipe: {}", std::strerror(errno)));
  }
  ~pipe_ends() {
    close_end(0);
    close_end(1);
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;

  [[nodiscard]] int read_end() const { return ends_[0]; }
  [[nodiscard]] int write_end() const { return ends_[1]; }
  void close_end(std::size_t which) {
    if (ends_.at(which) >= 0)
      close(ends_.at(which));
    ends_.at(which) = -1;
  }

private:
  std::array<int, 2> ends_{-1, -1};
};

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = write(to, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return; // nobody reads what the program prints: not the check's business
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

/// May this process read its standard input now? A job in the background of a terminal may not.
bool input_is_ours() {
  return isatty(STDIN_FILENO) != 1 || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

std::string counts_beside(const std::string& report) {
  return report + ".counts";
}

/// A program that has left without exit() could not tell what it had done.
void add_counts(nlohmann::json& report, const std::string& path) {
  sim::run_counts counts;
  const auto bytes = read_file(path);
  if (!bytes || bytes->size() != sizeof counts || report.is_null() || report.at("how") != "running")
    return;
  std::memcpy(&counts, bytes->data(), sizeof counts);
  report["operations"] = counts.operations;
  report["judged"] = counts.judged;
}

class running_program {
public:
  running_program(const run_request& request, recorded_input& input, const std::string& report)
      : request_(request)
      , input_(input) {
    nlohmann::json options = request_.options;
    options["report"] = report;
    options["counts"] = counts_beside(report);
    if (request_.body != nullptr)
      fork_body(options.dump());
    else
      spawn(options.dump());
    to_program_.close_end(0);
    output_.close_end(1);
    errors_.close_end(1);
    fcntl(to_program_.write_end(), F_SETFL, O_NONBLOCK); // NOLINT: fcntl's signature
  }

  program_run finish(const std::function<void()>& tick) {
    while (!ended_ || output_.read_end() >= 0 || errors_.read_end() >= 0) {
      const bool something = turn();
      if (!something && ended_)
        break; // a process that it left behind may hold its streams
      if (!something && tick)
        tick();
      end_if_time_is_over();
      reap();
    }
    run_.printed.finish();
    return std::move(run_);
  }

private:
  void fork_body(const std::string& options) {
    std::fflush(nullptr); // else the child would print it again
    child_ = fork();
    if (child_ < 0)
      throw failure(exit_unavailable, fmt::format("fork: {}", std::strerror(errno)));
    if (child_ > 0)
      return;
    // The caller's handlers report to the caller.
    for (const int signal :
         {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM})
      std::signal(signal, SIG_DFL);
    dup2(to_program_.read_end(), STDIN_FILENO);
    dup2(output_.write_end(), STDOUT_FILENO);
    dup2(errors_.write_end(), STDERR_FILENO);
    const int status = request_.body(options);
    std::fflush(nullptr);
    _exit(status);
  }

  void spawn(const std::string& options) {
    setenv("TILESIM_OPTIONS", options.c_str(), 1);
    child_ = start_repeatable({.program = request_.program,
                               .words = request_.words,
                               .descriptors = {{to_program_.read_end(), STDIN_FILENO},
                                               {output_.write_end(), STDOUT_FILENO},
                                               {errors_.write_end(), STDERR_FILENO}}});
  }

  /// Waits for something to happen and deals with it. False if nothing has.
  bool turn() {
    const bool sending = to_program_.write_end() >= 0 && sent_ < input_.bytes.size();
    const bool reading =
        !ended_ && to_program_.write_end() >= 0 && !sending && !input_.ended && input_is_ours();
    std::array<pollfd, 4> waiting{{
        {output_.read_end(), POLLIN, 0},
        {errors_.read_end(), POLLIN, 0},
        {to_program_.write_end(), static_cast<short>(sending ? POLLOUT : 0), 0},
        {reading ? STDIN_FILENO : -1, POLLIN, 0},
    }};
    if (poll(waiting.data(), waiting.size(), ended_ ? 0 : tick_ms) <= 0)
      return false;
    if (waiting[0].revents != 0)
      take(output_, STDOUT_FILENO);
    if (waiting[1].revents != 0)
      take(errors_, STDERR_FILENO);
    if ((waiting[2].revents & POLLOUT) != 0)
      send();
    else if ((waiting[2].revents & (POLLERR | POLLNVAL)) != 0)
      to_program_.close_end(1); // the program has closed its input
    if (waiting[3].revents != 0)
      read_input();
    return true;
  }

  void take(pipe_ends& from, int to) {
    std::array<char, 65536> buffer{};
    const auto count = read(from.read_end(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
      return;
    if (count <= 0) {
      from.close_end(0);
      return;
    }
    const std::string_view bytes{buffer.data(), static_cast<std::size_t>(count)};
    run_.printed.add(bytes);
    if (request_.show)
      write_all(to, bytes);
  }

  void send() {
    const auto count =
        write(to_program_.write_end(), input_.bytes.data() + sent_, input_.bytes.size() - sent_);
    if (count > 0)
      sent_ += static_cast<std::size_t>(count);
    else if (count < 0 && errno != EAGAIN && errno != EINTR)
      to_program_.close_end(1);
    close_input_at_its_end();
  }

  void read_input() {
    std::array<char, 4096> buffer{};
    const auto count = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count > 0)
      input_.bytes.append(buffer.data(), static_cast<std::size_t>(count));
    else if (count == 0 || errno != EINTR)
      input_.ended = true;
    close_input_at_its_end();
  }

  void close_input_at_its_end() {
    if (input_.ended && sent_ == input_.bytes.size())
      to_program_.close_end(1);
  }

  void end_if_time_is_over() {
    if (ended_)
      return;
    const auto now = steady_clock::now();
    if (request_.deadline && now > *request_.deadline + grace)
      end_by_force();
    if (interrupted == 0)
      return;
    if (!interrupted_at_)
      interrupted_at_ = now;
    if (!forwarded_ && now > *interrupted_at_ + forward_after) {
      forwarded_ = true;
      kill(child_, SIGINT);
    }
    if (now > *interrupted_at_ + grace)
      end_by_force();
  }

  void end_by_force() {
    run_.killed = true;
    kill(child_, SIGKILL);
  }

  void reap() {
    int status = 0;
    if (ended_ || waitpid(child_, &status, WNOHANG) != child_)
      return;
    ended_ = true;
    run_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    run_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + run_.signal;
  }

  const run_request& request_;
  recorded_input& input_;
  pipe_ends to_program_;
  pipe_ends output_;
  pipe_ends errors_;
  pid_t child_ = 0;
  bool ended_ = false;
  std::size_t sent_ = 0;
  std::optional<steady_clock::time_point> interrupted_at_;
  bool forwarded_ = false;
  program_run run_;
};

} // namespace

namespace {

/// A folder of its own, for callers that have no cache.
class temporary_folder {
public:
  temporary_folder()
      : path_((std::filesystem::temp_directory_path() / "tilesim-check-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw failure(exit_unavailable, fmt::format("{}: {}", path_, std::strerror(errno)));
  }
  ~temporary_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;

  [[nodiscard]] std::string file() const { return path_ + "/report.json"; }

private:
  std::string path_;
};

program_run run_and_report(const run_request& request,
                           recorded_input& input,
                           const std::function<void()>& tick,
                           const std::string& report) {
  auto run = running_program(request, input, report).finish(tick);
  if (const auto text = read_file(report))
    run.report = nlohmann::json::parse(*text, nullptr, false);
  if (run.report.is_discarded())
    throw failure(exit_internal, "the program's report cannot be read");
  add_counts(run.report, counts_beside(report));
  unlink(counts_beside(report).c_str());
  return run;
}

} // namespace

program_run
run_checked(const run_request& request, recorded_input& input, const std::function<void()>& tick) {
  if (request.body != nullptr) {
    const temporary_folder folder;
    return run_and_report(request, input, tick, folder.file());
  }
  const temporary_file report(cache::open(), ".json");
  return run_and_report(request, input, tick, report.path);
}

interrupt_watch::interrupt_watch() {
  interrupted = 0;
  struct sigaction action {};
  action.sa_handler = on_interrupt; // no SA_RESTART: poll() is to return
  sigaction(SIGINT, &action, &old_interrupt);
  sigaction(SIGTERM, &action, &old_terminate);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &old_pipe);
}

interrupt_watch::~interrupt_watch() {
  sigaction(SIGINT, &old_interrupt, nullptr);
  sigaction(SIGTERM, &old_terminate, nullptr);
  sigaction(SIGPIPE, &old_pipe, nullptr);
}

bool interrupt_watch::requested() noexcept {
  return interrupted != 0;
}

} // namespace tilesim::driver
