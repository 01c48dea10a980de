// Running the checked program: one poll loop over the streams and ends of all its runs, and our
// input.
//
// SPDX-License-Identifier: Apache-2.0
#include "tools/check/run.hpp"

#include "sim/contract/child.hpp"
#include "sim/contract/environment.hpp"
#include "sim/contract/json_text.hpp"
#include "sim/contract/option_table.hpp"
#include "sim/contract/printable.hpp"
#include "sim/contract/standard_error.hpp"
#include "sim/contract/whole_bytes.hpp"
#include "tools/build/cache.hpp"
#include "tools/check/here.hpp"
#include "tools/cli/failure.hpp"
#include "tools/cli/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace tilesim::tools {

using namespace sim::option_literals;

namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr int tick_ms = 100;
// How long a program that was told to stop may take to write its report.
constexpr auto grace = 2s;
// Ctrl-C at a terminal reaches the program by itself; a signal sent to this process alone does not.
constexpr auto forward_after = 300ms;
// Signals that follow one another faster are one press.
constexpr auto one_press = 500ms;
// A pool of workers waits for ever for one that has ended in its midst. How long a program may go
// on whose process has been stopped, and how often it is looked.
constexpr auto without_child = 10s;
constexpr auto look_every = 1s;

using watched = interrupts<interrupt_watch>;

/// What Ctrl-C and SIGTERM did before the watch.
struct sigaction old_interrupt;
struct sigaction old_terminate;

/// Two ends of a pipe, closed at the end of the scope.
class pipe_ends {
public:
  pipe_ends() {
    if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
      throw failure(exit_internal, fmt::format("pipe: {}", std::strerror(errno)));
    }
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
    if (ends_.at(which) >= 0) {
      close(ends_.at(which));
    }
    ends_.at(which) = -1;
  }

private:
  std::array<int, 2> ends_{-1, -1};
};

/// May this process read its standard input now? A job in the background of a terminal may not.
bool input_is_ours() {
  return isatty(STDIN_FILENO) != 1 || tcgetpgrp(STDIN_FILENO) == getpgrp();
}

/// Where a run leaves its report: in the cache, or, for callers that have none, in a folder.
class report_file {
public:
  explicit report_file(bool in_cache) {
    if (in_cache) {
      cached_.emplace(cache::open(), ".json");
    } else {
      folder_.emplace("check");
    }
  }
  ~report_file() {
    remove_children_beside(path());
    if (cached_) {
      unlink(counts().c_str());
    }
  }
  report_file(const report_file&) = delete;
  report_file& operator=(const report_file&) = delete;

  [[nodiscard]] std::string path() const {
    return cached_ ? cached_->path : folder_->path() + "/report.json";
  }
  [[nodiscard]] std::string counts() const { return path() + ".counts"; }

private:
  std::optional<temporary_file> cached_;
  std::optional<temporary_folder> folder_;
};

/// Becomes readable when the process ends; -1 where the kernel has no such thing.
int end_of_process(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

} // namespace

class running_program {
public:
  /// `others` run already: a process that is forked for a body is not to hold their pipes.
  running_program(run_request request,
                  const recorded_input& input,
                  const std::map<run_pool::number, std::unique_ptr<running_program>>& others)
      : request_(std::move(request))
      , input_(input)
      , report_(request_.body == nullptr) {
    nlohmann::json options = request_.options;
    options["report"_option] = sim::printable(report_.path());
    options["counts"_option] = sim::printable(report_.counts());
    options["reader"_option] = getpid();
    if (request_.body != nullptr) {
      fork_body(sim::json_text(options), others);
    } else {
      spawn(sim::json_text(options));
    }
    end_ = end_of_process(child_);
    to_program_.close_end(0);
    output_.close_end(1);
    errors_.close_end(1);
    fcntl(to_program_.write_end(), F_SETFL, O_NONBLOCK); // NOLINT: fcntl's signature
    close_input_at_its_end();
  }

  ~running_program() {
    if (!ended_) {
      kill(child_, SIGKILL);
      sim::status_at_end(child_);
    }
    if (end_ >= 0) {
      close(end_);
    }
  }
  running_program(const running_program&) = delete;
  running_program& operator=(const running_program&) = delete;

  [[nodiscard]] bool ended() const { return ended_; }
  /// It has ended, and all that it has printed is here. A process that it left behind may hold its
  /// streams: nothing more comes from those when `quiet`.
  [[nodiscard]] bool finished(bool quiet) const {
    return ended_ && (quiet || (output_.read_end() < 0 && errors_.read_end() < 0));
  }
  /// May it want more of our own standard input than has been read?
  [[nodiscard]] bool wants_input() const {
    return !ended_ && to_program_.write_end() >= 0 && sent_ == input_.bytes.size() && !input_.ended;
  }

  static constexpr std::size_t descriptors = 4;

  void wait_for(std::vector<pollfd>& list) const {
    const bool sending = to_program_.write_end() >= 0 && sent_ < input_.bytes.size();
    list.push_back({output_.read_end(), POLLIN, 0});
    list.push_back({errors_.read_end(), POLLIN, 0});
    list.push_back({to_program_.write_end(), static_cast<short>(sending ? POLLOUT : 0), 0});
    list.push_back({ended_ ? -1 : end_, POLLIN, 0});
  }

  /// Deals with what has happened to the descriptors of wait_for().
  void deal_with(const pollfd* happened) {
    if (happened[0].revents != 0) {
      take(output_, STDOUT_FILENO);
    }
    if (happened[1].revents != 0) {
      take(errors_, STDERR_FILENO);
    }
    if ((happened[2].revents & POLLOUT) != 0) {
      send();
    } else if ((happened[2].revents & (POLLERR | POLLNVAL)) != 0) {
      to_program_.close_end(1); // the program has closed its input
    }
  }

  /// Our input has come to its end, or some of it has arrived.
  void close_input_at_its_end() {
    if (input_.ended && sent_ == input_.bytes.size()) {
      to_program_.close_end(1);
    }
  }

  void end_if_time_is_over() {
    if (ended_) {
      return;
    }
    const auto now = steady_clock::now();
    if (request_.deadline && now > *request_.deadline) {
      await_end(now, *request_.deadline, request_.tells != nullptr);
    }
    end_if_it_waits_in_vain(now);
    if (watched::count == 0) {
      return;
    }
    if (!interrupted_at_) {
      interrupted_at_ = now;
    }
    await_end(now, *interrupted_at_, true);
    if (now < *interrupted_at_ + one_press) {
      presses_ = watched::count;
    } else if (watched::count > presses_) {
      end_by_force();
    }
  }

  void reap() {
    int status = 0;
    rusage used{};
    if (ended_ || wait4(child_, &status, WNOHANG, &used) != child_) {
      return;
    }
    ended_ = true;
    run_.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    run_.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + run_.signal;
    run_.memory = static_cast<std::uint64_t>(used.ru_maxrss) * 1024;
  }

  /// What came of it. Throws failure if its report cannot be read.
  program_run result() {
    run_.printed.finish();
    run_.output.finish();
    run_.errors.finish();
    // The file is there from the start, and empty until the simulator has something to say.
    if (const auto text = read_file(report_.path()); text && !text->empty()) {
      run_.report = sim::read_json(*text);
    }
    if (run_.report.is_discarded()) {
      throw failure(exit_internal, "the program's report cannot be read");
    }
    if (run_.status == exit_internal && !complaint_.empty()) {
      throw failure(exit_internal, "internal error: " + complaint_);
    }
    add_counts(run_.report, report_.counts());
    run_.children = children_beside(report_.path());
    return std::move(run_);
  }

private:
  void fork_body(const std::string& options,
                 const std::map<run_pool::number, std::unique_ptr<running_program>>& others) {
    std::fflush(nullptr); // else the child would print it again
    const pid_t parent = getpid();
    child_ = fork();
    if (child_ < 0) {
      throw failure(exit_unavailable, fmt::format("fork: {}", std::strerror(errno)));
    }
    if (child_ > 0) {
      return;
    }
    sim::end_with_parent(parent); // whoever reads what it tells may be killed
    for (const auto& [key, other] : others) {
      other->close_all();
    }
    // The caller's handlers report to the caller.
    for (const int signal :
         {SIGINT, SIGTERM, SIGPIPE, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM}) {
      std::signal(signal, SIG_DFL);
    }
    dup2(to_program_.read_end(), STDIN_FILENO);
    dup2(output_.write_end(), STDOUT_FILENO);
    dup2(errors_.write_end(), STDERR_FILENO);
    const int status = request_.body(options);
    std::fflush(nullptr);
    _exit(status);
  }

  void spawn(const std::string& options) {
    setenv(sim::options_variable, options.c_str(), 1);
    child_ = start_repeatable({.program = request_.program,
                               .words = request_.words,
                               .descriptors = {{to_program_.read_end(), STDIN_FILENO},
                                               {output_.write_end(), STDOUT_FILENO},
                                               {errors_.write_end(), STDERR_FILENO}}});
  }

  void take(pipe_ends& from, int to) {
    std::array<char, 65536> buffer{};
    const auto count = read(from.read_end(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) {
      return;
    }
    if (count <= 0) {
      from.close_end(0);
      return;
    }
    const std::string_view bytes{buffer.data(), static_cast<std::size_t>(count)};
    run_.printed.add(bytes);
    if (to == STDOUT_FILENO) {
      run_.output.add(bytes);
    } else {
      run_.errors.add(bytes);
    }
    if (request_.show && !sim::write_whole(to, bytes) && to == STDERR_FILENO) {
      sim::error_lost = true; // of `trace` the program tells its findings there itself
    }
    if (to == STDERR_FILENO) {
      note_complaint(bytes);
    }
  }

  /// What a failed assertion of the simulator's says is the last that a program says.
  /// [memmodel/assertion.hpp]
  void note_complaint(std::string_view bytes) {
    constexpr std::string_view sign = "tilesim: internal error: ";
    if (complaint_.empty()) {
      const std::size_t at = bytes.find(sign);
      if (at == std::string_view::npos) {
        return;
      }
      bytes.remove_prefix(at + sign.size());
    }
    complaint_ += bytes;
  }

  void send() {
    const auto count =
        ::write(to_program_.write_end(), input_.bytes.data() + sent_, input_.bytes.size() - sent_);
    if (count > 0) {
      sent_ += static_cast<std::size_t>(count);
    } else if (count < 0 && errno != EAGAIN && errno != EINTR) {
      to_program_.close_end(1);
    }
    close_input_at_its_end();
  }

  /// In a forked process: without a word to the program.
  void close_all() {
    to_program_.close_end(1);
    output_.close_end(0);
    errors_.close_end(0);
  }

  /// It was to end then. `asked`: it may not know.
  void await_end(steady_clock::time_point now, steady_clock::time_point since, bool asked) {
    if (request_.tells && request_.tells()) {
      return;
    }
    if (asked && !forwarded_ && now > since + forward_after) {
      forwarded_ = true;
      kill(child_, SIGINT);
    }
    if (now > since + grace) {
      end_by_force();
    }
  }

  void end_if_it_waits_in_vain(steady_clock::time_point now) {
    if (child_stopped_at_) {
      if (now > *child_stopped_at_ + without_child) {
        run_.waited_in_vain = true;
        end_by_force();
      }
    } else if (now > looked_at_ + look_every) {
      looked_at_ = now;
      if (any_child_stopped(report_.path())) {
        child_stopped_at_ = now;
      }
    }
  }

  void end_by_force() {
    run_.killed = true;
    kill(child_, SIGKILL);
  }

  const run_request request_;
  const recorded_input& input_;
  const report_file report_;
  pipe_ends to_program_;
  pipe_ends output_;
  pipe_ends errors_;
  pid_t child_ = 0;
  int end_ = -1; ///< [end_of_process]
  bool ended_ = false;
  std::size_t sent_ = 0;
  std::optional<steady_clock::time_point> interrupted_at_;
  std::optional<steady_clock::time_point> child_stopped_at_;
  steady_clock::time_point looked_at_ = steady_clock::now();
  bool forwarded_ = false;
  int presses_ = 0; ///< of Ctrl-C, the first
  program_run run_;
  std::string complaint_; ///< of the simulator's about itself
};

run_pool::run_pool(recorded_input& input)
    : input_(input) {}

run_pool::~run_pool() = default;

run_pool::number run_pool::start(run_request request) {
  if (request.body_here != nullptr) {
    if (here_ == nullptr) {
      here_ = std::make_unique<runs_in_this_process>();
    }
    done_here_.emplace(++last_, here_->run(request));
    return last_;
  }
  auto program = std::make_unique<running_program>(std::move(request), input_, programs_);
  programs_.emplace(++last_, std::move(program));
  return last_;
}

program_run run_pool::finish(number which,
                             const std::function<void()>& tick,
                             const std::function<void()>& turned) {
  if (auto done = done_here_.extract(which); !done.empty()) {
    return std::move(done.mapped());
  }
  auto& program = *programs_.at(which);
  bool quiet = false;
  while (!program.finished(quiet)) {
    const bool ended = program.ended();
    const bool something = turn(ended ? 0 : tick_ms);
    quiet = ended && !something;
    if (!something && tick) {
      tick();
    }
    if (something && turned) {
      turned();
    }
  }
  auto run = program.result();
  programs_.erase(which);
  return run;
}

void run_pool::await_room(std::size_t most, const std::function<void()>& tick) {
  while (running() >= most) {
    if (!turn(tick_ms) && tick) {
      tick();
    }
  }
}

void run_pool::drop(number which) {
  programs_.erase(which);
  done_here_.erase(which);
}

std::size_t run_pool::running() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(programs_, [](const auto& p) { return !p.second->ended(); }));
}

bool run_pool::turn(int wait_ms) {
  std::vector<pollfd> waiting;
  const bool reading = !input_.ended && std::ranges::any_of(programs_, [](const auto& p) {
    return p.second->wants_input();
  }) && input_is_ours();
  waiting.push_back({reading ? STDIN_FILENO : -1, POLLIN, 0});
  for (const auto& [key, program] : programs_) {
    program->wait_for(waiting);
  }
  const bool something = poll(waiting.data(), waiting.size(), wait_ms) > 0;
  const pollfd* happened = &waiting[1];
  for (const auto& [key, program] : programs_) {
    if (something) {
      program->deal_with(happened);
    }
    happened += running_program::descriptors;
    program->end_if_time_is_over();
    program->reap();
  }
  if (something && waiting[0].revents != 0) {
    read_input();
  }
  return something;
}

void run_pool::read_input() {
  std::array<char, 4096> buffer{};
  const auto count = read(STDIN_FILENO, buffer.data(), buffer.size());
  if (count > 0) {
    input_.bytes.append(buffer.data(), static_cast<std::size_t>(count));
  } else if (count == 0 || errno != EINTR) {
    input_.ended = true;
  }
  for (const auto& [key, program] : programs_) {
    program->close_input_at_its_end();
  }
}

program_run
run_checked(const run_request& request, recorded_input& input, const std::function<void()>& tick) {
  run_pool pool(input);
  return pool.finish(pool.start(request), tick);
}

// No SA_RESTART: poll() is to return.
interrupt_watch::interrupt_watch()
    : interrupt_(SIGINT, watched::counted_from_now())
    , terminate_(SIGTERM, watched::counted())
    , pipe_(SIGPIPE, ignored()) {
  old_interrupt = interrupt_.before();
  old_terminate = terminate_.before();
}

bool interrupt_watch::requested() noexcept {
  return watched::count != 0;
}

void interrupt_watch::request() noexcept {
  watched::note();
}

interrupt_watch::off::off()
    : interrupt_(SIGINT, old_interrupt)
    , terminate_(SIGTERM, old_terminate) {}

} // namespace tilesim::tools
